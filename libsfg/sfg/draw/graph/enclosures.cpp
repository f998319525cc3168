#include "sfg/draw/graph/enclosures.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>

#include "sfg/draw/graph/graph_scene.hpp"
#include "sfg/draw/graph/layout.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

constexpr double enclosure_margin = 14, enclosure_corner = 6;

struct Rectangle {
  double left = std::numeric_limits<double>::max(), top = left, right = -left, bottom = -left;
  void include(Point p, double around) {
    left = std::min(left, p.x - around);
    top = std::min(top, p.y - around);
    right = std::max(right, p.x + around);
    bottom = std::max(bottom, p.y + around);
  }
  void include(const Label& label) {
    if (label.formula.width == 0) return;
    const double w = label.formula.width / 2, h = label.formula.height() / 2;
    include({label.centre.x - w, label.centre.y - h}, 0);
    include({label.centre.x + w, label.centre.y + h}, 0);
  }
  bool has(Point p) const { return p.x > left && p.x < right && p.y > top && p.y < bottom; }
  SceneShape shape(const std::string& style) const {
    return {SceneShape::Kind::box, style, {{left, top}, {right, bottom}}, enclosure_corner, {}};
  }
};

Rectangle box_about_name(const DrawnNode& node) {
  const double w = std::max(node.name.formula.width / 2 + 10, 18.0), h = node.name.formula.height() / 2 + 9;
  Rectangle box;
  box.include({node.at.x - w, node.at.y - h}, 0);
  box.include({node.at.x + w, node.at.y + h}, 0);
  return box;
}

/// The part of a Bézier curve up to t, or from there.
std::array<Point, 4> cut(const std::array<Point, 4>& p, double t, bool first) {
  const auto mid = [t](Point a, Point b) { return Point{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)}; };
  const Point a = mid(p[0], p[1]), b = mid(p[1], p[2]), c = mid(p[2], p[3]), d = mid(a, b), e = mid(b, c), f = mid(d, e);
  return first ? std::array<Point, 4>{p[0], a, d, f} : std::array<Point, 4>{f, e, c, p[3]};
}

/// The course without what lies in the box at its beginning.
void begin_outside(std::vector<Point>& curve, const Rectangle& box) {
  while (curve.size() >= 4 && box.has(curve[0]) && curve.size() > 4 && box.has(curve[3]))
    curve.erase(curve.begin(), curve.begin() + 3);
  if (curve.size() < 4 || !box.has(curve[0])) return;
  const std::array<Point, 4> span{curve[0], curve[1], curve[2], curve[3]};
  double inside = 0, outside = 1;
  for (int i = 0; i < 40 && inside == 0; ++i)
    if (const double t = (i + 1) / 40.0; !box.has(cut(span, t, true)[3])) outside = t, inside = t - 1 / 40.0;
  for (int i = 0; i < 20; ++i) {
    const double t = (inside + outside) / 2;
    (box.has(cut(span, t, true)[3]) ? inside : outside) = t;
  }
  const auto rest = cut(span, outside, false);
  std::ranges::copy(rest, curve.begin());
}

void move_label(Label& label, Point centre) {
  label.formula = label.formula.moved(centre.x - label.centre.x, centre.y - label.centre.y);
  label.centre = centre;
}

/// Nodes of closed enclosures get boxes, and their branches end there.
std::map<std::string, Rectangle> make_boxes(Drawing& drawing, std::span<const BlockOutline> enclosures) {
  std::map<std::string, Rectangle> boxes;
  for (const BlockOutline& enclosure : enclosures) {
    const auto node = std::ranges::find(drawing.nodes, enclosure.name, &DrawnNode::title);
    if (!enclosure.closed || node == drawing.nodes.end()) continue;
    move_label(node->name, node->at);
    boxes.emplace(enclosure.name, box_about_name(*node));
  }
  for (DrawnBranch& branch : drawing.branches) {
    if (const auto box = boxes.find(branch.from); box != boxes.end()) begin_outside(branch.curve, box->second);
    if (const auto box = boxes.find(branch.to); box != boxes.end()) {
      std::ranges::reverse(branch.curve);
      begin_outside(branch.curve, box->second);
      std::ranges::reverse(branch.curve);
    }
  }
  return boxes;
}

SceneGroup frame_of(const BlockOutline& enclosure, std::span<const BlockOutline> all, const Drawing& drawing,
                    const std::map<std::string, Rectangle>& boxes) {
  std::set<std::string> within(enclosure.nodes.begin(), enclosure.nodes.end());
  Rectangle frame;
  for (const BlockOutline& inner : all) {
    if (!boxes.contains(inner.name) || !std::ranges::any_of(inner.nodes, [&](const auto& node) { return within.contains(node); }))
      continue;
    const Rectangle& box = boxes.at(inner.name);
    frame.include({box.left, box.top}, 0);
    frame.include({box.right, box.bottom}, 0);
    within.insert(inner.name);
  }
  for (const DrawnNode& node : drawing.nodes) {
    if (!within.contains(node.title)) continue;
    frame.include(node.at, drawing.node_radius);
    frame.include(node.name);
  }
  for (const DrawnBranch& branch : drawing.branches) {
    if (!within.contains(branch.from) || !within.contains(branch.to)) continue;
    frame.include(branch.gain);
    for (const Point p : branch.curve) frame.include(p, 2);
  }
  SceneGroup group{"enclosure", {{"block", enclosure.name}}, enclosure.name, {}, {}, {}};
  if (frame.left > frame.right) return group;
  Label label{Math::signal(enclosure.name), typeset(Math::signal(enclosure.name), drawing.text_size), {}};
  frame.left -= enclosure_margin;
  frame.right = std::max(frame.right + enclosure_margin, frame.left + label.formula.width + enclosure_margin);
  frame.bottom += enclosure_margin;
  frame.top -= enclosure_margin + label.formula.height();
  const Point at{frame.left + 8, frame.top + 5 + label.formula.ascent};
  label.formula = label.formula.moved(at.x, at.y);
  label.centre = {at.x + label.formula.width / 2, frame.top + 5 + label.formula.height() / 2};
  group.shapes.push_back(frame.shape("frame"));
  group.texts.push_back({label, "name", {}});
  return group;
}

/// The picture grows to hold its frames.
void make_room(Scene& scene) {
  Rectangle all;
  all.include({0, 0}, 0);
  all.include({scene.width, scene.height}, 0);
  for (const SceneGroup& group : scene.groups)
    if (group.style == "enclosure")
      for (const SceneShape& shape : group.shapes)
        for (const Point p : shape.points) all.include(p, 6);
  const double x = -all.left, y = -all.top;
  scene.width = all.right - all.left;
  scene.height = all.bottom - all.top;
  if (x == 0 && y == 0) return;
  for (SceneGroup& group : scene.groups) shift(group, {x, y});
}

}  // namespace

SignalFlowGraph with_boxes(const SignalFlowGraph& graph, std::span<const BlockOutline> enclosures) {
  std::map<std::string, std::string> box;  // of a node
  for (const BlockOutline& enclosure : enclosures)
    if (enclosure.closed)
      for (const std::string& node : enclosure.nodes) box.emplace(node, enclosure.name);
  SignalFlowGraph made = SignalFlowGraph::like(graph);
  std::vector<NodeId> ids;
  for (const Node& node : graph.nodes()) {
    const auto in = box.find(node.name);
    if (in == box.end())
      ids.push_back(made.add_node(node));
    else
      ids.push_back(made.node(in->second, node.where));
  }
  std::set<std::pair<std::pair<NodeId, NodeId>, std::string>> drawn;
  for (Branch branch : graph.branches()) {
    branch.from = ids[branch.from.index];
    branch.to = ids[branch.to.index];
    const auto is_box = [&](NodeId id) {
      return std::ranges::any_of(enclosures, [&](const auto& each) { return each.closed && made[id].name == each.name; });
    };
    const bool boxed = is_box(branch.from) || is_box(branch.to);
    if (boxed && branch.from == branch.to) continue;
    if (auto* law = std::get_if<Nonlinearity>(&branch.law))
      for (auto& argument : law->arguments) argument.node = ids[argument.node.index];
    else if (boxed && !drawn.insert({{branch.from, branch.to}, print(branch.gain())}).second)
      continue;
    made.add_branch(std::move(branch));
  }
  made.inputs.clear();
  made.outputs.clear();
  const auto keep = [&](const std::vector<NodeId>& from, std::vector<NodeId>& to) {
    for (const NodeId id : from)
      if (std::ranges::find(to, ids[id.index]) == to.end()) to.push_back(ids[id.index]);
  };
  keep(graph.inputs, made.inputs);
  keep(graph.outputs, made.outputs);
  return made;
}

Scene enclosed_scene(const Drawing& drawn, std::span<const BlockOutline> enclosures, const Highlight& highlight) {
  Drawing drawing = drawn;
  const std::map<std::string, Rectangle> boxes = make_boxes(drawing, enclosures);
  Scene scene = graph_scene(drawing, highlight);
  for (SceneGroup& group : scene.groups) {
    if (!group.style.starts_with("node")) continue;
    const auto box = boxes.find(group.title);
    if (box == boxes.end()) continue;
    group.style = "block";
    group.data = {{"block", group.title}};
    group.shapes = {box->second.shape("block")};
  }
  std::vector<SceneGroup> frames;
  for (const BlockOutline& enclosure : enclosures)
    if (!enclosure.closed) frames.push_back(frame_of(enclosure, enclosures, drawing, boxes));
  scene.groups.insert(scene.groups.begin(), frames.begin(), frames.end());
  for (const auto& [name, box] : boxes) {
    scene.width = std::max(scene.width, box.right + enclosure_margin);
    scene.height = std::max(scene.height, box.bottom + enclosure_margin);
  }
  make_room(scene);
  return scene;
}

std::string enclosed_picture(const SignalFlowGraph& graph, std::span<const BlockOutline> blocks, PictureFormat format,
                             const PictureOptions& options) {
  const SignalFlowGraph shown = with_boxes(graph, blocks);
  if (format == PictureFormat::dot) return picture(shown, format, options);
  const Drawing drawing = layout(shown, {.parts = options.parts, .decimals = options.decimals, .budget = options.budget});
  return picture(enclosed_scene(drawing, blocks, options.highlight), format, options);
}

}  // namespace sfg
