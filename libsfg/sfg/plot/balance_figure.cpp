#include "sfg/plot/figures.hpp"

#include <algorithm>
#include <cmath>

#include "sfg/nonlinear/balance/periodic_motion.hpp"
#include "sfg/numeric/numbers.hpp"
#include "sfg/plot/curves.hpp"
#include "sfg/plot/plane.hpp"

namespace sfg {

namespace {

/// The parts of all curves with that stability; where it changes, both parts have the point.
Series parts(const PeriodicMotions& all, std::size_t signal, std::optional<bool> stable, double unit) {
  Series series;
  const auto break_off = [&] {
    if (!series.x.empty() && !std::isnan(series.x.back())) series.x.push_back(undefined), series.y.push_back(undefined);
  };
  for (const MotionCurve& curve : all.curves) {
    for (std::size_t i = 0; i < curve.frequency.size(); ++i) {
      const bool here = curve.stable[i] == stable, before = i > 0 && curve.stable[i - 1] == stable;
      if (here || before) {
        series.x.push_back(curve.frequency[i] / unit);
        series.y.push_back(curve.amplitude[signal][i]);
      }
      if (!here) break_off();
    }
    break_off();
  }
  return series;
}

Series motion_marks(const PeriodicMotions& all, std::size_t signal, MotionMark::Kind kind, double unit) {
  Series series;
  for (const MotionMark& mark : all.marks)
    if (mark.kind == kind) series.x.push_back(mark.frequency / unit), series.y.push_back(mark.amplitude[signal]);
  return series;
}

/// Motions that lie on no curve: limit cycles.
Series lone(const PeriodicMotions& all, std::size_t signal, bool stable, double unit) {
  Series series;
  if (!all.curves.empty()) return series;
  for (const PeriodicMotion& motion : all.points)
    if (motion.stable.value_or(false) == stable) {
      series.x.push_back(motion.frequency / unit);
      series.y.push_back(std::abs(motion.harmonics[signal][all.subharmonic]));
    }
  return series;
}

Series backbone(const BackboneMotions& motions, std::size_t signal, double unit) {
  Series series;
  for (const double w : motions.frequency) series.x.push_back(w / unit);
  series.y = motions.amplitude[signal];
  return series;
}

void add(Panel& panel, Series series, const std::string& label, Series::Style style, std::size_t colour) {
  if (series.x.empty()) return;
  series.label = label;
  series.style = style;
  series.colour = colour;
  panel.series.push_back(std::move(series));
}

}  // namespace

Figure balance_figure(const PeriodicMotions& all, const FigureOptions& options) {
  Figure f = empty_figure(
      "Periodic motion", "Amplitudes of the motions at the frequency of the inputs, over that frequency; unstable motions dashed",
      options);
  const double unit = options.hertz ? per_hertz : 1;
  const auto [low, high] = all.frequency.empty() ? std::ranges::min_max_result<double>{0, 0} : std::ranges::minmax(all.frequency);
  for (std::size_t i = 0; i < all.signals.size(); ++i) {
    Panel panel;
    panel.x = {frequency_label(options), Axis::Scale::linear, {}};
    if (low < high && !all.curves.empty()) panel.x.range = std::pair(low / unit, high / unit);
    panel.y = {"amplitude of " + Caption::name(all.signals[i]), Axis::Scale::linear, {}};
    add(panel, parts(all, i, true, unit), "stable", Series::Style::line, 0);
    add(panel, parts(all, i, false, unit), "unstable", Series::Style::dashed, 1);
    add(panel, parts(all, i, std::nullopt, unit), "stability not known", Series::Style::dotted, 5);
    for (std::size_t b = 0; b < all.backbones.size(); ++b)
      add(panel, backbone(all.backbones[b], i, unit), b == 0 ? "backbone" : "", Series::Style::dash_dot, 2);
    add(panel, lone(all, i, true, unit), "limit cycle, stable", Series::Style::dots, 0);
    add(panel, lone(all, i, false, unit), "limit cycle, not stable", Series::Style::circles, 1);
    add(panel, motion_marks(all, i, MotionMark::Kind::fold, unit), "fold", Series::Style::diamonds, 3);
    add(panel, motion_marks(all, i, MotionMark::Kind::branch_point, unit), "branch point", Series::Style::crosses, 4);
    f.panels.push_back(std::move(panel));
  }
  return f;
}

}  // namespace sfg
