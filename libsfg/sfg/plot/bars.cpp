#include "sfg/plot/bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sfg/numeric/numbers.hpp"
#include "sfg/text/unit_text.hpp"

namespace sfg {

namespace {

void lift(Series& series) {
  if (series.x.empty()) return;
  series.x.push_back(undefined);
  series.y.push_back(undefined);
}

}  // namespace

Panel rows_panel(std::vector<std::string> names, std::vector<Caption> details, std::size_t all) {
  constexpr int head = 110;
  constexpr std::size_t many = 24;
  const int a_row = names.size() > many ? 24 : 34;  // pixels: forty rows fit on a page
  Panel panel;
  panel.height = head + a_row * static_cast<int>(names.size());
  if (all > names.size()) panel.title = fmt::format("the first {} of {}", names.size(), all);
  std::ranges::reverse(names);
  std::ranges::reverse(details);
  panel.y.range = {0.4, static_cast<double>(names.size()) + 0.6};
  panel.y.names = std::move(names);
  panel.y.details = std::move(details);
  return panel;
}

double row_place(const Panel& panel, std::size_t row) { return static_cast<double>(panel.y.names.size() - row); }

void add_box(Series& series, double x1, double x2, double y1, double y2) {
  lift(series);
  series.x.insert(series.x.end(), {x1, x2, x2, x1, x1});
  series.y.insert(series.y.end(), {y1, y1, y2, y2, y1});
}

void add_whisker(Series& series, double x1, double x2, double y) {
  constexpr double cap = 0.08;
  lift(series);
  series.x.insert(series.x.end(), {x1, x1, undefined, x1, x2, undefined, x2, x2});
  series.y.insert(series.y.end(), {y - cap, y + cap, undefined, y, y, undefined, y - cap, y + cap});
}

Note value_note(double x, double y, Caption text, Note::Side side) {
  Note note{x, y, std::move(text)};
  note.side = side;
  return note;
}

Caption short_number(double value) {
  constexpr double short_enough = 1e6;  // to be read without a power of ten
  std::string text = fmt::format("{:.4g}", value);
  if (text.find("e+") != std::string::npos && std::abs(value) < short_enough) text = fmt::format("{:.0f}", std::stod(text));
  return Caption::number(text);
}

std::string unit_of(const std::string& name, const FigureOptions& options) {
  const auto unit = options.units.find(name);
  return unit == options.units.end() ? "" : unit_text(unit->second);
}

std::string with_unit(const std::string& name, const FigureOptions& options) {
  const std::string unit = unit_of(name, options);
  return unit.empty() ? name : name + ", " + unit;
}

bool nearly_equal(double a, double b) {
  constexpr double rounding = 1e-9;
  return std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b));
}

bool spans_decades(double least, double greatest) {
  constexpr double decades = 50;
  return least > 0 && greatest > decades * least;
}

}  // namespace sfg
