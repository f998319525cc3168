#pragma once
#include <cstddef>
#include <memory>
#include <utility>

#include "sfg/exact/rational.hpp"

namespace sfg::ring {

/// A real number known to lie in an interval (an Arb ball: midpoint and radius). Every operation encloses all results that are
/// possible: guaranteed bounds over tolerances and against rounding. A regular value.
class Ball {
 public:
  Ball() : Ball(0.0) {}
  explicit Ball(double exact);
  /// A rational number, enclosed with so many bits.
  Ball(const exact::Rational&, long bits);
  /// All numbers from `low` to `high`. @throws std::invalid_argument  if low > high or one is not finite.
  static Ball interval(double low, double high);

  Ball(const Ball&);
  Ball(Ball&&) noexcept;
  Ball& operator=(const Ball&);
  Ball& operator=(Ball&&) noexcept;
  ~Ball();

  double lower() const;     ///< rounded down
  double upper() const;     ///< rounded up
  double midpoint() const;  ///< rounded to nearest
  bool contains(double) const;
  bool contains(const Ball&) const;
  bool contains_zero() const;
  bool overlaps(const Ball&) const;

 private:
  friend class BallRing;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Balls with a working precision. Division by a ball that contains 0 gives (−∞, ∞).
class BallRing {
 public:
  using Value = Ball;
  explicit BallRing(long bits = 64) : bits_(bits) {}
  Value zero() const { return Value(0.0); }
  Value one() const { return Value(1.0); }
  Value add(const Value& a, const Value& b) const;
  Value multiply(const Value& a, const Value& b) const;
  Value negate(const Value& a) const;
  Value divide(const Value& a, const Value& b) const;
  void add_product(Value& sum, const Value& a, const Value& b) const;
  void subtract_product(Value& sum, const Value& a, const Value& b) const;

 private:
  long bits_;
};

/// Complex balls: real and imaginary part enclosed each.
struct ComplexBall {
  Ball real, imaginary;
};

class ComplexBallRing {
 public:
  using Value = ComplexBall;
  explicit ComplexBallRing(long bits = 64) : ring_(bits) {}
  Value zero() const { return {}; }
  Value one() const { return {Ball(1.0), Ball()}; }
  Value add(const Value& a, const Value& b) const { return {ring_.add(a.real, b.real), ring_.add(a.imaginary, b.imaginary)}; }
  Value multiply(const Value& a, const Value& b) const {
    Value product{ring_.multiply(a.real, b.real), ring_.multiply(a.real, b.imaginary)};
    ring_.subtract_product(product.real, a.imaginary, b.imaginary);
    ring_.add_product(product.imaginary, a.imaginary, b.real);
    return product;
  }
  Value negate(const Value& a) const { return {ring_.negate(a.real), ring_.negate(a.imaginary)}; }
  Value divide(const Value& a, const Value& b) const {
    Ball norm = ring_.multiply(b.real, b.real);
    ring_.add_product(norm, b.imaginary, b.imaginary);
    const Value numerator = multiply(a, {b.real, ring_.negate(b.imaginary)});
    return {ring_.divide(numerator.real, norm), ring_.divide(numerator.imaginary, norm)};
  }

 private:
  BallRing ring_;
};

}  // namespace sfg::ring
