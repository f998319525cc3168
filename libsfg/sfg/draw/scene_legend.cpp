#include "sfg/draw/scene_legend.hpp"

#include <algorithm>
#include <cmath>

namespace sfg {

Label centred(Math math, Formula formula, Point centre) {
  formula = formula.moved(centre.x - formula.width / 2, centre.y + (formula.ascent - formula.descent) / 2);
  return {std::move(math), std::move(formula), centre, false};
}

namespace {

constexpr double scene_margin = 24, between_lines = 12, between_columns = 36;

/// "g1 = …" in as many lines as it needs.
struct SceneEntry {
  Math whole;
  double indent = 0;  ///< of all lines but the first
  std::vector<Formula> lines = {};
  double width = 0;
  double height = 0;
};

SceneEntry entry(const Math& name, const Math& body, double size, double room) {
  const Formula head = typeset(name, size).followed_by(typeset_plain("=", size), 0.22 * size);
  SceneEntry made{Math::equation(name, body), head.width + 5};
  for (const Formula& line : typeset_lines(body, size, room - head.width - 8)) {
    const bool first = made.lines.empty();
    made.lines.push_back(first ? head.followed_by(line, 5) : line);
    made.width = std::max(made.width, (first ? 0 : made.indent) + made.lines.back().width);
    made.height += line.height() + between_lines;
  }
  return made;
}

/// The entry with its left upper corner at a place.
SceneGroup placed(const SceneEntry& entry, Point corner) {
  SceneGroup group{"entry", {}, "", {}, {}, {}};
  for (const Formula& line : entry.lines) {
    const bool first = group.texts.empty();
    const Point centre{corner.x + (first ? 0 : entry.indent) + line.width / 2, corner.y + line.height() / 2};
    group.texts.push_back({centred(first ? entry.whole : Math::word(""), line, centre), "legend", {}});
    corner.y += line.height() + between_lines;
  }
  return group;
}

}  // namespace

void add_legend(Scene& scene, const std::vector<std::pair<Math, Math>>& names_and_formulas, double width) {
  constexpr double narrowest = 560;
  if (names_and_formulas.empty()) return;
  const double least = width > 0 ? std::min(narrowest, width - 2 * scene_margin) : narrowest;
  const double room = std::max(scene.width - 2 * scene_margin, least);
  std::vector<SceneEntry> entries;
  double widest = 0;
  for (const auto& [name, body] : names_and_formulas) {
    entries.push_back(entry(name, body, scene.text_size, room));
    widest = std::max(widest, entries.back().width);
  }
  const auto columns = static_cast<std::size_t>(std::max(1.0, std::floor((room + between_columns) / (widest + between_columns))));
  const std::size_t in_column = (entries.size() + columns - 1) / columns;
  SceneGroup legend{"legend", {}, "", {}, {}, {}};
  const double top = scene.height - scene_margin + between_lines;
  Point at{scene_margin, top};
  double bottom = top;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > 0 && i % in_column == 0) at = {at.x + widest + between_columns, top};
    legend.groups.push_back(placed(entries[i], at));
    at.y += entries[i].height;
    bottom = std::max(bottom, at.y);
    scene.width = std::max(scene.width, at.x + entries[i].width + scene_margin);
  }
  scene.height = bottom + scene_margin - between_lines;
  scene.groups.push_back(std::move(legend));
}

}  // namespace sfg
