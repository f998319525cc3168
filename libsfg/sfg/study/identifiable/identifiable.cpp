#include "sfg/study/identifiable/identifiable.hpp"

#include <algorithm>

#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/study/identifiable/combinations.hpp"
#include "sfg/study/identifiable/fibre.hpp"
#include "sfg/study/identifiable/told.hpp"

namespace sfg {

namespace {

using ring::ModularRing;
using ring::Polynomial;

/// What one random point says of a parameter.
Identifiability found_at(const Told& told, const Fibre& fibre, std::size_t place) {
  if (std::ranges::any_of(fibre.directions(), [&](const auto& direction) { return direction[place] != 0; }))
    return Identifiability::never;
  if (!fibre.solved()) return Identifiability::finite;
  const auto& context = told.space.context();
  const bool one = fibre.one_value({Polynomial::variable(context, told.unknown[place]), Polynomial::constant(context, 1)});
  return one && (place >= told.within.size() || !told.within[place]) ? Identifiability::unique : Identifiability::locally;
}

/// Points modulo the same prime for the search, and one modulo another to confirm.
std::vector<Fibre> fibres_at(const Told& told, std::uint64_t seed, const Budget& budget) {
  std::vector<Fibre> fibres;
  for (std::uint64_t k = 0; k < 2; ++k) fibres.emplace_back(told, ModularRing::mersenne61, 2 * seed + k);
  for (Fibre& fibre : fibres)
    if (!fibre.solve(budget)) break;
  return fibres;
}

}  // namespace

Identifiable identifiable(const SignalFlowGraph& graph, std::span<const Question> questions, const IdentifiableOptions& options) {
  const Told told = sfg::told(graph, questions, options);
  std::vector<Fibre> fibres = fibres_at(told, options.seed, options.budget);
  const Fibre& first = fibres.front();
  Identifiable result;
  std::vector<std::size_t> single;
  for (std::size_t k = 0; k < told.parameters; ++k) {
    const Identifiability found = found_at(told, first, k);
    if (found == Identifiability::unique) single.push_back(k);
    result.parameters.push_back({told.names[k], found, told.influence[k]});
  }
  if (first.solved()) {
    Combinations found = combinations(told, fibres, single, options.budget);
    for (ToldFunction& f : found.functions)
      result.combinations.push_back(RationalFunction(told.space, std::move(f.above), std::move(f.below)).reduced());
    result.generate = found.generate;
  }
  result.degrees_of_freedom = told.parameters - (first.rank() - told.relations.size());
  return result;
}

}  // namespace sfg
