// What a reader sees of the published graphs and the examples: labels that lie on nothing else.
#include "sfg/draw/graph/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <sstream>

#include "sfg/derive/derive.hpp"
#include "sfg/draw/ink.hpp"
#include "sfg/draw/svg.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/input.hpp"

namespace sfg {
namespace {

std::vector<Point> points(const DrawnBranch& branch) {
  std::vector<Point> found;
  for (std::size_t span = 0; 3 * span + 3 < branch.curve.size(); ++span)
    for (int i = 0; i <= 100; ++i) found.push_back(bezier(&branch.curve[3 * span], i / 100.0));
  return found;
}

bool meet(const std::vector<Box>& a, const std::vector<Box>& b) {
  return std::ranges::any_of(
      a, [&](const Box& x) { return std::ranges::any_of(b, [&](const Box& y) { return x.overlap(y) > 0; }); });
}

struct Faults {
  std::size_t labels = 0, on_labels = 0, on_nodes = 0, on_branches = 0;
};

/// By the boxes of the ink.
Faults faults(const Drawing& drawing) {
  std::vector<std::vector<Box>> inks;
  for (const DrawnNode& node : drawing.nodes) inks.push_back(ink(node.name.formula));
  for (const DrawnBranch& branch : drawing.branches) inks.push_back(ink(branch.gain.formula));
  Faults found{inks.size(), 0, 0, 0};
  for (std::size_t i = 0; i < inks.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) found.on_labels += meet(inks[i], inks[k]) ? 1 : 0;
    for (const DrawnNode& node : drawing.nodes)
      found.on_nodes += meet(inks[i], {Box::around(node.at, drawing.node_radius, drawing.node_radius)}) ? 1 : 0;
    for (std::size_t b = 0; b < drawing.branches.size(); ++b) {
      if (b + drawing.nodes.size() == i) continue;
      const auto inside = [&](Point p) { return std::ranges::any_of(inks[i], [&](const Box& x) { return x.contains(p); }); };
      found.on_branches += std::ranges::any_of(points(drawing.branches[b]), inside) ? 1 : 0;
    }
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
  const NodeId a = graph.node("a"), b = graph.node("b");
  graph.add_branch(a, b, 1);
  EXPECT_THROW(layout(graph, {.budget = Budget({.seconds = 0})}), LimitReached);
}

TEST(Layout, NoTwoNodesShareAPlace) {
  constexpr int graphs = 250;
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
