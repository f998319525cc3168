#include "sfg/graph/signal_flow_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/inspect.hpp"

namespace sfg {
namespace {

//   a ──K──> b ──s──> c        d
//            ^──2──┘  (c -> b)
struct Example {
  SignalFlowGraph graph;
  NodeId a = graph.node("a"), b = graph.node("b"), c = graph.node("c"), d = graph.node("d");
  BranchId ab = graph.add_branch(a, b, parse("K", graph.symbols));
  BranchId bc = graph.add_branch(b, c, parse("s", graph.symbols));
  BranchId cb = graph.add_branch(c, b, 2);
};

TEST(SignalFlowGraph, NamesAreUniqueAndNotEmpty) {
  SignalFlowGraph graph;
  const NodeId x = graph.add_node({"x", {}, {}});
  EXPECT_EQ(graph.node("x"), x);
  EXPECT_EQ(graph.find("x"), x);
  EXPECT_FALSE(graph.find("y"));
  EXPECT_THROW(graph.add_node({"x", {}, {}}), std::invalid_argument);
  EXPECT_THROW(graph.add_node({"", {}, {}}), std::invalid_argument);
}

TEST(SignalFlowGraph, BranchesNeedNodesOfTheGraph) {
  Example example;
  EXPECT_THROW(example.graph.add_branch(NodeId{4}, example.a, 1), std::out_of_range);
  EXPECT_THROW(example.graph[BranchId{3}], std::out_of_range);
}

std::vector<BranchId> listed(std::span<const BranchId> branches) { return {branches.begin(), branches.end()}; }

TEST(SignalFlowGraph, ParallelBranchesAndSelfLoopsStayApart) {
  Example example;
  const BranchId second = example.graph.add_branch(example.a, example.b, 5);
  const BranchId loop = example.graph.add_branch(example.b, example.b, 7);
  EXPECT_EQ(listed(example.graph.leaving(example.a)), (std::vector{example.ab, second}));
  EXPECT_EQ(listed(example.graph.entering(example.b)), (std::vector{example.ab, example.cb, second, loop}));
  EXPECT_EQ(listed(example.graph.leaving(example.b)), (std::vector{example.bc, loop}));
}

TEST(SignalFlowGraph, SourcesAndSinks) {
  Example example;
  EXPECT_EQ(example.graph.sources(), (std::vector{example.a, example.d}));
  EXPECT_EQ(example.graph.sinks(), std::vector{example.d});
  EXPECT_EQ(example.graph.stated_inputs(), std::vector{example.a});
  EXPECT_TRUE(example.graph.stated_outputs().empty());
  example.graph.outputs = {example.c};
  EXPECT_EQ(example.graph.stated_outputs(), std::vector{example.c});
}

TEST(SignalFlowGraph, SubstitutedLeavesTheOriginalAlone) {
  Example example;
  example.graph.add_branch(Branch{example.a, example.d, Nonlinearity{parse("K*u^2", example.graph.symbols)}, {}, {}});
  const SignalFlowGraph numbers = example.graph.substituted({{example.graph.symbols.at("K").expr, 3}});
  EXPECT_EQ(print(numbers[example.ab].gain()), "3");
  EXPECT_EQ(print(std::get<Nonlinearity>(numbers.branches()[3].law).law), "3*u^2");
  EXPECT_EQ(print(example.graph[example.ab].gain()), "K");
  EXPECT_FALSE(numbers.linear());
}

TEST(Inspect, ATemperatureOfNoiseInAGainNeedsAValueToo) {
  Example example;
  example.graph.add_branch(example.a, example.c, parse("K*T_K", example.graph.symbols));
  example.graph.symbols.find("K")->value = 2;
  const auto said = [&](const std::string& message) {
    return std::ranges::count(inspect(example.graph), message, &Diagnostic::message);
  };
  EXPECT_EQ(said("parameter 'T_K' has no value"), 1);
  example.graph.symbols.add({.name = "T_K", .kind = SymbolKind::parameter, .value = 300});
  EXPECT_EQ(said("parameter 'T_K' has no value"), 0);
}

TEST(SignalFlowGraph, CopiesShareTheSymbols) {
  const Example example;
  const SignalFlowGraph copy = example.graph;
  EXPECT_TRUE(copy.symbols.at("K").expr.is_equal(example.graph[example.ab].gain()));
}

}  // namespace
}  // namespace sfg
