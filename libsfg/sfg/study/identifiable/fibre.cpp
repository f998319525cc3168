#include "sfg/study/identifiable/fibre.hpp"

#include <flint/fmpz.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "sfg/exact/flint.hpp"

namespace sfg {

namespace {

using ring::EchelonForm;
using ring::ModularPolynomial;
using ring::Polynomial;

std::uint64_t residue_of(const exact::Rational& number, const ring::ModularRing& ring) {
  const fmpq* value = exact::raw(number);
  const std::uint64_t p = ring.prime();
  return ring.divide(fmpz_fdiv_ui(fmpq_numref(value), p), fmpz_fdiv_ui(fmpq_denref(value), p));
}

/// Values at which every root in the space exists.
ResiduePoint random_values(const PolynomialSpace& space, std::uint64_t prime, std::uint64_t seed) {
  constexpr std::uint64_t most = 4096;
  for (std::uint64_t turn = 0; turn < most; ++turn) {
    const ModularPoint point(prime, seed + turn * 0x9e3779b97f4a7c15);
    ResiduePoint result{ring::ModularRing(prime), {}};
    for (std::size_t v = 0; v < space.size(); ++v)
      if (const auto value = point(space.generator(v))) result.values.push_back(*value);
    if (result.values.size() == space.size()) return result;
  }
  throw LimitReached("so many roots depend on each other that no point was found where all exist", "state parameters for roots");
}

}  // namespace

Fibre::Fibre(const Told& told, std::uint64_t prime, std::uint64_t seed)
    : told_(told), point_(random_values(told.space, prime, seed)) {
  for (const ToldFunction& quotient : quotients()) rows_.push_back(gradient(quotient));
  const Polynomial one = Polynomial::constant(told.space.context(), 1);
  for (const Polynomial& relation : told.relations) rows_.push_back(gradient({relation, one}));
  for (std::size_t k = 0; k < told.found.size(); ++k)
    if (told.found[k]) rows_.push_back(gradient({Polynomial::variable(told.space.context(), told.unknown[k]), one}));
  EchelonForm elimination(point_.ring, told.unknown.size());
  for (const auto& row : rows_) elimination.add(row);
  rank_ = elimination.rank();
  directions_ = elimination.kernel();
  choose(0);
}

EchelonForm::Row Fibre::gradient(const ToldFunction& f) const {
  const auto& ring = point_.ring;
  const std::uint64_t above = point_.at(f.above), below = point_.at(f.below);
  EchelonForm::Row row;
  for (const std::size_t v : told_.unknown) {
    const std::uint64_t of_above = f.above.depends_on(v) ? point_.at(f.above.derivative(v)) : 0,
                        of_below = f.below.depends_on(v) ? point_.at(f.below.derivative(v)) : 0;
    row.push_back(ring.subtract(ring.multiply(of_above, below), ring.multiply(of_below, above)));
  }
  return row;
}

bool Fibre::moves(const EchelonForm::Row& gradient) const {
  return std::ranges::any_of(directions_, [&](const auto& direction) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < gradient.size(); ++i) sum = point_.ring.add(sum, point_.ring.multiply(gradient[i], direction[i]));
    return sum != 0;
  });
}

/// Every member of a group over one of it: the shortest.
std::vector<ToldFunction> Fibre::quotients() const {
  std::vector<ToldFunction> result;
  for (const auto& group : told_.groups) {
    const auto below = std::ranges::min_element(group, {}, [](const Polynomial& p) {
      const auto degrees = p.degrees();
      return std::pair(p.term_count(), std::accumulate(degrees.begin(), degrees.end(), std::size_t{0}));
    });
    for (const Polynomial& p : group)
      if (&p != &*below) result.push_back({p, *below});
  }
  return result;
}

/// Held are those of the highest degrees; another turn draws others.
void Fibre::choose(std::uint64_t turn) {
  const std::size_t n = told_.unknown.size();
  std::vector<std::pair<double, std::size_t>> order;
  std::mt19937_64 random(turn);
  for (std::size_t i = 0; i < n; ++i) {
    double weight = 0;
    for (const auto& group : told_.groups)
      for (const Polynomial& p : group) weight += static_cast<double>(p.degree(told_.unknown[i]) * p.degree(told_.unknown[i]));
    if (turn > 0) weight = static_cast<double>(random() % 1000) * (turn % 2 == 0 ? 1 : weight);
    order.emplace_back(weight, i);
  }
  std::ranges::sort(order);
  EchelonForm columns(point_.ring, rows_.size());
  chosen_.clear();
  for (const auto& [weight, i] : order) {
    EchelonForm::Row column;
    for (const auto& row : rows_) column.push_back(row[i]);
    if (columns.add(std::move(column)) && !told_.found[i]) chosen_.push_back(i);
  }
}

/// In the variables that are solved for, all others at their values.
ModularPolynomial Fibre::specialised(const Polynomial& p) const {
  const auto& ring = point_.ring;
  std::vector<std::size_t> slot(told_.space.size(), chosen_.size());
  for (std::size_t k = 0; k < chosen_.size(); ++k) slot[told_.unknown[chosen_[k]]] = k;
  ModularPolynomial terms;
  p.visit_terms([&](const exact::Rational& coefficient, std::span<const std::uint64_t> exponents) {
    ring::ModularTerm term{{}, residue_of(coefficient, ring)};
    for (std::size_t v = 0; v < exponents.size(); ++v) {
      if (exponents[v] == 0) continue;
      if (slot[v] == chosen_.size()) {
        term.coefficient = ring.multiply(term.coefficient, ring.power(point_.values[v], exponents[v]));
        continue;
      }
      term.power.exponents[slot[v]] = static_cast<std::uint8_t>(std::min<std::uint64_t>(exponents[v], 255));
      term.power.degree = static_cast<std::uint16_t>(term.power.degree + term.power.exponents[slot[v]]);
    }
    terms.push_back(term);
  });
  return ordered(std::move(terms), ring);
}

namespace {

ModularPolynomial linear_combination(ModularPolynomial a, std::uint64_t of_a, const ModularPolynomial& b, std::uint64_t of_b,
                                     const ring::ModularRing& ring) {
  for (auto& term : a) term.coefficient = ring.multiply(term.coefficient, of_a);
  for (const auto& term : b) a.push_back({term.power, ring.multiply(term.coefficient, of_b)});
  return ordered(std::move(a), ring);
}

}  // namespace

std::optional<ring::ModularIdeal> Fibre::ideal_of(std::span<const ToldFunction> functions, std::uint64_t effort) const {
  const auto& ring = point_.ring;
  if (chosen_.size() > ring::PowerProduct::most_variables) return {};
  std::vector<ModularPolynomial> generators, nonzero;
  for (const ToldFunction& f : functions) {
    ModularPolynomial below = specialised(f.below);
    generators.push_back(
        linear_combination(specialised(f.above), point_.at(f.below), below, ring.negate(point_.at(f.above)), ring));
    if (below.size() > 1) nonzero.push_back(std::move(below));
  }
  for (const Polynomial& relation : told_.relations) generators.push_back(specialised(relation));
  return ring::ModularIdeal::finite(std::move(generators), std::move(nonzero),
                                    {.variables = chosen_.size(), .ring = ring, .units = true, .effort = effort});
}

bool Fibre::solve(const Budget& budget) {
  const std::vector<ToldFunction> functions = quotients();
  constexpr std::uint64_t least = 30'000, most_turns = 16;
  for (std::uint64_t effort = least, round = 0; round < 3; ++round, effort *= 8)
    for (std::uint64_t turn = 0; turn < (directions_.empty() ? 1 : most_turns >> round); ++turn) {
      budget.check("solving for the parameters");
      choose(turn);
      ideal_ = ideal_of(functions, effort);
      if (ideal_) return true;
    }
  return false;
}

ModularPolynomial Fibre::difference(const ToldFunction& f) const {
  const auto& ring = point_.ring;
  return ideal_->rest(
      linear_combination(specialised(f.above), point_.at(f.below), specialised(f.below), ring.negate(point_.at(f.above)), ring));
}

bool Fibre::one_value(const ToldFunction& f) const { return difference(f).empty(); }

std::optional<std::size_t> Fibre::solutions_of(std::span<const ToldFunction> functions) const {
  const auto found = ideal_of(functions, 4'000'000);
  return found ? std::optional(found->solutions()) : std::nullopt;
}

}  // namespace sfg
