#include "sfg/plot/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "sfg/plot/curves.hpp"
#include "sfg/study/fit/fit.hpp"

namespace sfg {

namespace {

std::string axis_of(const std::string& part) {
  if (part == "db") return "magnitude, dB";
  if (part == "deg") return "phase, °";
  if (part == "re") return "real part";
  if (part == "im") return "imaginary part";
  return "";
}

/// A curve or marks over the column's times or frequencies, ascending.
Series fitted_curve(const FittedSeries& column, const std::vector<double>& y, double unit, Series::Style style,
                    std::size_t colour) {
  std::vector<std::pair<double, double>> points;
  for (std::size_t i = 0; i < y.size(); ++i) points.emplace_back(column.at[i] / unit, y[i]);
  std::ranges::stable_sort(points, {}, &std::pair<double, double>::first);
  Series series;
  for (const auto& [x, value] : points) series.x.push_back(x), series.y.push_back(value);
  series.style = style;
  series.colour = colour;
  if (column.part.empty())
    series.signal = column.output;
  else
    series.transfer = column.output + "/" + column.input;
  return series;
}

}  // namespace

Figure fit_figure(const Fit& fit, std::span<const FittedSeries> columns, const FigureOptions& options) {
  Figure f = empty_figure(
      "Fit", fmt::format("What was measured, the model with the values found, and their difference; rms {:.4g}", fit.rms),
      options);
  std::string conditions;
  for (const FittedParameter& p : fit.parameters)
    conditions += fmt::format("{}{} = {:.6g}", conditions.empty() ? "" : ", ", p.name, p.value);
  f.conditions = conditions;
  std::vector<std::pair<std::size_t, std::string>> kinds;
  for (const FittedSeries& column : columns)
    if (const std::pair kind(column.record, column.part); std::ranges::find(kinds, kind) == kinds.end()) kinds.push_back(kind);
  for (const auto& [record, part] : kinds) {
    Panel values, residuals;
    const double unit = options.hertz && !part.empty() ? 2 * std::numbers::pi : 1;
    if (part.empty())
      values.x.label = "t, s";
    else
      values.x = {frequency_label(options), Axis::Scale::logarithmic, {}};
    residuals.x = values.x;
    values.y.label = axis_of(part);
    residuals.y.label = "residual";
    residuals.height = f.panel_height / 2;
    residuals.rules.push_back({false, 0});
    std::size_t colour = 0;
    for (const FittedSeries& column : columns) {
      if (column.record != record || column.part != part) continue;
      Series line = fitted_curve(column, column.model, unit, Series::Style::line, colour);
      line.label = column.part.empty() ? column.output : column.output + "/" + column.input;
      Series points = fitted_curve(column, column.measured, unit, Series::Style::circles, colour);
      points.kind = measured_points;
      points.size = 0.6;
      Series rest = fitted_curve(column, column.residual, unit, Series::Style::dots, colour);
      values.series.push_back(std::move(line));
      values.series.push_back(std::move(points));
      residuals.series.push_back(std::move(rest));
      ++colour;
    }
    f.panels.push_back(std::move(values));
    f.panels.push_back(std::move(residuals));
  }
  return f;
}

}  // namespace sfg
