#include "sfg/transfer/reduce.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <sstream>

#include "graphs/random.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/hidden_modes.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/transfer/same_signals.hpp"
#include "sfg/write/graph.hpp"
#include "sfg/write/mason.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {
namespace {

using Request = ReductionRequest::Kind;
using Kind = Rewriting::Kind;

SignalFlowGraph two_loops() {
  SignalFlowGraph graph;
  auto add = [&](const char* from, const char* to, const char* gain) {
    const NodeId tail = graph.node(from);
    const NodeId head = graph.node(to);
    graph.add_branch(tail, head, parse(gain, graph.symbols));
  };
  add("R", "a", "1");
  add("a", "b", "G1");
  add("b", "C", "G2");
  add("b", "a", "-H1");
  add("C", "b", "-H2");
  add("R", "b", "F");
  graph.outputs = {*graph.find("C")};
  return graph;
}

GiNaC::ex gain(const SignalFlowGraph& graph, const char* from, const char* to) {
  return gain_between(graph, *graph.find(from), *graph.find(to));
}

bool equal(const SignalFlowGraph& graph, const GiNaC::ex& value, const char* text) {
  SymbolTable symbols = graph.symbols;
  return vanishes(value - parse(text, symbols));
}

SignalFlowGraph without_parallels(SignalFlowGraph graph) {
  for (const auto& [from, to] : parallel_pairs(graph)) graph = merged_parallel(graph, from, to);
  return graph;
}

/// Branch for branch the same, up to the form of the gains and the order.
bool same_graph(const SignalFlowGraph& a, const SignalFlowGraph& b) {
  if (a.branches().size() != b.branches().size() || a.nodes().size() != b.nodes().size()) return false;
  for (const Branch& branch : a.branches()) {
    const auto from = b.find(a[branch.from].name);
    const auto to = b.find(a[branch.to].name);
    if (!from || !to || !vanishes(gain_between(a, branch.from, branch.to) - gain_between(b, *from, *to))) return false;
  }
  return true;
}

TEST(Reduce, WithoutRequestsLeavesOneBranch) {
  const Reduction reduction = reduce(two_loops(), {});
  ASSERT_EQ(reduction.after.branches().size(), 1U);
  EXPECT_TRUE(equal(reduction.after, gain(reduction.after, "R", "C"), "G2*(G1 + F)/(1 + G1*H1 + G2*H2)"));
  for (const ReductionStep& step : reduction.steps) {
    EXPECT_EQ(step.verification.points, 2U);
    EXPECT_LT(step.verification.error_bound, 1e-25);
  }
}

TEST(Reduce, EachStepListsWhatItChanged) {
  const std::vector<ReductionRequest> requests{{Request::eliminate, {"a"}, {}}};
  const Reduction reduction = reduce(two_loops(), requests);
  ASSERT_EQ(reduction.steps.size(), 1U);
  const ReductionStep& step = reduction.steps[0];
  EXPECT_EQ(step.removed_nodes, std::vector<std::string>{"a"});
  EXPECT_EQ(step.removed.size(), 4U);  // R -> a, a -> b, b -> a, and R -> b which takes the new gain
  EXPECT_EQ(step.added.size(), 2U);    // R -> b, b -> b
  EXPECT_TRUE(equal(reduction.after, gain(reduction.after, "R", "b"), "F + G1"));
  EXPECT_TRUE(equal(reduction.after, gain(reduction.after, "b", "b"), "-G1*H1"));
}

TEST(Reduce, RequestsComeInTheirOrder) {
  const std::vector<ReductionRequest> requests{{Request::split, {"b"}, {}}, {Request::keep, {"b_source", "b_sink"}, {}}};
  const Reduction reduction = reduce(two_loops(), requests);
  EXPECT_TRUE(equal(reduction.after, gain(reduction.after, "b_source", "b_sink"), "-G1*H1 - G2*H2"));
}

TEST(Reduce, TransposeGivesOutputsASource) {
  const std::vector<ReductionRequest> requests{
      {Request::transpose, {}, {}}, {Request::keep, {"R", "C"}, {}}, {Request::absorb, {}, {}}};
  const Reduction reduction = reduce(two_loops(), requests);
  EXPECT_EQ(reduction.after.stated_inputs(), std::vector{*reduction.after.find("C")});
  EXPECT_TRUE(equal(reduction.after, gain(reduction.after, "C", "R"), "G2*(G1 + F)/(1 + G1*H1 + G2*H2)"));
}

TEST(Reduce, MergeAddsParallelAndMultipliesSeries) {
  SignalFlowGraph graph;
  auto add = [&](const char* from, const char* to, const char* text) {
    const NodeId tail = graph.node(from);
    const NodeId head = graph.node(to);
    graph.add_branch(tail, head, parse(text, graph.symbols));
  };
  add("R", "x", "a");
  add("x", "C", "b");
  add("R", "y", "c");
  add("y", "C", "d");
  const std::vector<ReductionRequest> requests{{Request::merge, {}, {}}};
  const Reduction reduction = reduce(graph, requests);
  ASSERT_EQ(reduction.after.branches().size(), 1U);
  EXPECT_TRUE(equal(reduction.after, gain(reduction.after, "R", "C"), "a*b + c*d"));
}

TEST(Reduce, MistakesAreErrorsWithAHint) {
  auto message = [](const ReductionRequest& request) -> std::string {
    try {
      reduce(two_loops(), std::vector{request});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(message({Request::eliminate, {"x"}, {}}).find("no node 'x'"), std::string::npos);
  EXPECT_NE(message({Request::eliminate, {"R"}, {}}).find("is an input"), std::string::npos);
  EXPECT_NE(message({Request::scale, {"C"}, 2}).find("is an output"), std::string::npos);
  EXPECT_NE(message({Request::split, {"R"}, {}}).find("source already"), std::string::npos);
}

TEST(Reduce, AWrongStepIsCaught) {
  const SignalFlowGraph before = two_loops();
  SignalFlowGraph after = without_node(before, *before.find("a"));
  after.add_branch(*after.find("R"), *after.find("C"), 1);
  EXPECT_THROW(same_signals(before, after, {Kind::eliminate, {"a"}, {}}, 1, Budget()), std::logic_error);
}

TEST(Reduce, ASingularGraphIsSaidNotToBeVerified) {
  SignalFlowGraph graph;
  graph.add_branch(graph.node("R"), graph.node("x"), 1);
  graph.add_branch(graph.node("x"), graph.node("y"), 1);
  graph.add_branch(graph.node("y"), graph.node("x"), 1);
  graph.add_branch(graph.node("y"), graph.node("C"), 1);
  graph.add_branch(graph.node("y"), graph.node("C"), 1);
  const Reduction reduction = reduce(graph, std::vector<ReductionRequest>{{Request::merge, {}, {}}});
  ASSERT_FALSE(reduction.steps.empty());
  EXPECT_EQ(reduction.steps[0].verification.points, 0U);
}

/// Requests at random on graphs at random: every step is verified inside, inverses lead back.
TEST(Reduce, RandomSequencesKeepSignalsAndInversesLeadBack) {
  std::size_t inverses = 0;
  for (std::uint32_t seed = 1; seed <= 120; ++seed) {
    std::mt19937 random(seed);
    SignalFlowGraph graph = test::random_line(seed, 5, 5);
    const GiNaC::ex k = parse("k + 2", graph.symbols);
    std::vector<ReductionRequest> requests;
    for (int i = 0; i < 4; ++i) {
      const std::string node = "x" + std::to_string(1 + random() % 5);
      switch (random() % 5) {
        case 0: requests.push_back({Request::scale, {node}, k}); break;
        case 1: requests.push_back({Request::merge, {}, {}}); break;
        case 2: requests.push_back({Request::absorb, {}, {}}); break;
        case 3: requests.push_back({Request::eliminate, {node}, {}}); break;
        default: requests.push_back({Request::transpose, {}, {}}); break;
      }
    }
    Reduction reduction;
    try {
      reduction = reduce(graph, requests, {.rewrite = {}, .seed = seed});
    } catch (const Error&) {
      continue;  // the node was gone
    } catch (const NoAnswer&) {
      continue;  // a self-loop of gain 1
    }
    for (std::size_t i = 0; i < reduction.steps.size(); ++i) {
      if (!reduction.steps[i].inverse) continue;
      ++inverses;
      const SignalFlowGraph before = reduction.graph_after(i);
      const SignalFlowGraph after = rewritten(before, reduction.steps[i].action);
      EXPECT_TRUE(same_graph(without_parallels(before), without_parallels(rewritten(after, *reduction.steps[i].inverse))))
          << "seed " << seed << ", step " << i << ", " << to_string(reduction.steps[i].action.kind);
    }
  }
  EXPECT_GT(inverses, 60U);
}

TEST(Reduce, RandomPathsInvertAndStayVerified) {
  std::size_t count = 0;
  for (std::uint32_t seed = 1; seed <= 80; ++seed) {
    const SignalFlowGraph graph = test::random_line(seed, 4, 5);
    try {
      const Reduction reduction = reduce(graph, std::vector<ReductionRequest>{{Request::invert, {"R", "x1", "x2", "x3"}, {}}});
      count += reduction.steps.size();
    } catch (const Error&) {
    }
  }
  EXPECT_GT(count, 40U);
}

TEST(Reduce, NonlinearBranchesStay) {
  SignalFlowGraph graph = two_loops();
  const NodeId n = graph.add_node({"n", {}, {}});
  graph.add_branch({*graph.find("C"), n, Nonlinearity{parse("k3*u^3", graph.symbols)}, {}, {}});
  graph.add_branch(n, *graph.find("a"), 1);
  const std::vector<ReductionRequest> requests{
      {Request::keep, {"R", "C", "n"}, {}}, {Request::absorb, {}, {}}, {Request::scale, {"n"}, 3}};
  const Reduction reduction = reduce(graph, std::span(requests).first(2));
  EXPECT_FALSE(reduction.after.linear());
  EXPECT_EQ(reduction.after.nodes().size(), 3U);
  EXPECT_THROW(reduce(graph, std::vector<ReductionRequest>{{Request::keep, {"R", "C"}, {}}}), Error);
}

TEST(Reduce, TextShowsBranchesBeforeAndAfter) {
  std::ostringstream out;
  write_text(out, page(reduce(two_loops(), std::vector<ReductionRequest>{{Request::eliminate, {"a"}, {}}})));
  EXPECT_NE(out.str().find("Step 1: eliminate a"), std::string::npos);
  EXPECT_NE(out.str().find("changed R -> b:  F  =>  F + G1"), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("added   b -> b:  -G1*H1"), std::string::npos) << out.str();
}

TEST(Reduce, JsonHasTheFieldsOfTheContract) {
  std::ostringstream out;
  write_json(out, reduce(two_loops(), std::vector<ReductionRequest>{{Request::eliminate, {"a"}, {}}}));
  const std::string json = out.str();
  for (const char* piece : {R"("schema":"sfg/reduce/1")", R"("kind":"eliminate","node":"a")",
                            R"({"from":"b","to":"b","gain":"-G1*H1"})", R"("inputs":["R"],"outputs":["C"])"})
    EXPECT_NE(json.find(piece), std::string::npos) << piece << "\n" << json;
}

/// Nodes that have entering branches are no inputs, also when what is taken out before leaves them without.
TEST(Reduce, AnyNodesWithEnteringAndLeavingBranchesCanGoInAnyOrder) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    SignalFlowGraph graph;
    for (int i = 0; i < 6; ++i) graph.node("x" + std::to_string(i));
    for (int i = 0; i < 9; ++i)
      graph.add_branch(NodeId{static_cast<std::uint32_t>(random() % 6)}, NodeId{static_cast<std::uint32_t>(random() % 6)},
                       parse("g" + std::to_string(i), graph.symbols));
    std::vector<std::string> inner;
    for (const NodeId id : graph.node_ids())
      if (!graph.entering(id).empty() && !graph.leaving(id).empty()) inner.push_back(graph[id].name);
    std::shuffle(inner.begin(), inner.end(), random);
    inner.resize(inner.size() / 2 + inner.size() % 2);
    const Reduction reduction = reduce(graph, std::vector<ReductionRequest>{{Request::eliminate, inner, {}}});
    EXPECT_EQ(reduction.after.nodes().size(), 6 - inner.size());
    for (const std::string& name : inner) EXPECT_FALSE(reduction.after.find(name)) << name;
  }
}

/// Gains that vanish leave nodes without entering branches: those are no inputs for that, and nothing of them stays.
TEST(Reduce, GainsThatCancelLeaveNothing) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    SignalFlowGraph graph;
    const NodeId u = graph.node("u"), first = graph.node("x0");
    graph.add_branch(u, first, 1);
    const unsigned inner = 3;
    for (unsigned i = 1; i <= inner; ++i) graph.node("x" + std::to_string(i));
    const auto node = [&](unsigned i) { return *graph.find("x" + std::to_string(i)); };
    for (unsigned i = 0; i < 7; ++i)
      graph.add_branch(node(below(inner + 1)), node(below(inner + 1)), GiNaC::numeric(static_cast<int>(below(5)) - 2, 3));
    graph.add_branch(node(below(inner)), graph.node("y"), 1);
    const std::vector<ReductionRequest> absorb{{Request::absorb, {}, {}}};
    for (const Branch& branch : reduce(graph, absorb, {}).after.branches())
      EXPECT_FALSE(branch.from == branch.to && branch.gain().is_zero()) << "round " << round;
    try {
      reduce(graph, {}, {});
    } catch (const NoAnswer&) {  // a loop of gain 1
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find("is an input"), std::string::npos) << "round " << round << ": " << error.what();
    }
  }
}

using exact::RationalPolynomial;

/// Poles of the transfer function and modes that cancel in it.
RationalPolynomial modes(const SignalFlowGraph& graph) {
  const ExactTransfer transfer = exact_transfers(graph, questions(graph)).at(0);
  return transfer.denominator.polynomial() * transfer.cancelled;
}

/// Whether every root of the first is one of the second.
bool among(RationalPolynomial these, const RationalPolynomial& those) {
  while (these.degree() > 0) {
    const RationalPolynomial common = gcd(these, those);
    if (common.degree() < 1) return false;
    these = divided(these, common).first;
  }
  return true;
}

std::string text_of(const SignalFlowGraph& graph) {
  std::ostringstream text;
  write_dot(text, graph);
  return text.str();
}

TEST(Reduce, ModesThatCancelStayWithTheBranches) {
  std::size_t lost = 0;
  std::mt19937 random(11);
  for (int round = 0; round < 150; ++round) {
    SCOPED_TRACE(round);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    SignalFlowGraph line;
    constexpr unsigned inner = 4;
    const auto node = [&](unsigned i) { return line.node(i == 0 ? "r" : i > inner ? "y" : "x" + std::to_string(i)); };
    const auto factor = [&] { return "(s" + std::string(below(2) == 0 ? "+" : "-") + std::to_string(1 + below(2)) + ")"; };
    int number = 1;  // another one each, so that no gains cancel to 0: a way that is not there has no modes
    const auto add = [&](unsigned from, unsigned to) {
      const std::array<std::string, 4> forms{"1/" + factor(), factor(), factor() + "/" + factor(), "1"};
      const std::string gain = (below(2) == 0 ? "-" : "") + std::to_string(++number) + "*" + forms.at(below(4));
      line.add_branch(node(from), node(to), parse(gain, line.symbols));
    };
    for (unsigned i = 0; i <= inner; ++i) add(i, i + 1);
    for (unsigned i = 0; i < 3; ++i) add(1 + below(inner), 1 + below(inner));
    line.outputs = {node(inner + 1)};
    const std::vector<ReductionRequest> ways{
        {Request::merge, {}, {}}, {Request::absorb, {}, {}}, {Request::keep, {"r", "y"}, {}}};
    try {
      const RationalPolynomial before = modes(line);
      const Reduction reduction = reduce(line, std::span(ways).subspan(below(3)));
      EXPECT_TRUE(among(before, modes(reduction.after))) << text_of(line) << text_of(reduction.after);
      for (const Branch& branch : reduction.after.branches())
        lost += !hidden_modes(branch, reduction.after.symbols).is_equal(1) ? 1 : 0;
    } catch (const NoAnswer&) {  // a loop of gain 1
    }
  }
  EXPECT_GT(lost, 40U);
}

TEST(Reduce, ParallelBranchesThatCancelKeepTheirModes) {
  SignalFlowGraph graph;
  for (const char* gain : {"1/(s - 1)", "-1/(s - 1)"})
    graph.add_branch(graph.node("r"), graph.node("y"), parse(gain, graph.symbols));
  const Reduction reduction = reduce(graph, std::vector<ReductionRequest>{{Request::merge, {}, {}}});
  ASSERT_EQ(reduction.after.branches().size(), 1U);
  EXPECT_TRUE(reduction.after.branches()[0].gain().is_zero());
  EXPECT_EQ(modes(reduction.after), RationalPolynomial({1, -1}));
}

/// A node that goes leaves its poles in several branches; where these meet again the poles that cancel are modes of nothing.
TEST(Reduce, PolesThatWereCopiedAreNoModes) {
  SignalFlowGraph graph;
  const auto add = [&](const char* from, const char* to, const char* gain) {
    graph.add_branch(graph.node(from), graph.node(to), parse(gain, graph.symbols));
  };
  add("r", "v", "1");
  add("v", "x", "1/(s - 1)");
  add("x", "v", "-3");
  add("x", "y", "1/s");
  EXPECT_TRUE(hidden_modes(reduce(graph, {}).after.branches()[0], graph.symbols).is_equal(1));
}

TEST(Reduce, TextAndJsonSayHiddenModes) {
  SignalFlowGraph graph;
  graph.add_branch(graph.node("r"), graph.node("x"), parse("1/(s - 1)", graph.symbols));
  graph.add_branch(graph.node("x"), graph.node("y"), parse("s - 1", graph.symbols));
  std::ostringstream text, json;
  const Reduction reduction = reduce(graph, {});
  write_text(text, page(reduction));
  write_json(json, reduction);
  EXPECT_NE(text.str().find("r -> y:  1   hidden modes: s - 1"), std::string::npos) << text.str();
  EXPECT_NE(json.str().find(R"("gain":"1","hidden_modes":"s - 1")"), std::string::npos) << json.str();
}

}  // namespace
}  // namespace sfg
