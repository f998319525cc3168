#include "sfg/plot/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sfg/plot/curves.hpp"
#include "sfg/plot/plane.hpp"

namespace sfg {

namespace {

std::string name_of(const FrequencyResponse& r) { return r.input + " → " + r.output; }

Caption common_title(std::span<const FrequencyResponse> responses, const std::string& kind) {
  const bool one =
      std::ranges::all_of(responses, [&](const FrequencyResponse& r) { return name_of(r) == name_of(responses.front()); });
  if (!one || responses.empty()) return kind;
  return Caption(kind + " of ") + transfer_caption(responses.front().input, responses.front().output);
}

/// The unit that all of them have; "" where they differ.
template <class Responses>
std::string common_unit(const Responses& responses) {
  const bool one = std::ranges::all_of(responses, [&](const auto& r) { return r.unit == responses.front().unit; });
  return one && !responses.empty() ? responses.front().unit : "";
}

/// What an axis shows, and in which unit.
std::string with_unit(const std::string& name, const std::string& unit) { return unit.empty() ? name : name + ", " + unit; }

std::string decibels(std::span<const FrequencyResponse> responses) {
  const std::string unit = common_unit(responses);
  return unit.empty() ? "magnitude, dB" : "magnitude, dB re 1 " + unit;
}

/// In the legend, with the unit where the axis cannot state it for all.
template <class Response>
Caption legend(const Caption& name, const Response& response, const std::string& of_all) {
  return of_all.empty() && !response.unit.empty() ? name + ", " + response.unit : name;
}

/// For other tools: what a curve shows, and of which transfer function.
Series marked(Series series, const std::string& kind, const std::string& input, const std::string& output) {
  series.kind = kind;
  if (!input.empty()) series.transfer = output + "/" + input;
  return series;
}

bool is_zero(const FrequencyResponse& r) {
  return !r.value.empty() && std::ranges::all_of(r.value, [](const std::complex<double>& z) { return z == 0.0; });
}

}  // namespace

namespace {

/// At each pole and zero on the axis the magnitude runs to the frame, and the phase ends on one side and begins anew on the
/// other: there is no value in between.
std::vector<FrequencyResponse> with_gaps(std::span<const FrequencyResponse> responses) {
  constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
  std::vector<FrequencyResponse> result(responses.begin(), responses.end());
  for (FrequencyResponse& r : result)
    for (const double w : r.breaks) {
      constexpr double same = 1e-9;
      const auto begin = std::lower_bound(r.frequency.begin(), r.frequency.end(), w * (1 - same)) - r.frequency.begin(),
                 end = std::upper_bound(r.frequency.begin(), r.frequency.end(), w * (1 + same)) - r.frequency.begin();
      if (begin < 2 || end + 2 > std::ssize(r.frequency)) continue;
      const auto replaced = [&](auto& values, auto left, auto between, auto right) {
        values.erase(values.begin() + begin, values.begin() + end);
        values.insert(values.begin() + begin, {left, between, right});
      };
      const auto at = [](const std::vector<double>& values, std::ptrdiff_t i) { return values[static_cast<std::size_t>(i)]; };
      const double towards =
          at(r.magnitude_db, begin - 1) - at(r.magnitude_db, begin - 2) + at(r.magnitude_db, end) - at(r.magnitude_db, end + 1);
      const double edge = std::isfinite(towards) ? std::copysign(std::numeric_limits<double>::infinity(), towards) : nowhere;
      replaced(r.phase_deg, at(r.phase_deg, begin - 1), nowhere, at(r.phase_deg, end));
      replaced(r.magnitude_db, edge, edge, edge);
      replaced(r.value, std::complex<double>(nowhere), std::complex<double>(nowhere), std::complex<double>(nowhere));
      if (!r.group_delay.empty()) replaced(r.group_delay, nowhere, nowhere, nowhere);
      replaced(r.frequency, w, w, w);
    }
  return result;
}

}  // namespace

Figure bode_figure(std::span<const FrequencyResponse> responses, const FigureOptions& options) {
  Figure f =
      empty_figure(common_title(responses, "Bode diagram"), "Magnitude in decibels and phase in degrees over frequency", options);
  const Curves curves(responses.size(), options);
  Panel magnitude, phase, delay;
  const Caption frequency = options.hertz ? Caption("frequency ") + Caption::name("f") + ", Hz"
                                          : Caption("angular frequency ") + Caption::name("omega") + ", rad/s";
  magnitude.x = {frequency, Axis::Scale::logarithmic, {}};
  magnitude.y = {decibels(responses), Axis::Scale::decibels, {}};
  phase.x = magnitude.x;
  phase.y = {"phase, deg", Axis::Scale::degrees, {}};
  delay.x = magnitude.x;
  delay.y = {"group delay, s", Axis::Scale::linear, {}};
  std::size_t i = 0;
  for (const FrequencyResponse& r : with_gaps(responses)) {
    std::vector<double> x = r.frequency;
    if (options.hertz)
      for (double& w : x) w /= per_hertz;
    const Caption name = legend(transfer_caption(r.input, r.output), r, common_unit(responses));
    magnitude.series.push_back(marked(curves.curve(i, name, x, r.magnitude_db), "bode-magnitude", r.input, r.output));
    phase.series.push_back(marked(curves.curve(i, "", x, r.phase_deg), "bode-phase", r.input, r.output));
    if (!r.group_delay.empty())
      delay.series.push_back(marked(curves.curve(i, "", x, r.group_delay), "group-delay", r.input, r.output));
    if (is_zero(r))
      magnitude.remarks.push_back(transfer_caption(r.input, r.output) + " is 0: no magnitude in decibels, no phase");
    ++i;
  }
  f.panels = {std::move(magnitude), std::move(phase)};
  if (!delay.series.empty()) f.panels.push_back(std::move(delay));
  return f;
}

namespace {

/// How far from the origin a locus is shown. One that runs to infinity at low frequency is cut: the picture is about the
/// neighbourhood of −1.
double nyquist_reach(const FrequencyResponse& r) {
  constexpr double bounded = 25, least = 3, most = 6;
  const std::size_t n = r.value.size();
  if (n < 2) return bounded;
  std::size_t later = 1;
  while (later + 1 < n && r.frequency[later] < 2 * r.frequency[0]) ++later;
  if (std::abs(r.value[0]) < 1.5 * std::abs(r.value[later])) return bounded;
  double across = 0;
  for (const auto& z : r.value)
    if (std::abs(z) < bounded) across = std::max(across, std::abs(z.real()));
  return std::clamp(1.6 * across, least, most);
}

}  // namespace

Figure nyquist_figure(std::span<const FrequencyResponse> responses, const FigureOptions& options) {
  Figure f = empty_figure(common_title(responses, "Nyquist diagram"),
                          "Frequency response in the complex plane, with the critical point -1", options);
  f.panel_height = 520;
  Panel panel;
  panel.equal_scales = true;
  panel.x.label = with_unit("real part", common_unit(responses));
  panel.y.label = with_unit("imaginary part", common_unit(responses));
  panel.rules = {{true, 0}, {false, 0}};
  const Curves curves(responses.size(), options);
  std::size_t i = 0;
  for (const FrequencyResponse& r : with_gaps(responses)) {
    Series upper = curves.curve(i, name_of(r), {}, {}), lower = curves.curve(i, "", {}, {}, Series::Style::dashed);
    ++i;
    const double furthest = nyquist_reach(r);
    for (const auto& z : r.value) {
      const bool near = std::isfinite(z.real()) && std::abs(z) <= furthest;
      const double hidden = std::numeric_limits<double>::quiet_NaN();
      upper.x.push_back(near ? z.real() : hidden);
      upper.y.push_back(near ? z.imag() : hidden);
      lower.x.push_back(near ? z.real() : hidden);
      lower.y.push_back(near ? -z.imag() : hidden);
    }
    panel.series.push_back(std::move(upper));
    panel.series.push_back(std::move(lower));
  }
  add_unit_circle(panel);
  panel.series.push_back({"", {-1}, {0}, Series::Style::crosses, 1});
  panel.notes.push_back({-1, 0, "−1"});
  f.panels = {std::move(panel)};
  return f;
}

namespace {

/// Ends of the data, widened to multiples of a step.
std::pair<double, double> rounded_range(double low, double high, double step) {
  return {step * std::floor(low / step), step * std::ceil(high / step)};
}

/// Where the closed loop |L/(1+L)| is M: a circle about M²/(1 − M²) with radius M/|1 − M²|, a straight line for M = 1 (Nichols
/// 1947).
std::vector<std::complex<double>> closed_loop_contour(double M) {
  constexpr int points = 720;
  std::vector<std::complex<double>> result;
  for (int i = 0; i <= points; ++i) {
    const double angle = 2 * std::numbers::pi * (i + 0.5) / points;
    result.push_back(M == 1 ? std::complex<double>(-0.5, 0.5 * std::tan(angle / 2 - std::numbers::pi / 2))
                            : M * M / (1 - M * M) + std::polar(M / std::abs(1 - M * M), angle));
  }
  return result;
}

/// One contour around −180° + turn, inside the panel's ranges.
void add_contour(Panel& panel, double decibels, double turn) {
  Series contour;
  contour.style = Series::Style::guide;
  const auto [left, right] = *panel.x.range;
  const auto [bottom, top] = *panel.y.range;
  const double edge = right - 0.09 * (right - left);  // the label has to fit in
  std::pair<double, double> label{left - 1, 0};       // the point furthest right
  for (const std::complex<double> L : closed_loop_contour(std::pow(10, decibels / 20))) {
    const double angle = std::arg(L) * 180 / std::numbers::pi, phase = (angle > 0 ? angle - 360 : angle) + turn;
    const double magnitude = 20 * std::log10(std::abs(L));
    const bool inside = phase >= left && phase <= right && magnitude >= bottom && magnitude <= top;
    contour.x.push_back(inside ? phase : std::numeric_limits<double>::quiet_NaN());
    contour.y.push_back(magnitude);
    if (inside && phase <= edge && phase > label.first) label = {phase, magnitude};
  }
  const bool goes_on = decibels < 0 && turn < edge;  // into the next turn, where its label is
  if (label.first >= left && !goes_on)
    panel.notes.push_back({label.first, label.second, fmt::format("{}{} dB", decibels < 0 ? "−" : "", std::abs(decibels)), true});
  panel.series.push_back(std::move(contour));
}

/// The magnitude of the closed loop of a unity feedback, as on Nichols' chart.
void add_closed_loop(Panel& panel) {
  for (double turn = 360 * std::ceil(panel.x.range->first / 360); turn - 360 < panel.x.range->second; turn += 360)
    for (const double decibels : {12.0, 6.0, 3.0, 1.0, 0.0, -1.0, -3.0, -6.0, -12.0, -20.0, -40.0})
      add_contour(panel, decibels, turn);
}

}  // namespace

Figure nichols_figure(std::span<const FrequencyResponse> responses, const FigureOptions& options) {
  Figure f = empty_figure(common_title(responses, "Nichols diagram"),
                          "Magnitude in decibels over phase in degrees, with the magnitude of the closed loop", options);
  f.panel_height = 480;
  Panel panel;
  panel.x = {"phase, deg", Axis::Scale::degrees, {}};
  panel.y = {decibels(responses), Axis::Scale::decibels, {}};
  panel.rules = {{false, 0}, {true, -180}};
  constexpr double lowest = -60;  // what is below says nothing of a closed loop, and would crush the rest
  double left = -180, right = -180, bottom = 0, top = 0;
  const Curves curves(responses.size(), options);
  std::size_t next = 0;
  for (const FrequencyResponse& r : with_gaps(responses)) {
    Series curve = curves.curve(next++, name_of(r), r.phase_deg, r.magnitude_db);
    for (std::size_t i = 0; i < r.phase_deg.size(); ++i) {
      if (r.magnitude_db[i] < lowest) curve.y[i] = std::numeric_limits<double>::quiet_NaN();
      if (!std::isfinite(r.phase_deg[i]) || !std::isfinite(curve.y[i])) continue;
      left = std::min(left, r.phase_deg[i]), right = std::max(right, r.phase_deg[i]);
      bottom = std::min(bottom, r.magnitude_db[i]), top = std::max(top, r.magnitude_db[i]);
    }
    panel.series.push_back(std::move(curve));
  }
  panel.x.range = rounded_range(left - 30, right + 30, 30);
  panel.y.range = rounded_range(bottom - 5, top + 5, 10);
  add_closed_loop(panel);
  panel.series.push_back({"", {-180}, {0}, Series::Style::crosses, 1});
  f.panels = {std::move(panel)};
  return f;
}

namespace {

/// Impulses as arrows of one length, up or down by their sign, with their weights beside them.
void add_impulses(Panel& panel, const TimeResponse& response, const Series& curve) {
  double length = 0;
  for (const double y : response.value)
    if (std::isfinite(y)) length = std::max(length, std::abs(y));
  if (length == 0) length = 1;
  const double end = response.time.empty() || response.time.back() == 0 ? 1.0 : response.time.back();
  const double half_width = 0.008 * end, head = 0.06 * length, hidden = std::numeric_limits<double>::quiet_NaN();
  for (const exact::DelayedImpulse& impulse : response.impulses) {
    const double t = impulse.at.to_double(), weight = impulse.weight.to_double();
    const double top = weight < 0 ? -length : length, below = weight < 0 ? -length + head : length - head;
    Series arrow = curve;
    arrow.label.clear();
    arrow.style = Series::Style::line;
    arrow.x = {t, t, hidden, std::max(0.0, t - half_width), t, t + half_width};
    arrow.y = {0, top, hidden, t > 0 ? below : top, top, below};
    panel.series.push_back(std::move(arrow));
    std::string kind = "δ";
    for (std::size_t k = 0; k < impulse.order; ++k) kind += "′";
    panel.notes.push_back({t, top, (weight == 1 ? "" : fmt::format("{:.4g} ", weight)) + kind});
  }
}

/// "Step response" is of kind "step"; other titles are kinds themselves.
std::string kind_of(const std::string& title) {
  std::string kind = title.substr(0, title.find(" response"));
  if (!kind.empty() && kind.front() >= 'A' && kind.front() <= 'Z') kind.front() = static_cast<char>(kind.front() - 'A' + 'a');
  return kind;
}

/// "y", or "y (u)" where several inputs act.
Caption named(const std::string& response) {
  const auto bracket = response.find(" (");
  if (bracket == std::string::npos || response.back() != ')') return Caption::name(response);
  return Caption::name(response.substr(0, bracket)) + " (" +
         Caption::name(response.substr(bracket + 2, response.size() - bracket - 3)) + ")";
}

}  // namespace

Figure response_figure(std::span<const NamedResponse> responses, const std::string& title, const FigureOptions& options) {
  Figure f = empty_figure(title, "Signals over time", options);
  f.panel_height = 400;
  Panel panel;
  panel.x.label = "time, s";
  const bool one = std::ranges::all_of(responses, [&](const NamedResponse& r) { return r.name == responses.front().name; });
  const std::string unit = common_unit(responses);
  panel.y.label = one && !responses.empty() ? named(responses.front().name) : Caption("signals");
  if (!unit.empty()) panel.y.label += ", " + unit;
  const Curves curves(responses.size(), options);
  for (const NamedResponse& r : responses) {
    const auto i = static_cast<std::size_t>(&r - responses.data());
    const Caption name = legend(named(r.name), r, unit);
    panel.series.push_back(
        marked(curves.curve(i, name, r.value.time, r.value.value, options.samples ? Series::Style::stairs : Series::Style::line),
               kind_of(title), "", ""));
    const Series curve = panel.series.back();
    constexpr std::size_t most_dots = 100;
    if (options.samples && r.value.time.size() <= most_dots)
      panel.series.push_back(curves.curve(i, "", r.value.time, r.value.value, Series::Style::dots));
    add_impulses(panel, r.value, curve);
    if (r.value.final && responses.size() == 1) panel.rules.push_back({false, r.value.final->to_double()});
  }
  f.panels = {std::move(panel)};
  return f;
}

Figure pole_figure(std::span<const PolesZeros> all, const FigureOptions& options) {
  Figure f = empty_figure("Poles and zeros", "Poles as crosses and zeros as circles in the complex plane", options);
  f.panel_height = 520;
  Panel panel = plane(options.hertz);
  std::size_t colour = 0;
  for (const PolesZeros& item : all) {
    const std::string name = all.size() > 1 ? " " + item.input + " → " + item.output : "";
    Series poles{"poles" + name, {}, {}, Series::Style::crosses, colour},
        zeros{"zeros" + name, {}, {}, Series::Style::circles, colour + 1};
    const double unit = options.hertz ? per_hertz : 1.0;
    for (const Mode& mode : item.modes)
      poles.x.push_back(mode.pole.value.real() / unit), poles.y.push_back(mode.pole.value.imag() / unit);
    for (const exact::Root& zero : item.zeros)
      zeros.x.push_back(zero.value.real() / unit), zeros.y.push_back(zero.value.imag() / unit);
    panel.series.push_back(std::move(poles));
    if (!zeros.x.empty()) panel.series.push_back(std::move(zeros));
    colour += 2;
  }
  const bool discrete = !all.empty() && all.front().op.discrete();
  if (discrete)
    make_discrete(panel);
  else
    add_damping_lines(panel, reach_of(panel));
  f.panels = {std::move(panel)};
  return f;
}

namespace {

/// Neighbouring columns with as many ranges are one patch for each range.
void add_patches(Panel& panel, const StabilityRegion& region) {
  bool first = true;
  for (std::size_t begin = 0; begin < region.columns.size();) {
    const std::size_t count = region.columns[begin].stable.size();
    std::size_t end = begin;
    while (end < region.columns.size() && region.columns[end].stable.size() == count) ++end;
    for (std::size_t k = 0; k < count; ++k) {
      Series patch{first ? "stable" : "", {}, {}, Series::Style::area, 2};
      first = false;
      for (std::size_t i = begin; i < end; ++i)
        patch.x.push_back(region.columns[i].first), patch.y.push_back(region.columns[i].stable[k].first);
      for (std::size_t i = end; i-- > begin;)
        patch.x.push_back(region.columns[i].first), patch.y.push_back(region.columns[i].stable[k].second);
      panel.series.push_back(std::move(patch));
    }
    begin = end;
  }
}

/// The ends of the ranges, strand by strand.
void add_boundary(Panel& panel, const StabilityRegion& region, StabilityRegion::Crossing kind, const char* name,
                  std::size_t colour) {
  Series curve{name, {}, {}, Series::Style::line, colour};
  const auto lift = [&] {
    if (!curve.x.empty() && std::isfinite(curve.x.back())) {
      curve.x.push_back(std::numeric_limits<double>::quiet_NaN());
      curve.y.push_back(std::numeric_limits<double>::quiet_NaN());
    }
  };
  std::vector<std::vector<const StabilityRegion::Point*>> by_column;
  std::size_t most = 0, next = 0;
  for (const auto& column : region.columns) {
    by_column.emplace_back(2 * column.stable.size(), nullptr);
    for (; next < region.boundary.size() && region.boundary[next].first == column.first; ++next)
      for (std::size_t k = 0; k < column.stable.size(); ++k) {
        if (region.boundary[next].second == column.stable[k].first) by_column.back()[2 * k] = &region.boundary[next];
        if (region.boundary[next].second == column.stable[k].second) by_column.back()[2 * k + 1] = &region.boundary[next];
      }
    most = std::max(most, by_column.back().size());
  }
  for (std::size_t strand = 0; strand < most; ++strand) {
    for (std::size_t i = 0; i < by_column.size(); ++i) {
      const auto* point = strand < by_column[i].size() ? by_column[i][strand] : nullptr;
      if (i > 0 && by_column[i].size() != by_column[i - 1].size()) lift();
      if (!point || point->crossing != kind) {
        lift();
        continue;
      }
      curve.x.push_back(point->first);
      curve.y.push_back(point->second);
    }
    lift();
  }
  if (!curve.x.empty()) panel.series.push_back(std::move(curve));
}

}  // namespace

Figure region_figure(const StabilityRegion& region, const std::string& first, const std::string& second,
                     std::optional<std::pair<double, double>> point, const FigureOptions& options) {
  Figure f = empty_figure("Stability region in " + first + " and " + second,
                          "Where every root is stable, and what crosses at the boundary", options);
  f.panel_height = 480;
  Panel panel;
  panel.x = {first, Axis::Scale::linear, region.first_range};
  panel.y = {second, Axis::Scale::linear, region.second_range};
  add_patches(panel, region);
  add_boundary(panel, region, StabilityRegion::Crossing::pair, "a pair crosses", 0);
  add_boundary(panel, region, StabilityRegion::Crossing::zero, options.samples ? "a root at z = 1" : "a root at 0", 1);
  add_boundary(panel, region, StabilityRegion::Crossing::infinity, options.samples ? "a root at z = −1" : "the degree drops", 3);
  if (point) panel.series.push_back({"stated values", {point->first}, {point->second}, Series::Style::dots, 4});
  f.panels = {std::move(panel)};
  return f;
}

Figure locus_figure(const RootLocus& locus, const std::string& parameter, const FigureOptions& options) {
  Figure f = empty_figure("Root locus in " + parameter, "Closed-loop poles while " + parameter + " varies", options);
  f.panel_height = 560;
  Panel panel = plane();
  double reach = 0;
  for (const auto* list : {&locus.start, &locus.end})
    for (const auto& z : *list) reach = std::max(reach, std::abs(z));
  for (const auto& p : locus.axis_crossings) reach = std::max(reach, std::abs(p.root));
  reach = reach > 0 ? 1.6 * reach : 1.0;
  const char* crossings =
      locus.boundary == exact::Boundary::unit_circle ? "breakaway, circle crossing" : "breakaway, axis crossing";
  const auto marks = [&](const char* name, const std::vector<std::complex<double>>& points, Series::Style style,
                         std::size_t colour) {
    Series s{name, {}, {}, style, colour};
    for (const auto& z : points) s.x.push_back(z.real()), s.y.push_back(z.imag());
    if (!points.empty()) panel.series.push_back(std::move(s));
  };
  marks("open-loop poles", locus.start, Series::Style::crosses, 1);
  marks("open-loop zeros", locus.end, Series::Style::circles, 1);
  std::vector<std::complex<double>> special;
  for (const auto* list : {&locus.breakaway, &locus.axis_crossings})
    for (const auto& p : *list) {
      special.push_back(p.root);
      if (p.parameter != 0)  // the start of a branch needs no second mark
        panel.notes.push_back({p.root.real(), p.root.imag(), fmt::format("{} = {:.4g}", parameter, p.parameter)});
      if (p.root.imag() > 0) special.push_back(std::conj(p.root));
    }
  marks(crossings, special, Series::Style::dots, 2);
  for (const auto& branch : locus.branches) {
    Series s{"", {}, {}, Series::Style::line, 0};
    for (const auto& z : branch) {
      const bool near = std::isfinite(z.real()) && std::abs(z) <= reach * 1.5;
      s.x.push_back(near ? z.real() : std::numeric_limits<double>::quiet_NaN());
      s.y.push_back(near ? z.imag() : std::numeric_limits<double>::quiet_NaN());
    }
    panel.series.push_back(std::move(s));
  }
  for (const double angle : locus.asymptotes_deg) {
    const double a = angle * per_hertz / 360.0;
    panel.series.push_back(
        {"", {locus.centroid, locus.centroid + reach * std::cos(a)}, {0, reach * std::sin(a)}, Series::Style::dashed, 5});
  }
  if (locus.boundary == exact::Boundary::unit_circle)
    make_discrete(panel);
  else
    add_damping_lines(panel, reach);
  f.panels = {std::move(panel)};
  return f;
}

}  // namespace sfg
