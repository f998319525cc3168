#include "sfg/study/identifiable/identifiable.hpp"

#include <algorithm>

#include "sfg/error.hpp"
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
  const auto& context = told.space.context();
  const auto single = [&] {
    return fibre.one_value({Polynomial::variable(context, told.unknown[place]), Polynomial::constant(context, 1)});
  };
  if (!told.found[place] && !fibre.solved()) return Identifiability::finite;
  return (told.found[place] || single()) && !told.within[place] ? Identifiability::unique : Identifiability::locally;
}

std::vector<Identifiability> all_found_at(const Told& told, const Fibre& fibre) {
  std::vector<Identifiability> result;
  for (std::size_t k = 0; k < told.parameters; ++k) result.push_back(found_at(told, fibre, k));
  return result;
}

/// Two points, modulo two primes, that say the same; none of them solved where one is not.
std::vector<Fibre> agreeing_fibres(const Told& told, std::uint64_t seed, const Budget& budget) {
  constexpr std::uint64_t most_draws = 4;
  for (std::uint64_t draw = 0;; ++draw) {
    std::vector<Fibre> fibres;
    fibres.emplace_back(told, ModularRing::mersenne61, 16 * seed + 2 * draw);
    fibres.emplace_back(told, ModularRing::below61, 16 * seed + 2 * draw + 1);
    for (Fibre& fibre : fibres) fibre.solve(budget);
    if (std::ranges::all_of(fibres, &Fibre::solved)) {
      if (fibres[0].solutions() == fibres[1].solutions() && all_found_at(told, fibres[0]) == all_found_at(told, fibres[1]))
        return fibres;
    } else if (fibres[0].rank() == fibres[1].rank()) {
      for (Fibre& fibre : fibres) fibre.forget();
      return fibres;
    }
    if (draw + 1 == most_draws)
      throw NoAnswer("random points do not agree on what the transfer functions determine", "ask again with another seed");
  }
}

std::string listed_in(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// How what is not shown is to be read.
void add_notes(const Told& told, Identifiable& result) {
  std::vector<std::string> undecided, within;
  for (std::size_t k = 0; k < result.parameters.size(); ++k) {
    if (result.parameters[k].found == Identifiability::finite) undecided.push_back(told.names[k]);
    if (told.within[k] && result.parameters[k].found == Identifiability::locally)
      within.push_back(told.names[k] + " in " + print(told.space.generator(told.unknown[k])));
  }
  if (!undecided.empty())
    result.notes.push_back("whether one value or several was not decided within the limits: " + listed_in(undecided));
  if (!within.empty())
    result.notes.push_back("seen only within a function, which has the same value for several complex values of it: " +
                           listed_in(within));
  if (!result.generate)
    result.notes.emplace_back(
        "the combinations are all independent and each has one value, but that the transfer functions are functions of them "
        "alone "
        "was not shown");
}

}  // namespace

Identifiable identifiable(const SignalFlowGraph& graph, std::span<const Question> questions, const IdentifiableOptions& options) {
  Told told = sfg::told(graph, questions, options.known, {options.budget, options.seed});
  peel(told);
  const std::vector<Fibre> fibres = agreeing_fibres(told, options.seed, options.budget);
  const std::vector<Identifiability> found = all_found_at(told, fibres.front());
  Identifiable result;
  std::vector<std::size_t> single;
  for (std::size_t k = 0; k < told.parameters; ++k) {
    if (found[k] == Identifiability::unique || (told.found[k] && told.within[k])) single.push_back(k);
    result.parameters.push_back({told.names[k], found[k], told.influence[k]});
  }
  ToldCombinations chosen = combinations(told, fibres, single, options.budget);
  for (ToldFunction& f : chosen.functions)
    result.combinations.push_back(RationalFunction(told.space, std::move(f.above), std::move(f.below)).reduced());
  result.generate = chosen.generate;
  result.degrees_of_freedom = told.parameters - (fibres.front().rank() - told.relations.size());
  add_notes(told, result);
  return result;
}

}  // namespace sfg
