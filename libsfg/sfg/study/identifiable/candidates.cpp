#include "sfg/study/identifiable/candidates.hpp"

#include <flint/fmpz_lll.h>
#include <flint/fmpz_mat.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>

namespace sfg {

namespace {

using ring::EchelonForm;
using ring::Polynomial;
using Whole = std::vector<long>;

std::size_t letters_of(const Told& told, const Polynomial& p, bool unknown_alone) {
  const auto degrees = p.degrees();
  if (unknown_alone)
    return static_cast<std::size_t>(std::ranges::count_if(told.unknown, [&](std::size_t v) { return degrees[v] > 0; }));
  return static_cast<std::size_t>(std::ranges::count_if(degrees, [](std::size_t d) { return d > 0; }));
}

bool depends(const Told& told, const Polynomial& p, const std::vector<std::size_t>& loose) {
  return std::ranges::any_of(loose, [&](std::size_t k) { return p.depends_on(told.unknown[k]); });
}

/// p/q with |p|, q ≤ 60 of a residue (Wang 1981); nothing where there is none.
std::optional<std::pair<long, long>> small_fraction(std::uint64_t residue, const ring::ModularRing& ring) {
  constexpr std::uint64_t most = 60;
  for (std::uint64_t q = 1; q <= most; ++q) {
    const std::uint64_t p = ring.multiply(residue, q);
    if (p <= most) return std::pair(static_cast<long>(p), static_cast<long>(q));
    if (ring.prime() - p <= most) return std::pair(-static_cast<long>(ring.prime() - p), static_cast<long>(q));
  }
  return {};
}

/// The vectors of the kernel that are small whole numbers but for a factor.
std::vector<Whole> whole_vectors(const EchelonForm& elimination, const ring::ModularRing& ring) {
  std::vector<Whole> result;
  for (const auto& vector : elimination.kernel()) {
    std::vector<std::pair<long, long>> fractions;
    long below = 1;
    for (const std::uint64_t value : vector)
      if (const auto fraction = small_fraction(value, ring)) {
        fractions.push_back(*fraction);
        below = std::min(std::lcm(below, fraction->second), 100'000L);
      }
    if (fractions.size() != vector.size() || below >= 100'000) continue;
    Whole whole;
    for (const auto& [p, q] : fractions) whole.push_back(p * (below / q));
    result.push_back(std::move(whole));
  }
  return result;
}

/// Short vectors of the lattice, by Lenstra, Lenstra and Lovász (1982).
std::vector<Whole> short_basis(const std::vector<Whole>& lattice, const std::vector<long>& weights) {
  if (lattice.empty()) return {};
  fmpz_mat_t rows;
  fmpz_mat_init(rows, static_cast<slong>(lattice.size()), static_cast<slong>(weights.size()));
  for (std::size_t i = 0; i < lattice.size(); ++i)
    for (std::size_t j = 0; j < weights.size(); ++j) fmpz_set_si(fmpz_mat_entry(rows, i, j), lattice[i][j] * weights[j]);
  fmpz_lll_t context;
  fmpz_lll_context_init_default(context);
  fmpz_lll(rows, nullptr, context);
  std::vector<Whole> result(lattice.size());
  for (std::size_t i = 0; i < lattice.size(); ++i)
    for (std::size_t j = 0; j < weights.size(); ++j) result[i].push_back(fmpz_get_si(fmpz_mat_entry(rows, i, j)) / weights[j]);
  fmpz_mat_clear(rows);
  return result;
}

Whole added(const Whole& a, const Whole& b, long factor) {
  Whole result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(a[i] + factor * b[i]);
  return result;
}

/// The irreducible factors of the coefficients that contain what is loose, and the loose parameters.
std::vector<Polynomial> parts_of(const Told& told, const std::vector<std::size_t>& loose) {
  std::vector<Polynomial> result;
  const auto put = [&](const Polynomial& p) {
    if (depends(told, p, loose) && std::ranges::find(result, p) == result.end()) result.push_back(p);
  };
  for (const std::size_t k : loose) put(Polynomial::variable(told.space.context(), told.unknown[k]));
  constexpr std::size_t most_terms = 600, most_parts = 60;
  for (const auto& group : told.groups)
    for (const Polynomial& p : group) {
      if (result.size() >= most_parts) break;
      if (p.term_count() > most_terms)
        put(p.primitive());
      else
        for (const auto& [factor, power] : p.factor().factors) put(factor);
    }
  return result;
}

ToldFunction product_of(const std::vector<Polynomial>& parts, const Whole& powers) {
  const Polynomial one = Polynomial::constant(parts.front().context(), 1);
  ToldFunction result{one, one};
  for (std::size_t i = 0; i < parts.size(); ++i)
    (powers[i] > 0 ? result.above : result.below) *= parts[i].power(static_cast<std::uint64_t>(std::labs(powers[i])));
  return result;
}

/// Of a function and its reciprocal the one that reads better: the longer part above, of like ones the parameter stated first.
ToldFunction upright(const Told& told, ToldFunction f) {
  const auto weight = [&](const Polynomial& p) {
    const auto degrees = p.degrees();
    std::vector<std::size_t> result{p.term_count(), std::accumulate(degrees.begin(), degrees.end(), std::size_t{0})};
    for (const std::size_t v : told.unknown) result.push_back(degrees[v]);
    return result;
  };
  if (weight(f.above) < weight(f.below)) std::swap(f.above, f.below);
  const Polynomial above = f.above.primitive();  // a number in front changes nothing
  return {above.reads_negative() ? -above : above, f.below.primitive()};
}

}  // namespace

std::vector<std::size_t> length_of(const Told& told, const ToldFunction& f) {
  const Polynomial both = [&] {  // a product that contains all letters of both
    Polynomial product = Polynomial::constant(told.space.context(), 1);
    const auto above = f.above.degrees(), below = f.below.degrees();
    for (std::size_t v = 0; v < above.size(); ++v)
      if (above[v] + below[v] > 0) product *= Polynomial::variable(told.space.context(), v);
    return product;
  }();
  const auto above = f.above.degrees(), below = f.below.degrees();
  return {
      letters_of(told, both, true), letters_of(told, both, false), f.above.term_count() + f.below.term_count(),
      std::accumulate(above.begin(), above.end(), std::size_t{0}) + std::accumulate(below.begin(), below.end(), std::size_t{0}),
      f.below.term_count()};
}

std::vector<ToldFunction> product_candidates(const Told& told, const std::vector<Fibre>& fibres,
                                             const std::vector<std::size_t>& loose) {
  const std::vector<Polynomial> parts = parts_of(told, loose);
  if (parts.empty()) return {};
  const auto& ring = fibres.front().point().ring;
  const Polynomial one = Polynomial::constant(told.space.context(), 1);
  EchelonForm changes(ring, parts.size());
  for (const Fibre& fibre : fibres) {
    std::vector<EchelonForm::Row> gradients;
    for (const Polynomial& part : parts) gradients.push_back(fibre.gradient({part, one}));
    for (const auto& direction : fibre.directions()) {
      EchelonForm::Row row;
      for (std::size_t i = 0; i < parts.size(); ++i) {
        std::uint64_t change = 0;
        for (std::size_t k = 0; k < direction.size(); ++k)
          change = ring.add(change, ring.multiply(direction[k], gradients[i][k]));
        row.push_back(ring.divide(change, fibre.point().at(parts[i])));
      }
      changes.add(std::move(row));
    }
  }
  std::vector<long> weights;
  for (const Polynomial& part : parts)
    weights.push_back(static_cast<long>(letters_of(told, part, true) + (part.term_count() > 2 ? part.term_count() : 0)));
  const std::vector<Whole> basis = short_basis(whole_vectors(changes, ring), weights);
  std::vector<Whole> all = basis;
  for (std::size_t i = 0; i < basis.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (const long sign : {1L, -1L}) all.push_back(added(basis[i], basis[j], sign));
  for (const Whole& vector : basis) all.push_back(added(vector, vector, 1)), all.push_back(added(vector, vector, 2));
  std::vector<ToldFunction> result;
  constexpr long most_power = 6;
  for (const Whole& powers : all)
    if (std::ranges::all_of(powers, [](long p) { return std::labs(p) <= most_power; }))
      result.push_back(upright(told, product_of(parts, powers)));
  return result;
}

namespace {

ToldFunction quotient(const Told& told, const Polynomial& above, const Polynomial& below) {
  auto parts = gcd_cofactors(above, below);
  settle_contents(parts.a, parts.b);
  return upright(told, {std::move(parts.a), std::move(parts.b)});
}

}  // namespace

std::vector<ToldFunction> quotient_candidates(const Told& told) {
  std::vector<ToldFunction> result;
  for (const auto& group : told.groups)
    for (const Polynomial& above : group)
      for (const Polynomial& below : group)
        if (&above != &below) result.push_back(quotient(told, above, below));
  return result;
}

std::vector<ToldFunction> plain_quotients(const Told& told) {
  std::vector<ToldFunction> result;
  for (const auto& group : told.groups) {
    const auto below = std::ranges::min_element(group, {}, [](const Polynomial& p) { return p.term_count(); });
    for (const Polynomial& above : group)
      if (&above != &*below) result.push_back(quotient(told, above, *below));
  }
  return result;
}

namespace {

/// The products of powers in a group, those of few symbols first.
std::vector<Polynomial> products_in(const Told& told, const std::vector<Polynomial>& group) {
  std::map<std::vector<std::size_t>, Polynomial> found;
  for (const Polynomial& p : group)
    for (const Polynomial::Term& term : p.terms()) {
      Polynomial::Term alone = term;
      alone.coefficient = 1;
      Polynomial product = Polynomial::sum_of(told.space.context(), std::vector{alone});
      std::vector<std::size_t> key{letters_of(told, product, true)};
      for (const std::size_t d : product.degrees()) key.push_back(d);
      found.emplace(std::move(key), std::move(product));
    }
  std::vector<Polynomial> result;
  for (auto& [key, product] : found) result.push_back(std::move(product));
  return result;
}

/// Σ aₖ productₖ/below with numbers aₖ that does not change.
void add_sums(const Told& told, const std::vector<Fibre>& fibres, const std::vector<Polynomial>& products,
              const Polynomial& below, std::vector<ToldFunction>& result) {
  const auto& ring = fibres.front().point().ring;
  EchelonForm changes(ring, products.size());
  for (const Fibre& fibre : fibres) {
    std::vector<EchelonForm::Row> gradients;
    for (const Polynomial& product : products) gradients.push_back(fibre.gradient({product, below}));
    for (const auto& direction : fibre.directions()) {
      EchelonForm::Row row;
      for (const auto& gradient : gradients) {
        std::uint64_t change = 0;
        for (std::size_t k = 0; k < direction.size(); ++k) change = ring.add(change, ring.multiply(direction[k], gradient[k]));
        row.push_back(change);
      }
      changes.add(std::move(row));
    }
  }
  std::vector<Polynomial> sums;
  for (const Whole& vector : whole_vectors(changes, ring)) {
    Polynomial above(told.space.context());
    for (std::size_t k = 0; k < vector.size(); ++k)
      if (vector[k] != 0) above += Polynomial::constant(told.space.context(), vector[k]) * products[k];
    result.push_back(quotient(told, above, below));
    sums.push_back(std::move(above));
  }
  constexpr std::size_t most_paired = 12;  // one sum over another may have fewer symbols than either over the coefficient
  for (std::size_t i = 0; i < std::min(sums.size(), most_paired); ++i)
    for (std::size_t j = 0; j < i; ++j) result.push_back(quotient(told, sums[i], sums[j]));
}

}  // namespace

std::vector<ToldFunction> sum_candidates(const Told& told, const std::vector<Fibre>& fibres,
                                         const std::vector<std::size_t>& loose) {
  std::vector<ToldFunction> result;
  for (std::size_t i = 0; i < loose.size(); ++i)  // of two that may change places
    for (std::size_t j = 0; j < i; ++j)
      result.push_back({Polynomial::variable(told.space.context(), told.unknown[loose[j]]) +
                            Polynomial::variable(told.space.context(), told.unknown[loose[i]]),
                        Polynomial::constant(told.space.context(), 1)});
  constexpr std::size_t most_below = 4;
  for (const auto& group : told.groups) {
    const std::vector<Polynomial> products = products_in(told, group);
    if (products.size() > most_summed || std::ranges::none_of(group, [&](const auto& p) { return depends(told, p, loose); }))
      continue;
    std::vector<Polynomial> below = group;
    std::ranges::stable_sort(below, {}, [](const Polynomial& p) { return p.term_count(); });
    for (std::size_t k = 0; k < std::min(below.size(), most_below); ++k)
      if (k == 0 || below[k].term_count() == 1) add_sums(told, fibres, products, below[k], result);
  }
  return result;
}

}  // namespace sfg
