#include "sfg/plot/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sfg/plot/bars.hpp"
#include "sfg/plot/curves.hpp"
#include "sfg/study/samples/global_sensitivity.hpp"
#include "sfg/study/samples/monte_carlo.hpp"

namespace sfg {

namespace {

constexpr double half = 0.33;               ///< of the height of a bar, in rows
constexpr std::size_t dark = 0, light = 4;  ///< colours that grey prints tell apart
constexpr std::size_t pale = 1, open = 2;   ///< patterns

/// "76000 … 84000 N/m"
Caption ends_of(const std::string& name, const Variation& variation, const FigureOptions& options) {
  const auto p = std::ranges::find(variation.parameters, name, &VaryingParameter::name);
  if (p == variation.parameters.end()) return "";
  const std::string unit = unit_of(name, options);
  return short_number(p->low()) + " … " + short_number(p->high()) + (unit.empty() ? "" : " " + unit);
}

/// The part of the bars' range that the numbers beside their ends take, in a panel that names and the legend leave narrow.
double margin_beside(const std::vector<std::string>& names) {
  constexpr double number = 62, letter = 6.8, elsewhere = 230, least = 100, width = 760;  // pixels
  double longest = 8;
  for (const std::string& name : names) longest = std::max(longest, static_cast<double>(name.size()));
  return number / std::max(least, width - elsewhere - letter * longest - 2 * number);
}

/// Wide enough for the numbers beside the ends of the bars.
Axis axis_of_ends(const Tornado& tornado, std::size_t rows, double linear_margin, const FigureOptions& options) {
  double low = tornado.nominal, high = tornado.nominal;
  for (std::size_t i = 0; i < rows; ++i)
    for (const double v : {tornado.bars[i].low, tornado.bars[i].high})
      if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  Axis axis{with_unit(tornado.measure, options), Axis::Scale::linear, {}};
  if (spans_decades(low, high)) {
    const double margin = std::pow(high / low, linear_margin);
    axis.scale = Axis::Scale::logarithmic;
    axis.range = {low / margin, high * margin};
  } else {
    const double span = nearly_equal(low, high) ? std::max(1.0, std::abs(high)) : high - low;
    axis.range = {low - linear_margin * span, high + linear_margin * span};
  }
  return axis;
}

/// Both bars of a row: one height where they lie on two sides of the nominal value, else one below the other.
void add_row(Panel& panel, std::size_t row, const Tornado& tornado, Series& low, Series& high) {
  const TornadoBar& bar = tornado.bars[row];
  const double place = row_place(panel, row), from = tornado.nominal;
  const bool one_side = (bar.low - from) * (bar.high - from) > 0;
  const auto add = [&](Series& series, double value, const char* end, double bottom, double top) {
    const double middle = (bottom + top) / 2;
    if (!std::isfinite(value)) {
      panel.notes.push_back(value_note(from, middle, std::string("none at its ") + end + " end",
                                       series.colour == low.colour ? Note::Side::left : Note::Side::right));
      return;
    }
    add_box(series, from, value, bottom, top);
    if (!nearly_equal(value, from))
      panel.notes.push_back(value_note(value, middle, short_number(value), value < from ? Note::Side::left : Note::Side::right));
  };
  add(low, bar.low, "lower", one_side ? place : place - half, place + half);
  add(high, bar.high, "upper", place - half, one_side ? place : place + half);
}

Panel tornado_panel(const Tornado& tornado, const Variation& variation, const FigureOptions& options) {
  const std::size_t rows = std::min(tornado.bars.size(), most_rows);
  std::vector<std::string> names;
  std::vector<Caption> details;
  for (std::size_t i = 0; i < rows; ++i) {
    names.push_back(tornado.bars[i].parameter);
    details.push_back(ends_of(names.back(), variation, options));
  }
  const double margin = margin_beside(names);
  Panel panel = rows_panel(std::move(names), std::move(details), tornado.bars.size());
  panel.x = axis_of_ends(tornado, rows, margin, options);
  panel.rules = {{true, tornado.nominal}};
  panel.legend_beside = true;
  Series low{"at the lower end", {}, {}, Series::Style::bars, dark}, high{"at the upper end", {}, {}, Series::Style::bars, light};
  high.pattern = pale;
  for (std::size_t i = 0; i < rows; ++i) add_row(panel, i, tornado, low, high);
  const bool moves = std::ranges::any_of(tornado.bars, [&](const TornadoBar& bar) {
    return !nearly_equal(bar.low, tornado.nominal) || !nearly_equal(bar.high, tornado.nominal);
  });
  if (!moves) panel.title = "no parameter alone moves " + tornado.measure;
  Series nominal{
      "nominal: " + short_number(tornado.nominal), {tornado.nominal, tornado.nominal}, {0, 0}, Series::Style::whiskers, {}};
  nominal.y = {panel.y.range->first, panel.y.range->second};
  panel.series = {std::move(low), std::move(high), std::move(nominal)};
  return panel;
}

/// Places of a list, the greatest number first; those that are none last.
std::vector<std::size_t> descending(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return !std::isnan(values[a]) && (std::isnan(values[b]) || values[a] > values[b]);
  });
  return order;
}

Panel sobol_panel(const SobolStudy& study, const SobolIndices& indices, const FigureOptions& options) {
  std::vector<std::size_t> order = descending(study.correlated ? indices.shapley : indices.total);
  if (order.size() > most_rows) order.resize(most_rows);
  std::vector<std::string> names;
  for (const std::size_t k : order) names.push_back(study.parameters[k]);
  Panel panel = rows_panel(std::move(names), {}, study.parameters.size());
  panel.x.label = "share of the variance of " + with_unit(indices.measure, options);
  panel.legend_beside = true;
  panel.rules = {{true, 0}};
  Series first{"first index S", {}, {}, Series::Style::bars, dark}, total{"total index ST", {}, {}, Series::Style::bars, light},
      shapley{"Shapley effect", {}, {}, Series::Style::bars, 2}, errors{"95 %", {}, {}, Series::Style::whiskers, {}};
  total.pattern = pale;
  shapley.pattern = open;
  double low = 0, high = 0;
  const auto add = [&](Series& bars, double value, double error, double bottom, double top) {
    if (!std::isfinite(value)) return;
    add_box(bars, 0, value, bottom, top);
    if (std::isfinite(error)) add_whisker(errors, value - error, value + error, (bottom + top) / 2);
    low = std::min(low, value - (std::isfinite(error) ? error : 0));
    high = std::max(high, value + (std::isfinite(error) ? error : 0));
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double place = row_place(panel, i);
    const double third = study.correlated ? half / 3 : 0;  // the effects stand above the two others
    if (study.correlated) add(shapley, indices.shapley[order[i]], indices.shapley_error[order[i]], place + third, place + half);
    add(first, indices.first[order[i]], indices.first_error[order[i]], place - third,
        study.correlated ? place + third : place + half);
    add(total, indices.total[order[i]], indices.total_error[order[i]], place - half, place - third);
  }
  if (std::ranges::all_of(indices.total, [](double v) { return std::isnan(v); }))
    panel.title = indices.measure + " does not vary";
  const double margin = 0.04 * (high > low ? high - low : 1);
  panel.x.range = {low < 0 ? low - margin : 0, (high > low ? high : 1) + margin};
  panel.series = {std::move(first), std::move(total), std::move(errors)};
  if (study.correlated) panel.series.insert(panel.series.begin(), std::move(shapley));
  return panel;
}

/// A line σ = ratio·μ* from the origin to the edge of the panel.
void add_ratio(Panel& panel, double ratio, const std::string& text) {
  const double across = panel.x.range->second, up = panel.y.range->second;
  const double x = std::min(across, up / ratio);
  panel.series.push_back({"", {0, x}, {0, ratio * x}, Series::Style::guide, 0});
  Note note{0.93 * x, 0.93 * ratio * x, text};
  note.close = true;
  panel.notes.push_back(std::move(note));
}

Panel morris_panel(const MorrisStudy& study, const MorrisEffects& effects, const FigureOptions& options) {
  Panel panel;
  panel.x.label = "mean size μ* of the effects on " + with_unit(effects.measure, options);
  panel.y.label = "spread σ of the effects";
  double across = 0, up = 0;
  for (const double v : effects.mu_star)
    if (std::isfinite(v)) across = std::max(across, v);
  for (const double v : effects.sigma)
    if (std::isfinite(v)) up = std::max(up, v);
  if (across == 0) across = 1;
  if (up < 1e-9 * across) up = 0.1 * across;  // rounding
  panel.x.range = {0, 1.12 * across};
  panel.y.range = {-0.03 * up, 1.12 * up};
  panel.series.push_back({"", effects.mu_star, effects.sigma, Series::Style::dots, dark});
  for (const std::size_t k : descending(effects.mu_star)) {
    if (!std::isfinite(effects.mu_star[k]) || !std::isfinite(effects.sigma[k])) continue;
    if (effects.mu_star[k] < 0.02 * across && effects.sigma[k] < 0.02 * up) continue;  // a crowd at the origin
    panel.notes.push_back({effects.mu_star[k], effects.sigma[k], Caption::name(study.parameters[k])});
  }
  add_ratio(panel, 1, "σ = μ*");
  add_ratio(panel, 0.5, "0.5");
  add_ratio(panel, 0.1, "0.1");
  return panel;
}

}  // namespace

Figure tornado_figure(const TornadoStudy& study, const Variation& variation, const FigureOptions& options) {
  Figure f = empty_figure("Each parameter alone", "The measures where one parameter is at an end of its tolerance", options);
  for (const Tornado& tornado : study.measures) f.panels.push_back(tornado_panel(tornado, variation, options));
  return f;
}

Figure sobol_figure(const SobolStudy& study, const FigureOptions& options) {
  Figure f = empty_figure(
      fmt::format("{} from {} base samples", study.correlated ? "Shapley effects" : "Sobol indices", study.samples),
      study.correlated ? "Shapley effects, first and total indices of every correlated parameter with their 95 % intervals"
                       : "First and total indices of every parameter with their 95 % intervals",
      options);
  for (const SobolIndices& indices : study.measures) f.panels.push_back(sobol_panel(study, indices, options));
  return f;
}

Figure morris_figure(const MorrisStudy& study, const FigureOptions& options) {
  Figure f = empty_figure(fmt::format("Elementary effects along {} trajectories", study.trajectories),
                          "Spread over mean size of the effects of every parameter, per width of its tolerance", options);
  f.panel_height = 400;
  for (const MorrisEffects& effects : study.measures) f.panels.push_back(morris_panel(study, effects, options));
  return f;
}

}  // namespace sfg
