#include "sfg/graph/partial_fractions.hpp"

#include <algorithm>
#include <utility>

namespace sfg {

namespace {

void trim(FieldPolynomial& p) {
  while (!p.empty() && is_zero(p.back())) p.pop_back();
}

FieldPolynomial negative(FieldPolynomial p) {
  for (RationalFunction& c : p) c = -c;
  return p;
}

FieldPolynomial power(const FieldPolynomial& p, std::uint64_t exponent) {
  FieldPolynomial result{constant(p.back().space(), 1)};
  for (std::uint64_t i = 0; i < exponent; ++i) result = result * p;
  return result;
}

/// a⁻¹ modulo m, by Euclid's algorithm; a and m coprime.
FieldPolynomial inverse(const FieldPolynomial& a, const FieldPolynomial& m) {
  FieldPolynomial r0 = m, r1 = divide(a, m).remainder;
  FieldPolynomial t0, t1{constant(m.back().space(), 1)};
  while (r1.size() > 1) {
    const Division step = divide(r0, r1);
    FieldPolynomial t2 = t0 + negative(step.quotient * t1);
    r0 = std::exchange(r1, step.remainder);
    t0 = std::exchange(t1, std::move(t2));
  }
  for (RationalFunction& c : t1) c = c / r1.front();
  return t1;
}

}  // namespace

FieldPolynomial field_polynomial(const PolynomialSpace& space, const ring::Polynomial& p) {
  FieldPolynomial result;
  for (ring::Polynomial& c : p.coefficients(0))
    result.emplace_back(space, std::move(c), ring::Polynomial::constant(space.context(), 1));
  std::reverse(result.begin(), result.end());
  return result;
}

FieldPolynomial operator+(const FieldPolynomial& a, const FieldPolynomial& b) {
  FieldPolynomial result = a.size() < b.size() ? b : a;
  const FieldPolynomial& shorter = a.size() < b.size() ? a : b;
  for (std::size_t i = 0; i < shorter.size(); ++i) result[i] = result[i] + shorter[i];
  trim(result);
  return result;
}

FieldPolynomial operator*(const FieldPolynomial& a, const FieldPolynomial& b) {
  if (a.empty() || b.empty()) return {};
  FieldPolynomial result(a.size() + b.size() - 1, constant(a.front().space(), 0));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) result[i + j] = result[i + j] + a[i] * b[j];
  return result;
}

Division divide(const FieldPolynomial& a, const FieldPolynomial& b) {
  Division result;
  result.remainder = a;
  if (a.size() >= b.size()) result.quotient.assign(a.size() - b.size() + 1, constant(b.back().space(), 0));
  while (result.remainder.size() >= b.size()) {
    const std::size_t shift = result.remainder.size() - b.size();
    const RationalFunction factor = result.remainder.back() / b.back();
    result.quotient[shift] = factor;
    for (std::size_t i = 0; i + 1 < b.size(); ++i) result.remainder[shift + i] = result.remainder[shift + i] - factor * b[i];
    result.remainder.pop_back();
    trim(result.remainder);
  }
  return result;
}

std::vector<Factor> main_factors(const PolynomialSpace& space, const ring::Polynomial& p) {
  std::vector<Factor> result;
  for (const auto& [factor, multiplicity] : p.factor().factors)
    if (factor.depends_on(0)) result.push_back({field_polynomial(space, factor), multiplicity});
  return result;
}

std::vector<Factor> with_roots_at_0(std::vector<Factor> factors, const PolynomialSpace& space, std::uint64_t count) {
  if (count == 0) return factors;
  for (Factor& factor : factors)
    if (factor.polynomial.size() == 2 && is_zero(factor.polynomial[0])) {
      factor.multiplicity += count;
      return factors;
    }
  factors.push_back({{constant(space, 0), constant(space, 1)}, count});
  return factors;
}

std::vector<std::vector<FieldPolynomial>> partial_fractions(const FieldPolynomial& numerator,
                                                            const std::vector<Factor>& factors) {
  std::vector<std::vector<FieldPolynomial>> result;
  for (const Factor& factor : factors) {
    const FieldPolynomial own = power(factor.polynomial, factor.multiplicity);
    FieldPolynomial others{constant(own.back().space(), 1)};
    for (const Factor& other : factors)
      if (&other != &factor) others = others * power(other.polynomial, other.multiplicity);
    FieldPolynomial rest = divide(numerator * inverse(others, own), own).remainder;
    std::vector<FieldPolynomial> terms(factor.multiplicity);  // digits of `rest` to the base of the factor
    for (std::uint64_t t = factor.multiplicity; t > 0; --t) {
      Division digit = divide(rest, factor.polynomial);
      terms[t - 1] = std::move(digit.remainder);
      rest = std::move(digit.quotient);
    }
    result.push_back(std::move(terms));
  }
  return result;
}

}  // namespace sfg
