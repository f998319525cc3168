#pragma once
#include <complex>

namespace sfg::ring {

/// Floating-point numbers: RealRing, ComplexRing.
template <class Number>
struct FieldRing {
  using Value = Number;
  Value zero() const { return Value(0); }
  Value one() const { return Value(1); }
  Value add(const Value& a, const Value& b) const { return a + b; }
  Value multiply(const Value& a, const Value& b) const { return a * b; }
  Value negate(const Value& a) const { return -a; }
  Value divide(const Value& a, const Value& b) const { return a / b; }
  void add_product(Value& sum, const Value& a, const Value& b) const { sum += a * b; }
  void subtract_product(Value& sum, const Value& a, const Value& b) const { sum -= a * b; }
};

using RealRing = FieldRing<double>;
using ComplexRing = FieldRing<std::complex<double>>;

}  // namespace sfg::ring
