// Magnitude over phase, over the contours of the closed loop (Nichols 1947).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sfg/numeric/numbers.hpp"
#include "sfg/plot/curves.hpp"
#include "sfg/plot/marks.hpp"

namespace sfg {

namespace {

/// Ends of the data, widened to multiples of a step.
std::pair<double, double> rounded_range(double low, double high, double step) {
  return {step * std::floor(low / step), step * std::ceil(high / step)};
}

/// A contour through the panel, with its value once, at the place that comes first by `rank`.
struct Contour {
  Series series{"", {}, {}, Series::Style::guide};
  std::optional<std::pair<double, double>> label = {};
  double best = -std::numeric_limits<double>::infinity();
};

class Chart {
 public:
  /// @param start  the phase at the left end of the period
  Chart(Panel& panel, double start) : panel_(panel), start_(start) {}

  /// |L/(1 + L)| = M: L = T/(1 − T) with T = M e^(jφ).
  void add_magnitude(double decibels) {
    const double M = std::pow(10, decibels / 20);
    Contour contour;
    constexpr int points = 160;
    for (int i = 0; i <= points; ++i) {
      // Densest about φ = 0, where a contour near 0 dB is longest.
      const double u = 2.0 * i / points - 1, phi = std::numbers::pi * (0.7 * u * u * u + 0.3 * u);
      add_point(contour, std::polar(M, phi), decibels < 0 ? Rank::left : Rank::right);
    }
    finish(contour, fmt::format("{}{:g} dB", decibels < 0 ? "−" : "", std::abs(decibels)));
  }

  /// The phase of the closed loop is φ, in degrees.
  void add_phase(double phi) {
    Contour contour;
    constexpr int points = 160;
    for (int i = 0; i <= points; ++i)
      add_point(contour, std::polar(std::pow(10, -4 + 8.0 * i / points), phi * radians_of_degree), Rank::bottom);
    const auto [bottom, top] = *panel_.y.range;
    const bool low = contour.label && contour.label->second < bottom + 0.3 * (top - bottom);
    if (!low) contour.label.reset();  // others crowd about the point −1
    finish(contour, fmt::format("{}{:g}°", phi < 0 ? "−" : "", std::abs(phi)));
  }

 private:
  enum class Rank { left, right, bottom };

  void add_point(Contour& contour, std::complex<double> T, Rank rank) {
    const std::complex<double> L = T / (1.0 - T);
    const auto [left, right] = *panel_.x.range;
    const auto [bottom, top] = *panel_.y.range;
    double phase = std::arg(L) / radians_of_degree;
    while (phase < start_) phase += 360;
    while (phase >= start_ + 360) phase -= 360;
    const double magnitude = 20 * std::log10(std::abs(L));
    Series& s = contour.series;
    const bool inside = std::isfinite(magnitude) && phase >= left && phase <= right && magnitude >= bottom && magnitude <= top;
    if (!s.x.empty() && std::abs(phase - s.x.back()) > 180) s.x.push_back(undefined), s.y.push_back(undefined);
    s.x.push_back(inside ? phase : undefined);
    s.y.push_back(inside ? magnitude : undefined);
    const double room = 0.07 * (right - left);
    if (!inside || phase > right - room) return;
    const double better = rank == Rank::bottom ? -magnitude : rank == Rank::left ? -phase : phase;
    if (better > contour.best) contour.best = better, contour.label = {phase, magnitude};
  }

  void finish(Contour& contour, const std::string& text) {
    const auto seen = std::ranges::count_if(contour.series.x, [](double x) { return std::isfinite(x); });
    if (seen < 2) return;
    if (contour.label) panel_.notes.push_back({contour.label->first, contour.label->second, text, true});
    panel_.series.push_back(std::move(contour.series));
  }

  Panel& panel_;
  double start_;
};

/// The magnitude and the phase of the closed loop of a unity feedback, over one turn.
void add_closed_loop(Panel& panel, double start) {
  Chart chart(panel, start);
  for (const double decibels : {12.0, 6.0, 3.0, 1.0, 0.0, -1.0, -3.0, -6.0, -12.0, -20.0, -40.0}) chart.add_magnitude(decibels);
  const double step = panel.x.range->second - panel.x.range->first > 480 ? 60 : 30;  // so that their values stand apart
  for (double phi = -step; phi > -360; phi -= step)
    if (phi != -180) chart.add_phase(phi);
}

/// The turn that holds the closed loop's business: that of the point nearest to 0 dB, of the first of equal ones.
double start_of_turn(std::span<const FrequencyResponse> responses) {
  double least = std::numeric_limits<double>::infinity(), phase = -180;
  for (const FrequencyResponse& r : responses)
    for (std::size_t i = 0; i < r.phase_deg.size(); ++i)
      if (std::isfinite(r.phase_deg[i]) && std::abs(r.magnitude_db[i]) < least - 1e-6)
        least = std::abs(r.magnitude_db[i]), phase = r.phase_deg[i];
  const double start = 360 * std::floor(phase / 360);
  return phase == start && phase <= 0 ? start - 360 : start;  // a constant starts at 0°: the turn to its left
}

struct Ends {
  double left, right, bottom, top;
  bool cut = false;
};

/// What is shown: the turn of the closed loop, and the data up to one turn beyond it.
Ends ends_of_curves(std::span<const FrequencyResponse> responses, double start) {
  constexpr double lowest = -60;  // what is below says nothing of a closed loop, and would crush the rest
  constexpr double highest = 60, beyond = 360;
  Ends ends{start + 180, start + 180, 0, 0};
  for (const FrequencyResponse& r : responses)
    for (std::size_t i = 0; i < r.phase_deg.size(); ++i) {
      const double phase = r.phase_deg[i], magnitude = r.magnitude_db[i];
      if (!std::isfinite(phase) || !std::isfinite(magnitude)) continue;
      const bool near = magnitude >= lowest && magnitude <= highest;
      const bool inside = phase >= start - beyond && phase <= start + 360 + beyond;
      ends.cut = ends.cut || !near || !inside;
      if (!near) continue;
      ends.left = std::min(ends.left, std::max(phase, start - beyond)),
      ends.right = std::max(ends.right, std::min(phase, start + 360 + beyond));
      if (inside) ends.bottom = std::min(ends.bottom, magnitude), ends.top = std::max(ends.top, magnitude);
    }
  return ends;
}

}  // namespace

Figure nichols_figure(std::span<const FrequencyResponse> responses, const FigureOptions& options) {
  Figure f =
      empty_figure(common_title(responses, "Nichols diagram"),
                   "Magnitude in decibels over phase in degrees, with the magnitude and the phase of the closed loop of a unity "
                   "feedback. ",
                   options);
  f.panel_height = 520;
  Panel panel;
  panel.x = {"phase, deg", Axis::Scale::degrees, {}};
  panel.y = {magnitude_label(common_unit(responses)), Axis::Scale::decibels, {}};
  const double start = start_of_turn(responses);
  const Ends ends = ends_of_curves(responses, start);
  panel.rules = {{false, 0}, {true, start + 180}};
  panel.x.range = rounded_range(ends.left - 30, ends.right + 30, 30);
  panel.y.range = rounded_range(ends.bottom - 5, ends.top + 5, 10);
  add_closed_loop(panel, start);
  const Curves curves(responses.size(), options);
  std::size_t next = 0;
  for (const FrequencyResponse& r : with_gaps(responses)) {
    Series curve = marked(curves.curve(next++, transfer_caption(r.input, r.output), r.phase_deg, r.magnitude_db), "nichols",
                          r.input, r.output);
    double low = undefined, high = undefined;
    for (std::size_t i = 0; i < r.phase_deg.size(); ++i)
      if (std::isfinite(r.phase_deg[i])) low = std::fmin(low, r.phase_deg[i]), high = std::fmax(high, r.phase_deg[i]);
    if (std::isfinite(low)) f.description += fmt::format("{}: phase from {:.4g}° to {:.4g}°. ", name_of(r), low, high);
    if (curve.x.size() > 8) curve.arrows = {curve.x.size() / 2};
    panel.series.push_back(std::move(curve));
  }
  if (ends.cut) panel.remarks.push_back("The curves go on outside of the frame.");
  const auto [left, right] = *panel.x.range;
  for (double at = 360 * std::ceil((left + 180) / 360) - 180; at <= right; at += 360) {
    panel.series.push_back({"", {at}, {0}, Series::Style::crosses, 1});
    if (at == start + 180) panel.notes.insert(panel.notes.begin(), {at, 0, "−1", true});
  }
  add_margins_to_nichols(panel, responses, options.margins);
  f.panels = {std::move(panel)};
  return f;
}

}  // namespace sfg
