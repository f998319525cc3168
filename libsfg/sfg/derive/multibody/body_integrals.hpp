#pragma once
#include <vector>

#include "sfg/derive/multibody/substitution.hpp"
#include "sfg/expr/spatial.hpp"
#include "sfg/model/multibody.hpp"

// Not installed.
namespace sfg {

/// The integrals over a body that do not change with time, in its axes about the origin of its frame (Mráz; modes j, k of small
/// deformations, wheels among them as coordinates without deformation).
struct BodyIntegrals {
  using Vector = spatial::Vector;
  using Matrix = spatial::Matrix;
  struct Mode {
    Vector N2{0, 0, 0};      ///< ∫ t_j dm
    Matrix N4{};             ///< ∫ ρ~ᵀ t_j~ dm
    Vector N6{0, 0, 0};      ///< ∫ ρ × t_j dm
    std::vector<Matrix> N5;  ///< by k: ∫ t_k~ᵀ t_j~ dm
    std::vector<Vector> N7;  ///< by k: ∫ t_k × t_j dm
  };
  GiNaC::ex mass = 0;
  Vector N1{0, 0, 0};  ///< ∫ ρ dm
  Matrix N3{};         ///< ∫ ρ~ᵀ ρ~ dm: the inertia of the undeformed body
  std::vector<Mode> modes;
  EquationsOfMotion::Matrix K;                   ///< ∫ t_jᵀ t_k dm
  EquationsOfMotion::Matrix stiffness, damping;  ///< K*, D*
};

/// Translation and rotation parts of the shape functions at a place, a column a mode.
struct ShapeAt {
  std::vector<spatial::Vector> translation, rotation;
};

/// @param body  its number in the model; named are the integrals by `names`
BodyIntegrals body_integrals(const Multibody&, std::size_t body, Substitutions& names);
/// @throws sfg::Error where the shapes are not stated there.
ShapeAt shape_at(const Multibody&, std::size_t body, const Multibody::Place&);
/// Names of the modal coordinates of a body; empty for a rigid one.
std::vector<std::string> modal_coordinates(const Multibody&, std::size_t body);

}  // namespace sfg
