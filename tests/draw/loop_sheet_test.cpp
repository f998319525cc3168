#include "sfg/draw/sheets/matrix_picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "sfg/read/input.hpp"

namespace sfg {
namespace {

// Two loops that do not touch, and two forward paths, one of them past both loops; the second branch in parallel.
constexpr const char* two_loops =
    "digraph { input=R; output=C; R -> a; a -> b [gain=g]; a -> b [gain=h]; b -> a [gain=\"-p\"]; b -> c; c -> d [gain=k];"
    " d -> c [gain=\"-q\"]; d -> C; R -> C [gain=w]; }";

SignalFlowGraph graph_of_text(const char* text) {
  return std::get<SignalFlowGraph>(read(text, InputFormat::dot, "graph.dot").content);
}

std::string datum(const SceneGroup& group, const std::string& name) {
  for (const auto& [key, value] : group.data)
    if (key == name) return value;
  return {};
}

bool is_on(const SceneGroup& group) { return group.style.ends_with(" on"); }

Scene sheet_of(const SignalFlowGraph& graph) {
  const MasonListing listing = mason(graph, questions(graph).front());
  return loop_sheet(graph, {&listing, 1});
}

TEST(LoopSheet, EveryPathLoopAndSetHasAPictureInTheOrderOfMason) {
  std::vector<std::string> seen;
  for (const SceneGroup& group : sheet_of(graph_of_text(two_loops)).groups)
    if (group.style == "tile") seen.push_back(group.data.front().first + " " + group.data.front().second);
  EXPECT_EQ(seen, (std::vector<std::string>{"path 1", "path 2", "loop 1", "loop 2", "set 1,2"}));
}

TEST(LoopSheet, EachPictureIsTheWholeGraphWithItsOwnOn) {
  const SignalFlowGraph graph = graph_of_text(two_loops);
  const std::map<std::string, std::set<std::string>> wanted{{"1", {"a b 1", "a b 2", "b a 3"}}, {"2", {"c d 5", "d c 6"}}};
  for (const SceneGroup& tile : sheet_of(graph).groups) {
    std::set<std::string> branches, nodes, all;
    for (const SceneGroup& group : tile.groups) {
      const std::string branch = datum(group, "from") + " " + datum(group, "to") + " " + datum(group, "branch");
      if (group.style.starts_with("branch")) all.insert(branch);
      if (is_on(group))
        (group.style.starts_with("branch") ? branches : nodes)
            .insert(group.style.starts_with("branch") ? branch : datum(group, "node"));
    }
    EXPECT_EQ(all.size(), graph.branches().size());
    if (const std::string loop = datum(tile, "loop"); !loop.empty()) {
      EXPECT_EQ(branches, wanted.at(loop));
      EXPECT_EQ(nodes, loop == "1" ? (std::set<std::string>{"a", "b"}) : (std::set<std::string>{"c", "d"}));
    }
    if (datum(tile, "set") == "1,2") {
      EXPECT_EQ(branches.size(), 5U);
    }
  }
}

TEST(LoopSheet, PicturesStandApart) {
  struct Rectangle {
    double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
  };
  const Scene scene = sheet_of(graph_of_text(two_loops));
  std::vector<Rectangle> tiles;
  for (const SceneGroup& tile : scene.groups) {
    Rectangle box;
    const auto include = [&](Point p) {
      box = {std::min(box.left, p.x), std::min(box.top, p.y), std::max(box.right, p.x), std::max(box.bottom, p.y)};
    };
    for (const SceneText& text : tile.texts) include(text.label.centre);
    for (const SceneGroup& group : tile.groups) {
      for (const SceneShape& shape : group.shapes)
        for (const Point p : shape.points) include(p);
      for (const SceneText& text : group.texts) include(text.label.centre);
    }
    EXPECT_GE(box.left, 0);
    EXPECT_LE(box.right, scene.width);
    EXPECT_LE(box.bottom, scene.height);
    for (const Rectangle& other : tiles)
      EXPECT_FALSE(box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom);
    tiles.push_back(box);
  }
}

TEST(LoopSheet, PathsOfSeveralTransfersSayWhoseTheyAre) {
  const SignalFlowGraph graph =
      graph_of_text("digraph { input=R; R -> a [gain=g]; a -> b [gain=h]; b -> a [gain=k]; a -> C; b -> D; }");
  std::vector<MasonListing> listings;
  for (const Question& question : questions(graph)) listings.push_back(mason(graph, question));
  std::vector<std::string> transfers;
  std::size_t loops = 0;
  for (const SceneGroup& tile : loop_sheet(graph, listings).groups) {
    if (!datum(tile, "path").empty()) transfers.push_back(datum(tile, "transfer"));
    loops += datum(tile, "loop").empty() ? 0 : 1;
  }
  EXPECT_EQ(transfers, (std::vector<std::string>{"C/R", "D/R"}));
  EXPECT_EQ(loops, 1U);
}

TEST(LoopSheet, MoreThanAReaderCanUseIsRefused) {
  const SignalFlowGraph graph = graph_of_text(two_loops);
  const MasonListing listing = mason(graph, questions(graph).front());
  EXPECT_THROW(loop_sheet(graph, {&listing, 1}, {.most_pictures = 4}), LimitReached);
  const MasonListing cut = mason(graph, questions(graph).front(), {.limit = 1});
  EXPECT_THROW(loop_sheet(graph, {&cut, 1}), LimitReached);
}

TEST(LoopSheet, HasAsManyColumnsAsTheStatedWidthHasRoomFor) {
  const SignalFlowGraph graph = graph_of_text(two_loops);
  const MasonListing listing = mason(graph, questions(graph).front());
  LoopSheetOptions narrow;
  narrow.sheet_width = 380;
  const Scene one = loop_sheet(graph, std::span(&listing, 1), narrow), usual = loop_sheet(graph, std::span(&listing, 1));
  EXPECT_LT(one.width, 450);
  EXPECT_GT(usual.width, 1.8 * one.width);
}

}  // namespace
}  // namespace sfg
