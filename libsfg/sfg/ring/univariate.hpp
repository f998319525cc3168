#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "sfg/exact/rational_polynomial.hpp"

namespace sfg::ring {

/// ℚ[s]: numerators and denominators with exact coefficients.
struct RationalPolynomialRing {
  using Value = exact::RationalPolynomial;
  Value zero() const { return {}; }
  Value one() const { return Value::constant(1); }
  Value add(const Value& a, const Value& b) const { return a + b; }
  Value multiply(const Value& a, const Value& b) const { return a * b; }
  Value negate(const Value& a) const { return -a; }
  void add_product(Value& sum, const Value& a, const Value& b) const { sum += a * b; }
  void subtract_product(Value& sum, const Value& a, const Value& b) const { sum -= a * b; }
};

/// ℝ[s] in double precision. Coefficients, unlike in lists meant for people, are by ascending power, so that sums line up;
/// there are no trailing zeros. Good for low degrees only: the roots of a high-degree polynomial lie in the digits that rounding
/// loses.
struct RealPolynomialRing {
  using Value = std::vector<double>;
  Value zero() const { return {}; }
  Value one() const { return {1}; }
  Value add(const Value& a, const Value& b) const {
    Value sum = a;
    accumulate(sum, b, 1, 0);
    return trimmed(std::move(sum));
  }
  Value multiply(const Value& a, const Value& b) const {
    Value product;
    add_product(product, a, b);
    return product;
  }
  Value negate(const Value& a) const {
    Value result = a;
    for (double& coefficient : result) coefficient = -coefficient;
    return result;
  }
  void add_product(Value& sum, const Value& a, const Value& b) const {
    for (std::size_t i = 0; i < a.size(); ++i) accumulate(sum, b, a[i], i);
    sum = trimmed(std::move(sum));
  }
  void subtract_product(Value& sum, const Value& a, const Value& b) const {
    for (std::size_t i = 0; i < a.size(); ++i) accumulate(sum, b, -a[i], i);
    sum = trimmed(std::move(sum));
  }

 private:
  static void accumulate(Value& sum, const Value& b, double factor, std::size_t shift) {
    if (!b.empty()) sum.resize(std::max(sum.size(), b.size() + shift));
    for (std::size_t j = 0; j < b.size(); ++j) sum[j + shift] += factor * b[j];
  }
  static Value trimmed(Value value) {
    while (!value.empty() && value.back() == 0) value.pop_back();
    return value;
  }
};

}  // namespace sfg::ring
