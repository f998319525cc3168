#include "sfg/graph/loops.hpp"

#include <gtest/gtest.h>

#include "graphs/families.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/components.hpp"

namespace sfg {
namespace {

using test::graph_of;

std::string text(const SignalFlowGraph& graph, const Path& path) {
  std::string result;
  for (const NodeId id : path.nodes) result += (result.empty() ? "" : " ") + graph[id].name;
  return result;
}

std::vector<std::string> texts(const SignalFlowGraph& graph, const std::vector<Path>& paths) {
  std::vector<std::string> result;
  for (const Path& path : paths) result.push_back(text(graph, path));
  return result;
}

NodeId node(const SignalFlowGraph& graph, const std::string& name) { return graph.find(name).value(); }

Budget with_terms(std::uint64_t terms) {
  Budget::Limits limits;
  limits.terms = terms;
  return Budget(limits);
}

// Mason 1956, Fig. 5(a): a ladder of three loops with a bypass.
SignalFlowGraph mason_ladder() {
  return graph_of({{"1", "2", "1"},
                   {"2", "3", "a"},
                   {"3", "4", "b"},
                   {"4", "5", "c"},
                   {"2", "5", "d"},
                   {"3", "2", "e"},
                   {"4", "3", "f"},
                   {"5", "4", "g"},
                   {"5", "6", "1"}});
}

std::vector<Path> forward_paths(const SignalFlowGraph& graph, NodeId source, NodeId sink) {
  std::vector<Path> found;
  for_each_path(graph, source, sink, [&](const Path& path) {
    found.push_back(path);
    return true;
  });
  return found;
}

TEST(Loops, OfMasonsLadder) {
  const SignalFlowGraph graph = mason_ladder();
  EXPECT_EQ(texts(graph, loops(graph)), (std::vector<std::string>{"2 3", "2 5 4 3", "3 4", "4 5"}));
  EXPECT_EQ(texts(graph, forward_paths(graph, node(graph, "1"), node(graph, "6"))),
            (std::vector<std::string>{"1 2 3 4 5 6", "1 2 5 6"}));
}

TEST(Loops, GainMultipliesBranchesAndAddsParallelOnes) {
  const SignalFlowGraph graph = graph_of({{"a", "b", "g"}, {"a", "b", "k"}, {"b", "a", "-h"}, {"b", "b", "q"}});
  const auto found = loops(graph);
  ASSERT_EQ(texts(graph, found), (std::vector<std::string>{"a b", "b"}));
  EXPECT_EQ(print(loop_gain(graph, found[0])), "-h*(g + k)");
  EXPECT_EQ(print(loop_gain(graph, found[1])), "q");
  EXPECT_EQ(print(path_gain(graph, Path{{node(graph, "a"), node(graph, "b")}})), "g + k");
}

TEST(Loops, NumbersOfCompleteGraphsAndGrids) {
  // complete digraphs: Σ C(n,k) (k−1)!; grids: OEIS A140517 (twice, and each branch pair), A007764
  for (const auto& [n, expected_loops, expected_paths] : {std::tuple{4, 20, 5}, {5, 84, 16}, {6, 409, 65}, {7, 2365, 326}}) {
    const auto member = test::complete(n);
    const SignalFlowGraph graph = graph_of(member.arrows);
    EXPECT_EQ(loops(graph).size(), static_cast<std::size_t>(expected_loops)) << n;
    EXPECT_EQ(forward_paths(graph, node(graph, member.input), node(graph, member.output)).size(),
              static_cast<std::size_t>(expected_paths))
        << n;
  }
  const auto member = test::grid(4);
  const SignalFlowGraph graph = graph_of(member.arrows);
  EXPECT_EQ(loops(graph).size(), 450u);
  EXPECT_EQ(forward_paths(graph, node(graph, "r"), node(graph, "n3_3")).size(), 184u);
}

TEST(Loops, PathFromANodeToItselfIsTheNode) {
  const SignalFlowGraph graph = graph_of({{"a", "b", "g"}, {"b", "a", "h"}});
  EXPECT_EQ(texts(graph, forward_paths(graph, node(graph, "a"), node(graph, "a"))), (std::vector<std::string>{"a"}));
}

TEST(Loops, PathEndsAtTheSinkAndNeverReturnsToTheSource) {
  const SignalFlowGraph graph = graph_of({{"a", "b", "1"}, {"b", "c", "1"}, {"c", "b", "1"}, {"b", "a", "1"}, {"c", "d", "1"}});
  EXPECT_EQ(texts(graph, forward_paths(graph, node(graph, "a"), node(graph, "c"))), (std::vector<std::string>{"a b c"}));
  EXPECT_TRUE(forward_paths(graph, node(graph, "d"), node(graph, "a")).empty());
}

TEST(Loops, VisitorStops) {
  const SignalFlowGraph graph = graph_of(test::complete(7).arrows);
  int seen = 0;
  for_each_loop(graph, [&](const Path&) { return ++seen < 10; });
  EXPECT_EQ(seen, 10);
}

TEST(Loops, MoreThanTheBudgetIsRefusedNotCut) {
  const SignalFlowGraph graph = graph_of(test::complete(6).arrows);
  EXPECT_THROW(loops(graph, with_terms(408)), LimitReached);
  EXPECT_EQ(loops(graph, with_terms(409)).size(), 409u);
}

TEST(Loops, TimeLimitEndsTheSearch) {
  const SignalFlowGraph graph = graph_of(test::complete(12).arrows);
  EXPECT_THROW(for_each_loop(
                   graph, [](const Path&) { return true; }, Budget({.seconds = 0.05})),
               LimitReached);
}

TEST(Loops, LongLoopNeedsNoStack) {
  constexpr int n = 100'000;
  SignalFlowGraph graph;
  for (int i = 0; i < n; ++i) graph.add_node({std::to_string(i), {}, {}});
  for (std::uint32_t i = 0; i < n; ++i) graph.add_branch(NodeId{i}, NodeId{(i + 1) % n}, 1);
  const auto found = loops(graph);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].nodes.size(), static_cast<std::size_t>(n));
  EXPECT_EQ(forward_paths(graph, NodeId{5}, NodeId{4}).front().nodes.size(), static_cast<std::size_t>(n));
}

TEST(StrongComponents, SourcesFirst) {
  const SignalFlowGraph graph =
      graph_of({{"y", "z", "1"}, {"b", "y", "1"}, {"r", "a", "1"}, {"a", "b", "1"}, {"b", "a", "1"}, {"z", "z", "1"}});
  std::vector<std::string> found;
  for (const auto& component : strong_components(graph)) found.push_back(text(graph, Path{component}));
  EXPECT_EQ(found, (std::vector<std::string>{"r", "b a", "y", "z"}));
}

TEST(Bundles, ParallelBranchesAreOne) {
  const SignalFlowGraph graph = graph_of({{"a", "b", "g"}, {"b", "a", "h"}, {"a", "b", "-g"}});
  const auto found = bundles(graph);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].branches.size(), 2u);
  EXPECT_TRUE(found[0].gain(graph).is_zero());
}

TEST(Reach, FollowsBranches) {
  const SignalFlowGraph graph = graph_of({{"a", "b", "1"}, {"b", "c", "1"}, {"d", "c", "1"}});
  EXPECT_EQ(reached_from(graph, node(graph, "b")), (std::vector<bool>{false, true, true, false}));
  EXPECT_EQ(reaching(graph, node(graph, "b")), (std::vector<bool>{true, true, false, false}));
}

}  // namespace
}  // namespace sfg
