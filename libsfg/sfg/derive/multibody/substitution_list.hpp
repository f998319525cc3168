#pragma once
#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/model/substitution_list.hpp"

namespace sfg {

/// The model with Mráz's names for the points, shapes and modal stiffnesses of its elastic bodies, which have the stated
/// expressions as values. Beams, which are integrals, keep their parameters.
/// @throws sfg::Error where the model has another use for such a name.
Multibody with_elastic_names(Multibody);

/// What a list has beside M and F.
enum class ListedResults {
  motion,  ///< what the motion needs: of constraints φ, J, ∂φ/∂t and γ; the rates of coordinates that no speeds are
  with_reactions,  ///< and every joint's wrench R<number>; accelerations and multipliers are inputs then, behind the others
};

/// M, F and, where there are constraints, phi, J, phit, gamma (φ, J, ∂φ/∂t, J v̇ = γ), and where speeds are not the rates of the
/// coordinates Xd, the rates, as a list. Rates are named after their coordinates: s1d.
/// @param model  whose equations they are: with_elastic_names(…), or as it was stated
SubstitutionList substitution_list(const MultibodyEquations&, const Multibody& model, ListedResults = ListedResults::motion);

/// Operations that one counts in a list as it is written, of all its lines.
std::size_t operations(const SubstitutionList&);

}  // namespace sfg
