#include "sfg/plot/figures.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "sfg/nonlinear/absolute_stability.hpp"
#include "sfg/plot/curves.hpp"
#include "sfg/plot/plane.hpp"

namespace sfg {

namespace {

struct Sample {
  double frequency;
  std::complex<double> value;
};

/// G(jω) from where it begins to where it ends, as seen beside the critical region.
std::vector<Sample> samples(const AbsoluteStability& answer) {
  const std::vector<double> d = answer.D.doubles();
  double largest = 1, smallest = 1;
  for (std::size_t i = 1; i < d.size(); ++i)
    if (d[i] != 0) {
      const double size = std::pow(std::abs(d[i] / d[0]), 1.0 / static_cast<double>(i));
      largest = i == 1 ? size : std::max(largest, size);
      smallest = i == 1 ? size : std::min(smallest, size);
    }
  constexpr int points = 1500;
  const double from = std::min(smallest, largest) * 1e-3, to = largest * 1e3;
  std::vector<Sample> found;
  for (int i = 0; i <= points; ++i) {
    const double w = from * std::pow(to / from, static_cast<double>(i) / points);
    found.push_back({w, answer.N.at(std::complex<double>(0, w)) / answer.D.at(std::complex<double>(0, w))});
  }
  return found;
}

double inverse(const exact::Rational& x) { return 1 / x.to_double(); }

/// How far from 0 what decides lies.
double reach_of(const AbsoluteStability& answer, const std::vector<Sample>& curve) {
  double reach = 0;
  for (const Sample& sample : curve) reach = std::max(reach, std::abs(sample.value));
  double needed = 0;
  for (const auto* end : {&answer.sector.low, answer.sector.high ? &*answer.sector.high : nullptr})
    if (end != nullptr && !end->is_zero()) needed = std::max(needed, std::abs(inverse(*end)));
  return std::min(reach, needed == 0 ? 4.0 : 1.6 * needed);
}

Series curve_in(const std::vector<Sample>& curve, double reach, bool popov, Series::Style style, double sign) {
  Series series{popov ? "Re G, ω Im G" : "G(jω)", {}, {}, style, 0};
  if (style != Series::Style::line) series.label.clear();
  for (const Sample& sample : curve) {
    const bool shown = std::abs(sample.value.real()) <= reach && (popov || std::abs(sample.value) <= reach);
    series.x.push_back(shown ? sample.value.real() : NAN);
    series.y.push_back(shown ? sign * sample.value.imag() * (popov ? sample.frequency : 1) : NAN);
  }
  return series;
}

/// The circle through −1/α and −1/β; the half plane left of −1/β where α is 0.
void add_region(Panel& panel, const Sector& sector, double reach) {
  const double right = sector.high ? -inverse(*sector.high) : 0;
  if (sector.low.is_zero()) {
    panel.series.push_back({"forbidden", {-reach, right, right, -reach}, {-reach, -reach, reach, reach}, Series::Style::area, 1});
    return;
  }
  const double left = -inverse(sector.low), middle = (left + right) / 2, radius = std::abs(right - left) / 2;
  Series disc{sector.low.sign() > 0 ? "forbidden" : "to stay inside", {}, {}, Series::Style::area, 1};
  for (int i = 0; i <= 180; ++i) {
    const double angle = 2 * std::numbers::pi * i / 180;
    disc.x.push_back(middle + radius * std::cos(angle));
    disc.y.push_back(radius * std::sin(angle));
  }
  panel.series.push_back(std::move(disc));
}

Panel circle_panel(const AbsoluteStability& answer, const std::vector<Sample>& curve) {
  Panel panel;
  panel.title = answer.circle.holds ? "Circle criterion: holds" : "Circle criterion: does not hold";
  panel.equal_scales = true;
  panel.x.label = "real part";
  panel.y.label = "imaginary part";
  panel.rules = {{true, 0}, {false, 0}};
  const double reach = reach_of(answer, curve);
  add_region(panel, answer.sector, reach);
  panel.series.push_back(curve_in(curve, reach, false, Series::Style::line, 1));
  panel.series.push_back(curve_in(curve, reach, false, Series::Style::dashed, -1));
  return panel;
}

/// For the sector from 0, to which any other is shifted.
Panel popov_panel(const AbsoluteStability& answer, const std::vector<Sample>& curve) {
  Panel panel;
  panel.title = answer.popov->holds ? "Popov criterion: holds" : "Popov criterion: does not hold";
  panel.x.label = "Re G";
  panel.y.label = "ω Im G";
  panel.rules = {{true, 0}, {false, 0}};
  std::vector<Sample> shifted = curve;
  for (Sample& sample : shifted) sample.value /= 1.0 + answer.sector.low.to_double() * sample.value;
  panel.series.push_back(curve_in(shifted, reach_of(answer, shifted), true, Series::Style::line, 1));
  if (!answer.popov->q) return panel;
  const double q = answer.popov->q->to_double();
  const double at = answer.sector.high ? -1 / (*answer.sector.high - answer.sector.low).to_double() : 0;
  double low = 0, high = 0;
  for (const double y : panel.series.front().y)
    if (std::isfinite(y)) low = std::min(low, y), high = std::max(high, y);
  if (high - low == 0) return panel;
  const auto x_at = [&](double y) { return at + q * y; };
  panel.series.push_back(
      {"Popov's line, q = " + std::to_string(q), {x_at(low), x_at(high)}, {low, high}, Series::Style::dashed, 1});
  return panel;
}

}  // namespace

Figure absolute_stability_figure(const AbsoluteStability& answer, const FigureOptions& options) {
  Figure figure =
      empty_figure("Absolute stability of u = −G f(u), f(u) = " + answer.law,
                   "Nyquist's curve with the region of the circle criterion, and Popov's curve with its line", options);
  figure.panel_height = 460;
  const std::vector<Sample> curve = samples(answer);
  figure.panels.push_back(circle_panel(answer, curve));
  if (answer.popov) figure.panels.push_back(popov_panel(answer, curve));
  return figure;
}

}  // namespace sfg
