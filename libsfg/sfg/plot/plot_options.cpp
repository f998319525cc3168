#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/plot/plot.hpp"

namespace sfg {

namespace {

std::string names_of_panels(const Figure& figure) {
  std::vector<std::string> all;
  for (const Panel& panel : figure.panels)
    if (!panel.name.empty() && std::ranges::find(all, panel.name) == all.end()) all.push_back(panel.name);
  return fmt::format("{}", fmt::join(all, ","));
}

/// The legend stands in one panel: in the first that is shown.
void keep_labels(Panel& first, const std::vector<Panel>& before) {
  if (std::ranges::any_of(first.series, [](const Series& s) { return !s.label.empty(); })) return;
  for (const Panel& panel : before)
    for (const Series& labelled : panel.series)
      for (Series& series : first.series)
        if (!labelled.label.empty() && series.label.empty() && series.transfer == labelled.transfer &&
            series.set == labelled.set && series.style == labelled.style)
          series.label = labelled.label;
}

void choose_panels(Figure& figure, const std::vector<std::string>& wanted) {
  if (wanted.empty()) return;
  const std::string known = names_of_panels(figure);
  std::vector<Panel> chosen;
  for (const std::string& name : wanted) {
    if (name.empty() || std::ranges::find(figure.panels, name, &Panel::name) == figure.panels.end())
      throw NoAnswer(fmt::format("the picture has no panel '{}'", name),
                     known.empty() ? "its panels have no names: choose none" : "its panels are " + known);
    if (std::ranges::find(chosen, name, &Panel::name) != chosen.end())
      throw NoAnswer(fmt::format("the panel '{}' is asked for twice", name), "name it once");
    for (const Panel& panel : figure.panels)  // of one name: one for each unit
      if (panel.name == name) chosen.push_back(panel);
  }
  for (Panel& panel : chosen) panel.usual = true;
  keep_labels(chosen.front(), figure.panels);
  figure.panels = std::move(chosen);
}

bool has_legend(const Figure& figure) {
  return std::ranges::any_of(figure.panels, [](const Panel& panel) {
    return panel.usual && std::ranges::any_of(panel.series, [](const Series& s) { return !s.label.empty(); });
  });
}

}  // namespace

Figure with_options(Figure figure, const PlotOptions& options) {
  choose_panels(figure, options.panels);
  if (options.legend != Figure::LegendPlace::automatic && !has_legend(figure))
    throw NoAnswer("the picture has no legend", "it has one where there are several curves");
  if (options.title) {
    figure.title = *options.title;
    if (options.title->empty()) figure.conditions.clear();
  }
  figure.paper_width = options.width;
  figure.paper_height = options.height;
  figure.font_size = options.font_size;
  figure.legend = options.legend;
  figure.grid = options.grid;
  return figure;
}

}  // namespace sfg
