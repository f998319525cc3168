#include "sfg/plot/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sfg/plot/curves.hpp"
#include "sfg/plot/marks.hpp"
#include "sfg/plot/plane.hpp"
#include "sfg/text/unit_text.hpp"

namespace sfg {

std::string name_of(const FrequencyResponse& r) { return r.input + " → " + r.output; }

Caption common_title(std::span<const FrequencyResponse> responses, const std::string& kind) {
  const bool one =
      std::ranges::all_of(responses, [&](const FrequencyResponse& r) { return name_of(r) == name_of(responses.front()); });
  if (!one || responses.empty()) return kind;
  return Caption(kind + " of ") + transfer_caption(responses.front().input, responses.front().output);
}

Caption with_unit(Caption what, const std::string& unit) {
  return unit.empty() || unit == "1" ? what : what + (", " + unit_text(unit));  // 1: a pure number
}

Caption frequency_label(const FigureOptions& options) {
  return options.hertz ? Caption("frequency ") + Caption::name("f") + ", Hz"
                       : Caption("angular frequency ") + Caption::name("omega") + ", rad/s";
}

std::string magnitude_label(const std::string& unit) {
  return unit.empty() ? "magnitude, dB" : "magnitude, dB re 1 " + unit_text(unit);
}

namespace {

bool is_zero(const FrequencyResponse& r) {
  return !r.value.empty() && std::ranges::all_of(r.value, [](const std::complex<double>& z) { return z == 0.0; });
}

}  // namespace

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

namespace {

/// The greatest magnitude of each, and where it has fallen by 3 dB from that at low frequencies.
std::string peaks(std::span<const FrequencyResponse> responses) {
  std::string text;
  for (const FrequencyResponse& r : responses) {
    std::size_t peak = r.frequency.size(), band = r.frequency.size();
    for (std::size_t i = 0; i < r.frequency.size(); ++i) {
      if (!std::isfinite(r.magnitude_db[i])) continue;
      if (peak == r.frequency.size() || r.magnitude_db[i] > r.magnitude_db[peak]) peak = i;
      constexpr double fallen = 3.0103;
      if (band == r.frequency.size() && r.magnitude_db[i] < r.magnitude_db.front() - fallen) band = i;
    }
    if (peak == r.frequency.size()) {
      text += name_of(r) + ": zero at all frequencies. ";
      continue;
    }
    const auto infinite = std::ranges::find_if(r.axis_poles, [](const PoleOnAxis& pole) { return pole.frequency > 0; });
    if (infinite != r.axis_poles.end()) {
      text += fmt::format("{}: infinite at {:.4g} rad/s. ", name_of(r), infinite->frequency);
      continue;
    }
    text += fmt::format("{}: at most {:.4g} dB at {:.4g} rad/s", name_of(r), r.magnitude_db[peak], r.frequency[peak]);
    if (band < r.frequency.size() && band > 0)
      text += fmt::format(", 3 dB below its beginning from {:.4g} rad/s on", r.frequency[band]);
    text += ". ";
  }
  return text;
}

/// Decibels of different units have axes of their own.
std::vector<Panel> magnitude_panels(std::span<const FrequencyResponse> responses, const Axis& frequency) {
  std::vector<Panel> panels;
  std::vector<std::string> units = units_of(responses);
  if (units.empty()) units.emplace_back();
  for (const std::string& unit : units) {
    Panel& panel = panels.emplace_back();
    panel.name = "magnitude";
    panel.x = frequency;
    panel.y = {magnitude_label(unit), Axis::Scale::decibels, {}};
  }
  return panels;
}

/// Which of the panels of magnitudes has a response.
std::vector<Panel*> panels_of(std::vector<Panel>& magnitudes, std::span<const FrequencyResponse> responses) {
  const std::vector<std::string> units = units_of(responses);
  std::vector<Panel*> of;
  for (const FrequencyResponse& r : responses)
    of.push_back(&magnitudes[static_cast<std::size_t>(std::ranges::find(units, r.unit) - units.begin())]);
  return of;
}

}  // namespace

Figure bode_figure(std::span<const FrequencyResponse> responses, const FigureOptions& options) {
  Figure f =
      empty_figure(common_title(responses, "Bode diagram"), "Magnitude in decibels and phase in degrees over frequency", options);
  const Curves curves(responses.size(), options);
  Panel phase, delay;
  phase.name = "phase", delay.name = "delay";
  delay.usual = false;
  phase.x = {frequency_label(options), Axis::Scale::logarithmic, {}};
  phase.y = {"phase, deg", Axis::Scale::degrees, {}};
  delay.x = phase.x;
  delay.y = {"group delay, s", Axis::Scale::linear, {}};
  std::vector<Panel> magnitudes = magnitude_panels(responses, phase.x);
  const std::vector<Panel*> magnitude_of = panels_of(magnitudes, responses);
  std::size_t i = 0;
  for (const FrequencyResponse& r : with_gaps(responses)) {
    Panel& magnitude = *magnitude_of[i];
    std::vector<double> x = r.frequency;
    if (options.hertz)
      for (double& w : x) w /= per_hertz;
    const Caption name = transfer_caption(r.input, r.output);
    magnitude.series.push_back(marked(curves.curve(i, name, x, r.magnitude_db), "bode-magnitude", r.input, r.output));
    phase.series.push_back(marked(curves.curve(i, "", x, r.phase_deg), "bode-phase", r.input, r.output));
    if (!r.group_delay.empty())
      delay.series.push_back(marked(curves.curve(i, "", x, r.group_delay), "group-delay", r.input, r.output));
    if (is_zero(r)) magnitude.remarks.push_back(name + " is 0: no magnitude in decibels, no phase");
    ++i;
  }
  add_margins_to_bode(magnitude_of, phase, responses, options.margins, options.hertz);
  if (!responses.empty() && !responses.front().frequency.empty())
    add_asymptotes(magnitude_of, phase, options.asymptotes,
                   {responses.front().frequency.front(), responses.front().frequency.back()}, options.hertz);
  f.description += ". " + peaks(responses);
  if (magnitudes.size() > 1) f.panel_height = 260;
  f.panels = std::move(magnitudes);
  f.panels.push_back(std::move(phase));
  if (!delay.series.empty()) f.panels.push_back(std::move(delay));
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

namespace {

/// Of the signals of one unit.
Panel response_panel(std::span<const NamedResponse> responses, std::span<const std::size_t> shown) {
  Panel panel;
  panel.x.label = "time, s";
  const NamedResponse& first = responses[shown.front()];
  const bool one = std::ranges::all_of(shown, [&](std::size_t i) { return responses[i].name == first.name; });
  panel.y.label = with_unit(one ? named(first.name) : Caption("signals"), first.unit);
  return panel;
}

void add_response(Panel& panel, const NamedResponse& r, std::size_t i, bool alone, const Curves& curves, const std::string& kind,
                  const FigureOptions& options) {
  const Caption name = named(r.name);
  if (r.value.final && alone) panel.rules.push_back({false, r.value.final->to_double()});
  if (i < options.bands.size() && options.bands[i])
    return add_band(panel, *options.bands[i], r.name, curves.curve(i, name, {}, {}));
  panel.series.push_back(
      marked(curves.curve(i, name, r.value.time, r.value.value, options.samples ? Series::Style::stairs : Series::Style::line),
             kind, r.input, r.output));
  const Series curve = panel.series.back();
  constexpr std::size_t most_dots = 100;
  if (options.samples && r.value.time.size() <= most_dots)
    panel.series.push_back(
        marked(curves.curve(i, "", r.value.time, r.value.value, Series::Style::dots), "samples", r.input, r.output));
  add_impulses(panel, r.value, curve);
}

}  // namespace

/// Signals of different units have axes of their own.
Figure response_figure(std::span<const NamedResponse> responses, const std::string& title, const FigureOptions& options) {
  Figure f = empty_figure(title, "Signals over time. ", options);
  const Curves curves(responses.size(), options);
  const std::vector<std::string> units = units_of(responses);
  for (const NamedResponse& r : responses) f.description += in_words(r);
  f.panel_height = units.size() > 1 ? 280 : 400;
  for (const std::string& unit : units) {
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < responses.size(); ++i)
      if (responses[i].unit == unit) shown.push_back(i);
    Panel panel = response_panel(responses, shown);
    for (const std::size_t i : shown) add_response(panel, responses[i], i, shown.size() == 1, curves, kind_of(title), options);
    if (units.size() > 1 && shown.size() == 1)
      for (Series& series : panel.series) series.label.clear();  // the axis says it
    f.panels.push_back(std::move(panel));
  }
  if (f.panels.empty()) f.panels.emplace_back().x.label = "time, s";
  return f;
}

}  // namespace sfg
