#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "sfg/ring/double_interval.hpp"

// Not installed: functions of parameters over a box, by second-order interval forms (Hansen, Walster, Global Optimization Using
// Interval Analysis, 2004, chapters 6 and 7).
namespace sfg::ring {

/// A box of parameters with the point in it about which functions are expanded.
class ParameterBox {
 public:
  explicit ParameterBox(std::vector<Interval> sides);
  ParameterBox(std::vector<Interval> sides, std::vector<double> centre);

  std::size_t size() const noexcept { return sides_.size(); }
  const Interval& operator[](std::size_t k) const { return sides_[k]; }
  double centre(std::size_t k) const { return centre_[k]; }
  const std::vector<double>& centre() const noexcept { return centre_; }
  const std::vector<Interval>& sides() const noexcept { return sides_; }
  const Interval& offset(std::size_t k) const { return offsets_[k]; }  ///< the side less the centre
  const Interval& offset_square(std::size_t k) const { return squares_[k]; }
  /// This box with one side more.
  ParameterBox with(const Interval& side) const;
  ParameterBox point() const;  ///< its centre alone

 private:
  std::vector<Interval> sides_;
  std::vector<double> centre_;
  std::vector<Interval> offsets_, squares_;
};

/// A function over a box, enclosed: its value and gradient at the centre, and over the whole box its value, gradient and second
/// derivatives. Every operation meets the range of the operation with both expansions about the centre, so that an
/// overestimation shrinks with the square of the width, of gradients too. The box must outlive the jet.
class Jet {
 public:
  Jet() = default;  ///< 0
  Jet(const Interval& constant) : centre_(constant), value_(constant) {}
  Jet(double constant) : Jet(Interval(constant)) {}
  static Jet variable(const ParameterBox&, std::size_t k);
  /// Known by its range alone: not smooth, or nothing more is known.
  static Jet rough(const Interval& range);
  /// Not smooth, but with bounds of the slopes between any two points of the box.
  static Jet steep(const ParameterBox&, const Interval& range, std::span<const Interval> slopes);
  /// All parts given; `second` by rows of the lower triangle.
  static Jet of(const ParameterBox&, const Interval& centre, const Interval& value, std::span<const Interval> centre_slopes,
                std::span<const Interval> slopes, std::span<const Interval> second);

  const Interval& value() const { return value_; }
  const Interval& centre() const { return centre_; }  ///< the value at the centre, where the jet is smooth
  bool smooth() const { return smooth_; }
  bool constant() const { return smooth_ && parts_.empty(); }
  Interval slope(std::size_t k) const { return parts_.empty() ? Interval() : parts_[box_->size() + k]; }
  Interval centre_slope(std::size_t k) const { return parts_.empty() ? Interval() : parts_[k]; }
  Interval second(std::size_t i, std::size_t j) const;
  /// The same function over the box with one side more, of which it does not depend.
  Jet over(const ParameterBox& wider) const;

  /// The same function at the centre alone; its box has no width.
  Jet at_centre(const ParameterBox& point) const;

  /// Anything whose value is below `size`, and whose derivatives are below it times those of this jet and of its products.
  Jet disturbance(double size) const;
  /// With a range that it is known to lie in by other means.
  Jet within(const Interval& range) const;

  /// f(u): values and derivatives of f at the centre and over the range of u.
  struct Outer {
    Interval centre, slope_at_centre, value, slope, second;
  };
  Jet through(const Outer&) const;
  static Jet greater(const Jet&, const Jet&);  ///< of two of which neither is greater everywhere

  friend Jet operator+(const Jet&, const Jet&);
  friend Jet operator-(const Jet&, const Jet&);
  friend Jet operator-(const Jet&);
  friend Jet operator*(const Jet&, const Jet&);

 private:
  static Jet like(const Jet& a, const Jet& b);
  void settle();

  const ParameterBox* box_ = nullptr;
  Interval centre_, value_;
  bool smooth_ = true;
  std::vector<Interval> parts_;  // slopes at the centre, slopes, second derivatives; none: a constant
};

Jet operator/(const Jet&, const Jet&);  ///< rough and unbounded where the divisor may be 0
Jet square(const Jet&);
Jet sqrt(const Jet&);
Jet exp(const Jet&);
Jet log(const Jet&);
Jet sin(const Jet&);
Jet cos(const Jet&);
Jet atan(const Jet&);
Jet power(const Jet&, int exponent);
Jet power(const Jet& base, const Jet& exponent);  ///< of a positive base
/// The greater at every point of the box; without second derivatives unless one of the two is greater everywhere (the slopes are
/// those of both: Clarke, Optimization and Nonsmooth Analysis, 1983).
Jet max(const Jet&, const Jet&);
Jet min(const Jet&, const Jet&);
Jet abs(const Jet&);
/// c₀ + c₁x + c₂x² + …
Jet polynomial(std::span<const Jet> ascending, const Jet& x);

/// A complex function over a box.
struct ComplexJet {
  Jet real, imaginary;
};
ComplexJet operator+(const ComplexJet&, const ComplexJet&);
ComplexJet operator-(const ComplexJet&, const ComplexJet&);
ComplexJet operator*(const ComplexJet&, const ComplexJet&);
ComplexJet operator/(const ComplexJet&, const ComplexJet&);
Jet square_of_modulus(const ComplexJet&);

}  // namespace sfg::ring
