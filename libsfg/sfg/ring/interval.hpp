#pragma once
#include <cstddef>
#include <memory>
#include <utility>

#include "sfg/exact/rational.hpp"

namespace sfg::ring {

/// A real number known to lie in an interval (an Arb ball: midpoint and radius; Johansson 2017, IEEE Trans. Computers 66).
/// Every operation encloses all results that are possible: guaranteed bounds over tolerances and against rounding. A regular
/// value. An enclosure may be wider than what is possible, since two occurrences of one number count as two (x − x is not 0): a
/// determinant of many products over wide tolerances is bounded surely, but not tightly.
class Ball {
 public:
  Ball() : Ball(0.0) {}  ///< 0, exactly
  /// A double as the exact binary number that it is: 0.1 is not 1/10.
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
  bool contains(const Ball&) const;  ///< all of it
  bool contains_zero() const;        ///< false is a proof that the number is not 0; true proves nothing
  bool overlaps(const Ball&) const;  ///< false is a proof that the two numbers differ

 private:
  friend class BallRing;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Balls with a working precision: midpoints are rounded to so many bits, and what is cut off goes into the radius. More bits
/// narrow what rounding adds, never what a tolerance is. Division by a ball that contains 0 gives (−∞, ∞).
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

/// Complex numbers for values on the frequency axis. Rectangles: what turns in the plane is enclosed by what stands upright.
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
  /// By the conjugate: a b̄ / |b|².
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
