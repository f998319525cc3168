#include "sfg/plot/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "sfg/plot/bars.hpp"
#include "sfg/plot/curves.hpp"
#include "sfg/plot/plane.hpp"
#include "sfg/study/local/response_sensitivity.hpp"
#include "sfg/study/local/sensitivity.hpp"

namespace sfg {

namespace {

constexpr std::size_t told_apart = 9;

/// The sensitivity to one parameter; NaN where it is not finite.
struct Curve {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
  double greatest = 0;  ///< magnitude
};

void order(std::vector<Curve>& curves) {
  std::ranges::stable_sort(curves, [](const Curve& a, const Curve& b) { return a.greatest > b.greatest; });
}

/// How many are told apart: one more than usual rather than a single grey one.
std::size_t shown_of(const std::vector<Curve>& curves) {
  const auto with = static_cast<std::size_t>(std::ranges::count_if(curves, [](const Curve& c) { return c.greatest > 0; }));
  return with <= told_apart + 1 ? with : told_apart;
}

/// In the order of their greatest values.
std::vector<Curve> curves_of(std::span<const SensitivityValue> values, double unit) {
  std::map<std::string, std::size_t> places;
  std::vector<Curve> curves;
  for (const SensitivityValue& v : values) {
    const auto [place, fresh] = places.try_emplace(v.parameter, curves.size());
    if (fresh) curves.push_back({v.parameter, {}, {}, 0});
    Curve& curve = curves[place->second];
    const double size = std::abs(v.relative);
    curve.x.push_back(v.frequency / unit);
    curve.y.push_back(std::isfinite(size) ? size : std::numeric_limits<double>::quiet_NaN());
    if (std::isfinite(size)) curve.greatest = std::max(curve.greatest, size);
  }
  order(curves);
  return curves;
}

/// Logarithmic where the greatest values of the curves lie apart by more than a decade; what is far below them says nothing.
Axis magnitude_axis(const std::vector<Curve>& curves, std::size_t shown) {
  constexpr double apart = 20, depth = 1e-4;
  Axis axis{"|(k/T) dT/dk|", Axis::Scale::linear, {}};
  if (curves.empty() || curves.front().greatest == 0) return axis;
  const double high = curves.front().greatest;
  double least = high;
  for (std::size_t i = 0; i < shown; ++i)
    for (const double y : curves[i].y)
      if (y > 0) least = std::min(least, y);
  if (high < apart * least) return axis;
  axis.scale = Axis::Scale::logarithmic;
  axis.range = {std::max(least, depth * high) * 0.8, high * 1.5};
  return axis;
}

/// As many as a line holds.
Caption names_of(std::span<const Curve> curves) {
  constexpr std::size_t most = 20;
  Caption text;
  std::size_t told = 0;
  for (; told < curves.size() && (told == 0 || text.plain().size() + curves[told].name.size() < most); ++told)
    text += Caption(told == 0 ? "" : ", ") + Caption::name(curves[told].name);
  return curves.size() > told ? text + fmt::format(" and {} more", curves.size() - told) : text;
}

/// What the grey curves are, and which parameters have none.
Caption title_of(std::span<const Curve> grey, std::span<const Curve> none) {
  Caption text;
  if (!grey.empty()) text = "grey (≤ " + short_number(grey.front().greatest) + "): " + names_of(grey);
  if (!none.empty()) text += Caption(text.empty() ? "" : "; ") + "no influence: " + names_of(none);
  return text;
}

/// Where a curve is furthest from its neighbours, in the scale of the axis and away from the ends.
Note name_note(std::span<const Curve> curves, std::size_t own, const Axis& axis) {
  const auto height = [&](const Curve& curve, std::size_t i) {
    const double y = i < curve.y.size() ? curve.y[i] : 0, low = axis.range ? axis.range->first : 0;
    return axis.scale == Axis::Scale::logarithmic ? std::log(std::max(y, low)) : y;
  };
  const Curve& curve = curves[own];
  const std::size_t n = curve.y.size(), edge = n / 12;
  std::size_t best = edge;
  double furthest = -1;
  for (std::size_t i = edge; i < n - edge; ++i) {
    if (axis.range && !(curve.y[i] > axis.range->first)) continue;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < curves.size(); ++k)
      if (k != own) nearest = std::min(nearest, std::abs(height(curves[k], i) - height(curve, i)));
    if (nearest > furthest) furthest = nearest, best = i;
  }
  return {curve.x[best], curve.y[best], Caption::name(curve.name)};
}

/// The greatest curves told apart, the others grey and named in the title.
void add_curves(Panel& panel, const std::vector<Curve>& curves) {
  using Style = Series::Style;
  const auto with = static_cast<std::size_t>(std::ranges::count_if(curves, [](const Curve& c) { return c.greatest > 0; }));
  const std::size_t shown = shown_of(curves);
  panel.legend_beside = true;
  panel.title = title_of({curves.data() + shown, with - shown}, {curves.data() + with, curves.size() - with});
  for (std::size_t i = shown; i < with; ++i) panel.series.push_back({"", curves[i].x, curves[i].y, Style::guide, 0});
  for (std::size_t i = 0; i < shown; ++i) {
    panel.series.push_back({Caption::name(curves[i].name), curves[i].x, curves[i].y, Style::line, i});
    panel.series.back().pattern = i;
    panel.notes.push_back(name_note({curves.data(), shown}, i, panel.y));
  }
}

}  // namespace

Figure sensitivity_figure(const Caption& transfer, std::span<const SensitivityValue> values, const FigureOptions& options) {
  Figure f =
      empty_figure("Sensitivity of " + transfer, "Magnitude of Bode's sensitivity to every parameter over frequency", options);
  f.panel_height = 430;
  const std::vector<Curve> curves = curves_of(values, options.hertz ? per_hertz : 1);
  Panel panel;
  panel.x = {frequency_label(options), Axis::Scale::logarithmic, {}};
  panel.y = magnitude_axis(curves, shown_of(curves));
  add_curves(panel, curves);
  f.panels = {std::move(panel)};
  return f;
}

Figure sensitivity_figure(const ResponseSensitivity& response, const std::map<std::string, double>& values,
                          const FigureOptions& options) {
  Figure f = empty_figure("Sensitivity of the step response " + transfer_caption(response.input, response.output),
                          "The step response, and its derivatives by every parameter times that parameter, over time", options);
  std::vector<Curve> curves;
  for (std::size_t k = 0; k < response.parameters.size(); ++k) {
    const auto value = values.find(response.parameters[k]);
    if (value == values.end()) continue;
    Curve curve{response.parameters[k], response.time, response.slope[k], 0};
    for (double& y : curve.y) {
      y *= value->second;
      if (std::isfinite(y)) curve.greatest = std::max(curve.greatest, std::abs(y));
    }
    curves.push_back(std::move(curve));
  }
  order(curves);
  Panel step, slopes;
  step.name = "step", slopes.name = "sensitivity";
  step.x.label = slopes.x.label = "time, s";
  step.y.label = Caption::name(response.output);
  step.height = 240;
  step.series.push_back({"", response.time, response.value, Series::Style::line, 0});
  slopes.y.label = Caption::name("k") + " d" + Caption::name(response.output) + "/d" + Caption::name("k");
  slopes.rules = {{false, 0}};
  slopes.height = 400;
  add_curves(slopes, curves);
  f.panels = {std::move(step), std::move(slopes)};
  return f;
}

}  // namespace sfg
