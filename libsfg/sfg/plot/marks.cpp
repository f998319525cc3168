#include "sfg/plot/marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sfg/numeric/numbers.hpp"
#include "sfg/plot/curves.hpp"
#include "sfg/plot/plane.hpp"
#include "sfg/text/unit_text.hpp"

namespace sfg {

namespace {

/// The crossovers that decide.
std::optional<Margins::GainCrossover> gain_crossover(const Margins& margins) {
  for (const auto& crossover : margins.gain_crossovers)
    if (margins.phase_margin_deg && crossover.phase_margin_deg == *margins.phase_margin_deg) return crossover;
  return {};
}
std::optional<Margins::PhaseCrossover> phase_crossover(const Margins& margins) {
  for (const auto& crossover : margins.phase_crossovers)
    if (margins.gain_margin_db && crossover.gain_margin_db == *margins.gain_margin_db) return crossover;
  return {};
}

std::string gain_margin_text(const Margins::PhaseCrossover& c) { return "gain margin " + four_digits(c.gain_margin_db) + " dB"; }
std::string phase_margin_text(const Margins::GainCrossover& c) { return "phase margin " + four_digits(c.phase_margin_deg) + "°"; }

/// The phase of the picture at a frequency, on the turn of the curve there.
double phase_near(const FrequencyResponse& r, double w, double modulo_turns) {
  const auto next = std::lower_bound(r.frequency.begin(), r.frequency.end(), w) - r.frequency.begin();
  double nearest = modulo_turns;
  for (auto i = std::max<std::ptrdiff_t>(0, next - 1); i < std::min<std::ptrdiff_t>(next + 1, std::ssize(r.phase_deg)); ++i)
    if (const double phase = r.phase_deg[static_cast<std::size_t>(i)]; std::isfinite(phase))
      nearest = modulo_turns + 360 * std::round((phase - modulo_turns) / 360);
  return nearest;
}

/// A stretch between two points, with a dot at the second.
void add_stretch(Panel& panel, std::pair<double, double> from, std::pair<double, double> to, std::size_t colour) {
  panel.series.push_back({"", {from.first, to.first}, {from.second, to.second}, Series::Style::line, colour});
  panel.series.push_back({"", {to.first}, {to.second}, Series::Style::dots, colour});
}

void add_circle(Panel& panel, double centre, double radius, std::size_t colour) {
  Series circle{"", {}, {}, Series::Style::dotted, colour};
  for (int k = 0; k <= 120; ++k) {
    circle.x.push_back(centre + radius * std::cos(k * 3 * radians_of_degree));
    circle.y.push_back(radius * std::sin(k * 3 * radians_of_degree));
  }
  panel.series.push_back(std::move(circle));
}

void say(Panel& panel, const FrequencyResponse& r, std::size_t count, const Margins& margins) {
  std::string text;
  if (margins.closed_loop.verdict != ClosedLoop::Verdict::unknown)
    text = std::string("The closed loop is ") + name_of(margins.closed_loop.verdict);
  if (!margins.gain_margin_db) text += std::string(text.empty() ? "No" : "; no") + " gain margin: the phase does not cross −180°";
  if (!margins.phase_margin_deg)
    text += std::string(text.empty() ? "No" : "; no") + " phase margin: the magnitude does not cross 0 dB";
  if (!text.empty()) panel.remarks.push_back((count > 1 ? r.input + " → " + r.output + ": " : "") + text + ".");
}

Series of_magnitude(const BodeAsymptotes& a, std::pair<double, double> range, double unit, std::size_t colour) {
  Series line{"", {range.first / unit}, {a.magnitude_at(range.first)}, Series::Style::dashed, colour};
  for (const BodeAsymptotes::Corner& corner : a.corners)
    if (corner.frequency > range.first && corner.frequency < range.second)
      line.x.push_back(corner.frequency / unit), line.y.push_back(corner.magnitude_db);
  line.x.push_back(range.second / unit), line.y.push_back(a.magnitude_at(range.second));
  return line;
}

Series of_phase(const BodeAsymptotes& a, std::pair<double, double> range, double unit, std::size_t colour) {
  Series line{"", {range.first / unit}, {a.phase_at(range.first)}, Series::Style::dashed, colour};
  for (const auto& [w, degrees] : a.phase)
    if (w > range.first && w < range.second) line.x.push_back(w / unit), line.y.push_back(degrees);
  line.x.push_back(range.second / unit), line.y.push_back(a.phase_at(range.second));
  return line;
}

double three_digits(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  return unit > 1 ? unit * std::round(value / unit) : value;
}

}  // namespace

void add_margins_to_bode(std::span<Panel* const> magnitudes, Panel& phase, std::span<const FrequencyResponse> responses,
                         std::span<const Margins> all, bool hertz) {
  const double unit = hertz ? per_hertz : 1.0;
  for (std::size_t i = 0; i < std::min(all.size(), responses.size()); ++i) {
    Panel& magnitude = *magnitudes[i];
    if (magnitude.rules.empty()) magnitude.rules.push_back({false, 0});
    const std::size_t colour = colour_of_marks(i, all.size());
    if (const auto c = phase_crossover(all[i])) {
      const double x = c->frequency / unit, at = phase_near(responses[i], c->frequency, -180);
      if (x > 0) {
        add_stretch(magnitude, {x, 0}, {x, -c->gain_margin_db}, colour);
        magnitude.notes.push_back({x, -c->gain_margin_db / 2, gain_margin_text(*c)});
        magnitude.rules.push_back({true, x}), phase.rules.push_back({true, x});
        phase.rules.push_back({false, at});
        phase.series.push_back({"", {x}, {at}, Series::Style::dots, colour});
      }
    }
    if (const auto c = gain_crossover(all[i])) {
      const double x = c->frequency / unit, end = phase_near(responses[i], c->frequency, c->phase_margin_deg - 180);
      add_stretch(phase, {x, end - c->phase_margin_deg}, {x, end}, colour);
      phase.notes.push_back({x, end - c->phase_margin_deg / 2, phase_margin_text(*c)});
      phase.rules.push_back({false, end - c->phase_margin_deg});
      magnitude.rules.push_back({true, x}), phase.rules.push_back({true, x});
      magnitude.series.push_back({"", {x}, {0}, Series::Style::dots, colour});
    }
    say(phase, responses[i], all.size(), all[i]);
  }
}

void add_margins_to_locus(Panel& panel, std::span<const FrequencyResponse> responses, std::span<const Margins> all) {
  for (std::size_t i = 0; i < std::min(all.size(), responses.size()); ++i) {
    const std::size_t colour = colour_of_marks(i, all.size());
    if (const auto c = phase_crossover(all[i])) {
      const double x = -std::pow(10, -c->gain_margin_db / 20);
      add_stretch(panel, {-1, 0}, {x, 0}, colour);
      panel.notes.push_back({x, 0, gain_margin_text(*c)});
    }
    if (const auto c = gain_crossover(all[i])) {
      const double angle = (c->phase_margin_deg - 180) * radians_of_degree, x = std::cos(angle), y = std::sin(angle);
      add_stretch(panel, {0, 0}, {x, y}, colour);
      panel.notes.push_back({x, y, phase_margin_text(*c)});
    }
    if (all[i].modulus_margin && all[i].modulus_frequency) {
      add_circle(panel, -1, *all[i].modulus_margin, colour);
      panel.notes.push_back({-1, *all[i].modulus_margin, "modulus margin " + four_digits(*all[i].modulus_margin)});
    }
    if (!all[i].disk.empty() && all[i].disk.front().gain_low_db && all[i].disk.front().gain_high_db) {
      // the balanced one: L keeps away from -1/f of all gains f in the disk
      const double far = -std::pow(10, -*all[i].disk.front().gain_low_db / 20),
                   near = -std::pow(10, -*all[i].disk.front().gain_high_db / 20);
      add_circle(panel, (far + near) / 2, (near - far) / 2, colour);
      panel.notes.push_back({(far + near) / 2, (far - near) / 2, "disk margin " + four_digits(all[i].disk.front().radius)});
    }
    say(panel, responses[i], all.size(), all[i]);
  }
}

void add_margins_to_nichols(Panel& panel, std::span<const FrequencyResponse> responses, std::span<const Margins> all) {
  for (std::size_t i = 0; i < std::min(all.size(), responses.size()); ++i) {
    const std::size_t colour = colour_of_marks(i, all.size());
    if (const auto c = phase_crossover(all[i])) {
      const double x = phase_near(responses[i], c->frequency, -180);
      add_stretch(panel, {x, 0}, {x, -c->gain_margin_db}, colour);
      panel.notes.push_back({x, -c->gain_margin_db, gain_margin_text(*c)});
    }
    if (const auto c = gain_crossover(all[i])) {
      const double x = phase_near(responses[i], c->frequency, c->phase_margin_deg - 180);
      add_stretch(panel, {x - c->phase_margin_deg, 0}, {x, 0}, colour);
      panel.notes.push_back({x, 0, phase_margin_text(*c)});
    }
    say(panel, responses[i], all.size(), all[i]);
  }
}

void add_asymptotes(std::span<Panel* const> magnitudes, Panel& phase, std::span<const BodeAsymptotes> all,
                    std::pair<double, double> rad_per_s, bool hertz) {
  const double unit = hertz ? per_hertz : 1.0;
  constexpr std::size_t few = 3;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Panel& magnitude = *magnitudes[i];
    const std::size_t colour = colour_of_marks(i, all.size());
    magnitude.series.push_back(of_magnitude(all[i], rad_per_s, unit, colour));
    phase.series.push_back(of_phase(all[i], rad_per_s, unit, colour));
    Series corners{"", {}, {}, Series::Style::dots, colour};
    for (const BodeAsymptotes::Corner& corner : all[i].corners) {
      if (corner.frequency < rad_per_s.first || corner.frequency > rad_per_s.second) continue;
      const double x = corner.frequency / unit;
      corners.x.push_back(x), corners.y.push_back(corner.magnitude_db);
      if (all.size() <= few)
        magnitude.notes.push_back({x, corner.magnitude_db, fmt::format("{:.4g} {}", x, hertz ? "Hz" : "rad/s")});
    }
    if (!corners.x.empty()) magnitude.series.push_back(std::move(corners));
    if (all[i].dead_time) phase.remarks.push_back("The asymptotes leave out the dead time.");
  }
}

void add_band(Panel& panel, const OscillationBand& envelope, const std::string& name, const Series& curve) {
  Series band = curve;
  band.pattern.reset();
  band.style = Series::Style::area;
  band.x = envelope.time, band.y = envelope.high;
  band.x.insert(band.x.end(), envelope.time.rbegin(), envelope.time.rend());
  band.y.insert(band.y.end(), envelope.low.rbegin(), envelope.low.rend());
  panel.series.push_back(std::move(band));
  for (const auto* edge : {&envelope.low, &envelope.high}) {
    Series line = curve;
    line.label.clear();
    line.pattern.reset();
    line.style = Series::Style::thin;
    line.x = envelope.time, line.y = *edge;
    panel.series.push_back(std::move(line));
  }
  panel.remarks.push_back(
      fmt::format("{} oscillates about {:.0f} times: the band between its least and greatest values is drawn.", name,
                  three_digits(envelope.oscillations)));
}

std::string in_words(const NamedResponse& response) {
  const TimeResponse& value = response.value;
  const StepFigures& figures = response.figures;
  const std::string unit = response.unit.empty() ? "" : " " + unit_text(response.unit);
  std::string text = response.name + ":";
  const auto add = [&](const std::string& what) { text += " " + what + ";"; };
  if (!value.time.empty()) add(fmt::format("from 0 to {:.4g} s", value.time.back()));
  for (const auto& impulse : value.impulses)
    add("an impulse of weight " + four_digits(impulse.weight.to_double()) +
        (impulse.order > 0 ? fmt::format(" and order {}", impulse.order) : "") + " at " + four_digits(impulse.at.to_double()) +
        " s");
  if (value.initial) add("initial value " + four_digits(value.initial->to_double()) + unit);
  if (value.final)
    add("final value " + four_digits(value.final->to_double()) + unit);
  else if (value.final_known)
    add("no final value");
  if (figures.grows) add("it grows without bound");
  if (figures.peak) add("peak " + four_digits(*figures.peak) + unit + " at " + four_digits(figures.peak_time) + " s");
  if (figures.overshoot) add("overshoot " + four_digits(*figures.overshoot) + " %");
  if (figures.settling_time) add("settling time " + four_digits(*figures.settling_time) + " s");
  text.back() = '.';
  return text + " ";
}

}  // namespace sfg
