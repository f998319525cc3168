// Loci of frequency responses (Nyquist 1932), with the arcs that close them where poles lie on the axis.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sfg/numeric/numbers.hpp"
#include "sfg/plot/curves.hpp"
#include "sfg/plot/marks.hpp"
#include "sfg/plot/plane.hpp"
#include "sfg/response/smooth_loci.hpp"

namespace sfg {

namespace {

using Value = std::complex<double>;
using Values = std::vector<Value>;

bool pole_between(const FrequencyResponse& r, double low, double high) {
  return std::ranges::any_of(r.axis_poles, [&](const PoleOnAxis& p) { return p.frequency >= low && p.frequency <= high; });
}

/// The locus for rising frequencies with gaps at the poles on the axis, cut off well outside of the frame.
Values visible_locus(const FrequencyResponse& r, double reach) {
  const double far = 12 * reach;
  Values locus;
  const Value hidden(undefined, undefined);
  for (std::size_t i = 0; i < r.value.size(); ++i) {
    const Value z = r.value[i];
    const bool apart = i > 0 && pole_between(r, r.frequency[i - 1], r.frequency[i]);
    if (apart) locus.push_back(hidden);
    const bool here = is_finite(z) && std::abs(z) <= far;
    const bool was = i > 0 && !apart && is_finite(r.value[i - 1]) && std::abs(r.value[i - 1]) <= far;
    if (i > 0 && !apart && here != was && is_finite(z) && is_finite(r.value[i - 1])) {
      const Value in = here ? z : r.value[i - 1], out = here ? r.value[i - 1] : z;
      const Value at_edge = in + (out - in) * ((far - std::abs(in)) / (std::abs(out) - std::abs(in)));
      if (here) locus.push_back(hidden);
      locus.push_back(at_edge);
    }
    if (here) locus.push_back(z);
  }
  return locus;
}

Values mirrored(Values locus) {
  std::ranges::reverse(locus);
  for (Value& z : locus) z = std::conj(z);
  return locus;
}

struct Frame {
  double left = -1, right = 0, height = 0;  ///< from −height to height
  bool cut = false;
  bool with_critical_point = true;

  bool holds(Value z) const { return is_finite(z) && z.real() >= left && z.real() <= right && std::abs(z.imag()) <= height; }
};

/// Of a locus that runs away, what decides lies about the unit circle and where it crosses the real axis.
double about_crossings(const FrequencyResponse& r) {
  constexpr double least = 1.6, most = 6, around = 1.3;
  double furthest = 0;
  for (std::size_t i = 1; i < r.value.size(); ++i) {
    const Value a = r.value[i - 1], b = r.value[i];
    if (!is_finite(a) || !is_finite(b) || (a.imag() < 0) == (b.imag() < 0) || pole_between(r, r.frequency[i - 1], r.frequency[i]))
      continue;
    furthest = std::max(furthest, std::min(std::abs(a.real()), std::abs(b.real())));
  }
  return std::clamp(around * furthest, least, most);
}

Frame nyquist_frame(std::span<const FrequencyResponse> responses) {
  constexpr double next_to_nothing = 0.02;
  Frame frame{0, 0, 0, false, true};
  double reach = 0, furthest = 0;
  for (const FrequencyResponse& r : responses) {
    reach = std::max(reach, locus_reach(r));
    if (!r.axis_poles.empty()) frame.cut = true;
    for (const Value z : r.value)
      if (is_finite(z)) furthest = std::max(furthest, std::abs(z));
  }
  frame.cut = frame.cut || furthest > 1.05 * reach;
  frame.with_critical_point = frame.cut || furthest == 0 || furthest > next_to_nothing;
  if (frame.cut) {
    double height = 0;
    for (const FrequencyResponse& r : responses)
      height = std::max(height, r.axis_poles.empty() ? locus_reach(r) : about_crossings(r));
    return {-height, height, height, true, true};
  }
  for (const FrequencyResponse& r : responses)
    for (const Value z : r.value)
      if (is_finite(z)) {
        frame.left = std::min(frame.left, z.real()), frame.right = std::max(frame.right, z.real());
        frame.height = std::max(frame.height, std::abs(z.imag()));
      }
  if (frame.with_critical_point) frame.left = std::min(frame.left, -1.0);
  const double margin = 0.1 * std::max(frame.right - frame.left, 2 * frame.height);
  return {frame.left - margin, frame.right + margin, frame.height + margin, false, frame.with_critical_point};
}

/// Points at these parts of the length that is seen.
std::vector<std::size_t> places_of_arrows(const Values& locus, const Frame& frame) {
  std::vector<double> length(locus.size(), 0);
  for (std::size_t i = 1; i < locus.size(); ++i)
    length[i] = length[i - 1] + (frame.holds(locus[i]) && frame.holds(locus[i - 1]) ? std::abs(locus[i] - locus[i - 1]) : 0);
  std::vector<std::size_t> places;
  constexpr double shortest = 0.05;  // of the frame
  if (length.empty() || length.back() < shortest * frame.height) return places;
  for (const double part : {0.2, 0.5, 0.8}) {
    const auto at = std::lower_bound(length.begin(), length.end(), part * length.back()) - length.begin();
    places.push_back(static_cast<std::size_t>(at));
  }
  return places;
}

void add_locus(Panel& panel, Series series, const Values& locus, const Frame& frame) {
  for (const Value z : locus) series.x.push_back(z.real()), series.y.push_back(z.imag());
  series.arrows = places_of_arrows(locus, frame);
  panel.series.push_back(std::move(series));
}

/// One turn of a locus about the origin at a distance, clockwise: from the angle on, in degrees; it comes nearer by a little, so
/// that several turns are told apart.
void add_arc(Panel& panel, double radius, double from, double turn, std::size_t colour) {
  constexpr double each = 4;
  const int steps = std::max(2, static_cast<int>(std::abs(turn) / each));
  Series arc{.style = Series::Style::dotted, .colour = colour, .muted = true};
  for (int i = 0; i <= steps; ++i) {
    const double part = static_cast<double>(i) / steps;
    const Value z = std::polar(radius * (1 - 0.03 * part * turn / -360), (from + part * turn) * std::numbers::pi / 180);
    arc.x.push_back(z.real()), arc.y.push_back(z.imag());
  }
  arc.arrows = {static_cast<std::size_t>(steps / 2)};
  panel.series.push_back(std::move(arc));
}

/// The phase where the locus passes the radius next to a frequency: before it, or after it.
double phase_at_radius(const FrequencyResponse& r, double radius, double at, bool after) {
  double found = undefined;
  for (std::size_t i = 0; i < r.value.size(); ++i) {
    const bool side = after ? r.frequency[i] > at : r.frequency[i] < at;
    if (!side || !is_finite(r.value[i]) || !std::isfinite(r.phase_deg[i])) continue;
    const bool outside = std::abs(r.value[i]) >= radius;
    if (after && outside) found = r.phase_deg[i];
    if (after && !outside) break;
    if (!after) found = outside ? (std::isfinite(found) ? found : r.phase_deg[i]) : undefined;
  }
  return found;
}

/// The arcs of infinite radius, shown at the frame: the poles on the axis are passed on their right, so that the locus turns
/// clockwise by half a turn for each.
void close_locus(Panel& panel, const FrequencyResponse& r, const std::string& name, double radius, std::size_t colour) {
  for (const PoleOnAxis& pole : r.axis_poles) {
    const int turn = 180 * pole.multiplicity;
    panel.remarks.push_back(fmt::format("{}At ω = {:.4g}{} it closes by an arc of infinite radius, clockwise by {}°{}.",
                                        name.empty() ? "" : name + ": ", pole.frequency, pole.frequency == 0 ? "" : " rad/s",
                                        turn, pole.multiplicity > 1 ? fmt::format(" ({} × 180°)", pole.multiplicity) : ""));
    const double after = phase_at_radius(r, radius, pole.frequency, true);
    const double before = pole.frequency == 0 ? -after : phase_at_radius(r, radius, pole.frequency, false);
    if (!std::isfinite(after) || !std::isfinite(before)) continue;
    const double change = -turn + std::remainder(after - before + turn, 360.0);
    add_arc(panel, radius, before, change, colour);
    if (pole.frequency != 0) add_arc(panel, radius, -after, change, colour);
  }
}

std::string value_text(Value z) {
  if (z.imag() == 0) return fmt::format("{}{:.6g}", z.real() < 0 ? "−" : "", std::abs(z.real()));
  return fmt::format("{:.4g} {} {:.4g}j", z.real(), z.imag() < 0 ? "−" : "+", std::abs(z.imag()));
}

/// Where the locus is a point: that point, with its value.
bool add_point(Panel& panel, const FrequencyResponse& r, Series series) {
  const auto first = std::ranges::find_if(r.value, is_finite);
  constexpr double rounding = 1e-12;
  const bool constant = first != r.value.end() && std::ranges::all_of(r.value, [&](Value z) {
                          return is_finite(z) && std::abs(z - *first) <= rounding * std::abs(*first);
                        });
  if (!constant || r.value.size() < 2) return false;
  series.style = Series::Style::dots;
  series.size = 1.6;
  series.x = {first->real()}, series.y = {first->imag()};
  panel.series.push_back(std::move(series));
  panel.notes.push_back({first->real(), first->imag(), value_text(*first)});
  return true;
}

/// How far those loci go that the frame does not hold, and end somewhere.
void add_outside(Panel& panel, std::span<const FrequencyResponse> responses, const Frame& frame) {
  double furthest = 0, at = 0;
  const FrequencyResponse* of = nullptr;
  for (const FrequencyResponse& r : responses)
    for (std::size_t i = 0; i < r.value.size() && r.axis_poles.empty(); ++i)
      if (is_finite(r.value[i]) && std::abs(r.value[i]) > furthest) furthest = std::abs(r.value[i]), at = r.frequency[i], of = &r;
  if (of == nullptr || furthest <= std::hypot(frame.right, frame.height)) return;
  panel.remarks.push_back(fmt::format("{}The locus goes on outside of the frame: |T| = {:.6g} at ω = {:.4g} rad/s.",
                                      responses.size() > 1 ? name_of(*of) + ": " : "", furthest, at));
}

std::string nyquist_in_words(const FrequencyResponse& r) {
  double furthest = 0, at = 0;
  for (std::size_t i = 0; i < r.value.size(); ++i)
    if (is_finite(r.value[i]) && std::abs(r.value[i]) > furthest) furthest = std::abs(r.value[i]), at = r.frequency[i];
  std::string text = name_of(r) + ": " + fmt::format("{} points", r.value.size());
  if (!r.value.empty()) text += fmt::format(", ω from {:.4g} to {:.4g} rad/s", r.frequency.front(), r.frequency.back());
  return text + (r.axis_poles.empty() ? fmt::format(", furthest from the origin {:.4g} at {:.4g} rad/s. ", furthest, at)
                                      : std::string(", infinite at poles on the axis. "));
}

}  // namespace

Figure nyquist_figure(std::span<const FrequencyResponse> responses, const FigureOptions& options) {
  Figure f =
      empty_figure(common_title(responses, "Nyquist diagram"),
                   "Frequency responses in the complex plane, solid for positive and dashed for negative frequencies, with the "
                   "critical point −1. ",
                   options);
  f.panel_height = 520;
  Panel panel;
  panel.equal_scales = true;
  panel.x.label = with_unit("real part", common_unit(responses));
  panel.y.label = with_unit("imaginary part", common_unit(responses));
  panel.rules = {{true, 0}, {false, 0}};
  const Frame frame = nyquist_frame(responses);
  panel.x.range = {frame.left, frame.right};
  panel.y.range = {-frame.height, frame.height};
  const Curves curves(responses.size(), options);
  for (std::size_t i = 0; i < responses.size(); ++i) {
    const FrequencyResponse& r = responses[i];
    f.description += nyquist_in_words(r);
    if (add_point(panel, r, curves.curve(i, transfer_caption(r.input, r.output), {}, {}))) continue;
    const Values locus = visible_locus(r, std::max(frame.right, frame.height));
    add_locus(panel, marked(curves.curve(i, transfer_caption(r.input, r.output), {}, {}), "nyquist", r.input, r.output), locus,
              frame);
    Series mirror = curves.curve(i, "", {}, {}, responses.size() > 1 ? Series::Style::thin : Series::Style::dashed);
    mirror.pattern.reset();
    add_locus(panel, std::move(mirror), mirrored(locus), frame);
    close_locus(panel, r, responses.size() > 1 ? name_of(r) : "", 0.94 * frame.height, panel.series.back().colour.value_or(0));
    panel.remarks.insert(panel.remarks.end(), r.notes.begin(), r.notes.end());
  }
  constexpr double near = 12;
  if (frame.with_critical_point) {
    if (frame.height <= near) add_unit_circle(panel);
    panel.series.push_back({"", {-1}, {0}, Series::Style::crosses, 1});
    panel.notes.push_back({-1, 0, "−1"});
  } else {
    panel.remarks.push_back("The point −1 lies far outside of the frame.");
  }
  add_margins_to_locus(panel, responses, options.margins);
  if (frame.cut) add_outside(panel, responses, frame);
  f.panels = {std::move(panel)};
  return f;
}

}  // namespace sfg
