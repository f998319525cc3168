// What a picture keeps and what its file asks of it, on random graphs: heads on straight pieces, columns of sources, ranks,
// sides, places that stay, mirrored pictures, numbers of loops. Everything is measured on the drawing as it comes out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sfg/draw/graph/layout.hpp"
#include "sfg/draw/graph/stated_places.hpp"
#include "sfg/draw/picture.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/graph/loops.hpp"
#include "sfg/read/input.hpp"
#include "sfg/read/svg_places.hpp"
#include "sfg/write/graph.hpp"

namespace sfg {
namespace {

double apart(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

SignalFlowGraph dot_graph(const std::string& text) {
  return std::get<SignalFlowGraph>(read(text, InputFormat::dot, "graph.dot").content);
}

/// A forward line with feedback, feed-forward, loops of one node and sources beside; `branches` as pairs of names.
struct RandomGraph {
  explicit RandomGraph(unsigned seed) : random(seed * 977 + 5) {
    nodes = 4 + pick(6);
    for (unsigned i = 1; i < nodes; ++i) add("n" + std::to_string(i - 1), "n" + std::to_string(i));
    for (unsigned k = 0, more = 1 + pick(nodes); k < more; ++k) {
      const unsigned a = pick(nodes), b = pick(nodes);
      if (b != 0 || a == nodes - 1) add("n" + std::to_string(a), "n" + std::to_string(std::max(b, 1U)));
    }
    if (pick(2) == 0) add("d", "n" + std::to_string(1 + pick(nodes - 1)));
  }
  unsigned pick(unsigned n) { return static_cast<unsigned>(random() % n); }
  void add(const std::string& from, const std::string& to) {
    if (joined.insert({from, to}).second) branches.emplace_back(from, to);
  }
  std::string text(const std::string& more = "") const {
    std::string made = "digraph g { input=\"n0\"; output=\"n" + std::to_string(nodes - 1) + "\";" + more;
    for (std::size_t i = 0; i < branches.size(); ++i)
      made += branches[i].first + " -> " + branches[i].second + " [gain=\"" + (i % 3 == 0 ? "-" : "") + "g" + std::to_string(i) +
              "\"];";
    return made + "}";
  }

  std::mt19937 random;
  unsigned nodes = 0;
  std::vector<std::pair<std::string, std::string>> branches;
  std::set<std::pair<std::string, std::string>> joined;
};

std::map<std::string, Point> places(const Drawing& drawing) {
  std::map<std::string, Point> made;
  for (const DrawnNode& node : drawing.nodes) made[node.title] = node.at;
  return made;
}

std::vector<Point> fine(const std::vector<Point>& curve) {
  std::vector<Point> points{curve.front()};
  for (std::size_t i = 0; i + 3 < curve.size(); i += 3)
    for (int k = 1; k <= 60; ++k) {
      const double t = k / 60.0, u = 1 - t;
      const Point* p = &curve[i];
      points.push_back({u * u * u * p[0].x + 3 * u * u * t * p[1].x + 3 * u * t * t * p[2].x + t * t * t * p[3].x,
                        u * u * u * p[0].y + 3 * u * u * t * p[1].y + 3 * u * t * t * p[2].y + t * t * t * p[3].y});
    }
  return points;
}

double angle(Point u, Point v) {
  return std::abs(std::atan2(u.x * v.y - u.y * v.x, u.x * v.x + u.y * v.y)) * 180 / std::numbers::pi;
}

/// The degrees between head and line, and those that the line turns along the head and half a head beyond.
std::pair<double, double> at_head(const DrawnBranch& branch) {
  const std::vector<Point> points = fine(branch.curve);
  const Point tip = branch.arrow, d = branch.direction, middle{tip.x - 5.5 * d.x, tip.y - 5.5 * d.y};
  std::vector<Point> near;
  double least = 1e9, between = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Point a = points[i - 1], b = points[i], way{b.x - a.x, b.y - a.y}, centre{(a.x + b.x) / 2, (a.y + b.y) / 2};
    if (apart(a, b) < 1e-6) continue;
    if (apart(centre, middle) < least) least = apart(centre, middle), between = angle(d, way);
    if (apart(centre, middle) < 5.5 + 5.5) near.push_back(way);
  }
  double turned = 0;
  for (const Point& u : near)
    for (const Point& v : near) turned = std::max(turned, angle(u, v));
  return {between, turned};
}

void expect_straight_heads(const SignalFlowGraph& graph, const Drawing& drawing) {
  for (const DrawnBranch& branch : drawing.branches) {
    const auto [between, turned] = at_head(branch);
    EXPECT_LE(between, 10) << branch.title;
    EXPECT_TRUE(graph[branch.id].from == graph[branch.id].to || turned <= 15) << branch.title << ": " << turned;
  }
}

/// All places of the one are those of the other, but for one shift and one scale.
void expect_kept(const std::map<std::string, Point>& old, const std::map<std::string, Point>& now, double tolerance) {
  std::vector<std::pair<Point, Point>> common;
  for (const auto& [name, at] : old)
    if (const auto found = now.find(name); found != now.end()) common.emplace_back(at, found->second);
  ASSERT_GE(common.size(), 2U);
  double far = 0, scale = 1;
  for (const auto& [a, b] : common)
    if (const double d = apart(a, common.front().first); d > far) far = d, scale = apart(b, common.front().second) / d;
  for (const auto& [a, b] : common)
    EXPECT_LT(apart({b.x - common.front().second.x, b.y - common.front().second.y},
                    {scale * (a.x - common.front().first.x), scale * (a.y - common.front().first.y)}),
              tolerance);
}

TEST(KeptPlaces, HeadsLieOnStraightPieces) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const SignalFlowGraph graph = dot_graph(RandomGraph(seed).text());
    expect_straight_heads(graph, layout(graph));
  }
}

TEST(KeptPlaces, SourcesOfTheSameNodesShareAColumnInOrder) {
  for (unsigned seed = 0; seed < 16; ++seed) {
    SCOPED_TRACE(seed);
    RandomGraph made(seed);
    const unsigned sources = 2 + made.pick(4);
    std::set<unsigned> targets;
    for (unsigned k = 0; k < 2 + made.pick(2); ++k) targets.insert(1 + made.pick(made.nodes - 1));
    for (unsigned i = 0; i < sources; ++i)
      for (const unsigned target : targets) made.add("z" + std::to_string(i), "n" + std::to_string(target));
    const SignalFlowGraph graph = dot_graph(made.text());
    const auto at = places(layout(graph));
    for (unsigned i = 1; i < sources; ++i) {
      const Point before = at.at("z" + std::to_string(i - 1)), here = at.at("z" + std::to_string(i));
      EXPECT_NEAR(before.x, here.x, 1);
      EXPECT_LT(before.y, here.y);
    }
  }
}

TEST(KeptPlaces, RanksAreColumns) {
  for (const unsigned length : {0U, 40U})  // short ones on rows, long ones on layers
    for (unsigned seed = 0; seed < (length == 0 ? 20U : 4U); ++seed) {
      SCOPED_TRACE(std::to_string(seed) + " of " + std::to_string(length));
      RandomGraph made(seed);
      for (unsigned k = made.nodes; k < length; ++k) made.add("n" + std::to_string(k - 1), "n" + std::to_string(k));
      made.nodes = std::max(made.nodes, length);
      std::string stated;
      std::map<int, std::vector<std::string>> ranked;
      for (unsigned i = 0; i < made.nodes; ++i)
        if (made.pick(3) != 0) {
          const int rank = static_cast<int>(made.pick(5)) - 1;
          ranked[rank].push_back("n" + std::to_string(i));
          stated += "n" + std::to_string(i) + " [rank=" + std::to_string(rank) + "];";
        }
      const auto at = places(layout(dot_graph(made.text(stated))));
      double right = -1e9;
      for (const auto& [rank, nodes] : ranked) {
        const double x = at.at(nodes.front()).x;
        EXPECT_GT(x, right + 8);
        for (const std::string& node : nodes) EXPECT_NEAR(at.at(node).x, x, 1) << node;
        right = x;
      }
    }
}

TEST(KeptPlaces, BranchesLieOnTheirSide) {
  for (unsigned seed = 0; seed < 20; ++seed)
    for (const int sign : {-1, 1}) {
      SCOPED_TRACE(sign * static_cast<int>(seed));
      RandomGraph made(seed);
      SignalFlowGraph graph = dot_graph(made.text());
      std::size_t chosen = made.pick(static_cast<unsigned>(graph.branches().size()));
      SignalFlowGraph sided = SignalFlowGraph::like_with_nodes(graph);
      const Branch& wanted = graph.branches()[chosen];
      if (wanted.from == wanted.to) continue;
      for (std::size_t i = 0; i < graph.branches().size(); ++i) {
        Branch branch = graph.branches()[i];
        if (i == chosen) branch.attributes.emplace_back("side", sign < 0 ? "above" : "below");
        sided.add_branch(branch);
      }
      sided.inputs = graph.inputs, sided.outputs = graph.outputs;
      const Drawing drawing = layout(sided);
      const std::vector<Point> course = sampled(drawing.branches[chosen].curve);
      const Point a = course.front(), b = course.back(), middle = course[course.size() / 2];
      if (std::abs(a.x - b.x) < 30) continue;  // above and below have no meaning there
      EXPECT_GT(sign * (middle.y - a.y - (b.y - a.y) * (middle.x - a.x) / (b.x - a.x)), 8);
    }
}

TEST(KeptPlaces, WhatIsNoWishIsRefused) {
  EXPECT_THROW(layout(dot_graph("digraph g { a -> b [side=left]; }")), Error);
  EXPECT_THROW(layout(dot_graph("digraph g { a [rank=first]; a -> b; }")), Error);
}

TEST(KeptPlaces, APictureWrittenWithPositionsIsDrawnAgain) {
  for (unsigned seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    const SignalFlowGraph graph = dot_graph(RandomGraph(seed).text());
    const Drawing first = layout(graph);
    std::ostringstream out;
    write_dot(out, with_positions(graph, first));
    const SignalFlowGraph read_back = dot_graph(out.str());
    const Drawing again = layout(read_back);
    expect_kept(places(first), places(again), 0.2);
    ASSERT_EQ(again.branches.size(), first.branches.size());
    for (std::size_t i = 0; i < first.branches.size(); ++i)
      EXPECT_EQ(again.branches[i].curve.size(), first.branches[i].curve.size());
    std::ostringstream twice;
    write_dot(twice, with_positions(read_back, again));
    EXPECT_EQ(twice.str(), out.str());
  }
}

TEST(KeptPlaces, WhatAnEditLeavesStaysWhereItIs) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    RandomGraph made(seed);
    const SignalFlowGraph graph = dot_graph(made.text());
    const Drawing first = layout(graph);
    Places old = places_of(with_positions(graph, first));
    if (seed % 2 == 0) old = read_svg_places(picture(graph, PictureFormat::svg), "old.svg");
    if (seed % 3 == 0)
      made.branches.erase(made.branches.begin() + made.pick(static_cast<unsigned>(made.branches.size())));
    else if (seed % 3 == 1)
      made.add("n" + std::to_string(made.pick(made.nodes)), "n" + std::to_string(1 + made.pick(made.nodes - 1)));
    else
      made.add("n0", "fresh"), made.add("fresh", "n" + std::to_string(made.nodes - 1));
    const SignalFlowGraph edited = dot_graph(made.text());
    const Drawing second = layout(edited, {.like = old});
    expect_kept(places(first), places(second), 0.5);
    expect_straight_heads(edited, second);
    for (const DrawnNode& a : second.nodes)
      for (const DrawnNode& b : second.nodes) EXPECT_TRUE(a.id == b.id || apart(a.at, b.at) > 14);
  }
}

TEST(KeptPlaces, MirroringTwiceIsNothing) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const RandomGraph made(seed);
    const auto left_to_right = places(layout(dot_graph(made.text())));
    const auto mirrored = places(layout(dot_graph(made.text()), {.mirror = true}));
    const auto stated = places(layout(dot_graph(made.text("rankdir=RL;"))));
    const auto both = places(layout(dot_graph(made.text("rankdir=RL;")), {.mirror = true}));
    for (const auto& [a, at] : left_to_right)
      for (const auto& [b, other] : left_to_right) {
        EXPECT_NEAR(mirrored.at(a).x - mirrored.at(b).x, other.x - at.x, 1e-6);
        EXPECT_NEAR(mirrored.at(a).y - mirrored.at(b).y, at.y - other.y, 1e-6);
        EXPECT_NEAR(stated.at(a).x - stated.at(b).x, other.x - at.x, 1e-6);
        EXPECT_NEAR(both.at(a).x - both.at(b).x, at.x - other.x, 1e-6);
      }
  }
}

TEST(KeptPlaces, NumbersStandWithinTheirLoops) {
  for (unsigned seed = 0; seed < 24; ++seed) {
    SCOPED_TRACE(seed);
    const SignalFlowGraph graph = dot_graph(RandomGraph(seed).text());
    const Drawing drawing = layout(graph, {.number_loops = true});
    const std::vector<Path> all = loops(graph);
    ASSERT_EQ(drawing.numbers.size(), all.size());
    for (std::size_t k = 0; k < all.size(); ++k) {
      std::vector<Point> outline;
      for (std::size_t i = 0; i < all[k].nodes.size(); ++i)
        for (const DrawnBranch& branch : drawing.branches)
          if (graph[branch.id].from == all[k].nodes[i] && graph[branch.id].to == all[k].nodes[(i + 1) % all[k].nodes.size()])
            for (const Point p : fine(branch.curve)) outline.push_back(p);
      bool inside = false;
      const Point p = drawing.numbers[k].label.centre;
      for (std::size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++)
        if ((outline[i].y > p.y) != (outline[j].y > p.y) &&
            p.x < outline[j].x + (p.y - outline[j].y) * (outline[i].x - outline[j].x) / (outline[i].y - outline[j].y))
          inside = !inside;
      EXPECT_EQ(drawing.numbers[k].loop, k + 1);
      EXPECT_TRUE(inside) << "L" << k + 1;
    }
  }
}

TEST(KeptPlaces, WhatIsNoPictureOfOursIsRefused) {
  EXPECT_THROW(read_svg_places("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "other.svg"), Error);
  EXPECT_THROW(read_svg_places("<html/>", "page.html"), Error);
  EXPECT_THROW(read_svg_places("<svg", "half.svg"), Error);
}

}  // namespace
}  // namespace sfg
