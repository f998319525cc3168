// What a reader of random graphs would stumble over, measured on the finished drawing: curves, ink and arrow heads.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <random>

#include "sfg/draw/graph/layout.hpp"
#include "sfg/draw/ink.hpp"
#include "sfg/expr/parse.hpp"

namespace sfg {
namespace {

SignalFlowGraph random_graph(unsigned seed) {
  constexpr std::array gains{"1", "-1", "K_1", "1/s", "-H_2", "1/(s*T + 1)", "beta/M", "mu*phi", "k*s + c", "2"};
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::size_t nodes = 5 + seed % 14;
  SignalFlowGraph graph;
  const auto node = [&](std::size_t i) { return graph.node("x" + std::to_string(i)); };
  const auto branch = [&](std::size_t a, std::size_t b) {
    const NodeId from = node(a), to = node(b);
    graph.add_branch(from, to, parse(gains.at(below(gains.size())), graph.symbols));
  };
  for (std::size_t i = 0; i + 1 < nodes; ++i) branch(i, i + 1);
  for (std::size_t i = nodes / 2 + below(nodes / 2); i > 0; --i) branch(below(nodes), below(nodes));
  graph.inputs = {*graph.find("x0")};
  graph.outputs = {node(nodes - 1)};
  return graph;
}

std::vector<Point> points(const DrawnBranch& branch) {
  std::vector<Point> found;
  for (std::size_t span = 0; 3 * span + 3 < branch.curve.size(); ++span)
    for (int i = 0; i <= 200; ++i) found.push_back(bezier(&branch.curve[3 * span], i / 200.0));
  return found;
}

double gap(const std::vector<Box>& ink, const std::vector<Point>& course) {
  double least = 1e9;
  for (const Box& part : ink)
    for (const Point p : course) least = std::min(least, distance(part, p));
  return least;
}

Box head(const DrawnBranch& branch) {
  const Point back{branch.arrow.x - 11 * branch.direction.x, branch.arrow.y - 11 * branch.direction.y};
  Box box = Box::around(branch.arrow, 0, 0);
  for (const double across : {-4.2, 4.2})
    box.include({back.x - across * branch.direction.y, back.y + across * branch.direction.x});
  return box;
}

bool same_ends(const DrawnBranch& a, const DrawnBranch& b) {
  return (a.from == b.from && a.to == b.to) || (a.from == b.to && a.to == b.from);
}

struct Seen {
  std::size_t labels = 0, on_labels = 0, on_nodes = 0, on_courses = 0, on_own = 0, on_heads = 0, far = 0, whose = 0;
};

void add(Seen& seen, const Drawing& drawing) {
  std::vector<std::vector<Box>> inks;
  std::vector<std::vector<Point>> courses;
  for (const DrawnBranch& branch : drawing.branches) {
    inks.push_back(ink(branch.gain.formula));
    courses.push_back(points(branch));
  }
  for (const DrawnNode& node : drawing.nodes) inks.push_back(ink(node.name.formula));
  seen.labels += inks.size();
  for (std::size_t i = 0; i < inks.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k)
      for (const Box& a : inks[i])
        for (const Box& b : inks[k]) seen.on_labels += distance(a, b) == 0 ? 1 : 0;
    for (const DrawnNode& node : drawing.nodes) seen.on_nodes += gap(inks[i], {node.at}) < drawing.node_radius ? 1 : 0;
    const double own = i < courses.size() ? gap(inks[i], courses[i]) : 0;
    seen.far += own > 16 ? 1 : 0;
    for (std::size_t b = 0; b < courses.size(); ++b) {
      const DrawnBranch& branch = drawing.branches[b];
      const double other = gap(inks[i], courses[b]);
      if (other == 0) ++(b == i ? seen.on_own : seen.on_courses);
      seen.on_heads += std::ranges::any_of(inks[i], [&](const Box& part) { return part.overlap(head(branch)) > 3; }) ? 1 : 0;
      if (i >= courses.size() || b == i || same_ends(branch, drawing.branches[i])) continue;
      if (branch.feedback == drawing.branches[i].feedback && other + 1 < own) ++seen.whose;
    }
  }
}

TEST(PlaceLabels, NothingLiesOnAnythingAndEachGainAtItsBranch) {
  Seen seen;
  for (unsigned seed = 1; seed <= 60; ++seed) add(seen, layout(random_graph(seed)));
  EXPECT_GT(seen.labels, 1500U);
  EXPECT_EQ(seen.on_labels, 0U);
  EXPECT_EQ(seen.on_nodes, 0U);
  EXPECT_LE(seen.on_courses, 1U);
  EXPECT_EQ(seen.on_heads, 0U);
  EXPECT_LE(seen.on_own, 2U);
  EXPECT_LE(seen.far, 1U);
  EXPECT_LE(seen.whose, 2U);
}

/// r → a → y with an arc over it whose gain has descenders: it stands outside of the arc, the straight ones over the line.
TEST(PlaceLabels, GainsStandOverLinesAndOutsideOfArcs) {
  SignalFlowGraph graph;
  const NodeId r = graph.node("r"), a = graph.node("a"), y = graph.node("y");
  graph.add_branch(r, a, parse("mu", graph.symbols));
  graph.add_branch(a, y, parse("beta", graph.symbols));
  graph.add_branch(y, a, parse("-phi", graph.symbols));
  const Drawing drawing = layout(graph);
  const double line = drawing.nodes[0].at.y;
  for (const std::size_t b : {0U, 1U}) {
    const Box all = bounds(ink(drawing.branches[b].gain.formula));
    EXPECT_LT(all.bottom, line - 4.5);
    EXPECT_GT(all.bottom, line - 8);
    EXPECT_NEAR((all.left + all.right) / 2, drawing.branches[b].arrow.x, 9);
  }
  const DrawnBranch& back = drawing.branches[2];
  EXPECT_GT(bounds(ink(back.gain.formula)).top, back.arrow.y);
  EXPECT_GT(back.arrow.y, line);
}

TEST(PlaceLabels, ArrowsKeepOffCrossingsAndOffOneAnother) {
  std::size_t on_heads = 0, crossed = 0, all = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const Drawing drawing = layout(random_graph(seed));
    for (const DrawnBranch& a : drawing.branches)
      for (const DrawnBranch& b : drawing.branches) {
        if (a.id == b.id) continue;
        on_heads += head(a).grown(-0.5).overlap(head(b).grown(-0.5)) > 0 ? 1 : 0;
        crossed += std::ranges::any_of(points(b), [&](Point p) { return head(a).grown(-1.5).contains(p); }) ? 1 : 0;
        ++all;
      }
  }
  EXPECT_EQ(on_heads, 0U);
  EXPECT_LE(crossed, 3U) << "of " << all;
}

}  // namespace
}  // namespace sfg
