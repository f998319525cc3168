#include "sfg/exact/exact_polynomial.hpp"

#include <algorithm>
#include <stdexcept>

namespace sfg::exact {

ExactPolynomial::ExactPolynomial(std::vector<ExactNumber> coefficients) : ascending_(std::move(coefficients)) {
  std::reverse(ascending_.begin(), ascending_.end());
  while (!ascending_.empty() && ascending_.back().is_zero()) ascending_.pop_back();
}

ExactPolynomial::ExactPolynomial(const RationalPolynomial& p) {
  for (const Rational& c : p.coefficients()) ascending_.emplace_back(c);
  std::reverse(ascending_.begin(), ascending_.end());
}

std::vector<ExactNumber> ExactPolynomial::coefficients() const { return {ascending_.rbegin(), ascending_.rend()}; }

std::optional<RationalPolynomial> ExactPolynomial::rational() const {
  std::vector<Rational> numbers;
  for (auto c = ascending_.rbegin(); c != ascending_.rend(); ++c) {
    auto number = c->rational();
    if (!number) return std::nullopt;
    numbers.push_back(std::move(*number));
  }
  return RationalPolynomial(numbers);
}

ExactPolynomial operator+(const ExactPolynomial& a, const ExactPolynomial& b) {
  std::vector<ExactNumber> sum(std::max(a.ascending_.size(), b.ascending_.size()));
  for (std::size_t i = 0; i < sum.size(); ++i) {
    ExactNumber& c = sum[sum.size() - 1 - i];
    if (i < a.ascending_.size()) c = a.ascending_[i];
    if (i < b.ascending_.size()) c = c + b.ascending_[i];
  }
  return ExactPolynomial(std::move(sum));
}

ExactPolynomial operator-(const ExactPolynomial& a, const ExactPolynomial& b) {
  ExactPolynomial negative = b;
  for (ExactNumber& c : negative.ascending_) c = -c;
  return a + negative;
}

ExactPolynomial operator*(const ExactPolynomial& a, const ExactPolynomial& b) {
  if (a.is_zero() || b.is_zero()) return {};
  ExactPolynomial product;
  product.ascending_.resize(a.ascending_.size() + b.ascending_.size() - 1);
  for (std::size_t i = 0; i < a.ascending_.size(); ++i)
    for (std::size_t j = 0; j < b.ascending_.size(); ++j)
      product.ascending_[i + j] = product.ascending_[i + j] + a.ascending_[i] * b.ascending_[j];
  return product;
}

std::pair<ExactPolynomial, ExactPolynomial> divided(const ExactPolynomial& a, const ExactPolynomial& b) {
  if (b.is_zero()) throw std::domain_error("ExactPolynomial: division by 0");
  std::vector<ExactNumber> rest = a.coefficients(), quotient;
  const std::vector<ExactNumber> divisor = b.coefficients();
  std::size_t first = 0;
  for (; rest.size() - first >= divisor.size(); ++first) {
    const ExactNumber factor = rest[first] / divisor.front();
    for (std::size_t i = 1; i < divisor.size(); ++i) rest[first + i] = rest[first + i] - factor * divisor[i];
    quotient.push_back(factor);
  }
  rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(first));
  return {ExactPolynomial(std::move(quotient)), ExactPolynomial(std::move(rest))};
}

ExactPolynomial gcd(const ExactPolynomial& a, const ExactPolynomial& b) {
  ExactPolynomial high = a, low = b;
  while (!low.is_zero()) {
    if (low.degree() == 0) return ExactPolynomial({ExactNumber(1)});
    low = low.monic();  // keeps the numbers small, and decides first what is known already
    ExactPolynomial rest = divided(high, low).second;
    high = std::move(low);
    low = std::move(rest);
  }
  return high.is_zero() ? high : high.monic();
}

ExactNumber ExactPolynomial::at(const ExactNumber& x) const {
  ExactNumber value;
  for (auto c = ascending_.rbegin(); c != ascending_.rend(); ++c) value = value * x + *c;
  return value;
}

ExactPolynomial ExactPolynomial::monic() const {
  ExactPolynomial result = *this;
  if (is_zero()) return result;
  for (ExactNumber& c : result.ascending_) c = c / leading();
  return result;
}

ExactPolynomial ExactPolynomial::derivative() const {
  ExactPolynomial result;
  for (std::size_t i = 1; i < ascending_.size(); ++i) result.ascending_.push_back(ExactNumber(i) * ascending_[i]);
  return result;
}

ExactPolynomial ExactPolynomial::reflected() const {
  ExactPolynomial result = *this;
  for (std::size_t i = 1; i < ascending_.size(); i += 2) result.ascending_[i] = -ascending_[i];
  return result;
}

ExactPolynomial ExactPolynomial::reversed() const { return ExactPolynomial(ascending_); }

std::vector<std::pair<ExactPolynomial, std::size_t>> ExactPolynomial::square_free_factors() const {
  std::vector<std::pair<ExactPolynomial, std::size_t>> factors;
  if (degree() < 1) return factors;
  ExactPolynomial repeated = gcd(*this, derivative());          // Π f_i^(i−1)
  ExactPolynomial distinct = divided(monic(), repeated).first;  // Π f_i
  for (std::size_t multiplicity = 1; distinct.degree() > 0; ++multiplicity) {
    const ExactPolynomial higher = gcd(distinct, repeated);  // Π f_i over the i > multiplicity
    if (higher.degree() < distinct.degree()) factors.emplace_back(divided(distinct, higher).first, multiplicity);
    distinct = higher;
    repeated = divided(repeated, higher).first;
  }
  return factors;
}

namespace {

RationalPolynomial rounded_alone(const ExactPolynomial& p) {
  std::vector<Rational> numbers;
  for (const ExactNumber& c : p.coefficients()) numbers.push_back(c.rounded());
  return RationalPolynomial(numbers);
}

/// Without multiple roots and equal to ±p(−x): every other coefficient is zero, which the constructor need not have seen.
RationalPolynomial rounded_even_or_odd(const ExactPolynomial& p) {
  std::vector<Rational> numbers;
  for (const ExactNumber& c : p.coefficients()) numbers.push_back(numbers.size() % 2 == 1 ? 0 : c.rounded());
  return RationalPolynomial(numbers);
}

/// Without multiple roots and equal to ±x^n p(1/x): the coefficients read the same, or the negative, from both ends.
RationalPolynomial rounded_reciprocal(const ExactPolynomial& p) {
  const std::vector<ExactNumber> exact = p.coefficients();
  std::vector<Rational> numbers(exact.size());
  const bool negative = exact.back().sign() != exact.front().sign();
  for (std::size_t i = 0; 2 * i < exact.size(); ++i) {
    const std::size_t opposite = exact.size() - 1 - i;
    numbers[i] = negative && i == opposite ? 0 : exact[i].rounded();
    numbers[opposite] = negative ? -numbers[i] : numbers[i];
  }
  return RationalPolynomial(numbers);
}

/// A factor without multiple roots, monic.
RationalPolynomial rounded_factor(const ExactPolynomial& p, Boundary boundary) {
  if (auto exact = p.rational()) return *exact;
  const bool axis = boundary == Boundary::imaginary_axis;
  const ExactPolynomial symmetric = gcd(p, axis ? p.reflected() : p.reversed());
  if (symmetric.degree() < 1) return rounded_alone(p);
  const ExactPolynomial rest = divided(p, symmetric).first;
  return (axis ? rounded_even_or_odd(symmetric) : rounded_reciprocal(symmetric)) * rounded_alone(rest);
}

}  // namespace

RationalPolynomial rounded(const ExactPolynomial& p, Boundary boundary) {
  if (auto exact = p.rational()) return *exact;
  RationalPolynomial result = RationalPolynomial::constant(p.leading().rounded());
  for (const auto& [factor, multiplicity] : p.square_free_factors())
    result *= rounded_factor(factor, boundary).power(multiplicity);
  return result;
}

}  // namespace sfg::exact
