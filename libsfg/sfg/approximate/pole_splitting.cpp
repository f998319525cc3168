#include "sfg/approximate/approximate.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/exact/roots.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;
using ring::Polynomial;

constexpr double apart = 4;    ///< the least ratio of moduli at which roots are told apart
constexpr double close = 0.3;  ///< the greatest relative error of a formula worth showing

/// Begin and end of the groups among roots of ascending modulus.
std::vector<std::pair<std::size_t, std::size_t>> groups(const std::vector<Complex>& roots) {
  std::vector<std::pair<std::size_t, std::size_t>> result;
  for (std::size_t i = 0; i < roots.size(); ++i)
    if (i > 0 && std::abs(roots[i]) < apart * std::abs(roots[i - 1]))
      result.back().second = i + 1;
    else
      result.emplace_back(i, i + 1);
  return result;
}

/// Of neighbouring coefficients, ascending powers.
RationalFunction formula(const PolynomialSpace& space, std::span<const Polynomial> d) {
  if (d.size() == 2) return RationalFunction(space, -d[0], d[1]).reduced();
  Polynomial sum(space.context()), common(space.context());
  for (std::size_t k = 0; k < d.size(); ++k) {
    sum += d[k] * Polynomial::variable(space.context(), 0).power(k);
    common = gcd(common, d[k]);
  }
  return RationalFunction(space, exact_quotient(sum, common).value().primitive(), Polynomial::constant(space.context(), 1));
}

}  // namespace

std::vector<SplitRoots> split_roots(const PolynomialSpace& space, const Polynomial& polynomial,
                                    std::span<const exact::Rational> numbers, std::span<const Complex> exact) {
  std::vector<Polynomial> d = polynomial.coefficients(0);
  if (d.size() != numbers.size() || d.size() < 2) return {};
  std::reverse(d.begin(), d.end());  // ascending powers from here on
  std::vector<exact::Rational> values(numbers.rbegin(), numbers.rend());
  std::size_t at_zero = 0;
  while (values[at_zero].sign() == 0) ++at_zero;
  std::vector<Complex> roots = exact::root_values(numbers);
  std::erase(roots, 0.0);
  const auto found = groups(roots);

  std::vector<Complex> candidates(exact.begin(), exact.end());
  std::vector<SplitRoots> result;
  for (const auto& [begin, end] : found) {
    const std::size_t low = at_zero + begin, high = at_zero + end;  // the coefficients that matter
    if (end - begin > 2 || candidates.size() < end - begin) continue;
    const std::vector<exact::Rational> coefficients(values.rend() - static_cast<std::ptrdiff_t>(high) - 1,
                                                    values.rend() - static_cast<std::ptrdiff_t>(low));
    if (coefficients.front().sign() == 0 || coefficients.back().sign() == 0) continue;
    SplitRoots group{formula(space, std::span(d).subspan(low, end - begin + 1)), exact::root_values(coefficients), {}, 0};
    for (const Complex value : group.values) {
      group.exact.push_back(take_nearest(candidates, value));
      group.relative_error = std::max(group.relative_error, std::abs(value / group.exact.back() - 1.0));
    }
    if (group.relative_error < close) result.push_back(std::move(group));
  }
  return result;
}

Complex take_nearest(std::vector<Complex>& roots, Complex wanted) {
  const auto distance = [&](Complex root) { return root == 0.0 ? INFINITY : std::abs(std::log(root / wanted)); };
  const auto nearest =
      std::min_element(roots.begin(), roots.end(), [&](Complex a, Complex b) { return distance(a) < distance(b); });
  const Complex found = *nearest;
  roots.erase(nearest);
  return found;
}

}  // namespace sfg
