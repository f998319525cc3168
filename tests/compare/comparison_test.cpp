// Pairs made equal by rewriting are proved equal; pairs made different at one branch, and rewritten afterwards, are told apart,
// and what is said to explain the difference does: the transfer function of the graph so changed is that of the other.
#include "sfg/compare/comparison.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdlib>
#include <random>
#include <sstream>

#include "expect.hpp"
#include "graphs/random.hpp"
#include "sfg/graph/realization.hpp"
#include "sfg/graph/rewrite.hpp"
#include "sfg/transfer/reduce.hpp"
#include "sfg/write/comparison.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {
namespace {

using test::graph_of;

ComparedModel model(SignalFlowGraph graph, const std::string& name = "model") {
  std::vector<Question> asked = questions(graph);
  return {name, std::move(graph), std::move(asked), {}};
}

/// A graph whose only input is a source and whose only output is stated, with a transfer function that is not 0.
struct Sample {
  SignalFlowGraph graph;
  NodeId input, output;
};

Question asked(const Sample& sample) { return {sample.input, sample.output, Question::Mode::source, {}}; }

GiNaC::ex transfer_of(const Sample& sample) { return transfer_function(sample.graph, asked(sample)).value.expression(); }

std::optional<Sample> sample_of(std::uint64_t seed) {
  Sample sample;
  if (seed % 3 == 0) {
    sample.graph = test::random_line(static_cast<std::uint32_t>(seed), 3 + seed % 4, 2 + seed % 5);
    sample.input = sample.graph.at("R");
    sample.output = sample.graph.at("C");
  } else {
    test::RandomGraph random(seed);
    sample = {random.graph, random.input, random.output};
  }
  if (sample.input == sample.output || !sample.graph.entering(sample.input).empty()) return {};
  sample.graph.op.declare(sample.graph.symbols);
  sample.graph.inputs = {sample.input};
  sample.graph.outputs = {sample.output};
  try {
    if (transfer_of(sample).is_zero()) return {};
  } catch (const Failure&) {
    return {};
  }
  return sample;
}

SignalFlowGraph reduced(const SignalFlowGraph& graph, ReductionRequest::Kind kind, std::span<const NodeId> nodes = {}) {
  ReductionRequest request{kind, {}, {}};
  for (const NodeId node : nodes) request.nodes.push_back(graph[node].name);
  return reduce(graph, std::span(&request, 1)).after;
}

/// One of the ways in which the same transfer function is drawn otherwise.
SignalFlowGraph rewritten(const Sample& sample, std::mt19937_64& random) {
  const auto inner = [&]() -> std::optional<NodeId> {
    std::vector<NodeId> nodes;
    for (const NodeId node : sample.graph.node_ids())
      if (node != sample.input && node != sample.output) nodes.push_back(node);
    if (nodes.empty()) return {};
    return nodes[random() % nodes.size()];
  };
  switch (random() % 6) {
    case 0: {
      std::vector<NodeId> kept{sample.input, sample.output};
      if (const auto node = inner()) kept.push_back(*node);
      return reduced(sample.graph, ReductionRequest::Kind::keep, kept);
    }
    case 1: {
      const SignalFlowGraph with_sink =
          sample.graph.leaving(sample.output).empty() ? sample.graph : with_output_sink(sample.graph, sample.output);
      return transposed(with_sink);
    }
    case 2: {
      constexpr Realization kinds[] = {Realization::controllable, Realization::observable, Realization::parallel,
                                       Realization::cascade};
      return realization(rational_transfer(transfer_of(sample), sample.graph.op, sample.graph.symbols), kinds[random() % 4]);
    }
    case 3: return reduced(sample.graph, ReductionRequest::Kind::keep, std::vector{sample.input, sample.output});
    case 4: {
      const auto node = inner();
      return node ? scaled(sample.graph, *node, GiNaC::numeric(3)) : reduced(sample.graph, ReductionRequest::Kind::merge);
    }
    default: return reduced(sample.graph, ReductionRequest::Kind::merge);
  }
}

/// The graph with one sign or one branch another.
std::optional<Sample> mutated(const Sample& sample, std::mt19937_64& random) {
  Sample other = sample;
  const SignalFlowGraph& graph = sample.graph;
  if (graph.branches().empty()) return {};
  const Branch& branch = graph.branches()[random() % graph.branches().size()];
  const GiNaC::ex sum = gain_between(graph, branch.from, branch.to);
  switch (random() % 6) {
    case 0:
    case 1: other.graph = with_gain(graph, branch.from, branch.to, sum - 2 * branch.gain()); break;
    case 2: other.graph = with_gain(graph, branch.from, branch.to, sum - branch.gain()); break;
    case 3: {
      const char* others[] = {"q/(s + 5)", "2*q", "(s + q)/(s + 2)", "7/s", "q + 1", "1/(q*s + 1)"};
      const GiNaC::ex gain = parse(others[random() % std::size(others)], other.graph.symbols);
      const SymbolTable symbols = other.graph.symbols;
      other.graph = with_gain(graph, branch.from, branch.to, sum - branch.gain() + gain);
      other.graph.symbols = symbols;
      break;
    }
    default: {
      const NodeId from{static_cast<std::uint32_t>(random() % graph.nodes().size())};
      const NodeId to{static_cast<std::uint32_t>(random() % graph.nodes().size())};
      if (to == sample.input) return {};
      other.graph = with_gain(graph, from, to, gain_between(graph, from, to) + branch.gain());
    }
  }
  try {
    if (vanishes(transfer_of(other) - transfer_of(sample))) return {};
  } catch (const Failure&) {
    return {};
  }
  return other;
}

/// Whether the transfer function of the graph changed as said is that of the other, by closed forms alone.
bool true_explanation(const ModelPair& pair, const Explanation& e) {
  const bool in_b = e.side == Explanation::Side::b;
  Sample changed{(in_b ? pair.b : pair.a).graph, (in_b ? pair.transfers[0].b : pair.transfers[0].a).input,
                 (in_b ? pair.transfers[0].b : pair.transfers[0].a).output};
  const GiNaC::ex &before = in_b ? e.b : e.a, &after = in_b ? e.a : e.b;
  if (e.kind == Explanation::Kind::branch) {
    const NodeId from = changed.graph.at(e.from), to = changed.graph.at(e.to);
    changed.graph = with_gain(changed.graph, from, to, gain_between(changed.graph, from, to) - before + after);
  } else {
    changed.graph = changed.graph.substituted({{before, after}});
  }
  const Sample other{(in_b ? pair.a : pair.b).graph, (in_b ? pair.transfers[0].a : pair.transfers[0].b).input,
                     (in_b ? pair.transfers[0].a : pair.transfers[0].b).output};
  return vanishes(transfer_of(changed) - transfer_of(other));
}

std::string text_of(const Comparison& comparison) {
  std::ostringstream out;
  write_text(out, page(comparison));
  return out.str();
}

/// How many pairs of each kind; more by the variable, for the figures of the guide.
std::size_t pairs_wanted() {
  const char* text = std::getenv("SFG_COMPARED_PAIRS");
  return text ? std::strtoul(text, nullptr, 10) : 40;
}

TEST(Comparison, PairsMadeEqualByRewritingAreProvedEqual) {
  std::size_t done = 0, exact = 0;
  for (std::uint64_t seed = 1; done < pairs_wanted(); ++seed) {
    const auto sample = sample_of(seed);
    if (!sample) continue;
    std::mt19937_64 random(seed);
    std::optional<SignalFlowGraph> other;
    try {
      other = rewritten(*sample, random);
    } catch (const Failure&) {
      continue;
    }
    SCOPED_TRACE(seed);
    const Comparison found = compare(model(sample->graph, "A"), model(*other, "B"));
    EXPECT_EQ(found.same, Sameness::same) << text_of(found);
    EXPECT_FALSE(found.counterexample);
    if (found.method == Equality::Method::exact) ++exact;
    ++done;
  }
  EXPECT_EQ(exact, done);
}

TEST(Comparison, PairsThatDifferAtOneBranchAreExplained) {
  std::size_t done = 0;
  for (std::uint64_t seed = 1; done < pairs_wanted(); ++seed) {
    const auto sample = sample_of(seed);
    if (!sample) continue;
    std::mt19937_64 random(seed);
    const auto wrong = mutated(*sample, random);
    if (!wrong) continue;
    std::optional<SignalFlowGraph> right = sample->graph, other = wrong->graph;
    try {
      if (random() % 4 == 0)
        right = rewritten(*sample, random);
      else if (random() % 3 != 0)
        other = rewritten(*wrong, random);
    } catch (const Failure&) {
      continue;
    }
    SCOPED_TRACE(seed);
    const Comparison found = compare(model(*right, "A"), model(*other, "B"));
    EXPECT_EQ(found.same, Sameness::different);
    EXPECT_TRUE(found.counterexample) << text_of(found);
    EXPECT_FALSE(found.explanations.alternatives.empty()) << text_of(found);
    const ModelPair pair = paired(model(*right), model(*other));
    for (const Explanation& explanation : found.explanations.alternatives)
      EXPECT_TRUE(true_explanation(pair, explanation)) << text_of(found);
    ++done;
  }
}

/// One output of one input, by the names in the graph.
ComparedModel between(SignalFlowGraph graph, const std::string& input, const std::string& output) {
  const std::vector<Question> asked{question(graph, input, output)};
  return {"model", std::move(graph), asked, {}};
}

TEST(Comparison, UnitFeedbackDrawnInTwoWays) {
  const Comparison found = compare(between(graph_of({{"R", "e", "1"}, {"e", "C", "G"}, {"C", "e", "-H"}}), "R", "C"),
                                   between(graph_of({{"w", "y", "G"}, {"y", "y", "-G*H"}}), "w", "y"));
  EXPECT_EQ(found.same, Sameness::same);
  EXPECT_EQ(found.method, Equality::Method::exact);
  EXPECT_EQ(found.error_probability, 0);
  EXPECT_EQ(found.notes.size(), 2U);  // both names differ
}

TEST(Comparison, TheCounterexampleIsTheValueByHand) {
  const auto loop = [](const char* feedback) {
    return between(graph_of({{"R", "e", "1"}, {"e", "C", "2/s"}, {"C", "e", feedback}}), "R", "C");
  };
  const Comparison found = compare(loop("-1"), loop("1"));
  ASSERT_TRUE(found.counterexample);
  const std::complex<double> s(0, *found.counterexample->frequency);
  EXPECT_NEAR(std::abs(found.counterexample->a - 2.0 / (s + 2.0)), 0, 1e-14);
  EXPECT_NEAR(std::abs(found.counterexample->b - 2.0 / (s - 2.0)), 0, 1e-14);
  ASSERT_EQ(found.explanations.alternatives.size(), 1U);
  const Explanation& why = found.explanations.alternatives.front();
  EXPECT_EQ(why.from + why.to, "Ce");
  EXPECT_EQ(why.change, Explanation::Change::sign);
  EXPECT_EQ(why.side, Explanation::Side::both);
}

TEST(Comparison, NamesArePaired) {
  const auto first = [] { return model(graph_of({{"a", "x", "K"}, {"b", "x", "1"}, {"x", "y", "1/s"}})); };
  const auto second = [] { return model(graph_of({{"u", "v", "G"}, {"b", "v", "1"}, {"v", "w", "1/s"}})); };
  EXPECT_THROW(compare(first(), second()), UnmatchedNames);
  const std::vector<NamePair> names{{"a", "u"}, {"K", "G"}};
  EXPECT_EQ(compare(first(), second(), {.names = names}).same, Sameness::same);
  const std::vector<NamePair> inputs{{"a", "u"}};
  EXPECT_EQ(compare(first(), second(), {.names = inputs}).same, Sameness::different);
  const std::vector<NamePair> crossed{{"a", "b"}, {"b", "u"}, {"K", "G"}};  // the inputs exchanged
  EXPECT_EQ(compare(first(), second(), {.names = crossed}).same, Sameness::different);
  const std::vector<NamePair> absent{{"a", "nowhere"}};
  EXPECT_THROW(compare(first(), second(), {.names = absent}), UnmatchedNames);
}

TEST(Comparison, OperatorsOfTwoNamesAreOne) {
  SignalFlowGraph p = graph_of({{"R", "C", "K/(p + 1)"}});
  p.op = "p";
  p.op.declare(p.symbols);
  EXPECT_EQ(compare(between(graph_of({{"R", "C", "K/(s + 1)"}}), "R", "C"), between(p, "R", "C")).same, Sameness::same);
  SignalFlowGraph z = graph_of({{"R", "C", "K/(z + 1)"}});
  z.op = "z";
  z.op.declare(z.symbols);
  EXPECT_THROW(compare(between(graph_of({{"R", "C", "K/(s + 1)"}}), "R", "C"), between(z, "R", "C")), Error);
  // a parameter that is called as the operator of the other
  EXPECT_THROW(compare(between(p, "R", "C"), between(graph_of({{"R", "C", "p/(s + 1)"}}), "R", "C")), Error);
}

SignalFlowGraph with_value(SignalFlowGraph graph, const char* name, int value) {
  graph.symbols.find(name)->value = value;
  return graph;
}

TEST(Comparison, ValuesAreTheDifference) {
  const SignalFlowGraph plant = graph_of({{"R", "e", "1"}, {"e", "C", "K/(s + a)"}, {"C", "e", "-1"}});
  const auto left = with_value(with_value(plant, "K", 3), "a", 2), right = with_value(with_value(plant, "K", 5), "a", 2);
  const Comparison symbols = compare(between(left, "R", "C"), between(right, "R", "C"));
  EXPECT_EQ(symbols.same, Sameness::same);
  EXPECT_EQ(symbols.same_with_values, std::optional(false));
  const Comparison numbers = compare(between(left, "R", "C"), between(right, "R", "C"), {.values = true});
  EXPECT_EQ(numbers.same, Sameness::different);
  ASSERT_EQ(numbers.explanations.alternatives.size(), 1U);
  EXPECT_EQ(numbers.explanations.alternatives.front().kind, Explanation::Kind::parameter);
  EXPECT_EQ(numbers.explanations.alternatives.front().from, "K");
  // a number in the place of a parameter: the same with its value alone
  const Comparison number = compare(between(left, "R", "C"), between(graph_of({{"R", "C", "3/(s + a + 3)"}}), "R", "C"));
  EXPECT_EQ(number.same, Sameness::different);
  EXPECT_EQ(number.same_with_values, std::optional(true));
}

TEST(Comparison, OneStatedValueHoldsForBoth) {
  const SignalFlowGraph plant = graph_of({{"R", "C", "K/(s + 1)"}});
  const Comparison found = compare(between(with_value(plant, "K", 3), "R", "C"), between(plant, "R", "C"), {.values = true});
  EXPECT_EQ(found.same, Sameness::same);
  EXPECT_EQ(found.one_sided_values.size(), 1U);
}

TEST(Comparison, DeadTimeAndRoots) {
  const auto one = [](const char* gain) {
    return between(graph_of({{"R", "e", "1"}, {"e", "C", gain}, {"C", "e", "-1"}}), "R", "C");
  };
  const auto closed = [](const char* gain) { return between(graph_of({{"R", "C", gain}}), "R", "C"); };
  EXPECT_EQ(compare(one("exp(-s*T)/s"), closed("exp(-s*T)/(s + exp(-s*T))")).same, Sameness::same);
  EXPECT_EQ(compare(one("exp(-s*T)/s"), closed("exp(-2*s*T)/(s + exp(-2*s*T))")).same, Sameness::different);
  EXPECT_EQ(compare(one("sqrt(a)*sqrt(a)/s"), closed("a/(s + a)")).same, Sameness::same);
  EXPECT_EQ(compare(one("sqrt(a)/s"), closed("a/(s + a)")).same, Sameness::different);
}

TEST(Comparison, WhatIsTooLargeIsCheckedAtRandomPoints) {
  const test::Member family = test::complete(7);
  std::vector<test::Arrow> turned(family.arrows.rbegin(), family.arrows.rend());
  const auto member = [&](const std::vector<test::Arrow>& arrows) {
    return between(graph_of(arrows), family.input, family.output);
  };
  const Comparison found = compare(member(family.arrows), member(turned), {.exact_terms = 1000});
  EXPECT_EQ(found.same, Sameness::same);
  EXPECT_EQ(found.method, Equality::Method::modular);
  EXPECT_GT(found.error_probability, 0);
  EXPECT_LT(found.error_probability, 1e-50);
  turned[5].gain = "-(" + turned[5].gain + ")";
  const Comparison other = compare(member(family.arrows), member(turned), {.exact_terms = 1000});
  EXPECT_EQ(other.same, Sameness::different);
  ASSERT_FALSE(other.explanations.alternatives.empty());
  EXPECT_EQ(other.explanations.alternatives.front().from, turned[5].from);
}

TEST(Comparison, HiddenModesAreSaid) {
  const Comparison found = compare(between(graph_of({{"u", "y", "1/(s + 2)"}}), "u", "y"),
                                   between(graph_of({{"u", "a", "1/(s - 1)"}, {"a", "y", "(s - 1)/(s + 2)"}}), "u", "y"));
  EXPECT_EQ(found.same, Sameness::same);
  ASSERT_EQ(found.notes.size(), 1U);
  EXPECT_NE(found.notes.front().find("B cancels s - 1, which is unstable"), std::string::npos) << found.notes.front();
}

// A resonance of Q = 100 between two of the frequencies; against 1/(s + 1) it is 40 dB higher at 1 rad/s.
TEST(Comparison, PeaksBetweenFrequenciesAreFound) {
  const auto closed = [](const char* gain) { return between(graph_of({{"R", "C", gain}}), "R", "C"); };
  const DeviationLimits wide{41, 180, {0.3, 3}}, narrow{39, 180, {0.3, 3}};
  for (const char* dead : {"", "*exp(-s)/exp(-s)"}) {
    const std::string flat = std::string("1") + dead;
    const Comparison found = compare(closed(flat.c_str()), closed("1/(s^2 + s/100 + 1)"), {.within = wide});
    EXPECT_EQ(found.same, Sameness::same);
    ASSERT_EQ(found.deviations.size(), 1U);
    EXPECT_NEAR(found.deviations[0].largest.magnitude_db, 40, 0.05);  // a bound is a thousandth higher
    EXPECT_NEAR(found.deviations[0].largest.magnitude_at, 1, 1e-3);
    EXPECT_EQ(compare(closed(flat.c_str()), closed("1/(s^2 + s/100 + 1)"), {.within = narrow}).same, Sameness::different);
  }
  const Comparison delayed = compare(closed("exp(-s/10)"), closed("1"), {.within = DeviationLimits{1, 20, {0.1, 1}}});
  EXPECT_EQ(delayed.same, Sameness::same);
  EXPECT_NEAR(delayed.deviations[0].largest.phase_deg, 0.1 * 180 / 3.141592653589793, 1e-6);
}

}  // namespace
}  // namespace sfg
