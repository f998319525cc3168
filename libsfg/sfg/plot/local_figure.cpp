#include "sfg/plot/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <numeric>

#include "sfg/numeric/numbers.hpp"
#include "sfg/plot/bars.hpp"
#include "sfg/plot/curves.hpp"
#include "sfg/plot/plane.hpp"
#include "sfg/study/local/local_study.hpp"
#include "sfg/text/unit_text.hpp"

namespace sfg {

namespace {

/// Places of a list by size, the greatest first; those that are no numbers last.
std::vector<std::size_t> by_size(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  const auto size = [&](std::size_t i) { return std::isnan(values[i]) ? -1 : std::abs(values[i]); };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  return order;
}

Panel relative_panel(const LocalStudy& study, const MeasureSensitivity& measure) {
  constexpr double half = 0.3, margin = 0.2;
  std::vector<std::size_t> order = by_size(measure.relative);
  if (order.size() > most_rows) order.resize(most_rows);
  std::vector<std::string> names;
  for (const std::size_t k : order) names.push_back(study.parameters[k]);
  Panel panel = rows_panel(std::move(names), {}, study.parameters.size());
  panel.x.label = "(k/M) dM/dk of M = " + measure.name + " = " + short_number(measure.value) +
                  (measure.unit.empty() ? "" : " " + unit_text(measure.unit));
  panel.rules = {{true, 0}};
  Series bars{"", {}, {}, Series::Style::bars, 0};
  double low = 0, high = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double value = measure.relative[order[i]], place = row_place(panel, i);
    if (!std::isfinite(value)) {
      panel.notes.push_back(value_note(0, place, measure.value == 0 ? "none: M = 0" : "none", Note::Side::right));
      continue;
    }
    add_box(bars, 0, value, place - half, place + half);
    panel.notes.push_back(value_note(value, place, short_number(value), value < 0 ? Note::Side::left : Note::Side::right));
    low = std::min(low, value), high = std::max(high, value);
  }
  const double span = high > low ? high - low : 1;
  panel.x.range = {low - margin * span, high + margin * span};
  panel.series.push_back(std::move(bars));
  return panel;
}

/// Where a root goes as a parameter grows by δk: the ends of its ways, one for each of its multiplicity.
std::vector<std::complex<double>> steps_of(const RootSensitivity& root, std::size_t parameter, double change) {
  const auto multiplicity = static_cast<double>(std::max(1, static_cast<int>(root.root.multiplicity)));
  std::vector<std::complex<double>> steps;
  const std::complex<double> first = root.slope[parameter] * std::pow(std::complex<double>(change), 1 / multiplicity);
  for (double m = 0; m < multiplicity; ++m) steps.push_back(first * std::polar(1.0, 2 * std::numbers::pi * m / multiplicity));
  return steps;
}

/// How far all roots go at a change of 1 % of every parameter.
struct Ways {
  const std::map<std::string, double>& values;
  std::vector<const RootSensitivities*> lists;

  double change(const std::string& parameter, double share) const {
    const auto value = values.find(parameter);
    return value == values.end() ? 0 : share * value->second;
  }
  double furthest(const std::string& parameter, double share) const {
    double greatest = 0;
    for (const RootSensitivities* list : lists)
      for (const RootSensitivity& root : list->roots)
        for (std::size_t k = 0; k < list->parameters.size(); ++k)
          if (list->parameters[k] == parameter)
            for (const auto& step : steps_of(root, k, change(parameter, share)))
              if (std::isfinite(std::abs(step))) greatest = std::max(greatest, std::abs(step));
    return greatest;
  }
};

Series marks_of(const RootSensitivities& list, const char* name, Series::Style style, std::size_t colour) {
  Series marks{name, {}, {}, style, colour};
  for (const RootSensitivity& root : list.roots)
    marks.x.push_back(root.root.value.real()), marks.y.push_back(root.root.value.imag());
  return marks;
}

/// The share by which parameters grow: the greatest round one at which no root goes further than a part of the picture.
double share_of(const Ways& ways, const std::vector<std::string>& parameters, double reach) {
  constexpr double part = 0.2;
  double share = 0.001;
  for (const double next : {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5}) {
    double furthest = 0;
    for (const std::string& parameter : parameters) furthest = std::max(furthest, ways.furthest(parameter, next));
    if (furthest <= part * reach) share = next;
  }
  return share;
}

Series way_of(const Ways& ways, const std::string& parameter, double share) {
  Series way{Caption::name(parameter), {}, {}, Series::Style::line, {}};
  for (const RootSensitivities* list : ways.lists)
    for (const RootSensitivity& root : list->roots)
      for (std::size_t k = 0; k < list->parameters.size(); ++k) {
        if (list->parameters[k] != parameter) continue;
        for (const auto& step : steps_of(root, k, ways.change(parameter, share))) {
          const std::complex<double> from = root.root.value, to = from + step;
          way.x.insert(way.x.end(), {from.real(), to.real(), undefined});
          way.y.insert(way.y.end(), {from.imag(), to.imag(), undefined});
        }
      }
  return way;
}

/// The roots up to a modulus.
LocalStudy near_origin(LocalStudy study, double modulus) {
  for (auto* list : {&study.poles, &study.zeros})
    if (*list) std::erase_if((*list)->roots, [&](const RootSensitivity& r) { return std::abs(r.root.value) > modulus; });
  return study;
}

/// Moduli behind which a wide gap follows: of the slowest poles one would see nothing in a picture of all.
std::vector<double> pictures_of(const LocalStudy& study) {
  constexpr double gap = 5;
  std::vector<double> moduli;
  for (const auto* list : {&study.poles, &study.zeros})
    if (*list)
      for (const RootSensitivity& root : (*list)->roots) moduli.push_back(std::abs(root.root.value));
  std::ranges::sort(moduli);
  std::vector<double> result;
  for (std::size_t i = 0; i + 1 < moduli.size(); ++i)
    if (moduli[i] > 0 && moduli[i + 1] > gap * moduli[i]) result.push_back(moduli[i]);
  if (result.size() > 2) result = {result.front(), result[1]};
  result.push_back(std::numeric_limits<double>::infinity());
  return result;
}

Panel root_panel(const LocalStudy& study, const std::map<std::string, double>& values, bool discrete) {
  using Style = Series::Style;
  constexpr std::size_t most = 8;
  Panel panel = plane();
  panel.legend_beside = true;
  Ways ways{values, {}};
  if (study.poles) ways.lists.push_back(&*study.poles);
  if (study.zeros) ways.lists.push_back(&*study.zeros);
  if (study.poles) panel.series.push_back(marks_of(*study.poles, "poles", Style::crosses, 0));
  if (study.zeros && !study.zeros->roots.empty()) panel.series.push_back(marks_of(*study.zeros, "zeros", Style::circles, 1));
  const double share = share_of(ways, study.parameters, reach_of(panel));
  std::vector<double> distances;
  for (const std::string& parameter : study.parameters) distances.push_back(ways.furthest(parameter, share));
  const std::vector<std::size_t> order = by_size(distances);
  std::size_t shown = 0;
  for (const std::size_t k : order) {
    if (shown == most || !(distances[k] > 0)) break;
    Series way = way_of(ways, study.parameters[k], share), ends{"", {}, {}, Style::dots, shown + 2};
    way.style = Style::line;
    way.pattern = shown;
    way.colour = shown + 2;
    for (std::size_t i = 1; i < way.x.size(); i += 3) ends.x.push_back(way.x[i]), ends.y.push_back(way.y[i]);
    panel.series.push_back(std::move(way));
    panel.series.push_back(std::move(ends));
    ++shown;
  }
  const auto moving = static_cast<std::size_t>(std::ranges::count_if(distances, [](double d) { return d > 0; }));
  panel.title = fmt::format("each parameter greater by {:g} %", 100 * share) +
                (moving > shown ? fmt::format("; the first {} of {}", shown, moving) : "");
  if (discrete) make_discrete(panel);
  return panel;
}

}  // namespace

Figure local_figure(const LocalStudy& study, const std::map<std::string, double>& values, bool discrete,
                    const FigureOptions& options) {
  Figure f = empty_figure("Sensitivities of " + transfer_caption(study.input, study.output),
                          "Relative sensitivities of the measures, and how poles and zeros move", options);
  for (const MeasureSensitivity& measure : study.measures) f.panels.push_back(relative_panel(study, measure));
  if (study.poles || study.zeros) {
    const std::vector<double> all{std::numeric_limits<double>::infinity()};
    for (const double modulus : discrete ? all : pictures_of(study)) {
      Panel roots = root_panel(near_origin(study, modulus), values, discrete);
      if (std::isfinite(modulus)) roots.title = "the slowest: " + roots.title;
      roots.height = 520;
      f.panels.push_back(std::move(roots));
    }
  }
  return f;
}

}  // namespace sfg
