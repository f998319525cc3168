#include "sfg/response/variance.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/expr/rational.hpp"
#include "sfg/expr/rational_arithmetic.hpp"

namespace sfg {

namespace {

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

}  // namespace

namespace {

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
    if (numerators[i].empty()) continue;
    const auto part = solved(space, numerators[i], noises[i].denominator);
    if (!part) return {};
    sum = sum + *part;
  }
  return sum.reduced().expression();
}

}  // namespace sfg
