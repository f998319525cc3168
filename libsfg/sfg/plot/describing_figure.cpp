#include "sfg/plot/figures.hpp"

#include <algorithm>
#include <cmath>

#include "sfg/exact/rational.hpp"
#include "sfg/nonlinear/balance/describing_plane.hpp"
#include "sfg/plot/curves.hpp"

namespace sfg {

namespace {

std::string digits(double x) { return exact::decimal(exact::Rational::of(x), 3); }

Series describing_curve(const std::string& label, const std::vector<std::complex<double>>& points, double reach,
                        Series::Style style, std::size_t colour) {
  Series series{label, {}, {}, style, colour};
  for (const auto& z : points) {
    const bool shown = std::isfinite(std::abs(z)) && std::abs(z) <= reach;
    series.x.push_back(shown ? z.real() : NAN);
    series.y.push_back(shown ? z.imag() : NAN);
  }
  return series;
}

/// What decides lies around the crossings, or where −1/N begins.
double reach_of_plane(const DescribingPlane& plane) {
  double reach = 0, least = INFINITY;
  for (const auto& z : plane.critical) least = std::min(least, std::abs(z));
  for (const auto& crossing : plane.crossings) reach = std::max(reach, 3 * std::abs(crossing.place));
  return reach > 0 ? reach : std::isfinite(least) ? 5 * least : 5;
}

}  // namespace

Figure describing_figure(const DescribingPlane& plane, const FigureOptions& options) {
  Figure figure = empty_figure(
      "Describing function of the law of " + Caption::name(plane.signal),
      "The linear part L(jω) and −1/N(A) of the law; where they cross there is a limit cycle of one harmonic", options);
  figure.panel_height = 520;
  Panel panel;
  panel.equal_scales = true;
  panel.x.label = "real part";
  panel.y.label = "imaginary part";
  panel.rules = {{true, 0}, {false, 0}};
  const double reach = reach_of_plane(plane);
  panel.series.push_back(describing_curve("L(jω)", plane.loop, reach, Series::Style::line, 0));
  panel.series.push_back(describing_curve("−1/N(A)", plane.critical, reach, Series::Style::dashed, 1));
  for (const bool stable : {true, false}) {
    Series marks{
        stable ? "stable limit cycle" : "unstable limit cycle", {}, {}, stable ? Series::Style::dots : Series::Style::circles, 2};
    for (const auto& crossing : plane.crossings) {
      if (crossing.stable != stable) continue;
      const std::complex<double> z = crossing.place;
      marks.x.push_back(z.real());
      marks.y.push_back(z.imag());
      panel.notes.push_back(
          {z.real(), z.imag(), "A = " + digits(crossing.amplitude) + ", ω = " + digits(crossing.frequency), false});
    }
    if (!marks.x.empty()) panel.series.push_back(std::move(marks));
  }
  figure.panels = {std::move(panel)};
  return figure;
}

}  // namespace sfg
