#pragma once
#include <ginac/ex.h>

#include <array>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/model/equations.hpp"
#include "sfg/model/motion.hpp"
#include "sfg/model/multibody.hpp"

namespace sfg {

/// The equations of motion of bodies, joints and particles, and what is known beside them. Everything is an expression over
/// coordinates, speeds, inputs, t, parameters and the symbols of `definitions`, which name intermediate results (Mráz: the
/// substitution operators L(A) and L_S(A)).
struct MultibodyEquations {
  using Vector = Multibody::Vector;
  /// The frame of a body; components in the inertial frame.
  struct Frame {
    std::string body;
    Vector position, velocity, angular_velocity;
    Multibody::Matrix3 axes;  ///< its columns are the axes of the body
  };
  /// What the joint does to its second body (of a particle: all its constraints to it), at the joint, in inertial components:
  /// force and moment, of coordinates, speeds, accelerations and multipliers.
  struct Reaction {
    std::string joint;
    std::array<GiNaC::ex, 6> wrench;
    Vector at;  ///< where the joint is
  };
  struct Operations {
    double direct = 0;  ///< with everything put in: one for each + − · / function and power (may be beyond 2^64)
    std::size_t substituted = 0;
  };

  EquationsOfMotion motion;  ///< of small and large motions; its definitions are those that it needs
  std::vector<EquationsOfMotion::Definition> definitions;  ///< all, in the order of evaluation: for the motion and what follows
  std::vector<GiNaC::ex> accelerations;                    ///< the symbols of the rates of the speeds
  std::vector<Reaction> reactions;
  std::vector<Frame> frames;                            ///< by body, without the inertial frame
  GiNaC::ex kinetic, potential;                         ///< energies; springs and gravity are in the potential one
  Vector momentum, angular_momentum;                    ///< of all bodies, about the origin of the inertial frame
  std::vector<std::array<std::size_t, 4>> quaternions;  ///< numbers of the coordinates that are one
  Operations operations;                                ///< of M and F
  std::vector<Diagnostic> notes;
};

struct SubstitutionOptions {
  bool reuse = true;  ///< equal expressions have one name
  bool prune = true;  ///< what M and F do not need is left out of the motion
};

/// Equations of a multibody model: the composite method for bodies (Mráz), Cartesian or generalised coordinates for particles
/// (Pelz 2003, Eqs. 6.1–6.7).
/// @throws sfg::Error with every problem of the model and its place. LimitReached, Cancelled by the budget.
MultibodyEquations multibody_equations(const Multibody&, const SubstitutionOptions& = {}, const Budget& = {});

}  // namespace sfg
