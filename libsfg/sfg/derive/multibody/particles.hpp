#pragma once
#include <vector>

#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/derive/multibody/substitution.hpp"
#include "sfg/derive/multibody/unknowns.hpp"
#include "sfg/expr/spatial.hpp"

// Not installed.
namespace sfg {

/// Mass points in Cartesian coordinates, m ẍ = F^e + F^r (Pelz 2003, Eqs. 6.1–6.5), or in generalised ones, (Bᵀ M B) q̈ = Bᵀ (F^e
/// − M c) with B = ∂x/∂q, where the reactions drop out (Eqs. 6.6, 6.7).
class Particles {
 public:
  Particles(const Multibody&, const Unknowns&, Substitutions&, SymbolTable&);

  /// Adds to M and F.
  void equations(EquationsOfMotion::Matrix& M, std::vector<GiNaC::ex>& F);
  /// Energies, momenta and frames.
  void account(MultibodyEquations&);
  /// What constraints do to every particle: m ẍ − F^e.
  void reactions(MultibodyEquations&);
  /// The expression with the coordinates of particles in terms of generalised ones.
  GiNaC::ex in_coordinates(const GiNaC::ex&) const;

 private:
  struct Component {
    GiNaC::ex x, rate;                                  ///< value and its rate
    GiNaC::ex mass, force;                              ///< applied, with gravity
    GiNaC::ex bias;                                     ///< ẍ without the accelerations of coordinates
    std::vector<std::pair<std::size_t, GiNaC::ex>> by;  ///< ∂x/∂q by speed
  };
  void add(const Multibody::Particle&, std::size_t number);
  Component generalized(const Multibody::Transformation&);
  spatial::Vector vector_of(std::size_t particle, GiNaC::ex Component::*member) const;

  const Multibody& model_;
  const Unknowns& unknowns_;
  Substitutions& names_;
  SymbolTable& symbols_;
  std::vector<std::vector<Component>> particles_;
  GiNaC::exmap put_in_;
};

}  // namespace sfg
