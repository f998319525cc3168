#include "sfg/graph/rewrite.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include "expect.hpp"
#include "graphs/random.hpp"
#include "response_modulo.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/transfer/reduce.hpp"

namespace sfg {
namespace {

struct BranchLine {
  const char* from;
  const char* to;
  const char* gain;
};

SignalFlowGraph graph_of(std::initializer_list<BranchLine> lines) {
  SignalFlowGraph graph;
  graph.op.declare(graph.symbols);
  for (const BranchLine& line : lines) {
    const NodeId from = graph.node(line.from);
    const NodeId to = graph.node(line.to);
    graph.add_branch(from, to, parse(line.gain, graph.symbols));
  }
  return graph;
}

NodeId at(const SignalFlowGraph& graph, const char* name) { return graph.find(name).value(); }

/// The gains from one node to the other agree with the text; "" for no branch.
void expect_gain(const SignalFlowGraph& graph, const char* from, const char* to, const char* text) {
  SymbolTable symbols = graph.symbols;
  const GiNaC::ex gain = gain_between(graph, at(graph, from), at(graph, to));
  EXPECT_EXPRESSION(gain, parse(text, symbols)) << from << " -> " << to << ": " << print(gain) << ", expected " << text;
}

void expect_same_branches(const SignalFlowGraph& a, const SignalFlowGraph& b) {
  EXPECT_EQ(a.branches().size(), b.branches().size());
  for (const Branch& branch : a.branches()) {
    const auto from = b.find(a[branch.from].name);
    const auto to = b.find(a[branch.to].name);
    ASSERT_TRUE(from && to);
    EXPECT_TRUE(vanishes(gain_between(b, *from, *to) - gain_between(a, branch.from, branch.to)))
        << a[branch.from].name << " -> " << a[branch.to].name;
  }
}

SignalFlowGraph reduced(const SignalFlowGraph& graph, const ReductionRequest& request) {
  return reduce(graph, std::span(&request, 1)).after;
}
SignalFlowGraph kept_alone(const SignalFlowGraph& graph, std::vector<std::string> nodes) {
  return reduced(graph, {ReductionRequest::Kind::keep, std::move(nodes), {}});
}
SignalFlowGraph merged(const SignalFlowGraph& graph) { return reduced(graph, {ReductionRequest::Kind::merge, {}, {}}); }

std::optional<std::uint64_t> response(const SignalFlowGraph& graph, const char* from, const char* to,
                                      Question::Mode mode = Question::Mode::source) {
  return test::response_modulo(graph, {at(graph, from), at(graph, to), mode, {}}, random_point(3));
}

//        -H
//      +----+
//      v    |
// R -> e -> C
SignalFlowGraph feedback() { return graph_of({{"R", "e", "1"}, {"e", "C", "G"}, {"C", "e", "-H"}}); }

TEST(Rewrite, EliminationEndsWithItsBudget) {
  const RewriteOptions none{.budget = Budget({.seconds = 0})};
  EXPECT_THROW(without_node(feedback(), at(feedback(), "e"), none), LimitReached);
}

TEST(Rewrite, EliminatedNodeBecomesProducts) {
  const SignalFlowGraph graph = without_node(feedback(), at(feedback(), "e"));
  EXPECT_EQ(graph.nodes().size(), 2U);
  expect_gain(graph, "R", "C", "G");
  expect_gain(graph, "C", "C", "-G*H");
}

TEST(Rewrite, EliminationAddsToABranchThatIsThere) {
  const SignalFlowGraph given = graph_of({{"R", "x", "a"}, {"x", "C", "b"}, {"R", "C", "c"}});
  const SignalFlowGraph graph = without_node(given, at(given, "x"));
  ASSERT_EQ(graph.branches().size(), 1U);
  expect_gain(graph, "R", "C", "a*b + c");
}

TEST(Rewrite, EliminationAbsorbsTheSelfLoop) {
  const SignalFlowGraph given = graph_of({{"R", "x", "a"}, {"x", "x", "l"}, {"x", "x", "m"}, {"x", "C", "b"}});
  const SignalFlowGraph graph = without_node(given, at(given, "x"));
  expect_gain(graph, "R", "C", "a*b/(1 - l - m)");
}

TEST(Rewrite, UnitSelfLoopRefusesElimination) {
  const SignalFlowGraph given = graph_of({{"R", "x", "a"}, {"x", "x", "(k+1)^2 - k^2 - 2*k"}, {"x", "C", "b"}});
  EXPECT_THROW(without_node(given, at(given, "x")), NoAnswer);
  EXPECT_THROW(without_self_loop(given, at(given, "x")), NoAnswer);
}

TEST(Rewrite, InputsAndOutputsAreNotEliminated) {
  EXPECT_THROW(without_node(feedback(), at(feedback(), "R")), Error);
  SignalFlowGraph given = feedback();
  given.outputs = {at(given, "C")};
  EXPECT_THROW(without_node(given, at(given, "C")), Error);
}

TEST(Rewrite, NonlinearBranchesRefuseElimination) {
  SignalFlowGraph given = graph_of({{"R", "x", "a"}, {"x", "C", "b"}});
  given.add_branch({at(given, "x"), at(given, "C"), Nonlinearity{parse("k3*u^3", given.symbols)}, {}, {}});
  EXPECT_THROW(without_node(given, at(given, "x")), Error);
}

// Two nodes with self-loops of gain 1 that only determine each other: neither can go alone.
//   x = x + a y + R,  y = y + b x + R;  C = x + y  =>  y = -R/a, x = -R/b
TEST(Rewrite, UnitSelfLoopsGoTogetherAfterALoopIsInverted) {
  const SignalFlowGraph given = graph_of({{"R", "x", "1"},
                                          {"x", "x", "1"},
                                          {"y", "x", "a"},
                                          {"R", "y", "1"},
                                          {"y", "y", "1"},
                                          {"x", "y", "b"},
                                          {"x", "C", "1"},
                                          {"y", "C", "1"}});
  const SignalFlowGraph graph = kept_alone(given, {"R", "C"});
  expect_gain(graph, "R", "C", "-1/a - 1/b");
}

TEST(Rewrite, KeptNodesMustDetermineTheOthers) {
  const SignalFlowGraph given = graph_of({{"R", "x", "1"}, {"x", "x", "1"}, {"x", "C", "1"}});
  EXPECT_THROW(kept_alone(given, {"R", "C"}), NoAnswer);
}

TEST(Rewrite, AbsorbedSelfLoopDividesWhatEnters) {
  const SignalFlowGraph given = graph_of({{"R", "x", "a"}, {"y", "x", "b"}, {"x", "x", "l"}, {"x", "y", "c"}, {"y", "C", "1"}});
  const SignalFlowGraph graph = without_self_loop(given, at(given, "x"));
  expect_gain(graph, "R", "x", "a/(1 - l)");
  expect_gain(graph, "y", "x", "b/(1 - l)");
  expect_gain(graph, "x", "x", "0");
  SymbolTable symbols = given.symbols;
  expect_same_branches(with_self_loop(graph, at(graph, "x"), parse("l", symbols)), given);
}

TEST(Rewrite, ParallelBranchesAreAdded) {
  const SignalFlowGraph given = graph_of({{"R", "C", "a"}, {"R", "C", "b"}, {"R", "C", "-a"}});
  const SignalFlowGraph graph = merged(given);
  ASSERT_EQ(graph.branches().size(), 1U);
  expect_gain(graph, "R", "C", "b");
  EXPECT_TRUE(merged(graph_of({{"R", "C", "a"}, {"R", "C", "-a"}})).branches().empty());
}

TEST(Rewrite, SeriesBranchesAreMultipliedAndCutAgain) {
  const SignalFlowGraph given = graph_of({{"R", "x", "a"}, {"x", "y", "b"}, {"y", "C", "c"}});
  const SignalFlowGraph graph = merged(given);
  ASSERT_EQ(graph.branches().size(), 1U);
  expect_gain(graph, "R", "C", "a*b*c");
  SymbolTable symbols = given.symbols;
  const SignalFlowGraph cut = with_node(graph, BranchId{0}, "x", parse("a", symbols));
  expect_gain(cut, "R", "x", "a");
  expect_gain(cut, "x", "C", "b*c");
}

// Mason 1953, Fig. 14: a path R -> a -> C is inverted; what entered its nodes enters the node before, negative and divided.
TEST(Rewrite, InversionFollowsMason) {
  const SignalFlowGraph given = graph_of({{"R", "a", "t1"}, {"a", "C", "t2"}, {"u", "a", "g"}, {"u", "C", "h"}, {"C", "a", "f"}});
  const SignalFlowGraph graph = inverted(given, std::vector{at(given, "R"), at(given, "a"), at(given, "C")});
  expect_gain(graph, "C", "a", "1/t2");
  expect_gain(graph, "a", "R", "1/t1");
  expect_gain(graph, "u", "R", "-g/t1");
  expect_gain(graph, "u", "a", "-h/t2");
  expect_gain(graph, "C", "R", "-f/t1");
  expect_gain(graph, "u", "C", "0");
  EXPECT_TRUE(graph.entering(at(graph, "C")).empty());
}

TEST(Rewrite, InversionOfAPathMakesTheTransmittanceItsInverse) {
  const SignalFlowGraph given = feedback();
  const SignalFlowGraph graph = inverted(given, std::vector{at(given, "R"), at(given, "e"), at(given, "C")});
  // R = e + H C, e = C/G
  const SignalFlowGraph ends = kept_alone(graph, {"C", "R"});
  expect_gain(ends, "C", "R", "1/G + H");
}

TEST(Rewrite, InversionTwiceIsNothing) {
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    SignalFlowGraph given = test::random_line(seed, 4, 4);
    for (const auto& [from, to] : parallel_pairs(given)) given = merged_parallel(given, from, to);
    const std::vector path{at(given, "R"), at(given, "x1"), at(given, "x2")};
    if (!gain_between(given, path[1], path[1]).is_zero() || !gain_between(given, path[2], path[2]).is_zero()) continue;
    if (gain_between(given, path[0], path[1]).is_zero() || gain_between(given, path[1], path[2]).is_zero()) continue;
    const SignalFlowGraph turned = inverted(given, path);
    const SignalFlowGraph back = inverted(turned, std::vector{at(turned, "x2"), at(turned, "x1"), at(turned, "R")});
    expect_same_branches(back, given);
  }
}

TEST(Rewrite, InversionIsRefusedWhereItMeansNothing) {
  const SignalFlowGraph given = feedback();
  EXPECT_THROW(inverted(given, std::vector{at(given, "e"), at(given, "C")}), Error);  // e is no source
  EXPECT_THROW(inverted(given, std::vector{at(given, "R"), at(given, "C")}), Error);  // no branch
  EXPECT_THROW(inverted(given, std::vector{at(given, "R")}), Error);
  EXPECT_THROW(inverted(given, std::vector{at(given, "R"), at(given, "e"), at(given, "C"), at(given, "e")}), Error);
}

TEST(Rewrite, TransposeTwiceIsNothingAndKeepsTheTransmittance) {
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    const SignalFlowGraph given = test::random_line(seed, 5, 6);
    const SignalFlowGraph turned = transposed(given);
    expect_same_branches(transposed(turned), given);
    const auto forward = response(given, "R", "C");
    if (!forward) continue;
    EXPECT_EQ(forward, response(turned, "C", "R")) << "seed " << seed;
  }
}

TEST(Rewrite, ScalingAndItsInverse) {
  SignalFlowGraph given = graph_of({{"R", "x", "a"}, {"x", "x", "l"}, {"x", "C", "b"}});
  const GiNaC::ex k = parse("k", given.symbols);
  const SignalFlowGraph graph = scaled(given, at(given, "x"), k);
  expect_gain(graph, "R", "x", "k*a");
  expect_gain(graph, "x", "x", "l");
  expect_gain(graph, "x", "C", "b/k");
  expect_same_branches(scaled(graph, at(graph, "x"), 1 / k), given);
  EXPECT_THROW(scaled(given, at(given, "x"), parse("(k+1)^2 - k^2 - 2*k - 1", given.symbols)), Error);
}

TEST(Rewrite, ScalingReachesNonlinearLaws) {
  SignalFlowGraph given = graph_of({{"R", "x", "1"}});
  given.add_node({"C", {}, {}});
  given.add_branch({at(given, "x"), at(given, "C"), Nonlinearity{parse("k3*u^3", given.symbols)}, {}, {}});
  const SignalFlowGraph graph = scaled(given, at(given, "x"), 2);
  SymbolTable symbols = graph.symbols;
  EXPECT_EXPRESSION(std::get<Nonlinearity>(graph.branches()[1].law).law, parse("k3*u^3/8", symbols));
}

TEST(Rewrite, SplitNodeShowsTheReturnRatioAndJoinsAgain) {
  const SignalFlowGraph given = feedback();
  const SignalFlowGraph open = split(given, at(given, "e"));
  const SignalFlowGraph ends = kept_alone(open, {"e_source", "e_sink"});
  expect_gain(ends, "e_source", "e_sink", "-G*H");
  expect_same_branches(joined(open, at(open, "e_source"), at(open, "e_sink"), "e"), given);
}

TEST(Rewrite, InferredInputsAndOutputsStayWhatTheyWere) {
  // z has no cause: without its self-loop's node the node w would look like a source
  const SignalFlowGraph given = graph_of({{"R", "C", "1"}, {"z", "z", "l"}, {"z", "w", "1"}, {"w", "C", "1"}});
  const SignalFlowGraph graph = without_node(given, at(given, "z"));
  EXPECT_EQ(graph.stated_inputs(), std::vector{at(graph, "R")});
}

TEST(Rewrite, AttributesAndSpansStay) {
  SignalFlowGraph given;
  const NodeId r = given.add_node({"R", SourceSpan{nullptr, 3, 1, 1}, {{"color", "red"}}});
  const NodeId x = given.add_node({"x", {}, {}});
  const NodeId c = given.add_node({"C", {}, {}});
  given.add_branch(Branch{r, x, GiNaC::ex(2), SourceSpan{nullptr, 7, 1, 1}, {{"style", "bold"}}});
  given.add_branch(x, c, 3);
  given.attributes = {{"expect", "6"}};
  const SignalFlowGraph graph = merged(given);
  EXPECT_EQ(graph.nodes()[0].attributes.front().second, "red");
  EXPECT_EQ(graph.branches()[0].where.line, 7U);
  EXPECT_EQ(graph.attributes.front().second, "6");
}

TEST(Rewrite, RandomEliminationsKeepTheTransmittance) {
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    const SignalFlowGraph given = test::random_line(seed, 6, 8);
    const auto before = response(given, "R", "C");
    if (!before) continue;
    const SignalFlowGraph graph = kept_alone(given, {"R", "C"});
    EXPECT_LE(graph.branches().size(), 2U);
    EXPECT_EQ(before, response(graph, "R", "C")) << "seed " << seed;
  }
}

}  // namespace
}  // namespace sfg
