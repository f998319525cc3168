// Places that a file states: kept up to one scale and shift, whatever the rest of the graph is.
#include "sfg/draw/graph/stated_places.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <random>

#include "sfg/draw/graph/layout.hpp"
#include "sfg/error.hpp"
#include "sfg/read/input.hpp"

namespace sfg {
namespace {

SignalFlowGraph with_places(const std::vector<std::string>& places) {
  SignalFlowGraph graph;
  for (std::size_t i = 0; i < places.size(); ++i) {
    Node node{.name = "x" + std::to_string(i), .where = {}, .attributes = {}};
    if (!places[i].empty()) node.attributes.emplace_back("pos", places[i]);
    graph.add_node(node);
  }
  return graph;
}

/// The drawn nodes against the stated ones: one factor for all, nothing turned or bent.
void expect_kept(const Drawing& drawing, const std::vector<std::optional<Point>>& stated) {
  using Complex = std::complex<double>;
  std::vector<std::pair<Complex, Complex>> pairs;
  for (const DrawnNode& node : drawing.nodes)
    if (const auto& place = stated[node.id.index]) pairs.emplace_back(Complex(place->x, place->y), Complex(node.at.x, node.at.y));
  ASSERT_GE(pairs.size(), 2U);
  const Complex factor = (pairs[1].second - pairs[0].second) / (pairs[1].first - pairs[0].first);
  EXPECT_NEAR(factor.imag(), 0, 1e-9);
  EXPECT_GT(factor.real(), 0);
  for (const auto& [from, to] : pairs) EXPECT_LT(std::abs(to - pairs[0].second - factor * (from - pairs[0].first)), 1e-6);
}

TEST(StatedPlaces, AreReadAsDotHasThem) {
  const auto places = stated_places(with_places({"1,2", "-3.5,4e1!", "", " 5 , 6 ", "7,8,9"}));
  ASSERT_EQ(places.size(), 5U);
  EXPECT_EQ(places[0]->x, 1);
  EXPECT_EQ(places[0]->y, -2);
  EXPECT_EQ(places[1]->x, -3.5);
  EXPECT_EQ(places[1]->y, -40);
  EXPECT_FALSE(places[2]);
  EXPECT_EQ(places[3]->x, 5);
  EXPECT_EQ(places[4]->y, -8);
  EXPECT_TRUE(stated_places(with_places({"1,2", ""})).empty());  // one place alone says nothing
}

TEST(StatedPlaces, WhatIsNoPlaceIsRefused) {
  for (const char* wrong : {"1", "1,", "a,b", "1,2,x", "1,2!!", "nan,1", "1;2"})
    EXPECT_THROW(stated_places(with_places({wrong, "1,2"})), Error) << wrong;
  EXPECT_THROW(stated_places(with_places({"1,2", "3,4", "1.0,2!"})), Error);
}

TEST(StatedPlaces, AreKeptInRandomGraphs) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto pick = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
    const unsigned nodes = 2 + pick(9);
    std::vector<std::string> text(nodes);
    for (unsigned i = 0; i < nodes; ++i)
      if (i < 2 || pick(4) != 0) text[i] = std::to_string(40 * i + pick(30)) + "," + std::to_string(pick(300));
    SignalFlowGraph graph = with_places(text);
    for (unsigned k = 0; k < 2 * nodes; ++k) graph.add_branch(NodeId{pick(nodes)}, NodeId{pick(nodes)}, 1 + k);
    const Drawing drawing = layout(graph);
    expect_kept(drawing, stated_places(graph));
    for (const DrawnBranch& branch : drawing.branches) {
      const Point from = drawing.nodes[graph[branch.id].from.index].at, to = drawing.nodes[graph[branch.id].to.index].at;
      EXPECT_LT(distance(branch.curve.front(), from), 0.1);
      EXPECT_LT(distance(branch.curve.back(), to), 0.1);
    }
    for (const DrawnNode& a : drawing.nodes)
      for (const DrawnNode& b : drawing.nodes) {
        const bool both_stated = stated_places(graph)[a.id.index] && stated_places(graph)[b.id.index];
        EXPECT_TRUE(a.id == b.id || both_stated || distance(a.at, b.at) > 12);
      }
  }
}

TEST(StatedPlaces, ABranchGoesRoundANodeInItsWay) {
  SignalFlowGraph graph = with_places({"0,0", "100,0", "200,0"});
  graph.add_branch(NodeId{0}, NodeId{2}, 2);
  graph.add_branch(NodeId{0}, NodeId{1}, 3);
  const Drawing drawing = layout(graph);
  for (const Point p : sampled(drawing.branches[0].curve)) EXPECT_GT(distance(p, drawing.nodes[1].at), 8);
}

TEST(StatedPlaces, ComeFromAFile) {
  const Input input =
      read(R"(digraph g { a [pos="0,0"]; b [pos="90,45!"]; c [pos="180,-30"]; a -> b; b -> c; c -> b [gain="-2"]; })",
           InputFormat::dot, "places.dot");
  const auto& graph = std::get<SignalFlowGraph>(input.content);
  expect_kept(layout(graph), stated_places(graph));
}

}  // namespace
}  // namespace sfg
