#include "sfg/nonlinear/principal.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/read/dot.hpp"

namespace {

using namespace sfg;

/// Two masses between three springs and dampers, a cubic spring between the masses; an actuator with a law before, a sensor with
/// a law behind (the worked case of section 3.1 of Wojnarowski and Świder's method: branches at the source and at the sink).
constexpr const char* with_ends = R"dot(digraph {
  variable="p"; input="w"; output="y";
  w -> F1 [nonlinear="q1*u*abs(u)"];
  F1 -> e1; e1 -> x1 [gain="1/(m1*p^2)"]; e2 -> x2 [gain="1/(m2*p^2)"];
  x1 -> d; x2 -> d [gain=-1];
  x1 -> s1 [gain="c1*p + k1"]; s1 -> e1 [gain=-1];
  d -> s2 [gain="c2*p + k2"]; s2 -> e1 [gain=-1]; s2 -> e2;
  x2 -> s3 [gain="c3*p + k3"]; s3 -> e2 [gain=-1];
  d -> n [nonlinear="al*u^3"]; n -> e1 [gain=-1]; n -> e2;
  x2 -> y [nonlinear="q3*u^2"];
})dot";

void expect_same(const RationalFunction& found, const std::string& expected, const SignalFlowGraph& graph) {
  SymbolTable symbols = graph.symbols;
  EXPECT_TRUE(vanishes(found.expression() - parse(expected, symbols))) << found.text() << " instead of " << expected;
}

TEST(PrincipalReduction, FindsBranchesAtTheSourceAndAtTheSink) {
  const SignalFlowGraph graph = read_dot(with_ends, "test.dot");
  const PrincipalReduction reduction = principal_reduction(graph);
  ASSERT_EQ(reduction.form.laws.size(), 3u);
  std::map<std::string, std::size_t> law;
  for (std::size_t i = 0; i < 3; ++i) law[graph[reduction.form.laws[i].head].name] = i;
  const std::size_t actuator = law.at("F1"), spring = law.at("n"), sensor = law.at("y");
  const auto argument = [&](std::size_t i) { return reduction.form.laws[i].arguments.front(); };
  EXPECT_TRUE(reduction.at_source(argument(actuator)));
  EXPECT_TRUE(reduction.at_sink(sensor));
  EXPECT_FALSE(reduction.at_sink(spring));
  const std::string D = "/((m1*p^2 + c1*p + k1 + c2*p + k2)*(m2*p^2 + c2*p + k2 + c3*p + k3) - (c2*p + k2)^2)";
  expect_same(reduction.T1(0, argument(actuator)), "1", graph);
  expect_same(reduction.T1(0, argument(spring)), "0", graph);
  expect_same(reduction.T(0, 0), "0", graph);
  expect_same(reduction.Tj(actuator, argument(spring)), "(m2*p^2 + c3*p + k3)" + D, graph);
  expect_same(reduction.Tj(actuator, argument(sensor)), "(c2*p + k2)" + D, graph);
  expect_same(reduction.Tj(spring, argument(spring)), "-((m1 + m2)*p^2 + (c1 + c3)*p + k1 + k3)" + D, graph);
  expect_same(reduction.Tj(spring, argument(sensor)), "(m1*p^2 + c1*p + k1)" + D, graph);
  expect_same(reduction.Tj(sensor, argument(spring)), "0", graph);
  expect_same(reduction.Ts(sensor, 0), "1", graph);
  expect_same(reduction.Ts(spring, 0), "0", graph);
}

TEST(PrincipalReduction, OrdersTheLawsAsTheyAreSolved) {
  const PrincipalReduction reduction = principal_reduction(read_dot(with_ends, "test.dot"));
  ASSERT_EQ(reduction.blocks.size(), 3u);
  EXPECT_FALSE(reduction.blocks[0].coupled);
  EXPECT_TRUE(reduction.blocks[1].coupled);
  EXPECT_FALSE(reduction.blocks[2].coupled);
  const auto& form = reduction.form;
  EXPECT_EQ(form.linear[form.laws[reduction.blocks[2].laws.front()].head].name, "y");
}

TEST(PrincipalReduction, LawsThatFeedEachOtherAreSolvedTogether) {
  const SignalFlowGraph graph = read_dot(R"dot(digraph {
    input=r; output=y; r -> a; a -> b [nonlinear="sin(u)"]; b -> c [gain="1/(s + 1)"]; c -> d [nonlinear="u^3"];
    d -> a [gain=-1]; d -> y; })dot",
                                         "test.dot");
  const auto blocks = principal_reduction(graph).blocks;
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].laws.size(), 2u);
}

/// The reduced graph is a graph with the same principal nodes: reduced again it is what it was.
TEST(ReducedGraph, IsItsOwnReduction) {
  const SignalFlowGraph graph = read_dot(with_ends, "test.dot");
  const PrincipalReduction once = principal_reduction(graph);
  const SignalFlowGraph small = reduced_graph(once);
  const PrincipalReduction twice = principal_reduction(small);
  ASSERT_EQ(twice.form.laws.size(), once.form.laws.size());
  ASSERT_EQ(twice.form.arguments.size(), once.form.arguments.size());
  std::map<std::string, std::size_t> place;
  for (std::size_t a = 0; a < twice.form.arguments.size(); ++a) place[small[twice.form.arguments[a].node].name] = a;
  for (std::size_t i = 0; i < once.form.laws.size(); ++i)
    for (std::size_t a = 0; a < once.form.arguments.size(); ++a) {
      const std::size_t there = place.at(once.form.linear[once.form.arguments[a].node].name);
      EXPECT_TRUE(vanishes(once.Tj(i, a).expression() - twice.Tj(i, there).expression())) << i << ", " << a;
    }
}

TEST(PrincipalReduction, TakesSeveralSourcesAndSinksAndLawsOfSeveralSignals) {
  SignalFlowGraph graph = read_dot(R"dot(digraph { input="r1,r2"; output="y1,y2";
    r1 -> a; r2 -> b; a -> x [gain="1/s"]; x -> y1; n -> a [gain="-k"]; n -> y2; b -> y2 [gain=2]; x -> n [nonlinear="u*v"]; })dot",
                                   "test.dot");
  const auto ids = graph.branch_ids();
  const auto law = *std::ranges::find_if(ids, [&](BranchId id) { return !graph[id].linear(); });
  SignalFlowGraph wider;
  for (const Node& node : graph.nodes()) wider.add_node(node);
  wider.symbols = graph.symbols;
  const GiNaC::ex w = wider.symbols.add({.name = "w", .kind = SymbolKind::signal}).expr;
  const GiNaC::ex rate = wider.symbols.add({.name = "Dw", .kind = SymbolKind::signal}).expr;
  for (const BranchId id : graph.branch_ids()) {
    Branch branch = graph[id];
    if (id == law) {
      auto& nonlinear = std::get<Nonlinearity>(branch.law);
      nonlinear.law = nonlinear.law * w;
      nonlinear.arguments.push_back({w, rate, *graph.find("b")});
    }
    wider.add_branch(std::move(branch));
  }
  wider.inputs = graph.inputs;
  wider.outputs = graph.outputs;
  const PrincipalReduction reduction = principal_reduction(wider);
  ASSERT_EQ(reduction.form.laws.front().arguments.size(), 3u);
  expect_same(reduction.T1(0, reduction.form.laws[0].arguments[0]), "1/s", wider);
  expect_same(reduction.T1(0, reduction.form.laws[0].arguments[1]), "1", wider);
  expect_same(reduction.T1(1, reduction.form.laws[0].arguments[2]), "1", wider);
  expect_same(reduction.Tj(0, reduction.form.laws[0].arguments[1]), "-k", wider);
  expect_same(reduction.T(1, 1), "2", wider);
  expect_same(reduction.Ts(0, 1), "1", wider);
}

}  // namespace
