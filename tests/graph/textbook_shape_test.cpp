#include "sfg/graph/textbook_shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "sfg/error.hpp"

namespace sfg {
namespace {

using Arc = TextbookShape::Arc;

// Counting by lists of nodes: no sets of bits, no order of loops but by their least node.
class Enumeration {
 public:
  explicit Enumeration(const TextbookShape& shape) : joined_(shape.nodes, std::vector<bool>(shape.nodes, false)) {
    for (std::size_t i = 0; i + 1 < shape.nodes; ++i) joined_[i][i + 1] = true;
    for (const auto* arcs : {&shape.bypasses, &shape.feedback})
      for (const Arc& arc : *arcs) joined_[arc.tail][arc.head] = true;
    for (std::size_t first = 0; first < shape.nodes; ++first) {
      std::vector<std::size_t> walk{first};
      follow(walk);
    }
  }
  ShapeCounts counts() const {
    ShapeCounts found{.paths = paths_, .loops = loops_.size()};
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      found.self_loops += loops_[i].size() == 1 ? 1 : 0;
      for (std::size_t j = i + 1; j < loops_.size(); ++j) {
        found.pairs += apart(i, j) ? 1 : 0;
        for (std::size_t k = j + 1; k < loops_.size(); ++k) found.triples += apart(i, j) && apart(i, k) && apart(j, k) ? 1 : 0;
      }
    }
    return found;
  }

 private:
  void follow(std::vector<std::size_t>& walk) {
    if (walk.front() == 0 && walk.back() + 1 == joined_.size()) ++paths_;
    for (std::size_t next = 0; next < joined_.size(); ++next) {
      if (!joined_[walk.back()][next]) continue;
      if (next == walk.front()) loops_.push_back(walk);
      if (next <= walk.front() || std::ranges::find(walk, next) != walk.end()) continue;
      walk.push_back(next);
      follow(walk);
      walk.pop_back();
    }
  }
  bool apart(std::size_t i, std::size_t j) const {
    return std::ranges::none_of(loops_[i],
                                [&](std::size_t node) { return std::ranges::find(loops_[j], node) != loops_[j].end(); });
  }

  std::vector<std::vector<bool>> joined_;
  std::vector<std::vector<std::size_t>> loops_;
  std::size_t paths_ = 0;
};

// Two loops side by side and one around both, passed by above:  0 → 1 → 2 → 3 → 4 → 5, 2 → 1, 4 → 3, 4 → 1, 1 → 3
TEST(TextbookShape, CountsByHand) {
  const TextbookShape shape{6, {{1, 3}}, {{2, 1}, {4, 3}, {4, 1}}};
  EXPECT_EQ(counts(shape, 40), (ShapeCounts{.paths = 2, .loops = 4, .pairs = 1}));  // the loop around both goes by 2 or without
  EXPECT_FALSE(counts(shape, 3));
  EXPECT_EQ(crossings(shape), 0U);
  EXPECT_EQ(crossings({6, {{0, 2}, {1, 4}}, {{3, 1}, {4, 2}, {2, 2}}}), 2U);
}

// Each seed gives what is demanded, in the main line's family, and the same again.
TEST(TextbookShape, MeetsTheDemandForEverySeed) {
  std::size_t crossed = 0, all = 0;
  std::set<std::vector<Arc>> different;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const ShapeDemand demand{.nodes = 7 + seed % 5, .loops = 3 + seed % 4, .pairs = seed % 3, .paths = 1 + seed % 3};
    const TextbookShape shape = textbook_shape(demand, seed);
    const ShapeCounts found = Enumeration(shape).counts();
    EXPECT_EQ(found.loops, demand.loops) << seed;
    EXPECT_EQ(found.pairs, demand.pairs) << seed;
    EXPECT_EQ(found.paths, demand.paths) << seed;
    EXPECT_EQ(counts(shape, 80), found) << seed;
    EXPECT_EQ(shape.nodes, demand.nodes);
    for (const Arc& arc : shape.bypasses) EXPECT_TRUE(arc.head > arc.tail + 1 && arc.head < shape.nodes) << seed;
    for (const Arc& arc : shape.feedback)
      EXPECT_TRUE(arc.head >= 1 && arc.head <= arc.tail && arc.tail + 1 < shape.nodes) << seed;
    EXPECT_EQ(shape, textbook_shape(demand, seed));
    crossed += crossings(shape);
    all += shape.bypasses.size() + shape.feedback.size();
    different.insert(shape.feedback);
  }
  EXPECT_LE(crossed, all / 50) << "of " << all << " arcs";
  EXPECT_GT(different.size(), 200U);
}

TEST(TextbookShape, MeetsDemandsOfTriplesAndSelfLoops) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const ShapeDemand demand{.nodes = 9, .loops = 6, .triples = 1 + seed % 3, .self_loops = seed % 4};
    const ShapeCounts found = Enumeration(textbook_shape(demand, seed)).counts();
    EXPECT_EQ(found.loops, demand.loops) << seed;
    EXPECT_EQ(found.triples, demand.triples) << seed;
    EXPECT_EQ(found.self_loops, demand.self_loops) << seed;
    EXPECT_LE(found.paths, 2U);
  }
}

// All graphs of a main line of few nodes: what they have is found, what none has is refused.
TEST(TextbookShape, IsFoundWhereverThereIsOne) {
  constexpr std::size_t most_paths = 2;
  for (std::size_t nodes = 3; nodes <= 5; ++nodes) {
    std::vector<Arc> arcs;
    for (std::size_t tail = 0; tail < nodes; ++tail)
      for (std::size_t head = 0; head < nodes; ++head)
        if (head > tail + 1 || (head <= tail && head > 0 && tail + 1 < nodes)) arcs.push_back({tail, head});
    std::set<std::tuple<std::size_t, std::size_t, std::size_t>> there;
    std::size_t most_loops = 0, most_pairs = 0;
    for (std::size_t set = 0; set < std::size_t{1} << arcs.size(); ++set) {
      TextbookShape shape{nodes, {}, {}};
      for (std::size_t i = 0; i < arcs.size(); ++i)
        if ((set >> i & 1U) != 0) (arcs[i].head > arcs[i].tail ? shape.bypasses : shape.feedback).push_back(arcs[i]);
      const ShapeCounts found = Enumeration(shape).counts();
      if (found.paths > most_paths) continue;
      there.insert({found.loops, found.pairs, found.paths});
      most_loops = std::max(most_loops, found.loops);
      most_pairs = std::max(most_pairs, found.pairs);
    }
    for (std::size_t loops = 0; loops <= most_loops + 1; ++loops)
      for (std::size_t pairs = 0; pairs <= most_pairs + 1; ++pairs)
        for (std::size_t paths = 1; paths <= most_paths; ++paths) {
          const ShapeDemand demand{.nodes = nodes, .loops = loops, .pairs = pairs, .paths = paths};
          const auto what = testing::Message()
                            << nodes << " nodes, " << loops << " loops, " << pairs << " pairs, " << paths << " paths";
          if (there.contains({loops, pairs, paths})) {
            EXPECT_TRUE(demand.met_by(Enumeration(textbook_shape(demand, loops + pairs)).counts())) << what;
          } else {
            EXPECT_THROW(textbook_shape(demand, 1), NoAnswer) << what;
          }
        }
  }
}

TEST(TextbookShape, RefusalsSayWhyAndWhatIsPossible) {
  const auto refusal = [](const ShapeDemand& demand) {
    try {
      textbook_shape(demand, 1);
    } catch (const NoAnswer& e) {
      return e.what() + ("; " + e.remedy().text());
    }
    return std::string("found");
  };
  EXPECT_EQ(refusal({.nodes = 2}),
            "a graph of 2 nodes has no room for a loop: source and sink are counted, and loops stand between them; state 3 to 24 "
            "nodes");
  EXPECT_EQ(
      refusal({.nodes = 4, .loops = 4, .paths = 1}),
      "2 nodes between source and sink and 1 forward path leave room for at most 3 loops, not 4; state at most 3 loops, more "
      "nodes or "
      "more forward paths");
  EXPECT_EQ(
      refusal({.nodes = 8, .loops = 4, .pairs = 7}),
      "4 loops at 6 nodes between source and sink make at most 6 pairs of non-touching loops, not 7; state fewer pairs, more "
      "loops or more nodes");
  EXPECT_EQ(refusal({.nodes = 5, .loops = 3, .self_loops = 4}),
            "between source and sink are 3 nodes, each with at most one self-loop: not 4 in all; state at most 3 self-loops");
  EXPECT_EQ(
      refusal({.nodes = 4, .paths = 5}),
      "between source and sink are 2 nodes, through which at most 4 forward paths can lead, not 5; state fewer forward paths "
      "or more nodes");
  EXPECT_EQ(refusal({.nodes = 5, .loops = 6, .pairs = 0, .paths = 1}),
            "there is no graph of a main line with 5 nodes, 6 loops, 0 pairs of non-touching loops and 1 forward path; with the "
            "rest as "
            "it is, graphs with 5 pairs were found: state one of these");
  EXPECT_EQ(refusal({.nodes = 30}), "an exercise with 30 nodes is no task for a person; state at most 24");
}

}  // namespace
}  // namespace sfg
