#include "sfg/study/local/side_slopes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sfg/numeric/numbers.hpp"

namespace sfg {

namespace {

constexpr double far = 0x1p-13, near = 0x1p-17;  // of the parameter

}  // namespace

const LocalMeasures& SideSlopes::at(std::size_t parameter, double offset) {
  if (!known_.empty() && known_.front().parameter != parameter) known_.clear();
  for (const Known& each : known_)
    if (each.offset == offset) return each.found;
  std::vector<double> point(program_.nominal().begin(), program_.nominal().end());
  point[parameter] += offset;
  known_.push_back({parameter, offset, program_.at(point, false)});
  return known_.back().found;
}

/// How far a parameter reaches: its value, or, of 0, what changes the measure by its whole size.
double SideSlopes::reach(std::size_t parameter, double value, double slope) const {
  const std::span<const double> nominal = program_.nominal();
  if (nominal[parameter] != 0) return std::abs(nominal[parameter]);
  double least = 1;
  for (const double k : nominal)
    if (k != 0) least = std::min({least, std::abs(k), 1 / std::abs(k)});
  const double size = std::abs(value / slope);
  constexpr double insensitive = 1e10;
  return std::isfinite(size) && size > 0 && size < insensitive * least ? size : least;
}

SideSlopes::Side SideSlopes::side(std::size_t measure, std::size_t parameter, double value, double reach) {
  using Kind = Side::Kind;
  const std::size_t n = program_.nominal().size();
  const LocalMeasures first = at(parameter, reach * far), second = at(parameter, reach * near);
  if (!first.decided[measure] || !second.decided[measure]) return {};
  const double m1 = first.value[measure], m2 = second.value[measure];
  if (std::isnan(m2)) return {Kind::missing};
  if (std::isnan(m1)) return {};
  const double scale = std::max({std::abs(value), std::abs(m1), std::abs(m2)}), noise = 1e-6 * scale + (value == 0 ? 1e-9 : 0);
  if (std::abs(m2 - value) > noise && std::abs(m2 - value) > 0.7 * std::abs(m1 - value)) return {Kind::jump};
  const double s1 = first.derivative[measure * n + parameter], s2 = second.derivative[measure * n + parameter];
  if (!std::isfinite(s1) || !std::isfinite(s2)) return {};
  const double change = std::abs(s2 - s1), flat = 1e-6 * scale / std::abs(reach);
  if (std::abs(s2) > 1.8 * std::abs(s1) && change > 1e3 * flat) return {Kind::unbounded};
  if (change > 0.3 * std::max(std::abs(s1), std::abs(s2)) + flat) return {};
  const double limit = s2 + (s2 - s1) * near / (far - near);
  return {Kind::slope, std::abs(limit) <= 3 * flat ? 0 : limit};
}

std::string SideSlopes::told(const Side& below, const Side& above) {
  const auto one = [](const Side& side, const char* where) -> std::string {
    switch (side.kind) {
      case Side::Kind::slope: return fmt::format("{:.6g} {} the stated value", side.slope + 0.0, where);
      case Side::Kind::unbounded: return fmt::format("without bound {} the stated value", where);
      case Side::Kind::jump: return fmt::format("the measure jumps {} the stated value", where);
      case Side::Kind::missing: return fmt::format("the measure does not exist {} the stated value", where);
      case Side::Kind::unknown: return fmt::format("not known {} the stated value", where);
    }
    return "";
  };
  return one(below, "below") + ", " + one(above, "above");
}

SidedSlope SideSlopes::operator()(std::size_t measure, std::size_t parameter, double value, double slope) {
  using Kind = Side::Kind;
  const double size = reach(parameter, value, slope);
  constexpr double rounding = 1e-12;  // of a slope that is 0
  if (program_.nominal()[parameter] == 0 && std::abs(slope) * size <= rounding * std::abs(value)) slope = 0;
  const Side below = side(measure, parameter, value, -size), above = side(measure, parameter, value, size);
  if (below.kind == Kind::unknown || above.kind == Kind::unknown) {
    if (std::isfinite(slope)) return {slope};
    return {undefined, "the formulas of regular points do not hold here, and what is beside is not known in doubles"};
  }
  SidedSlope result{undefined};
  if (below.kind == Kind::slope) result.below = below.slope;
  if (above.kind == Kind::slope) result.above = above.slope;
  const double flat = 1e-6 * std::abs(value / size);
  if (result.below && result.above &&
      std::abs(*result.below - *result.above) <= 1e-3 * std::max(std::abs(*result.below), std::abs(*result.above)) + flat) {
    const double middle = (*result.below + *result.above) / 2;
    const bool agrees = std::abs(slope - middle) <= 1e-2 * std::abs(middle) + flat;
    return {std::isfinite(slope) && agrees ? slope : middle};
  }
  result.why = told(below, above);
  return result;
}

}  // namespace sfg
