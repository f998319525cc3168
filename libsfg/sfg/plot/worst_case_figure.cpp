#include "sfg/plot/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sfg/numeric/numbers.hpp"
#include "sfg/plot/bars.hpp"
#include "sfg/plot/curves.hpp"
#include "sfg/plot/plane.hpp"
#include "sfg/study/boxes/worst_case.hpp"

namespace sfg {

namespace {

double bound_of(const WorstCaseEnd& end) { return end.bound.value_or(undefined); }

/// One row: the bounds as an outline of whiskers, what is attained as a bar.
Panel range_panel(const WorstCase& worst, const FigureOptions& options) {
  constexpr double half = 0.25, margin = 0.18;
  Panel panel = rows_panel({worst.measure.text}, {}, 1);
  panel.height = 130;
  panel.x.label = with_unit(worst.measure.text, options);
  panel.legend_beside = true;
  if (!worst.complete) panel.title = "not complete: the bounds hold, the gap is wider than asked";
  Series attained{"attained", {}, {}, Series::Style::bars, 5}, bounds{"bounds", {}, {}, Series::Style::line, 0};
  double low = std::isfinite(worst.nominal) ? worst.nominal : std::numeric_limits<double>::infinity(), high = -low;
  if (std::isfinite(worst.nominal)) high = worst.nominal;
  for (const WorstCaseEnd* end : {&worst.lower, &worst.upper})
    for (const double v : {bound_of(*end), end->attained})
      if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  const double span = high > low ? high - low : std::max(1.0, std::abs(high));
  if (!std::isfinite(low) || !std::isfinite(high)) low = 0, high = 1;
  panel.x.range = {low - margin * span, high + margin * span};
  if (std::isfinite(worst.lower.attained) && std::isfinite(worst.upper.attained))
    add_box(attained, worst.lower.attained, worst.upper.attained, 1 - half, 1 + half);
  const auto add_bound = [&](const WorstCaseEnd& end, Note::Side side, double otherwise) {
    const double at = bound_of(end);
    if (!std::isfinite(at)) {
      const double place = std::isfinite(end.attained) ? end.attained : otherwise;
      panel.notes.push_back(value_note(place, 1, "no bound", side));
      return;
    }
    bounds.x.insert(bounds.x.end(), {at, at, undefined});
    bounds.y.insert(bounds.y.end(), {1 - 1.5 * half, 1 + 1.5 * half, undefined});
    panel.notes.push_back(value_note(at, 1, short_number(at), side));
  };
  add_bound(worst.lower, Note::Side::left, low);
  add_bound(worst.upper, Note::Side::right, high);
  panel.series = {std::move(attained), std::move(bounds)};
  if (std::isfinite(worst.nominal))
    panel.series.push_back({"nominal: " + short_number(worst.nominal),
                            {worst.nominal, worst.nominal},
                            {panel.y.range->first, panel.y.range->second},
                            Series::Style::dotted,
                            1});
  return panel;
}

bool is_gain(const WorstCase& worst) {
  const BaseMeasure* base = worst.measure.base();
  return base && base->kind == MeasureKind::gain;
}

double decibels(double magnitude) { return 20 * std::log10(magnitude); }

/// What a reader has to know of the band.
std::string remark_on(const std::vector<const WorstCase*>& gains) {
  const auto without = std::ranges::count_if(gains, [](const WorstCase* g) { return !g->lower.bound || !g->upper.bound; });
  const auto open = std::ranges::count_if(gains, [](const WorstCase* g) { return !g->complete; });
  std::string text;
  if (without > 0) text = fmt::format("without a bound at {} of {} frequencies", without, gains.size());
  if (open > without) text += (text.empty() ? "" : "; ") + fmt::format("the gap is wider than asked at {}", open - without);
  return text;
}

/// In decibels; a bound of 0 lies at the bottom of the panel, and one that is missing at its edge.
Panel band_panel(std::vector<const WorstCase*> gains, const FigureOptions& options) {
  constexpr double depth = 60;
  std::ranges::stable_sort(gains, {}, [](const WorstCase* g) { return g->measure.base()->at; });
  Panel panel;
  panel.x = {frequency_label(options), Axis::Scale::logarithmic, {}};
  panel.y = {"magnitude, dB", Axis::Scale::decibels, {}};
  Series low{"attained", {}, {}, Series::Style::dotted, 0}, nominal{"nominal", {}, {}, Series::Style::line, 1};
  std::vector<double> bottom, top;
  for (const WorstCase* g : gains) {
    low.x.push_back(g->measure.base()->at / (options.hertz ? per_hertz : 1));
    low.y.push_back(decibels(g->lower.attained));
    nominal.y.push_back(decibels(g->nominal));
    bottom.push_back(decibels(g->lower.bound.value_or(0)));
    top.push_back(g->upper.bound ? decibels(*g->upper.bound) : std::numeric_limits<double>::infinity());
  }
  panel.title = remark_on(gains);
  panel.legend_beside = true;
  double least = std::numeric_limits<double>::infinity(), greatest = -least;
  for (const auto* list : {&nominal.y, &bottom, &top})
    for (const double y : *list)
      if (std::isfinite(y)) least = std::min(least, y), greatest = std::max(greatest, y);
  if (!(least <= greatest)) least = -1, greatest = 1;
  const auto lowest = std::ranges::min(nominal.y, {}, [](double y) { return std::isfinite(y) ? y : 1e300; });
  least = std::max(least, std::min(lowest, greatest) - depth);
  panel.y.range = {least - 3, greatest + 3};
  Series band{"bounds", low.x, top, Series::Style::area, 0};
  band.x.insert(band.x.end(), low.x.rbegin(), low.x.rend());
  band.y.insert(band.y.end(), bottom.rbegin(), bottom.rend());
  for (double& y : band.y) y = std::clamp(y, panel.y.range->first, panel.y.range->second);
  Series high{"", low.x, {}, Series::Style::dotted, 0};
  for (const WorstCase* g : gains) high.y.push_back(decibels(g->upper.attained));
  nominal.x = low.x;
  panel.series = {std::move(band), std::move(low), std::move(high), std::move(nominal)};
  return panel;
}

}  // namespace

Figure worst_case_figure(const WorstCases& study, const FigureOptions& options) {
  constexpr std::size_t least_of_a_band = 3;
  Figure f = empty_figure(
      "Worst cases of " + transfer_caption(study.input, study.output),
      study.ellipsoid ? fmt::format("Guaranteed bounds of measures over the ellipsoid at {:.4g} sigma of the normal parameters",
                                    study.ellipsoid->level)
                      : "Guaranteed bounds of measures over the box of all tolerances",
      options);
  std::vector<const WorstCase*> gains;
  for (const WorstCase& worst : study.measures)
    if (is_gain(worst)) gains.push_back(&worst);
  const bool band = gains.size() >= least_of_a_band;
  for (const WorstCase& worst : study.measures)
    if (!band || !is_gain(worst)) f.panels.push_back(range_panel(worst, options));
  if (band) f.panels.push_back(band_panel(std::move(gains), options));
  return f;
}

}  // namespace sfg
