#include "sfg/plot/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sfg/plot/bars.hpp"
#include "sfg/plot/curves.hpp"
#include "sfg/plot/plane.hpp"
#include "sfg/study/samples/global_sensitivity.hpp"
#include "sfg/study/samples/monte_carlo.hpp"
#include "sfg/text/unit_text.hpp"

namespace sfg {

namespace {

using Style = Series::Style;

/// Some neighbouring bins of a histogram.
struct Group {
  double low = 0, high = 0;
  double samples = 0;
};

/// Bins joined until each group is as long as a part of the whole, on the scale of the axis: 2·n^(1/3) groups of n samples
/// (Rice's rule), within limits.
std::vector<Group> groups_of(const MeasureStatistics& measure, bool logarithmic) {
  constexpr double least_groups = 8, most_groups = 48;
  const std::vector<std::uint64_t> counts = measure.histogram.counts();
  double samples = 0;
  for (const std::uint64_t count : counts) samples += static_cast<double>(count);
  const double wanted = std::clamp(2 * std::cbrt(samples), least_groups, most_groups);
  const double start = measure.histogram.start(), width = measure.histogram.width();
  const auto place = [&](double x) { return logarithmic ? std::log10(std::max(x, measure.minimum)) : x; };
  const double end = start + width * static_cast<double>(counts.size());
  const double least = (place(end) - place(start)) / wanted * (1 - 1e-9);
  const auto together = logarithmic ? 1 : std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(least / width)));
  std::vector<Group> groups;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double low = start + width * static_cast<double>(i);
    const bool full = groups.empty() || (logarithmic ? place(low) - place(groups.back().low) >= least : i % together == 0);
    if (full) groups.push_back({logarithmic ? std::max(low, measure.minimum) : low, low, 0});
    groups.back().high = low + width;
    groups.back().samples += static_cast<double>(counts[i]);
  }
  if (!logarithmic && !groups.empty()) groups.back().high = groups.back().low + width * static_cast<double>(together);
  return groups;
}

/// A vertical line from the bottom to the top of the panel.
Series upright(const Caption& label, double at, double top, Style style, std::size_t colour) {
  return {label, {at, at}, {0, top}, style, colour};
}

void add_quantiles(Panel& panel, const MeasureStatistics& measure, double top) {
  for (std::size_t i = 0; i < measure.quantiles.size(); ++i) {
    const double level = measure_levels[i];
    const bool shown = level == 0.05 || level == 0.5 || level == 0.95;
    if (!shown || !std::isfinite(measure.quantiles[i])) continue;
    const std::string name = level == 0.5 ? "median: " : fmt::format("{:g} %: ", 100 * level);
    panel.series.push_back(upright(name + short_number(measure.quantiles[i]), measure.quantiles[i], top,
                                   level == 0.5 ? Style::line : Style::dashed, 1));
  }
}

void add_specs(Panel& panel, const MonteCarlo& study, const MeasureStatistics& measure, double top) {
  for (const SpecStatistics& item : study.specs)
    if (item.spec.measure.text == measure.name)
      panel.series.push_back(
          upright(item.spec.text + fmt::format(": {:.4g} %", 100 * item.yield), item.spec.value, top, Style::dash_dot, 2));
}

std::string measure_title(const MeasureStatistics& measure, std::uint64_t samples) {
  if (measure.failed == 0) return "";
  return fmt::format("{} does not exist at {} of {} samples", measure.name, measure.failed, samples);
}

/// Lines at the ends stay off the frame.
void leave_margins(Panel& panel) {
  constexpr double part = 0.025;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Series& series : panel.series)
    for (const double x : series.x)
      if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
  if (!(low < high)) return;
  if (panel.x.scale == Axis::Scale::logarithmic) {
    if (!(low > 0)) return;
    const double margin = std::pow(high / low, part);
    panel.x.range = {low / margin, high * margin};
  } else {
    panel.x.range = {low - part * (high - low), high + part * (high - low)};
  }
}

/// All samples of a constant: a bar about it.
std::vector<Group> one_group(const MeasureStatistics& measure, std::uint64_t samples) {
  constexpr double part = 0.02;
  const double size = std::max(std::abs(measure.minimum), std::abs(measure.maximum)), half = part * (size > 0 ? size : 1);
  return {{measure.minimum - half, measure.minimum + half, static_cast<double>(samples - measure.failed)}};
}

Panel histogram_panel(const MonteCarlo& study, const MeasureStatistics& measure, const FigureOptions& options) {
  Panel panel;
  panel.title = measure_title(measure, study.samples);
  panel.x.label = measure.unit.empty() ? with_unit(measure.name, options) : measure.name + ", " + unit_text(measure.unit);
  panel.legend_beside = true;
  const bool logarithmic = spans_decades(measure.minimum, measure.maximum);
  if (logarithmic) panel.x.scale = Axis::Scale::logarithmic;
  panel.y.label = logarithmic ? "samples, % per decade" : "samples, %";
  Series bars{"", {}, {}, Style::bars, 0};
  bars.pattern = 1;  // pale: lines are seen on them in grey, too
  double top = 0;
  const bool constant = nearly_equal(measure.minimum, measure.maximum);
  if (constant) panel.title = measure.name + " does not vary";
  for (const Group& group : constant ? one_group(measure, study.samples) : groups_of(measure, logarithmic)) {
    const double length = logarithmic ? std::log10(group.high / group.low) : 1;
    const double height = 100 * group.samples / static_cast<double>(study.samples) / length;
    if (group.samples > 0) add_box(bars, group.low, group.high, 0, height);
    top = std::max(top, height);
  }
  if (constant && !bars.x.empty())
    panel.x.range = {bars.x[0] - 20 * (bars.x[1] - bars.x[0]), bars.x[1] + 20 * (bars.x[1] - bars.x[0])};
  top = top > 0 ? 1.08 * top : 1;
  panel.y.range = {0, top};
  panel.series.push_back(std::move(bars));
  add_quantiles(panel, measure, top);
  if (std::isfinite(measure.nominal))
    panel.series.push_back(upright("nominal: " + short_number(measure.nominal), measure.nominal, top, Style::dotted, 3));
  add_specs(panel, study, measure, top);
  if (!panel.x.range) leave_margins(panel);
  return panel;
}

Panel yield_panel(const MonteCarlo& study) {
  std::vector<std::string> names;
  std::vector<Caption> details;
  for (const SpecStatistics& item : study.specs) {
    names.push_back(item.spec.text);
    details.push_back(fmt::format("{} of {}", item.met, study.samples));
  }
  if (study.specs.size() > 1) {
    names.emplace_back("all at once");
    details.push_back(fmt::format("{} of {}", study.met, study.samples));
  }
  Panel panel = rows_panel(std::move(names), std::move(details), study.specs.size());
  panel.title = "Specs";
  panel.x = {"yield, % (95 % confidence)", Axis::Scale::linear, std::pair(0.0, 113.0)};
  Series bars{"", {}, {}, Style::bars, 4}, errors{"", {}, {}, Style::whiskers, {}};
  const auto add = [&](std::size_t row, double yield, double low, double high) {
    const double place = row_place(panel, row);
    add_box(bars, 0, 100 * yield, place - 0.25, place + 0.25);
    add_whisker(errors, 100 * low, 100 * high, place);
    panel.notes.push_back(value_note(100 * high, place, fmt::format("{:.4g} %", 100 * yield), Note::Side::right));
  };
  for (std::size_t i = 0; i < study.specs.size(); ++i)
    add(i, study.specs[i].yield, study.specs[i].confidence[0], study.specs[i].confidence[1]);
  if (const auto yield = study.yield(); yield && study.specs.size() > 1) {
    const auto [low, high] = clopper_pearson(study.met, study.samples);
    add(study.specs.size(), *yield, low, high);
  }
  panel.series = {std::move(bars), std::move(errors)};
  return panel;
}

/// Polygons between two curves, one for each run of points where both are numbers.
void add_band(Panel& panel, const std::string& label, const std::vector<double>& x, const std::vector<double>& low,
              const std::vector<double>& high) {
  bool first = true;
  for (std::size_t begin = 0; begin < x.size();) {
    const auto known = [&](std::size_t i) { return i < x.size() && std::isfinite(low[i]) && std::isfinite(high[i]); };
    std::size_t end = begin;
    while (known(end)) ++end;
    if (end > begin) {
      Series band{first ? label : "", {}, {}, Style::area, 0};
      for (std::size_t i = begin; i < end; ++i) band.x.push_back(x[i]), band.y.push_back(high[i]);
      for (std::size_t i = end; i-- > begin;) band.x.push_back(x[i]), band.y.push_back(low[i]);
      panel.series.push_back(std::move(band));
      first = false;
    }
    begin = end + 1;
  }
}

/// The band of nine tenths of the samples, the extremes, the median and the nominal curve.
void add_envelope(Panel& panel, const std::vector<double>& x, const Envelope& envelope, const std::vector<double>& nominal) {
  panel.legend_beside = true;
  add_band(panel, "5 … 95 %", x, envelope.quantiles[0], envelope.quantiles[2]);
  panel.series.push_back({"least, greatest", x, envelope.minimum, Style::dotted, 0});
  panel.series.push_back({"", x, envelope.maximum, Style::dotted, 0});
  panel.series.push_back({"median", x, envelope.quantiles[1], Style::line, 0});
  if (nominal.size() == x.size()) panel.series.push_back({"nominal", x, nominal, Style::dashed, 1});
}

void add_envelopes(Figure& f, const MonteCarlo& study, const NominalCurves& nominal, const FigureOptions& options) {
  if (!study.frequency.empty()) {
    std::vector<double> x = study.frequency;
    if (options.hertz)
      for (double& w : x) w /= per_hertz;
    Panel magnitude, phase;
    magnitude.name = "magnitude", phase.name = "phase";
    magnitude.x = {frequency_label(options), Axis::Scale::logarithmic, {}};
    magnitude.y = {"magnitude, dB", Axis::Scale::decibels, {}};
    phase.x = magnitude.x;
    phase.y = {"phase, deg", Axis::Scale::degrees, {}};
    add_envelope(magnitude, x, study.magnitude_db, nominal.magnitude_db);
    add_envelope(phase, x, study.phase_deg, nominal.phase_deg);
    f.panels.push_back(std::move(magnitude));
    f.panels.push_back(std::move(phase));
  }
  if (!study.time.empty()) {
    Panel step;
    step.name = "step";
    step.x.label = "time, s";
    step.y.label = "step response of " + Caption::name(study.output);
    add_envelope(step, study.time, study.step, nominal.step);
    f.panels.push_back(std::move(step));
  }
}

}  // namespace

Figure monte_carlo_figure(const MonteCarlo& study, const NominalCurves& nominal, const FigureOptions& options) {
  Figure f = empty_figure(transfer_caption(study.input, study.output) + fmt::format(", {} samples", study.samples),
                          "Histograms of measures, yields of specs, and envelopes of responses over all samples", options);
  for (const MeasureStatistics& measure : study.measures) f.panels.push_back(histogram_panel(study, measure, options));
  if (!study.specs.empty()) f.panels.push_back(yield_panel(study));
  add_envelopes(f, study, nominal, options);
  return f;
}

}  // namespace sfg
