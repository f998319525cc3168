#pragma once
#include <ginac/ginac.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/derive/equilibrium.hpp"
#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/model/equations.hpp"

namespace sfg {

/// Small motions of bodies about a point, M ÿ + C ẏ + K y = B u in independent displacements y, ξ = R y: loops closed, forces of
/// constraints in K (their geometric stiffness), control laws put in.
struct MultibodyLinearization {
  using Matrix = EquationsOfMotion::Matrix;

  std::string title = {};
  std::vector<std::string> coordinates = {};    ///< y: the rows of M; "theta…" are small rotations about axes of a body
  std::vector<std::string> displacements = {};  ///< ξ: the rows of R
  std::vector<std::string> inputs = {};         ///< the columns of B: those without a law
  std::vector<std::string> rate_rows = {};      ///< y whose row is no balance of forces: a constraint that gives its rate
  Matrix M = {}, C = {}, K = {}, B = {};
  Matrix R = {};                                ///< J R = 0
  std::map<std::string, GiNaC::ex> point = {};  ///< where it holds, by coordinate, and by speed and input where they are not 0
  std::map<std::string, GiNaC::ex> multipliers = {};  ///< λ there, by constraint
  bool exact = true;    ///< the point is stated by expressions; else by decimals that hold for the stated values of parameters
  bool found = false;   ///< the point was searched
  bool steady = false;  ///< a steady motion, not rest
  double residual = 0;  ///< greatest force along a coordinate that is left unbalanced
  std::optional<Stability> stability = {};  ///< of rest without control, by K; nothing where a parameter has no value
  std::vector<Diagnostic> notes = {};
  /// D(p) x = B(p) u of y and of the inputs that follow from control laws; dependent displacements, parts of quaternions and
  /// speeds with names of their own are definitions.
  EquationSystem equations = {};
};

/// First-order expansion at the point that the model states or asks for (Pelz; Mráz; Augustaitis et al., Eqs. 6–8):
/// K = −∂(F + Jᵀ λ_e)/∂ξ with λ_e held. Constraints on rates stay among the rows, as A ξ̇ + (A W + ∂(A v + a)/∂q) ξ = 0.
/// @throws sfg::Error for a point that is none, a force that jumps there, a motion that is not stationary; NoAnswer where no
/// balance is found; LimitReached, Cancelled by the budget.
MultibodyLinearization linearized(const Multibody&, const MultibodyEquations&, const Budget& = {});

}  // namespace sfg
