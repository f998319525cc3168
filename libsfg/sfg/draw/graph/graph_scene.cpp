#include "sfg/draw/graph/graph_scene.hpp"

namespace sfg {
namespace {

SceneShape branch_head(const DrawnBranch& branch, const std::string& style, const HouseStyle* house) {
  const Point tip = branch.arrow, d = branch.direction;
  const auto corner = [&](double backwards, double sideways) {
    return Point{tip.x - backwards * d.x - sideways * d.y, tip.y - backwards * d.y + sideways * d.x};
  };
  const double length = house != nullptr && house->arrow_length > 0 ? house->arrow_length : 11,
               half = (house != nullptr && house->arrow_width > 0 ? house->arrow_width : 8.4) / 2;
  return {
      SceneShape::Kind::polygon, style, {tip, corner(length, -half), corner(length * 8.5 / 11, 0), corner(length, half)}, 0, {}};
}

SceneGroup group(const DrawnBranch& branch, bool on, const HouseStyle* house) {
  const std::string kind = std::string(branch.nonlinear ? " law" : "") + (branch.feedback ? " back" : "");
  SceneGroup made{"branch" + kind + (on ? " on" : ""),
                  {{"from", branch.from}, {"to", branch.to}, {"branch", std::to_string(branch.id.index)}},
                  branch.title,
                  {},
                  {},
                  {}};
  made.shapes.push_back({SceneShape::Kind::curve, "branch" + kind, branch.curve, 0, {}});
  made.shapes.push_back(branch_head(branch, "head" + kind, house));
  made.texts.push_back({branch.gain, "gain", {}});
  return made;
}

SceneGroup group(const DrawnNode& node, double radius, bool on) {
  SceneGroup made{on ? "node on" : "node", {{"node", node.title}}, node.title, {}, {}, {}};
  made.shapes.push_back({SceneShape::Kind::circle, "node", {node.at}, radius, {}});
  made.texts.push_back({node.name, "name", {}});
  return made;
}

}  // namespace

std::vector<SceneGroup> graph_groups(const Drawing& drawing, const Highlight& highlight, const HouseStyle* house) {
  std::vector<SceneGroup> made;
  for (const DrawnBranch& branch : drawing.branches) made.push_back(group(branch, highlight.has(branch.id), house));
  for (const DrawnNode& node : drawing.nodes) made.push_back(group(node, drawing.node_radius, highlight.has(node.id)));
  for (const DrawnNumber& number : drawing.numbers)
    made.push_back({"number", {{"loop", std::to_string(number.loop)}}, "", {}, {{number.label, "label", {}}}, {}});
  if (!drawing.legend.empty()) {
    made.push_back({"legend", {}, "", {}, {}, {}});
    for (const Label& line : drawing.legend) made.back().groups.push_back({"entry", {}, "", {}, {{line, "legend", {}}}, {}});
  }
  return made;
}

Scene graph_scene(const Drawing& drawing, const Highlight& highlight, const HouseStyle* house) {
  return {drawing.title,  drawing.description, drawing.width,
          drawing.height, drawing.text_size,   graph_groups(drawing, highlight, house)};
}

}  // namespace sfg
