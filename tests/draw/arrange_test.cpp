// Where the nodes of known figures stand, and that what is called feedback is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sfg/derive/derive.hpp"
#include "sfg/draw/graph/layout.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/input.hpp"

namespace sfg {
namespace {

using Ends = std::pair<const char*, const char*>;

SignalFlowGraph graph_of(std::initializer_list<Ends> branches, const char* input, const char* output) {
  SignalFlowGraph graph;
  for (const auto& [from, to] : branches) graph.add_branch(graph.node(from), graph.node(to), 1);
  graph.inputs = {*graph.find(input)};
  graph.outputs = {*graph.find(output)};
  return graph;
}

std::map<std::string, Point> places(const SignalFlowGraph& graph) {
  std::map<std::string, Point> made;
  for (const DrawnNode& node : layout(graph).nodes) made[node.title] = node.at;
  return made;
}

/// As S-parameters are drawn: a1 and b2 above, b1 and a2 below them.
TEST(Arrange, ATwoPortIsARectangle) {
  const auto at = places(
      graph_of({{"bs", "a1"}, {"a1", "b1"}, {"a1", "b2"}, {"a2", "b1"}, {"a2", "b2"}, {"b1", "a1"}, {"b2", "a2"}}, "bs", "b2"));
  EXPECT_NEAR(at.at("a1").x, at.at("b1").x, 1);
  EXPECT_NEAR(at.at("a2").x, at.at("b2").x, 1);
  EXPECT_NEAR(at.at("a1").y, at.at("b2").y, 1);
  EXPECT_NEAR(at.at("b1").y, at.at("a2").y, 1);
  EXPECT_GT(at.at("b1").y, at.at("a1").y);
}

/// Augustaitis' vehicle: the wheels' inputs stand in a column, in their order, left of all equations.
TEST(Arrange, SourcesOfCoupledEquationsStandInAColumn) {
  for (const char* name : {"/examples/vehicle.toml", "/graphs/mechanics/vehicle.dot"}) {
    Input input = read_file(SFG_SOURCE_DIR + std::string(name));
    auto* drawn = std::get_if<SignalFlowGraph>(&input.content);
    const auto at = places(drawn != nullptr ? *drawn : from_equations(derive(std::get<Model>(input.content))).graph);
    double above = -1e9;
    for (const char* source : {"z1", "z2", "z3", "z4"}) {
      EXPECT_NEAR(at.at(source).x, at.at("z1").x, 1) << name;
      EXPECT_GT(at.at(source).y, above) << name;
      above = at.at(source).y;
      for (const char* equation : {"e_phix", "e_phiy", "e_Z"}) EXPECT_LT(at.at(source).x, at.at(equation).x - 20) << name;
    }
  }
}

/// An output that the line runs past: the line stays one.
TEST(Arrange, AnOutputInMidLineLeavesTheLineStraight) {
  SignalFlowGraph graph;
  constexpr unsigned nodes = 18;
  const auto node = [&](unsigned i) { return graph.node("n" + std::to_string(i)); };
  for (unsigned i = 0; i + 1 < nodes; ++i) graph.add_branch(node(i), node(i + 1), 1);
  graph.add_branch(node(nodes - 1), node(2), -1);
  graph.inputs = {node(0)};
  graph.outputs = {node(4)};
  const Drawing drawing = layout(graph);
  for (const DrawnNode& n : drawing.nodes) EXPECT_NEAR(n.at.y, drawing.nodes.front().at.y, 1) << n.title;
  EXPECT_EQ(std::ranges::count_if(drawing.branches, &DrawnBranch::feedback), 1);
}

/// Two-way branches part like ( ): the middles of their curves lie apart.
TEST(Arrange, TwoWayBranchesPart) {
  const SignalFlowGraph graph =
      graph_of({{"r", "a"}, {"a", "b"}, {"b", "y"}, {"a", "c"}, {"c", "a"}, {"b", "d"}, {"d", "b"}}, "r", "y");
  const Drawing drawing = layout(graph);
  for (const std::size_t first : {3U, 5U}) {
    const Point a = drawing.branches[first].arrow, b = drawing.branches[first + 1].arrow;
    EXPECT_GT(std::hypot(a.x - b.x, a.y - b.y), 10);
  }
}

TEST(Arrange, WithoutACycleNothingIsFeedback) {
  std::mt19937 random(7);
  for (int i = 0; i < 15; ++i) {
    const unsigned nodes = 4 + static_cast<unsigned>(random() % 12);
    SignalFlowGraph graph;
    std::vector<NodeId> ids;
    for (unsigned n = 0; n < nodes; ++n) ids.push_back(graph.node("n" + std::to_string(n)));
    std::ranges::shuffle(ids, random);
    for (unsigned k = 0; k < 2 * nodes; ++k) {
      const auto from = static_cast<std::size_t>(random() % (nodes - 1));
      graph.add_branch(ids[from], ids[from + 1 + random() % (nodes - 1 - from)], 1);
    }
    const Drawing drawing = layout(graph);
    EXPECT_EQ(std::ranges::count_if(drawing.branches, &DrawnBranch::feedback), 0) << i;
  }
}

}  // namespace
}  // namespace sfg
