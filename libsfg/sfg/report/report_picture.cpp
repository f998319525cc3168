
#include "sfg/report/sections.hpp"

#include <utility>

#include "sfg/draw/graph/layout.hpp"

namespace sfg {

ReportPart picture_part(std::variant<Scene, Drawing> drawn, std::string caption) {
  Page page;
  page.add(Picture{std::move(drawn), std::move(caption)});
  return {{}, std::move(page)};
}

Drawing drawn(const ReportGraph& part, const HouseStyle* style, const Budget& budget) {
  Drawing made = layout(part.graph, {.decimals = part.decimals, .budget = budget});
  if (style != nullptr && style->node_radius > 0) made.node_radius = style->node_radius;
  return made;
}

}  // namespace sfg
