#include "sfg/draw/scene_legend.hpp"

#include <algorithm>

namespace sfg {

Label centred(Math math, Formula formula, Point centre) {
  formula = formula.moved(centre.x - formula.width / 2, centre.y + (formula.ascent - formula.descent) / 2);
  return {std::move(math), std::move(formula), centre, false};
}

void add_legend(Scene& scene, const std::vector<std::pair<Math, Math>>& names_and_formulas) {
  constexpr double margin = 24, narrowest = 560;
  if (names_and_formulas.empty()) return;
  const double size = scene.text_size, room = std::max(scene.width - 2 * margin, narrowest);
  SceneGroup legend{"legend", {}, "", {}, {}, {}};
  for (const auto& [name, body] : names_and_formulas) {
    const Formula head = typeset(name, size).followed_by(typeset_plain("=", size), 0.22 * size);
    bool first = true;
    for (const Formula& line : typeset_lines(body, size, room - head.width - 8)) {
      const double left = margin + (first ? 0 : head.width + 5);
      const Formula set = first ? head.followed_by(line, 5) : line;
      const Point centre{left + set.width / 2, scene.height - margin + 12 + set.height() / 2};
      legend.groups.push_back(
          {"entry", {}, "", {}, {{centred(first ? Math::equation(name, body) : Math::word(""), set, centre), "legend", {}}}, {}});
      scene.width = std::max(scene.width, left + set.width + margin);
      scene.height += set.height() + 12;
      first = false;
    }
  }
  scene.groups.push_back(std::move(legend));
}

}  // namespace sfg
