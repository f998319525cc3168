#include "sfg/ring/jet.hpp"

#include <cmath>

namespace sfg::ring {

namespace {

constexpr double without_bound = std::numeric_limits<double>::infinity();

Interval of(Bounds (*function)(const Bounds&), const Interval& x) { return Interval(function(x.bounds())); }

std::vector<double> middles(const std::vector<Interval>& sides) {
  std::vector<double> result;
  for (const Interval& side : sides) result.push_back(side.middle());
  return result;
}

void meet(Interval& known, const Interval& other) {
  if (!(other.low <= other.high)) return;
  known = common(known, other).value_or(known);
}

}  // namespace

ParameterBox::ParameterBox(std::vector<Interval> sides) : ParameterBox(sides, middles(sides)) {}

ParameterBox::ParameterBox(std::vector<Interval> sides, std::vector<double> centre)
    : sides_(std::move(sides)), centre_(std::move(centre)) {
  for (std::size_t k = 0; k < sides_.size(); ++k) {
    offsets_.push_back(sides_[k].width() == 0 ? Interval() : sides_[k] - Interval(centre_[k]));
    squares_.push_back(offsets_.back().zero() ? Interval() : square(offsets_.back()));
  }
}

ParameterBox ParameterBox::with(const Interval& side) const {
  std::vector<Interval> sides = sides_;
  std::vector<double> centre = centre_;
  sides.push_back(side);
  centre.push_back(side.middle());
  return {std::move(sides), std::move(centre)};
}

ParameterBox ParameterBox::point() const {
  std::vector<Interval> sides;
  for (const double x : centre_) sides.emplace_back(x);
  return {std::move(sides), centre_};
}

Jet Jet::variable(const ParameterBox& box, std::size_t k) {
  Jet result;
  result.box_ = &box;
  result.centre_ = box.centre(k);
  result.value_ = box[k];
  const std::size_t n = box.size();
  result.parts_.resize(2 * n + n * (n + 1) / 2);
  result.parts_[k] = result.parts_[n + k] = 1.0;
  return result;
}

Jet Jet::rough(const Interval& range) {
  Jet result(range);
  result.smooth_ = false;
  return result;
}

Jet Jet::steep(const ParameterBox& box, const Interval& range, std::span<const Interval> slopes) {
  const std::vector<Interval> second(slopes.size() * (slopes.size() + 1) / 2, Interval::everything());
  return of(box, range, range, slopes, slopes, second);
}

Jet Jet::of(const ParameterBox& box, const Interval& centre, const Interval& value, std::span<const Interval> centre_slopes,
            std::span<const Interval> slopes, std::span<const Interval> second) {
  Jet result;
  result.box_ = &box;
  result.centre_ = centre;
  result.value_ = value;
  result.parts_.insert(result.parts_.end(), centre_slopes.begin(), centre_slopes.end());
  result.parts_.insert(result.parts_.end(), slopes.begin(), slopes.end());
  result.parts_.insert(result.parts_.end(), second.begin(), second.end());
  result.settle();
  return result;
}

Interval Jet::second(std::size_t i, std::size_t j) const {
  if (parts_.empty()) return {};
  if (i < j) std::swap(i, j);
  return parts_[2 * box_->size() + i * (i + 1) / 2 + j];
}

Jet Jet::over(const ParameterBox& wider) const {
  if (parts_.empty()) return *this;
  const std::size_t n = box_->size(), m = wider.size();
  Jet result = *this;
  result.box_ = &wider;
  result.parts_.assign(2 * m + m * (m + 1) / 2, Interval());
  for (std::size_t k = 0; k < n; ++k) {
    result.parts_[k] = parts_[k];
    result.parts_[m + k] = parts_[n + k];
  }
  std::copy(parts_.begin() + static_cast<std::ptrdiff_t>(2 * n), parts_.end(),
            result.parts_.begin() + static_cast<std::ptrdiff_t>(2 * m));
  return result;
}

Jet Jet::disturbance(double size) const {
  const auto about = [size](double times) { return Interval(-size * times, size * times); };
  if (!smooth_) return rough(about(1));
  if (parts_.empty()) return about(1);
  Jet result = *this;
  result.centre_ = result.value_ = about(1);
  const std::size_t n = box_->size();
  for (std::size_t i = 0; i < n; ++i) {
    result.parts_[i] = result.parts_[n + i] = about(1 + slope(i).greatest());
    for (std::size_t j = 0; j <= i; ++j)
      result.parts_[2 * n + i * (i + 1) / 2 + j] =
          about(1 + second(i, j).greatest() + (1 + slope(i).greatest()) * (1 + slope(j).greatest()));
  }
  return result;
}

Jet Jet::within(const Interval& range) const {
  Jet result = *this;
  meet(result.value_, range);
  meet(result.centre_, range);
  return result;
}

Jet Jet::at_centre(const ParameterBox& point) const {
  Jet result = *this;
  if (!smooth_) return result;
  result.value_ = centre_;
  if (parts_.empty()) return result;
  result.box_ = &point;
  const auto n = static_cast<std::ptrdiff_t>(point.size());
  std::copy(parts_.begin(), parts_.begin() + n, result.parts_.begin() + n);
  return result;
}

/// An empty jet over the box of the two, to be filled.
Jet Jet::like(const Jet& a, const Jet& b) {
  Jet result;
  result.box_ = a.parts_.empty() ? b.box_ : a.box_;
  const std::size_t n = result.box_->size();
  result.parts_.resize(2 * n + n * (n + 1) / 2);
  return result;
}

/// Meets the ranges of value and gradient with their expansions; gives derivatives up where they are not finite.
void Jet::settle() {
  const std::size_t n = box_->size();
  const Interval *at_centre = parts_.data(), *second = at_centre + 2 * n;
  Interval *slopes = parts_.data() + n, first_order = centre_, second_order = centre_;
  double size = value_.greatest();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t row = i * (i + 1) / 2;
    Interval slope = at_centre[i];
    for (std::size_t j = 0; j < n; ++j) slope = slope + second[j <= i ? row + j : j * (j + 1) / 2 + i] * box_->offset(j);
    meet(slopes[i], slope);
    first_order = first_order + slopes[i] * box_->offset(i);
    second_order = second_order + at_centre[i] * box_->offset(i) + Interval(0.5) * second[row + i] * box_->offset_square(i);
    for (std::size_t j = 0; j < i; ++j) second_order = second_order + second[row + j] * box_->offset(i) * box_->offset(j);
    size += slopes[i].greatest();
  }
  meet(value_, first_order);
  meet(value_, second_order);
  meet(centre_, value_);
  if (!std::isfinite(size)) *this = rough(std::isnan(value_.low) || std::isnan(value_.high) ? Interval::everything() : value_);
}

Jet operator-(const Jet& a) {
  Jet result = a;
  result.centre_ = -a.centre_;
  result.value_ = -a.value_;
  for (Interval& part : result.parts_) part = -part;
  return result;
}

Jet operator+(const Jet& a, const Jet& b) {
  const Interval value = a.value_ + b.value_;
  if (!a.smooth_ || !b.smooth_) return Jet::rough(value);
  if (a.parts_.empty() && b.parts_.empty()) return value;
  Jet result = Jet::like(a, b);
  result.centre_ = a.centre_ + b.centre_;
  result.value_ = value;
  if (a.parts_.empty() || b.parts_.empty())
    result.parts_ = a.parts_.empty() ? b.parts_ : a.parts_;
  else
    for (std::size_t k = 0; k < result.parts_.size(); ++k) result.parts_[k] = a.parts_[k] + b.parts_[k];
  result.settle();
  return result;
}

Jet operator-(const Jet& a, const Jet& b) { return a + -b; }

Jet operator*(const Jet& a, const Jet& b) {
  if (&a == &b) return square(a);
  if ((a.constant() && a.value_.zero()) || (b.constant() && b.value_.zero())) return {};
  const Interval value = a.value_ * b.value_;
  if (!a.smooth_ || !b.smooth_) return Jet::rough(value);
  if (a.parts_.empty() && b.parts_.empty()) return value;
  Jet result = Jet::like(a, b);
  result.centre_ = a.centre_ * b.centre_;
  result.value_ = value;
  if (a.parts_.empty() || b.parts_.empty()) {
    const Jet &varying = a.parts_.empty() ? b : a, &constant = a.parts_.empty() ? a : b;
    for (std::size_t k = 0; k < result.parts_.size(); ++k) result.parts_[k] = varying.parts_[k] * constant.value_;
    result.settle();
    return result;
  }
  const std::size_t n = result.box_->size();
  const Interval *p = a.parts_.data(), *q = b.parts_.data();
  for (std::size_t i = 0; i < n; ++i) {
    result.parts_[i] = p[i] * b.centre_ + a.centre_ * q[i];
    result.parts_[n + i] = p[n + i] * b.value_ + a.value_ * q[n + i];
    for (std::size_t j = 0; j <= i; ++j) {
      const std::size_t k = 2 * n + i * (i + 1) / 2 + j;
      result.parts_[k] = p[k] * b.value_ + a.value_ * q[k] + p[n + i] * q[n + j] + p[n + j] * q[n + i];
    }
  }
  result.settle();
  return result;
}

Jet Jet::through(const Outer& f) const {
  if (!smooth_) return rough(f.value);
  if (parts_.empty()) return f.value;
  const std::size_t n = box_->size();
  Jet result = like(*this, *this);
  result.centre_ = f.centre;
  result.value_ = f.value;
  for (std::size_t i = 0; i < n; ++i) {
    result.parts_[i] = f.slope_at_centre * parts_[i];
    result.parts_[n + i] = f.slope * parts_[n + i];
    for (std::size_t j = 0; j <= i; ++j) {
      const std::size_t k = 2 * n + i * (i + 1) / 2 + j;
      const Interval product = i == j ? ring::square(parts_[n + i]) : parts_[n + i] * parts_[n + j];
      result.parts_[k] = f.slope * parts_[k] + f.second * product;
    }
  }
  result.settle();
  return result;
}

Jet square(const Jet& u) {
  const Interval two(2.0);
  return u.through({square(u.centre()), two * u.centre(), square(u.value()), two * u.value(), two});
}

Jet operator/(const Jet& a, const Jet& b) {
  const Interval &c = b.centre(), &v = b.value();
  if (v.contains(0)) return Jet::rough(Interval::everything());
  const auto slope = [](const Interval& x) { return Interval(-1.0) / square(x); };
  const Jet inverse = b.through({Interval(1.0) / c, slope(c), Interval(1.0) / v, slope(v), Interval(2.0) / (square(v) * v)});
  return a * inverse;
}

Jet sqrt(const Jet& u) {
  const Interval &c = u.centre(), &v = u.value();
  if (v.low <= 0) return Jet::rough(sqrt(v));
  const auto slope = [](const Interval& x) { return Interval(0.5) / sqrt(x); };
  return u.through({sqrt(c), slope(c), sqrt(v), slope(v), Interval(-0.25) / (sqrt(v) * v)});
}

namespace {

// The C library rounds these within one unit of the last place (glibc manual, Errors in Math Functions); four are allowed for.
Interval near(double x) { return {x - std::abs(x) * 0x1p-50 - 1e-300, x + std::abs(x) * 0x1p-50 + 1e-300}; }

Interval exp_over(const Interval& x) {
  return {std::max(0.0, near(std::exp(x.low)).low), std::isinf(x.high) ? without_bound : near(std::exp(x.high)).high};
}

/// cos x, or sin x = cos(x − π/2).
Interval wave_over(const Interval& x, double quarter, double (*function)(double)) {
  if (!(x.width() < 6) || x.greatest() > 1e5) return {-1, 1};
  const Interval ends = hull(near(function(x.low)), near(function(x.high)));
  const auto contains_crest = [&](double phase) {
    constexpr double pi = 3.14159265358979323846, slack = 1e-10;  // far above the rounding of these quotients
    return std::floor((x.high - phase) / (2 * pi) + slack) >= std::ceil((x.low - phase) / (2 * pi) - slack);
  };
  constexpr double half_turn = 3.14159265358979323846;
  return {contains_crest(quarter + half_turn) ? -1 : std::max(-1.0, ends.low),
          contains_crest(quarter) ? 1 : std::min(1.0, ends.high)};
}
Interval cos_over(const Interval& x) { return wave_over(x, 0, std::cos); }
Interval sin_over(const Interval& x) { return wave_over(x, 1.57079632679489661923, std::sin); }

}  // namespace

Jet exp(const Jet& u) {
  const Interval c = exp_over(u.centre()), v = exp_over(u.value());
  return u.through({c, c, v, v, v});
}

Jet log(const Jet& u) {
  const Interval &c = u.centre(), &v = u.value();
  if (v.low <= 0) {
    if (v.high <= 0) return Jet::rough(Interval::everything());
    return Jet::rough({-std::numeric_limits<double>::infinity(), of(log, Interval(v.high)).high});
  }
  return u.through({of(log, c), Interval(1.0) / c, of(log, v), Interval(1.0) / v, Interval(-1.0) / square(v)});
}

Jet sin(const Jet& u) {
  const Interval &c = u.centre(), &v = u.value(), s = sin_over(v);
  return u.through({sin_over(c), cos_over(c), s, cos_over(v), -s});
}

Jet cos(const Jet& u) {
  const Interval &c = u.centre(), &v = u.value(), s = cos_over(v);
  return u.through({cos_over(c), -sin_over(c), s, -sin_over(v), -s});
}

Jet atan(const Jet& u) {
  const Interval &c = u.centre(), &v = u.value();
  const auto slope = [](const Interval& x) { return Interval(1.0) / (Interval(1.0) + square(x)); };
  return u.through({of(atan, c), slope(c), of(atan, v), slope(v), Interval(-2.0) * v * square(slope(v))});
}

Jet Jet::greater(const Jet& a, const Jet& b) {
  const auto greater_of = [](const Interval& u, const Interval& v) {
    return Interval(std::max(u.low, v.low), std::max(u.high, v.high));
  };
  const Interval value = greater_of(a.value_, b.value_);
  if (!a.smooth_ || !b.smooth_ || (a.parts_.empty() && b.parts_.empty())) return rough(value);
  Jet result = like(a, b);
  result.centre_ = greater_of(a.centre_, b.centre_);
  result.value_ = value;
  const std::size_t n = result.box_->size();
  for (std::size_t k = 0; k < result.parts_.size(); ++k)
    result.parts_[k] = k >= 2 * n
                           ? Interval::everything()
                           : hull(a.parts_.empty() ? Interval() : a.parts_[k], b.parts_.empty() ? Interval() : b.parts_[k]);
  result.settle();
  return result;
}

Jet max(const Jet& a, const Jet& b) {
  if (a.value().low >= b.value().high) return a;
  if (b.value().low >= a.value().high) return b;
  return Jet::greater(a, b);
}
Jet min(const Jet& a, const Jet& b) { return -max(-a, -b); }
Jet abs(const Jet& a) {
  if (a.value().low >= 0) return a;
  if (a.value().high <= 0) return -a;
  return Jet::rough({0, a.value().greatest()});
}

Jet polynomial(std::span<const Jet> ascending, const Jet& x) {
  Jet result;
  for (std::size_t k = ascending.size(); k-- > 0;) result = result * x + ascending[k];
  return result;
}

ComplexJet operator+(const ComplexJet& a, const ComplexJet& b) { return {a.real + b.real, a.imaginary + b.imaginary}; }
ComplexJet operator-(const ComplexJet& a, const ComplexJet& b) { return {a.real - b.real, a.imaginary - b.imaginary}; }
ComplexJet operator*(const ComplexJet& a, const ComplexJet& b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}
ComplexJet operator/(const ComplexJet& a, const ComplexJet& b) {
  const Jet norm = square_of_modulus(b);
  const ComplexJet product = a * ComplexJet{b.real, -b.imaginary};
  return {product.real / norm, product.imaginary / norm};
}
Jet square_of_modulus(const ComplexJet& z) { return square(z.real) + square(z.imaginary); }

Jet power(const Jet& base, int exponent) {
  if (exponent < 0) return Jet(1.0) / power(base, -exponent);
  if (exponent == 0) return 1.0;
  if (exponent % 2 == 0) return power(square(base), exponent / 2);
  return exponent == 1 ? base : base * power(square(base), exponent / 2);
}

Jet power(const Jet& base, const Jet& exponent) {
  if (exponent.constant() && exponent.value().contains(0.5) && exponent.value().width() < 1e-12) return sqrt(base);
  return exp(exponent * log(base));
}

}  // namespace sfg::ring
