#pragma once
#include <vector>

#include "sfg/expr/math_tree.hpp"
#include "sfg/transfer/mason.hpp"

// Not installed.
namespace sfg {

/// 1 − Σ Lᵢ + Σ Lᵢ·Lⱼ − … of the gains of a listing in the order of the sets, single loops before pairs; what is alike but for a
/// number is added up where it stands first.
/// @param sum  the same as one expression: what is written where there are very many sets
Math loop_sum(const MasonListing&, const std::vector<std::vector<std::size_t>>& sets, const GiNaC::ex& sum);
/// Δ, of all sets.
Math loop_sum(const MasonListing&);

}  // namespace sfg
