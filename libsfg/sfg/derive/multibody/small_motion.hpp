#pragma once
#include <ginac/ginac.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sfg/derive/multibody/multibody_equations.hpp"

namespace sfg {

/// The motion in small displacements ξ, one for every speed: q = q_e + N(q_e) ξ with q̇ = N(q) v. Of a coordinate whose rate is a
/// speed ξ is its change; of a quaternion ξ are three small rotations about the axes that its speeds are components along.
struct SmallMotion {
  using Matrix = EquationsOfMotion::Matrix;
  /// An input that a control law gives its value.
  struct Law {
    std::string name;
    GiNaC::ex symbol;
    GiNaC::ex law;
  };

  SmallMotion(const Multibody&, const MultibodyEquations&);

  const Multibody& model;
  const MultibodyEquations& equations;
  const EquationsOfMotion& motion;                                ///< of `equations`
  const std::vector<EquationsOfMotion::Definition>& definitions;  ///< of the equations; control laws and sensors are among them
  Matrix N;                                                       ///< by coordinate and speed
  Matrix J;                                                       ///< by constraint and speed
  std::vector<std::optional<std::size_t>> coordinate_of;          ///< by speed: the coordinate whose rate it is
  std::vector<std::array<std::size_t, 3>> speeds_of;              ///< by quaternion
  std::vector<Law> laws;
  std::vector<std::string> displacement_names;  ///< by speed: the coordinate, or "theta…" after a speed "w…"

  std::size_t size() const { return motion.speeds.size(); }
  /// Whether the time occurs by itself.
  bool depends_on_time() const;
  /// W in δv = ξ̇ + W ξ: where a body turns steadily, ω_e × θ.
  Matrix turning(const GiNaC::exmap& values) const;
};

}  // namespace sfg
