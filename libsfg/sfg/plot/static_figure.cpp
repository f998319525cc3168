#include "sfg/plot/figures.hpp"

#include "sfg/nonlinear/rest/operating_points.hpp"
#include "sfg/plot/curves.hpp"

namespace sfg {

Figure static_figure(const std::string& input, std::span<const std::pair<double, OperatingPoints>> cases,
                     const FigureOptions& options) {
  Figure figure = empty_figure("States of rest over " + Caption::name(input),
                               "Signals at rest over the constant of the input; circles are unstable", options);
  if (cases.empty()) return figure;
  for (const std::string& signal : cases.front().second.shown()) {
    Panel panel;
    panel.x.label = Caption::name(input);
    panel.y.label = Caption::name(signal);
    panel.rules = {{false, 0}};
    Series stable{"stable", {}, {}, Series::Style::dots, 0}, unstable{"unstable", {}, {}, Series::Style::circles, 1},
        open{"stability not known", {}, {}, Series::Style::diamonds, 2};
    for (const auto& [constant, found] : cases)
      for (const auto& point : found.points) {
        Series& series = !point.stable ? open : *point.stable ? stable : unstable;
        for (const auto& state : shown_states(point)) {
          series.x.push_back(constant);
          series.y.push_back(state.at(signal));
        }
      }
    for (Series* series : {&stable, &unstable, &open})
      if (!series->x.empty()) panel.series.push_back(std::move(*series));
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace sfg
