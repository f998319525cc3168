#include "sfg/plot/axis_ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "sfg/draw/set_caption.hpp"

namespace sfg {

namespace {

using Scale = Axis::Scale;

constexpr double rounding = 1e-9;  // of a step: an end that is a tick counts as one

struct Step {
  double size;
  int most;  ///< of them on an axis
};

/// Steps of 1, 2, 5 times powers of ten.
double round_step(double raw) {
  const double decade = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * decade >= raw * (1 - rounding)) return factor * decade;
  return 10 * decade;
}

double steps_between(const Range& r, double step) {
  return std::ceil(r.high / step - rounding) - std::floor(r.low / step + rounding);
}

/// The customary steps of angles and of decibels, the smallest of which there are not too many.
double customary_step(Scale scale, const Range& r) {
  static constexpr std::array degrees{Step{1, 6},  Step{2, 6},  Step{5, 6},  Step{10, 4},  Step{15, 6},
                                      Step{30, 4}, Step{45, 6}, Step{90, 6}, Step{180, 6}, Step{360, 6}};
  static constexpr std::array decibels{Step{1, 6}, Step{2, 6}, Step{5, 6}, Step{10, 6}, Step{20, 7}, Step{40, 7}, Step{60, 6}};
  const auto least = [&](const auto& steps, double unit) {
    for (const Step& step : steps)
      if (steps_between(r, step.size) <= step.most) return step.size;
    return unit * round_step((r.high - r.low) / unit / 6);
  };
  if (scale == Scale::degrees) return least(degrees, 360);
  return r.high - r.low < 1 ? round_step((r.high - r.low) / 6) : least(decibels, 100);
}

/// Widened to multiples of the step, and a little beyond where the data reaches them.
Range snapped(const Range& data, double step) {
  Range r{step * std::floor(data.low / step + rounding), step * std::ceil(data.high / step - rounding)};
  const double margin = 0.04 * (r.high - r.low);
  if (data.low - r.low < margin) r.low -= margin;
  if (r.high - data.high < margin) r.high += margin;
  r.step = step;
  return r;
}

Range around(double value, Scale scale) {
  if (scale == Scale::degrees) return snapped({value - 45, value + 45}, 45);
  if (scale == Scale::decibels) return snapped({value - 10, value + 10}, 5);
  if (value == 0) return {-1, 1};
  return value > 0 ? Range{-0.06 * value, 1.3 * value} : Range{1.3 * value, -0.06 * value};
}

std::string signed_text(std::string text) {
  const auto digit = text.find_first_not_of("-0.");
  if (!text.empty() && text.front() == '-') return (digit == std::string::npos ? "" : "−") + text.substr(1);
  return text;
}

int decade_of(double size) { return static_cast<int>(std::floor(std::log10(size) + 1e-12)); }

/// Numbers with as many decimals as their step needs; very large and very small ones share a power of ten.
AxisTicks numbered(const std::vector<double>& values) {
  constexpr double large = 1e5, small = 1e-3;
  AxisTicks made;
  double greatest = 0;
  for (const double v : values) greatest = std::max(greatest, std::abs(v));
  if (greatest >= large || (greatest < small && greatest > 0))
    made.power = 3 * static_cast<int>(std::floor(decade_of(greatest) / 3.0));
  const double step = values.size() > 1 ? values[1] - values[0] : std::max(greatest, 1.0);
  const int decimals = std::clamp(made.power - decade_of(step), 0, 12);
  for (const double v : values) {
    const double shown = made.power < -300 ? v * 1e300 / std::pow(10.0, made.power + 300) : v / std::pow(10.0, made.power);
    made.labelled.push_back({v, std::abs(v) < step * rounding ? "0" : signed_text(fmt::format("{:.{}f}", shown, decimals)), ""});
  }
  return made;
}

std::vector<double> multiples(const Range& r, double step) {
  std::vector<double> values;
  const double last = std::floor(r.high / step + rounding);
  for (double k = std::ceil(r.low / step - rounding); k <= last; ++k) values.push_back(k * step);
  return values;
}

/// Whether no two labels touch.
bool legible(const AxisTicks& ticks, const Range& r, Scale scale, double pixels, bool horizontal) {
  constexpr double gap = 10, line = 17;
  for (std::size_t i = 1; i < ticks.labelled.size(); ++i) {
    const Tick &a = ticks.labelled[i - 1], &b = ticks.labelled[i];
    const double apart = pixels * std::abs(place_of(b.value, r, scale) - place_of(a.value, r, scale));
    if (apart < (horizontal ? (width_of(a) + width_of(b)) / 2 + gap : line)) return false;
  }
  return true;
}

AxisTicks even_ticks(Scale scale, const Range& r, double pixels, bool horizontal) {
  const int most = std::clamp(static_cast<int>(pixels / (horizontal ? 70 : 36)), 5, horizontal ? 10 : 8);
  AxisTicks made;
  for (int wanted = most; wanted >= 2; --wanted) {
    made = numbered(ticks(r.low, r.high, wanted));
    if (made.labelled.size() >= 2 && legible(made, r, scale, pixels, horizontal)) return made;
  }
  for (int wanted = most + 1; made.labelled.size() < 2 && wanted <= 3 * most; ++wanted)
    made = numbered(ticks(r.low, r.high, wanted));
  while (made.labelled.size() > 2) made.labelled.erase(made.labelled.begin() + 1, made.labelled.end() - 1);
  return made;
}

AxisTicks customary_ticks(Scale scale, const Range& r, double pixels, bool horizontal) {
  double step = r.step > 0 ? r.step : customary_step(scale, r);
  for (int round = 0; round < 8; ++round, step *= 2) {
    AxisTicks made = numbered(multiples(r, step));
    if (made.labelled.size() < 2) break;
    if (legible(made, r, scale, pixels, horizontal)) return made;
  }
  return even_ticks(scale, r, pixels, horizontal);
}

Tick power_of_ten(double value, int factor, int decade, bool powers) {
  if (!powers) return {value, fmt::format("{:.10g}", value), ""};
  return {value, factor == 1 ? "10" : fmt::format("{}·10", factor), (decade < 0 ? "−" : "") + std::to_string(std::abs(decade))};
}

/// Numbers at whole decades, of few decades also at twice and five times.
AxisTicks logarithmic_ticks(const Range& r, double pixels, bool horizontal) {
  const int first = static_cast<int>(std::floor(std::log10(r.low) + rounding)),
            last = static_cast<int>(std::ceil(std::log10(r.high) - rounding));
  const auto inside = [&](double v) { return v >= r.low * (1 - rounding) && v <= r.high * (1 + rounding); };
  AxisTicks made;
  constexpr int few = 8;
  if (last - first <= few)
    for (int decade = first; decade <= last; ++decade)
      for (int k = 2; k <= 9; ++k)
        if (const double v = k * std::pow(10.0, decade); v > r.low && v < r.high) made.minor.push_back(v);
  const bool powers = first < -2 || last > 4;
  const auto labels = [&](int stride, std::initializer_list<int> factors) {
    made.labelled.clear();
    for (int decade = first; decade <= last; ++decade)
      for (const int k : factors)
        if (const double v = k * std::pow(10.0, decade); inside(v) && decade % stride == 0)
          made.labelled.push_back(power_of_ten(v, k, decade, powers));
    return made.labelled.size() >= 2 && legible(made, r, Scale::logarithmic, pixels, horizontal);
  };
  if (last - first <= 2 && labels(1, {1, 2, 5})) return made;
  for (const int stride : {1, 2, 3, 4, 5, 6, 10, 20, 50, 100, 200})
    if (labels(stride, {1})) return made;
  if (labels(1, {1, 2, 5}) || labels(1, {1, 3}) || labels(1, {1, 5})) return made;
  const std::vector<double> minor = made.minor;
  made = even_ticks(Scale::logarithmic, r, pixels, horizontal);
  made.minor = minor;
  return made;
}

}  // namespace

void Range::include(double value) {
  if (!std::isfinite(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

double width_of(const Tick& tick) {
  return sfg::width_of(Caption(tick.text), tick_size) + sfg::width_of(Caption(tick.exponent), exponent_size);
}

Range fitted(const Axis& axis, const Range& data, bool tight) {
  constexpr double noise = 1e-9, faint = 1e-6;  // of a number; of a degree or a decibel
  if (axis.range) return {axis.range->first, axis.range->second};
  if (axis.scale == Scale::logarithmic) {
    if (data.empty()) return {0.1, 10};
    if (data.low == data.high) return {data.low / 10, data.high * 10};
    if (tight) return data;
    const double margin = std::pow(data.high / data.low, 0.04);
    return std::isfinite(margin) ? Range{data.low / margin, data.high * margin} : data;
  }
  const bool customary = axis.scale != Scale::linear;
  if (data.empty()) return customary ? around(0, axis.scale) : Range{0, 1};
  const double span = data.high - data.low, size = std::max(std::abs(data.low), std::abs(data.high));
  if (!std::isfinite(span)) return data;
  if (span <= std::max(noise * size, customary ? faint : 0)) return around(data.low + span / 2, axis.scale);
  if (tight) return data;
  if (customary) return snapped(data, customary_step(axis.scale, data));
  return {data.low - 0.06 * span, data.high + 0.06 * span};
}

double place_of(double v, const Range& r, Scale scale) {
  if (scale == Scale::logarithmic) return (std::log10(v) - std::log10(r.low)) / (std::log10(r.high) - std::log10(r.low));
  return (v / 2 - r.low / 2) / (r.high / 2 - r.low / 2);
}

AxisTicks axis_ticks(Scale scale, const Range& r, double pixels, bool horizontal) {
  if (scale == Scale::logarithmic) return logarithmic_ticks(r, pixels, horizontal);
  return scale == Scale::linear ? even_ticks(scale, r, pixels, horizontal) : customary_ticks(scale, r, pixels, horizontal);
}

std::vector<double> ticks(double low, double high, int wanted) {
  constexpr double resolved = 1e-12;  // below that, neighbouring ticks are one number
  if (!(high - low > resolved * std::max(std::abs(low), std::abs(high))) || !std::isfinite(high - low)) return {low};
  return multiples({low, high}, round_step((high - low) / wanted));
}

}  // namespace sfg
