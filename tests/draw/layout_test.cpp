// What a reader sees of the published graphs and the examples: labels that lie on nothing else.
#include "sfg/draw/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <sstream>

#include "sfg/derive/derive.hpp"
#include "sfg/draw/svg.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/input.hpp"

namespace sfg {
namespace {

struct Rectangle {
  double left, top, right, bottom;
  bool meets(const Rectangle& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
  bool holds(Point p) const { return p.x > left && p.x < right && p.y > top && p.y < bottom; }
};

Rectangle around(Point centre, double width, double height) {
  return {centre.x - width / 2, centre.y - height / 2, centre.x + width / 2, centre.y + height / 2};
}
Rectangle box(const Label& label) { return around(label.centre, label.formula.width, label.formula.height()); }

Point on(const std::vector<Point>& curve, std::size_t span, double t) {
  const Point* p = &curve[3 * span];
  const double u = 1 - t, a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
  return {a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x, a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

bool passes(const DrawnBranch& branch, const Rectangle& box) {
  for (std::size_t span = 0; 3 * span + 3 < branch.curve.size(); ++span)
    for (int i = 0; i <= 100; ++i)
      if (box.holds(on(branch.curve, span, i / 100.0))) return true;
  return false;
}

struct Faults {
  std::size_t labels = 0, on_labels = 0, on_nodes = 0, on_branches = 0;
};

Faults faults(const Drawing& drawing) {
  std::vector<Rectangle> boxes;
  for (const DrawnNode& node : drawing.nodes) boxes.push_back(box(node.name));
  for (const DrawnBranch& branch : drawing.branches) boxes.push_back(box(branch.gain));
  Faults found{boxes.size(), 0, 0, 0};
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) found.on_labels += boxes[i].meets(boxes[k]) ? 1 : 0;
    for (const DrawnNode& node : drawing.nodes)
      found.on_nodes += boxes[i].meets(around(node.at, drawing.node_radius, drawing.node_radius)) ? 1 : 0;
    for (std::size_t b = 0; b < drawing.branches.size(); ++b)
      if (b + drawing.nodes.size() != i) found.on_branches += passes(drawing.branches[b], boxes[i]) ? 1 : 0;
  }
  return found;
}

SignalFlowGraph graph_in(const std::filesystem::path& file) {
  Input input = read_file(file.string());
  if (auto* graph = std::get_if<SignalFlowGraph>(&input.content)) return std::move(*graph);
  return from_equations(derive(std::get<Model>(input.content))).graph;
}

std::vector<std::filesystem::path> files() {
  std::vector<std::filesystem::path> found;
  for (const char* folder : {"/graphs", "/examples"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(SFG_SOURCE_DIR + std::string(folder)))
      if (const auto kind = entry.path().extension(); kind == ".dot" || kind == ".toml" || kind == ".cir")
        found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

TEST(Layout, LabelsLieOnNoOtherLabelAndOnNoNode) {
  Faults all;
  for (const auto& file : files()) {
    const SignalFlowGraph graph = graph_in(file);
    if (!suits_layout(graph)) continue;
    const Faults found = faults(layout(graph));
    EXPECT_EQ(found.on_labels, 0U) << file;
    EXPECT_EQ(found.on_nodes, 0U) << file;
    if (found.on_branches > 0) std::cout << file << ": " << found.on_branches << " of " << found.labels << "\n";
    all.labels += found.labels;
    all.on_branches += found.on_branches;
  }
  EXPECT_GT(all.labels, 1000U);
  EXPECT_LT(50 * all.on_branches, all.labels) << all.on_branches << " labels of " << all.labels << " on foreign branches";
}

double least_distance(const Drawing& drawing) {
  double least = 1e9;
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      least = std::min(least,
                       std::hypot(drawing.nodes[i].at.x - drawing.nodes[k].at.x, drawing.nodes[i].at.y - drawing.nodes[k].at.y));
  return least;
}

/// n1 -> n3 -> n5 -> n7 hangs on nothing but its end n12, which n34 -> n35 pushes to the right.
TEST(Layout, AChainWhoseEndIsPushedStaysAChain) {
  SignalFlowGraph graph;
  for (const auto& [from, to] : {std::pair{"n0", "n34"},
                                 {"n1", "n3"},
                                 {"n3", "n5"},
                                 {"n5", "n7"},
                                 {"n7", "n12"},
                                 {"n34", "n35"},
                                 {"n34", "n39"},
                                 {"n35", "n12"}})
    graph.add_branch(graph.node(from), graph.node(to), 1);
  graph.inputs = {*graph.find("n0")};
  graph.outputs = {*graph.find("n39")};
  EXPECT_GT(least_distance(layout(graph)), 30);
}

TEST(Layout, EndsWithItsBudget) {
  SignalFlowGraph graph;
  const NodeId a = graph.add_node("a"), b = graph.add_node("b");
  graph.add_branch(a, b, 1);
  EXPECT_THROW(layout(graph, {.budget = Budget({.seconds = 0})}), LimitReached);
}

TEST(Layout, NoTwoNodesShareAPlace) {
  constexpr int graphs = 400;
  for (int seed = 1; seed <= graphs; ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    const unsigned nodes = 3 + below(22), branches = nodes / 2 + below(nodes + 4);
    SignalFlowGraph graph;
    for (unsigned i = 0; i < nodes; ++i) graph.node("n" + std::to_string(i));
    for (unsigned i = 0; i < branches; ++i) {
      const unsigned from = below(nodes), to = below(5) == 0 ? below(nodes) : std::min(nodes - 1, from + below(4));
      graph.add_branch(*graph.find("n" + std::to_string(from)), *graph.find("n" + std::to_string(to)), 1);
    }
    if (below(2) == 0) graph.inputs = {*graph.find("n0")}, graph.outputs = {*graph.find("n" + std::to_string(nodes - 1))};
    const Drawing drawing = layout(graph);
    ASSERT_GT(least_distance(drawing), 3 * drawing.node_radius) << "seed " << seed;
  }
}

TEST(Layout, TheSameGraphGivesTheSamePicture) {
  const SignalFlowGraph graph = graph_in(SFG_SOURCE_DIR "/examples/vehicle.toml");
  std::ostringstream first, second;
  write_svg(first, layout(graph), {});
  write_svg(second, layout(graph), {});
  EXPECT_EQ(first.str(), second.str());
}

}  // namespace
}  // namespace sfg
