#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/compare/relations.hpp"
#include "sfg/expr/random_point.hpp"

namespace sfg {

/// One entry of relations replaced by another value.
struct SingleChange {
  enum class Kind { sign, missing, gain, extra };
  Kind kind = Kind::gain;
  std::uint32_t row = 0, column = 0;
  GiNaC::ex before, after;  ///< 0: no entry
  int rank = 0;             ///< the plainer the smaller
};

struct SingleChanges {
  std::vector<SingleChange> named = {};  ///< plainest first
  std::vector<std::pair<std::uint32_t, std::uint32_t>> unnamed =
      {};  ///< row and column of entries that some other value makes right
};

struct SingleChangeOptions {
  std::vector<GiNaC::ex> gains = {};  ///< of the other model: values that a wrong entry may have there
  std::size_t most = 6;               ///< changes that are listed
  std::size_t points = 3;
  std::size_t largest = 400;  ///< relations with more rows are not searched
  Budget budget = {};
  std::uint64_t seed = 1;
};

/// The values that the responses should have, at a point; nothing where it is unlucky.
using TargetValues = std::function<std::vector<std::optional<std::uint64_t>>(const ModularPoint&)>;

/// Every change of one entry, of those that are plain, that gives the relations the wanted responses; plainest first. Changing an
/// entry by δ changes the inverse by a matrix of rank one (Sherman and Morrison 1950), so that each response is (α + βδ)/(γ +
/// εδ): the equation T(δ) = target is linear in δ, and one inverse at a few points modulo primes tells δ for every place. It must
/// be the same for all responses, and one function of the symbols: that of the entry with another sign, none, an entry of either
/// model, a number …
/// @note Candidates agree at `points` points; whoever shows them proves them.
SingleChanges single_changes(const Relations&, const TargetValues&, const RandomPoints&, const SingleChangeOptions&);

}  // namespace sfg
