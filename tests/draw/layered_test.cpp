// Pictures of large graphs: what the layers promise, and what a reader sees.
#include "sfg/draw/graph/layered.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "sfg/draw/graph/layers.hpp"
#include "sfg/draw/graph/layout.hpp"
#include "sfg/draw/ink.hpp"

namespace sfg {
namespace {

using Index = LayeredGraph::Index;

void add(SignalFlowGraph& graph, const std::string& from, const std::string& to) {
  graph.add_branch(graph.node(from), graph.node(to), 2);
}

SignalFlowGraph ladder(int sections) {
  SignalFlowGraph graph;
  const auto v = [](int k) { return "v" + std::to_string(k); };
  const auto i = [](int k) { return "i" + std::to_string(k); };
  for (int k = 1; k <= sections; ++k) {
    add(graph, v(k - 1), i(k));
    add(graph, i(k), v(k));
    add(graph, v(k), i(k));
    if (k < sections) add(graph, i(k + 1), v(k));
  }
  graph.inputs = {graph.at("v0")};
  graph.outputs = {graph.at(v(sections))};
  return graph;
}

/// A chain with branches that lead near and, now and then, far.
SignalFlowGraph random_graph(unsigned seed, unsigned nodes, unsigned branches) {
  std::mt19937 random(seed);
  SignalFlowGraph graph;
  const auto name = [](unsigned k) { return "n" + std::to_string(k); };
  for (unsigned k = 1; k < nodes; ++k) add(graph, name(k - 1 - random() % std::min(k, 3U)), name(k));
  while (graph.branches().size() < branches) {
    const unsigned from = static_cast<unsigned>(random() % nodes), far = static_cast<unsigned>(random() % 9 == 0 ? nodes : 9);
    const unsigned to = from + static_cast<unsigned>(random() % far);
    if (to < nodes + 4 && to >= 5) add(graph, name(from), name(to - 4));
  }
  graph.inputs = {graph.at(name(0))};
  graph.outputs = {graph.at(name(nodes - 1))};
  return graph;
}

std::size_t crossings_counted(const LayeredGraph& g) {
  std::size_t count = 0;
  for (std::size_t k = 0; k + 1 < g.layers.size(); ++k)
    for (const Index a : g.layers[k])
      for (const Index b : g.layers[k])
        if (g.items[a].place < g.items[b].place)
          for (const Index c : g.right[a])
            for (const Index d : g.right[b]) count += g.items[c].place > g.items[d].place ? 1 : 0;
  return count;
}

LayeredGraph of(const SignalFlowGraph& graph) {
  return layered_graph(graph, flow(graph, std::vector<bool>(graph.branches().size())));
}

TEST(Layers, TwoLayersReachTheFewestCrossings) {
  std::size_t found = 0, least = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    SignalFlowGraph graph;
    for (int k = 0; k < 9; ++k) add(graph, "a" + std::to_string(random() % 5), "b" + std::to_string(random() % 5));
    LayeredGraph g = of(graph);
    if (g.layers.size() != 2) continue;
    const std::size_t reported = reduce_crossings(g, 1e7, {});
    EXPECT_EQ(reported, crossings_counted(g)) << "seed " << seed;
    std::size_t best = reported;
    for (auto& layer : g.layers) std::ranges::sort(layer);
    do {
      do {
        g.renumber();
        best = std::min(best, crossings_counted(g));
      } while (std::ranges::next_permutation(g.layers[1]).found);
    } while (std::ranges::next_permutation(g.layers[0]).found);
    found += reported;
    least += best;
  }
  EXPECT_GT(least, 20U);
  EXPECT_LE(found, least + 1);
}

/// Also where the flow has a stated output in mid-graph, or a sink before what enters it.
TEST(Layers, ChainsRunThroughEveryLayerBetweenTheirEnds) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    std::mt19937 random(seed);
    SignalFlowGraph graph;
    const unsigned nodes = 3 + random() % 20;
    for (unsigned k = 0; k < nodes; ++k) graph.node("n" + std::to_string(k));
    for (unsigned k = 0; k < nodes + seed % 9; ++k)
      graph.add_branch(NodeId{static_cast<std::uint32_t>(random() % nodes)}, NodeId{static_cast<std::uint32_t>(random() % nodes)},
                       2);
    if (seed % 2 == 0) graph.inputs = {NodeId{0}}, graph.outputs = {NodeId{nodes - 1}};
    Flow order = flow(graph, std::vector<bool>(graph.branches().size()));
    if (seed % 3 == 0) std::ranges::reverse(order.position);
    const LayeredGraph g = layered_graph(graph, order);
    for (const BranchId id : graph.branch_ids()) {
      const auto& chain = g.chains[id.index];
      ASSERT_EQ(chain.empty(), graph[id].from == graph[id].to);
      for (std::size_t i = 1; i < chain.size(); ++i) ASSERT_EQ(g.items[chain[i]].layer, g.items[chain[i - 1]].layer + 1) << seed;
      if (chain.empty()) continue;
      EXPECT_EQ(chain.front(), g.reversed[id.index] ? graph[id].to.index : graph[id].from.index);
      EXPECT_EQ(chain.back(), g.reversed[id.index] ? graph[id].from.index : graph[id].to.index);
    }
  }
}

TEST(Layers, LabelLayersAddNoCrossing) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    LayeredGraph g = of(random_graph(seed, 30, 55));
    const std::size_t before = reduce_crossings(g, 1e5, {});
    add_label_layers(g, std::vector<bool>(g.layers.size(), seed % 2 == 0));
    EXPECT_EQ(crossings_counted(g), before) << "seed " << seed;
  }
}

TEST(Layers, HeightsKeepItemsApartAndTheSpineStraight) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    LayeredGraph g = of(random_graph(seed, 60, 100));
    reduce_crossings(g, 1e5, {});
    add_label_layers(g, std::vector<bool>(g.layers.size()));
    for (auto& item : g.items) item.above = 5 + item.place % 7, item.below = 6;
    const std::vector<double> y = heights(g, {});
    for (const auto& layer : g.layers)
      for (std::size_t i = 1; i < layer.size(); ++i)
        EXPECT_GE(y[layer[i]] - y[layer[i - 1]], g.items[layer[i - 1]].below + g.items[layer[i]].above - 1e-9) << "seed " << seed;
    std::size_t spine = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (!g.items[i].spine) continue;
      EXPECT_NEAR(y[i], 0, 1e-9) << "seed " << seed;
      ++spine;
    }
    EXPECT_GT(spine, 10U) << "seed " << seed;
  }
}

Box box(const Label& label) { return bounds(ink(label.formula)); }

struct Seen {
  std::size_t on_labels = 0, on_nodes = 0, on_branches = 0, crossings = 0, loose_ends = 0;
};

bool meet(const std::vector<Box>& a, const std::vector<Box>& b) {
  return std::ranges::any_of(
      a, [&](const Box& x) { return std::ranges::any_of(b, [&](const Box& y) { return x.overlap(y) > 0; }); });
}

Seen seen(const Drawing& drawing) {
  Seen found;
  std::vector<std::vector<Box>> inks;
  std::vector<Box> labels;
  std::vector<std::vector<Point>> courses;
  for (const DrawnBranch& branch : drawing.branches) {
    labels.push_back(box(branch.gain));
    inks.push_back(ink(branch.gain.formula));
    courses.push_back(sampled(branch.curve));
  }
  for (const DrawnNode& node : drawing.nodes) {
    labels.push_back(box(node.name));
    inks.push_back(ink(node.name.formula));
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) found.on_labels += meet(inks[i], inks[k]) ? 1 : 0;
    for (const DrawnNode& node : drawing.nodes) found.on_nodes += labels[i].overlap(Box::around(node.at, 9, 9)) > 0 ? 1 : 0;
    for (std::size_t b = 0; b < courses.size(); ++b)
      if (b != i && std::ranges::any_of(courses[b], [&](Point p) { return labels[i].contains(p); })) ++found.on_branches;
  }
  for (std::size_t i = 0; i < courses.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      for (const Point p : crossing_points(courses[i], courses[k]))  // where branches part at a node nobody sees a crossing
        found.crossings +=
            std::ranges::none_of(drawing.nodes, [&](const DrawnNode& node) { return distance(node.at, p) < 12; }) ? 1 : 0;
  return found;
}

std::size_t loose_ends(const SignalFlowGraph& graph, const Drawing& drawing) {
  std::size_t count = 0;
  for (const DrawnBranch& branch : drawing.branches)
    count += distance(branch.curve.front(), drawing.nodes[graph[branch.id].from.index].at) > 1e-6 ||
                     distance(branch.curve.back(), drawing.nodes[graph[branch.id].to.index].at) > 1e-6
                 ? 1
                 : 0;
  return count;
}

TEST(Layered, LabelsOfLargeGraphsLieOnNothing) {
  std::size_t labels = 0, on_branches = 0;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const SignalFlowGraph graph = random_graph(seed, 90, 160);
    const Drawing drawing = layout(graph, {.parts = Parts::all});
    const Seen found = seen(drawing);
    EXPECT_EQ(found.on_labels, 0U) << "seed " << seed;
    EXPECT_EQ(found.on_nodes, 0U) << "seed " << seed;
    EXPECT_EQ(loose_ends(graph, drawing), 0U) << "seed " << seed;
    labels += drawing.nodes.size() + drawing.branches.size();
    on_branches += found.on_branches;
  }
  EXPECT_LT(100 * on_branches, labels) << on_branches << " of " << labels;
}

/// The straight pieces of a forward path from the first to the last node, row by row where the picture is broken into rows.
TEST(Layered, AForwardPathLiesOnOneLine) {
  const SignalFlowGraph graph = random_graph(3, 90, 160);
  const Drawing drawing = layout(graph, {.parts = Parts::all});
  std::vector<bool> reached(graph.nodes().size());
  reached[graph.inputs[0].index] = true;
  for (bool more = true; more;) {
    more = false;
    for (const DrawnBranch& branch : drawing.branches) {
      const auto [low, high] = std::ranges::minmax(branch.curve, {}, &Point::y);
      const auto from = graph[branch.id].from.index, to = graph[branch.id].to.index;
      const Point first = branch.curve.front(), last = branch.curve.back();
      const bool to_next_row = !branch.feedback && last.x < first.x && last.y > first.y + 100;
      if (!reached[from] || reached[to] || (!to_next_row && (high.y - low.y > 0.1 || last.x < first.x))) continue;
      reached[to] = more = true;
    }
  }
  EXPECT_TRUE(reached[graph.outputs[0].index]);
}

TEST(Layered, ALongLadderIsBrokenIntoRows) {
  const SignalFlowGraph graph = ladder(60);
  const Drawing drawing = layout(graph);
  EXPECT_LT(drawing.width, 3 * drawing.height);
  EXPECT_LT(drawing.height, 2 * drawing.width);
  const Seen found = seen(drawing);
  EXPECT_EQ(found.crossings, 0U);
  EXPECT_EQ(found.on_labels + found.on_nodes + found.on_branches, 0U);
  EXPECT_EQ(loose_ends(graph, drawing), 0U);
}

TEST(Layered, SelfLoopsAndParallelBranchesStandApart) {
  SignalFlowGraph graph = ladder(40);
  for (const char* node : {"v3", "v3", "i9", "v40"}) add(graph, node, node);
  for (int k = 0; k < 3; ++k) add(graph, "v7", "i8");
  const Drawing drawing = layout(graph);
  const Seen found = seen(drawing);
  EXPECT_EQ(found.on_labels + found.on_nodes + found.on_branches, 0U);
  EXPECT_EQ(loose_ends(graph, drawing), 0U);
}

/// A large graph with an appendix that leads to no output, which a nonlinear law needs a signal of.
TEST(Layered, WhatNoOutputDependsOnIsLeftOutAndSaid) {
  SignalFlowGraph graph = ladder(60);
  add(graph, "v9", "meter");
  add(graph, "meter", "lamp");
  add(graph, "v9", "speed");
  add(graph, "v60", "v61");
  graph.outputs = {graph.at("v60")};
  const std::size_t branches = graph.branches().size();
  const Drawing drawing = layout(graph);
  EXPECT_EQ(drawing.left_out, "4 nodes that no output depends on: meter, lamp, speed, v61");
  EXPECT_NE(drawing.description.find("Left out: 4 nodes"), std::string::npos);
  EXPECT_EQ(drawing.branches.size(), branches - 4);
  for (const DrawnBranch& branch : drawing.branches) {
    EXPECT_EQ(branch.from, graph[graph[branch.id].from].name);
    EXPECT_EQ(branch.to, graph[graph[branch.id].to].name);
  }
  EXPECT_EQ(layout(graph, {.parts = Parts::all}).branches.size(), branches);
  const GiNaC::symbol signal("w"), rate("w_t");
  graph.add_branch({graph.at("v0"), graph.at("i1"), Nonlinearity{signal, {{signal, rate, graph.at("speed")}}}, {}, {}});
  EXPECT_EQ(layout(graph).left_out, "3 nodes that no output depends on: meter, lamp, v61");
}

TEST(Layered, SmallGraphsAreShownWhole) {
  SignalFlowGraph graph = ladder(3);
  add(graph, "v1", "meter");
  EXPECT_EQ(layout(graph).left_out, "");
  EXPECT_EQ(layout(graph, {.parts = Parts::used}).left_out, "1 node that no output depends on: meter");
}

TEST(Layered, HairballsAreRefusedBeforeAnyWork) {
  SignalFlowGraph graph;
  for (unsigned i = 0; i < 200; ++i)
    for (unsigned k = 1; k <= 10; ++k) add(graph, "n" + std::to_string(i), "n" + std::to_string((i + k * k) % 200));
  try {
    layout(graph, {.budget = Budget({.seconds = 0})});
    FAIL() << "2000 branches among 200 nodes were drawn";
  } catch (const LimitReached& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("could not be followed"), std::string::npos) << refusal.what();
  }
}

}  // namespace
}  // namespace sfg
