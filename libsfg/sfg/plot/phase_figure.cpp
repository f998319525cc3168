#include "sfg/plot/figures.hpp"

#include <algorithm>
#include <utility>

#include "sfg/nonlinear/run/transient.hpp"
#include "sfg/plot/curves.hpp"

namespace sfg {

namespace {

/// Of the palette: blue, vermilion, green, grey.
constexpr std::size_t of_motion = 0, of_unstable = 1, of_stable = 2, of_start = 5;

void add_trajectories(Panel& panel, const PhasePortrait& portrait) {
  constexpr std::size_t few = 4;
  const Series::Style style = portrait.samples                      ? Series::Style::dots
                              : portrait.trajectories.size() <= few ? Series::Style::line
                                                                    : Series::Style::thin;
  Series starts{"start", {}, {}, Series::Style::crosses, of_start};
  for (const auto& trajectory : portrait.trajectories) {
    panel.series.push_back({panel.series.empty() ? "motion" : "", trajectory.x, trajectory.y, style, of_motion});
    if (trajectory.x.empty()) continue;
    starts.x.push_back(trajectory.x.front());
    starts.y.push_back(trajectory.y.front());
  }
  panel.series.push_back(std::move(starts));
}

/// Of all trajectories, with some room.
std::optional<std::pair<double, double>> extent(const PhasePortrait& portrait) {
  std::vector<double> ends;
  for (const auto& trajectory : portrait.trajectories) {
    if (trajectory.x.empty()) continue;
    const auto [low, high] = std::ranges::minmax(trajectory.x);
    ends.insert(ends.end(), {low, high});
  }
  if (portrait.rest)
    for (const auto& point : portrait.rest->points) ends.push_back(point.signals.at(portrait.x));
  if (ends.empty()) return {};
  const auto [low, high] = std::ranges::minmax(ends);
  if (!(low < high)) return {};
  const double room = 0.05 * (high - low);
  return std::pair(low - room, high + room);
}

void add_rest(Panel& panel, const PhasePortrait& portrait) {
  if (!portrait.rest) return;
  Series stable{"stable rest", {}, {}, Series::Style::dots, of_stable},
      unstable{"unstable rest", {}, {}, Series::Style::circles, of_unstable},
      open{"rest, stability not known", {}, {}, Series::Style::diamonds, of_unstable};
  for (const auto& point : portrait.rest->points) {
    Series& series = !point.stable ? open : *point.stable ? stable : unstable;
    for (const auto& state : shown_states(point)) {
      series.x.push_back(state.at(portrait.x));
      series.y.push_back(state.at(portrait.y));
    }
  }
  for (Series* series : {&stable, &unstable, &open})
    if (!series->x.empty()) panel.series.push_back(std::move(*series));
}

}  // namespace

Figure phase_figure(const PhasePortrait& portrait, const std::pair<std::string, std::string>& units,
                    const FigureOptions& options) {
  const Caption x = Caption::name(portrait.x), y = Caption::name(portrait.y);
  Figure figure =
      empty_figure(y + " over " + x, "Phase portrait: trajectories from several starts, states of rest marked", options);
  figure.panel_height = 520;
  Panel panel;
  panel.x.label = with_unit(x, units.first);
  panel.y.label = with_unit(y, units.second);
  panel.x.range = extent(portrait);
  panel.rules = {{true, 0}, {false, 0}};
  add_trajectories(panel, portrait);
  add_rest(panel, portrait);
  figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace sfg
