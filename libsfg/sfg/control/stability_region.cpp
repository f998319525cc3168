#include "sfg/control/routh.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>

#include "sfg/error.hpp"
#include "sfg/exact/roots.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/transfer/characteristic.hpp"

namespace sfg {

namespace {

using exact::ExactPolynomial;
using Range = StabilityRegion::Range;

/// The coefficients of the operator as polynomials in the second parameter, for any value of the first.
class Slices {
 public:
  explicit Slices(const RegionQuestion& question) : boundary_(question.boundary) {
    const auto by_operator = polynomial_coefficients(question.characteristic, question.variable);
    if (!by_operator || by_operator->empty())
      throw NoAnswer("the characteristic is no polynomial in " + print(question.variable), Advice::pade);
    for (const GiNaC::ex& coefficient : *by_operator)
      coefficients_.push_back(exact_coefficients_in(coefficient, question.first, question.second));
  }

  std::vector<ExactPolynomial> at(double first) const {
    const ExactPolynomial x({exact::ExactNumber(decimal_rational(first))});
    std::vector<ExactPolynomial> slice;
    for (const auto& by_power : coefficients_) {  // highest power of the first parameter first
      ExactPolynomial sum;
      for (const ExactPolynomial& c : by_power) sum = sum * x + c;
      slice.push_back(std::move(sum));
    }
    if (boundary_ == exact::Boundary::unit_circle) slice = bilinear_image(slice);
    return slice;
  }

 private:
  exact::Boundary boundary_;
  std::vector<std::vector<ExactPolynomial>> coefficients_;
};

class Reading {
 public:
  Reading(const RegionQuestion& question, const Budget& budget) : question_(question), budget_(budget), slices_(question) {}

  StabilityRegion region() {
    StabilityRegion region{question_.first_range, question_.second_range, {}, {}};
    const auto [low, high] = question_.first_range;
    const std::size_t last = std::max<std::size_t>(question_.columns, 2) - 1;
    std::vector<StabilityRegion::Column> even;
    for (std::size_t i = 0; i <= last; ++i)
      even.push_back(column(low + (high - low) * static_cast<double>(i) / static_cast<double>(last)));
    for (std::size_t i = 0; i < even.size(); ++i) {
      if (i > 0) refine(region.columns, even[i - 1], even[i], 10);
      region.columns.push_back(even[i]);
    }
    for (const auto& c : region.columns) add_boundary(region, c);
    return region;
  }

 private:
  StabilityRegion::Column column(double first) const {
    budget_.check("the stability region");
    StabilityRegion::Column result{first, {}};
    const std::vector<ExactPolynomial> slice = slices_.at(first);
    if (slice.front().is_zero()) return result;  // a root at infinity for every value
    const auto [low, high] = question_.second_range;
    for (const OpenRange& range : stable_ranges(slice)) {
      const double from = std::max(low, range.low ? range.low->value : low),
                   to = std::min(high, range.high ? range.high->value : high);
      if (from < to) result.stable.emplace_back(from, to);
    }
    return result;
  }

  /// Columns between a and b where the number of ranges changes, nearer and nearer to the change.
  void refine(std::vector<StabilityRegion::Column>& columns, const StabilityRegion::Column& a, const StabilityRegion::Column& b,
              int depth) const {
    if (a.stable.size() == b.stable.size() || depth == 0) return;
    const StabilityRegion::Column middle = column((a.first + b.first) / 2);
    refine(columns, a, middle, depth - 1);
    columns.push_back(middle);
    refine(columns, middle, b, depth - 1);
  }

  static std::vector<exact::RealRoot> roots_of(const ExactPolynomial& p) {
    return real_roots(rounded(p, exact::Boundary::imaginary_axis));
  }

  void add_boundary(StabilityRegion& region, const StabilityRegion::Column& column) const {
    if (column.stable.empty()) return;
    const std::vector<ExactPolynomial> slice = slices_.at(column.first);
    const std::vector<exact::RealRoot> zero = roots_of(slice.back()), infinity = roots_of(slice.front());
    const auto among = [](const std::vector<exact::RealRoot>& roots, double value) {
      constexpr double same = 1e-12;
      return std::any_of(roots.begin(), roots.end(), [&](const exact::RealRoot& root) {
        return std::abs(root.value - value) <= same * std::max(std::abs(value), 1e-3);
      });
    };
    for (const auto& [low, high] : column.stable)
      for (const double end : {low, high}) {
        if (end == question_.second_range.first || end == question_.second_range.second) continue;
        StabilityRegion::Point point{column.first, end, StabilityRegion::Crossing::pair, 0};
        if (among(zero, end))
          point.crossing = StabilityRegion::Crossing::zero;
        else if (among(infinity, end))
          point.crossing = StabilityRegion::Crossing::infinity;
        else
          point.frequency = frequency(slice, end);
        region.boundary.push_back(point);
      }
  }

  /// The imaginary part of the root nearest to the axis.
  double frequency(const std::vector<ExactPolynomial>& slice, double second) const {
    std::vector<exact::Rational> values;
    for (const ExactPolynomial& c : slice) values.push_back(c.at(exact::ExactNumber(exact::Rational::of(second))).rounded());
    double nearest = std::numeric_limits<double>::infinity(), found = 0;
    for (const exact::Root& root : exact::roots(values)) {
      if (root.value.imag() <= 0 || std::abs(root.value.real()) >= nearest) continue;
      nearest = std::abs(root.value.real());
      found = root.value.imag();
    }
    return question_.boundary == exact::Boundary::unit_circle ? 2 * std::atan(found) : found;
  }

  const RegionQuestion& question_;
  const Budget& budget_;
  Slices slices_;
};

}  // namespace

StabilityRegion stability_region(const RegionQuestion& question, const Budget& budget) {
  return Reading(question, budget).region();
}

}  // namespace sfg
