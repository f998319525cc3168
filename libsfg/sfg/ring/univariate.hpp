#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "sfg/exact/rational_polynomial.hpp"

namespace sfg::ring {

// Transfer functions with numbers for everything but the operator: a determinant diagram evaluated over polynomials of s (or z)
// gives numerator and denominator at once, where interpolation from values on the axis would lose the small coefficients.

/// ℚ[s]: numerators and denominators with exact coefficients. The way to certified poles: no digit is lost before the roots are
/// sought. A coefficient grows by the digits of the entries with every row; graphs of some hundred nodes are what it is for.
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
/// loses (Wilkinson 1959). What cancels exactly in ℚ leaves a residue here, so that a degree is not to be trusted either.
struct RealPolynomialRing {
  using Value = std::vector<double>;
  Value zero() const { return {}; }  ///< no coefficient
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
  /// sum += factor · s^shift · b.
  static void accumulate(Value& sum, const Value& b, double factor, std::size_t shift) {
    if (!b.empty()) sum.resize(std::max(sum.size(), b.size() + shift));
    for (std::size_t j = 0; j < b.size(); ++j) sum[j + shift] += factor * b[j];
  }
  /// Without the zeros of cancelled leading coefficients.
  static Value trimmed(Value value) {
    while (!value.empty() && value.back() == 0) value.pop_back();
    return value;
  }
};

}  // namespace sfg::ring
