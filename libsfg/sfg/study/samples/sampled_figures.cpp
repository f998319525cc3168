#include "sfg/study/samples/sampled_figures.hpp"

#include <algorithm>
#include <cmath>

namespace sfg {

namespace {

using Value = std::optional<double>;

Value final_of(const TimeResponse& y) {
  constexpr double settled = 1e-3, part = 0.9;
  const double last = y.value.back();
  for (std::size_t i = 0; i < y.time.size(); ++i)
    if (y.time[i] >= part * y.time.back() && std::abs(y.value[i] - last) > settled * std::abs(last)) return {};
  return std::isfinite(last) ? Value(last) : std::nullopt;
}

/// Where the level is passed between the samples i − 1 and i.
double passed(const TimeResponse& y, std::size_t i, double level) {
  const double a = y.value[i - 1], b = y.value[i];
  return y.time[i - 1] + (y.time[i] - y.time[i - 1]) * (level - a) / (b - a);
}

Value first_at(const TimeResponse& y, double level) {
  for (std::size_t i = 0; i < y.value.size(); ++i)
    if (level < 0 ? y.value[i] <= level : y.value[i] >= level) return i == 0 ? 0 : passed(y, i, level);
  return {};
}

Value settling(const TimeResponse& y, double final) {
  const double band = 0.02 * std::abs(final);
  for (std::size_t i = y.value.size() - 1; i-- > 0;)
    if (std::abs(y.value[i] - final) > band) return passed(y, i + 1, final + (y.value[i] > final ? band : -band));
  return 0;
}

}  // namespace

Value sampled_figure(const TimeResponse& y, const BaseMeasure& base) {
  if (base.kind == MeasureKind::step) {
    const auto at = std::ranges::find(y.time, base.at) - y.time.begin();
    if (static_cast<std::size_t>(at) == y.time.size()) return {};
    const double value = y.value[static_cast<std::size_t>(at)];
    return std::isfinite(value) ? Value(value) : std::nullopt;
  }
  const Value final = final_of(y);
  if (!final || base.kind == MeasureKind::final) return final;
  if (*final == 0) return {};
  if (base.kind == MeasureKind::settling) return settling(y, *final);
  if (base.kind == MeasureKind::rise) {
    const Value low = first_at(y, 0.1 * *final), high = first_at(y, 0.9 * *final);
    return low && high ? Value(*high - *low) : std::nullopt;
  }
  double peak = 0;
  for (const double value : y.value) peak = std::max(peak, value / *final);
  return std::max(0.0, (peak - 1) * 100);
}

}  // namespace sfg
