#include "sfg/response/variance.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <utility>

#include "sfg/exact/rational.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/expr/rational_arithmetic.hpp"

namespace sfg {

namespace {

using exact::Rational;
using GiNaC::ex;

/// Coefficients of N(s) N(−s) density(s/j) by powers of s², lowest first; {} where the density is no polynomial in w².
std::optional<std::vector<ex>> even_numerator(const FilteredNoise& noise, const ex& w) {
  const auto density = polynomial_coefficients(noise.density, w);
  if (!density) return {};
  const std::vector<ex>& n = noise.numerator;
  std::vector<ex> square(n.size(), 0);
  for (std::size_t i = 0; i < n.size(); ++i)
    for (std::size_t k = 0; k < n.size(); ++k)
      if ((i + k) % 2 == 0) square[(i + k) / 2] += (k % 2 == 0 ? 1 : -1) * n[n.size() - 1 - i] * n[n.size() - 1 - k];
  std::vector<ex> result(square.size() + density->size() / 2, 0);
  for (std::size_t i = 0; i < density->size(); ++i) {
    const ex& coefficient = (*density)[density->size() - 1 - i];
    if (coefficient.is_zero()) continue;
    if (i % 2 == 1) return {};
    for (std::size_t k = 0; k < square.size(); ++k)  // w² = −s²
      result[k + i / 2] += ((i / 2) % 2 == 0 ? 1 : -1) * coefficient * square[k];
  }
  while (!result.empty() && vanishes(result.back())) result.pop_back();
  return result;
}

/// x_{n−1}/(2 d_n). Row k: Σ_i d_{2k−i} y_i = b_k, y_i = 2 (−1)^i x_i.
std::optional<RationalFunction> solved(const PolynomialSpace& space, const std::vector<ex>& b, const std::vector<ex>& d) {
  const std::size_t n = d.size() - 1;
  const auto coefficient = [&](std::size_t power) { return d[n - power]; };
  RationalMatrix rows = zero_matrix(space, n, n + 1);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i)
      if (2 * k >= i && 2 * k - i <= n) rows[k][i] = space.rational(coefficient(2 * k - i));
    if (k < b.size()) rows[k][n] = space.rational(b[k]);
  }
  const std::vector<std::size_t> pivots = reduce_rows(rows);
  if (pivots.size() != n || pivots.back() != n - 1) return {};
  const RationalFunction y = rows[n - 1][n], four_d = space.rational(4 * coefficient(n));
  return n % 2 == 1 ? y / four_d : -(y / four_d);
}

/// y_{n−1} = Σ w_k b_k where all coefficients are numbers: one elimination of these, of the transposed equations.
std::optional<std::vector<Rational>> weights(const std::vector<Rational>& d) {
  const std::size_t n = d.size() - 1;
  std::vector<std::vector<Rational>> rows(n, std::vector<Rational>(n + 1));
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      if (2 * k >= i && 2 * k - i <= n) rows[i][k] = d[n - (2 * k - i)];
  rows[n - 1][n] = Rational(1);
  for (std::size_t column = 0; column < n; ++column) {
    const auto pivot = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(column), rows.end(),
                                    [&](const auto& row) { return !row[column].is_zero(); });
    if (pivot == rows.end()) return {};
    std::swap(*pivot, rows[column]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == column || rows[i][column].is_zero()) continue;
      const Rational factor = rows[i][column] / rows[column][column];
      for (std::size_t k = column; k <= n; ++k)
        if (!rows[column][k].is_zero()) rows[i][k] = rows[i][k] - factor * rows[column][k];
    }
  }
  std::vector<Rational> result;
  for (std::size_t k = 0; k < n; ++k) result.push_back(rows[k][n] / rows[k][k]);
  return result;
}

/// Of coefficients that are all numbers.
std::optional<std::vector<Rational>> numbers_of(const std::vector<ex>& d) {
  std::vector<Rational> numbers;
  for (const ex& coefficient : d) {
    if (!GiNaC::is_a<GiNaC::numeric>(coefficient) || !GiNaC::ex_to<GiNaC::numeric>(coefficient).is_rational()) return {};
    numbers.push_back(*rational_value(coefficient));
  }
  return numbers;
}

/// Σ w_k b_k, as a part of the mean square.
ex weighed(const std::vector<Rational>& w, const std::vector<ex>& b, const std::vector<ex>& d) {
  ex y = 0;
  for (std::size_t k = 0; k < b.size(); ++k) y += numeric_value(w[k]) * b[k];
  return (w.size() % 2 == 1 ? y : -y) / (4 * d.front());
}

/// The part of one denominator.
std::optional<RationalFunction> part_of(const PolynomialSpace& space, const std::vector<ex>& b, const std::vector<ex>& d) {
  const auto numbers = numbers_of(d);
  if (!numbers || numbers->front().is_zero()) return solved(space, b, d);
  const auto w = weights(*numbers);
  if (!w) return {};
  return space.rational(weighed(*w, b, d));
}

bool same_coefficients(const std::vector<ex>& a, const std::vector<ex>& b) {
  return std::ranges::equal(a, b, [](const ex& x, const ex& y) { return x.is_equal(y); });
}

/// Products of one coefficient a power: as many terms as elimination without cancelling would meet.
void check_size(const PolynomialSpace& space, const std::vector<ex>& denominator, const Budget& budget) {
  double products = 1;
  std::size_t most = 1;
  for (const ex& coefficient : denominator) most = std::max(most, space.rational(coefficient).numerator().term_count());
  for (std::size_t row = 1; row < denominator.size(); ++row) products *= static_cast<double>(most);
  constexpr double representable = 1e18;
  budget.check_terms(static_cast<std::uint64_t>(std::min(products, representable)), "the closed form of the variance",
                     Advice::substitute_others);
}

}  // namespace

std::optional<ex> variance(std::span<const FilteredNoise> noises, const ex& w, const Budget& budget) {
  std::vector<std::vector<ex>> numerators;
  std::vector<ex> all;
  for (const FilteredNoise& noise : noises) {
    auto b = even_numerator(noise, w);
    const std::size_t n = noise.denominator.size() - 1;
    if (!b || b->size() > n) return {};
    all.insert(all.end(), b->begin(), b->end());
    all.insert(all.end(), noise.denominator.begin(), noise.denominator.end());
    numerators.push_back(std::move(*b));
  }
  const PolynomialSpace space(all);
  for (const FilteredNoise& noise : noises) check_size(space, noise.denominator, budget);
  RationalFunction sum = constant(space, 0);
  for (std::size_t i = 0; i < noises.size(); ++i) {
    // What has the same poles is one noise: the equations are linear in the numerators.
    std::vector<ex> together = std::move(numerators[i]);
    for (std::size_t k = i + 1; k < noises.size(); ++k) {
      if (numerators[k].empty() || !same_coefficients(noises[i].denominator, noises[k].denominator)) continue;
      if (together.size() < numerators[k].size()) together.resize(numerators[k].size(), 0);
      for (std::size_t power = 0; power < numerators[k].size(); ++power) together[power] += numerators[k][power];
      numerators[k].clear();
    }
    if (together.empty()) continue;
    const auto part = part_of(space, together, noises[i].denominator);
    if (!part) return {};
    sum = sum + *part;
  }
  return sum.reduced().expression();
}

std::vector<std::optional<double>> mean_squares(std::span<const FilteredNoise> noises, const ex& w) {
  std::vector<std::optional<double>> result(noises.size());
  std::vector<std::pair<std::vector<ex>, std::optional<std::vector<Rational>>>> known;  // weights by denominator
  for (std::size_t i = 0; i < noises.size(); ++i) {
    const std::vector<ex>& d = noises[i].denominator;
    const auto b = even_numerator(noises[i], w);
    const auto numbers = numbers_of(d);
    if (!b || !numbers || numbers->front().is_zero() || b->size() > d.size() - 1) continue;
    if (b->empty()) {
      result[i] = 0;
      continue;
    }
    auto at = std::ranges::find_if(known, [&](const auto& each) { return same_coefficients(each.first, d); });
    if (at == known.end()) at = known.insert(known.end(), {d, weights(*numbers)});
    if (at->second) result[i] = double_value(weighed(*at->second, *b, d));
  }
  return result;
}

}  // namespace sfg
