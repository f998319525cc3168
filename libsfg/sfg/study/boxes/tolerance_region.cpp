#include "sfg/study/boxes/tolerance_region.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "sfg/error.hpp"
#include "sfg/numeric/numbers.hpp"
#include "sfg/study/semidefinite.hpp"

namespace sfg {

using ring::Interval;
using ring::Jet;

namespace {

/// A double is within one rounding of the rational number that it was made of.
Interval enclosed(const exact::Rational& value) { return value.is_zero() ? Interval() : Interval::rounded(value.to_double()); }

/// The greatest value of a t² + b t + c for t from `from` to `to`.
double greatest_of_parabola(double a, const Interval& b, const Interval& c, double from, double to) {
  const auto at = [&](double t) { return (Interval(a) * square(Interval(t)) + b * Interval(t) + c).high; };
  double result = std::max(at(from), at(to));
  if (a < 0) {
    const Interval top = b / Interval(-2 * a);  // where a parabola is highest; 2a is exact
    if (top.high >= from && top.low <= to) result = std::max(result, (c + square(b) / Interval(-4 * a)).high);
  }
  return std::isnan(result) ? infinity : result;
}

double level_of(const EllipsoidLevel& level, std::size_t rank) {
  if (!level.is_probability) return level.size;
  return std::sqrt(2 * boost::math::gamma_p_inv(static_cast<double>(rank) / 2, level.size));
}

}  // namespace

ToleranceRegion::ToleranceRegion(const Variation& variation, const std::optional<EllipsoidLevel>& level) {
  SemidefiniteFactor factor;
  if (level) {
    const Covariance covariance = normal_covariance(variation);
    if (covariance.names.empty())
      throw Error({}, "no parameter is normal, so that there is no ellipsoid of them",
                  "state a covariance, or the distribution normal of parameters with tolerances");
    factor = factor_of(covariance);
    ball_ = factor.rank;
    radius_ = level_of(*level, ball_);
    ellipsoid_ = {radius_, boost::math::gamma_p(static_cast<double>(ball_) / 2, radius_ * radius_ / 2), covariance.names, ball_};
    for (std::size_t i = 0; i < factor.size; ++i)
      for (std::size_t j = 0; j < ball_; ++j) factor_.push_back(enclosed(factor.L[i * ball_ + j]) * sqrt(enclosed(factor.D[j])));
    sides_.assign(ball_, Interval(-radius_, radius_));
    start_.assign(ball_, 0);
  }
  std::size_t row = 0;
  for (const VaryingParameter& parameter : variation.parameters) {
    const bool normal = level && parameter.distribution == Distribution::normal;
    middle_.push_back(parameter.nominal);
    normal_.push_back(normal);
    row_.push_back(normal ? row++ : sides_.size());
    if (normal) continue;
    sides_.emplace_back(parameter.low(), parameter.high());
    start_.push_back(parameter.nominal);
  }
}

std::vector<Jet> ToleranceRegion::parameters(std::span<const Jet> coordinates) const {
  std::vector<Jet> result;
  for (std::size_t k = 0; k < row_.size(); ++k) {
    if (!normal_[k]) {
      result.push_back(coordinates[row_[k]]);
      continue;
    }
    Jet value(middle_[k]);
    for (std::size_t j = 0; j < ball_; ++j)
      if (const Interval& a = factor_[row_[k] * ball_ + j]; !a.zero()) value = value + Jet(a) * coordinates[j];
    result.push_back(value);
  }
  return result;
}

std::vector<double> ToleranceRegion::values(std::span<const double> coordinates) const {
  std::vector<double> result;
  for (std::size_t k = 0; k < row_.size(); ++k) {
    double value = normal_[k] ? middle_[k] : coordinates[row_[k]];
    for (std::size_t j = 0; normal_[k] && j < ball_; ++j) value += factor_[row_[k] * ball_ + j].middle() * coordinates[j];
    result.push_back(value);
  }
  return result;
}

bool ToleranceRegion::draw_in(Sides& sides) const {
  for (std::size_t k = 0; k < ball_; ++k) {
    Interval rest = square(Interval(radius_));
    for (std::size_t j = 0; j < ball_; ++j)
      if (j != k) rest = rest - Interval(square(sides[j]).low);
    if (rest.high < 0) return false;
    const double most = sqrt(rest).high;
    sides[k] = {std::max(sides[k].low, -most), std::min(sides[k].high, most)};
    if (sides[k].low > sides[k].high) return false;
  }
  return true;
}

bool ToleranceRegion::holds(const Sides& sides) const {
  Interval size;
  for (std::size_t k = 0; k < ball_; ++k) size = size + square(sides[k]);
  return size.high <= square(Interval(radius_)).low;
}

double ToleranceRegion::dual(double lambda, const std::vector<Interval>& slopes, const std::vector<double>& bends,
                             std::span<const std::size_t> free, const Sides& sides, std::span<const double> centre) const {
  Interval fixed = square(Interval(radius_));
  std::size_t next = 0;
  double sum = 0;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const bool is_free = next < free.size() && free[next] == k;
    const double weight = in_ball(k) ? lambda : 0;
    if (!is_free) {
      if (in_ball(k)) fixed = fixed - square(Interval(centre[k]));
      continue;
    }
    const Interval offset = sides[k] - Interval(centre[k]), turn = Interval(2 * weight) * Interval(centre[k]),
                   constant = -(Interval(weight) * square(Interval(centre[k])));
    const double a = Interval::above(bends[next] / 2 - weight);
    const double right = greatest_of_parabola(a, Interval(slopes[next].high) - turn, constant, 0, std::max(0.0, offset.high)),
                 left = greatest_of_parabola(a, Interval(slopes[next].low) - turn, constant, std::min(0.0, offset.low), 0);
    sum = (Interval(sum) + Interval(std::max(left, right))).high;
    ++next;
  }
  return (Interval(sum) + Interval(lambda) * fixed).high;
}

double ToleranceRegion::least_dual(const std::vector<Interval>& slopes, const std::vector<double>& bends,
                                   std::span<const std::size_t> free, const Sides& sides, std::span<const double> centre) const {
  double steepest = 0;
  for (std::size_t j = 0; j < free.size(); ++j)
    steepest = std::hypot(steepest, slopes[j].greatest() + std::abs(bends[j]) * sides[free[j]].width());
  if (!std::isfinite(steepest)) return infinity;
  const auto at = [&](double lambda) { return dual(lambda, slopes, bends, free, sides, centre); };
  // Convex in λ; what is found is a bound wherever the search ends.
  double low = 0, high = 1.5 * steepest / radius_, least = at(0);
  constexpr int halvings = 24;
  constexpr double golden = 0.6180339887498949;
  double p = high - golden * (high - low), q = low + golden * (high - low), at_p = at(p), at_q = at(q);
  for (int k = 0; k < halvings; ++k) {
    least = std::min({least, at_p, at_q});
    if (at_p <= at_q) {
      high = q, q = p, at_q = at_p;
      p = high - golden * (high - low), at_p = at(p);
    } else {
      low = p, p = q, at_p = at_q;
      q = low + golden * (high - low), at_q = at(q);
    }
  }
  return std::min({least, at_p, at_q});
}

double ToleranceRegion::bound(const Jet& f, std::span<const std::size_t> free, const Sides& sides,
                              std::span<const double> centre) const {
  if (!f.smooth()) return infinity;
  std::vector<Interval> over, at_centre;
  std::vector<double> none(free.size()), bends;
  for (std::size_t j = 0; j < free.size(); ++j) {
    over.push_back(f.slope(j));
    at_centre.push_back(f.centre_slope(j));
    Interval bend = f.second(j, j);
    for (std::size_t i = 0; i < free.size(); ++i)
      if (i != j) bend = bend + Interval(f.second(i, j).greatest());  // 2|t_i t_j| ≤ t_i² + t_j²
    bends.push_back(bend.high);
  }
  const double first = least_dual(over, none, free, sides, centre), second = least_dual(at_centre, bends, free, sides, centre);
  return (f.centre() + Interval(std::min(first, second))).high;
}

void ToleranceRegion::ascend(std::vector<double>& point, std::span<const double> slopes, std::span<const double> bends) const {
  for (std::size_t k = ball_; k < point.size(); ++k) {
    const double slope = slopes[k], bend = bends[k];
    const double step = bend < 0 ? -slope / bend : slope > 0 ? infinity : slope < 0 ? -infinity : 0;
    point[k] = std::clamp(point[k] + step, sides_[k].low, sides_[k].high);
  }
  if (ball_ == 0) return;
  // Stationary in the ball: (μ − h) z = g − h z₀, μ ≥ 0 the multiplier of |z|² ≤ k² (Moré and Sorensen 1983, of a diagonal
  // matrix).
  const std::vector<double> from(point.begin(), point.begin() + static_cast<std::ptrdiff_t>(ball_));
  double least = 0, size = 0;
  for (std::size_t k = 0; k < ball_; ++k) {
    least = std::max(least, bends[k]);
    size = std::hypot(size, slopes[k] - bends[k] * from[k]);
  }
  const auto place = [&](double mu) {
    double length = 0;
    for (std::size_t k = 0; k < ball_; ++k) {
      point[k] = (slopes[k] - bends[k] * from[k]) / (mu - bends[k]);
      if (std::isnan(point[k])) point[k] = 0;
      length = std::hypot(length, point[k]);
    }
    return length;
  };
  double low = least, high = least + size / radius_;
  if (!(place(least) <= radius_)) {
    for (int k = 0; k < 60; ++k) {
      const double mu = low + (high - low) / 2;
      (place(mu) > radius_ ? low : high) = mu;
    }
    place(high);
  }
  pull_in(point);
}

bool ToleranceRegion::pull_in(std::vector<double>& point) const {
  constexpr double inside = 1 - 0x1p-50;
  double length = 0;
  for (std::size_t k = 0; k < ball_; ++k) length = std::hypot(length, point[k]);
  if (!(length > inside * radius_)) return false;
  for (std::size_t k = 0; k < ball_; ++k) point[k] *= inside * radius_ / length;
  return true;
}

}  // namespace sfg
