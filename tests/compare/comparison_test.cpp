// Pairs made equal by rewriting are proved equal; pairs made different at one branch, and rewritten afterwards, are told apart,
// and what is said to explain the difference does: the transfer function of the graph so changed is that of the other.
#include "sfg/compare/comparison.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <sstream>

#include "expect.hpp"
#include "graphs/random.hpp"
#include "sfg/graph/realization.hpp"
#include "sfg/graph/rewrite.hpp"
#include "sfg/write/comparison.hpp"
#include "sfg/write/page_text.hpp"

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
      return only_nodes(sample.graph, kept);
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
    case 3: return only_nodes(sample.graph, std::vector{sample.input, sample.output});
    case 4: {
      const auto node = inner();
      return node ? scaled(sample.graph, *node, GiNaC::numeric(3)) : merged_parallel(sample.graph);
    }
    default: return merged_series(merged_parallel(sample.graph));
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
    EXPECT_TRUE(found.same) << text_of(found);
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
    EXPECT_FALSE(found.same);
    EXPECT_TRUE(found.counterexample) << text_of(found);
    EXPECT_FALSE(found.explanations.alternatives.empty()) << text_of(found);
    const ModelPair pair = paired(model(*right), model(*other));
    for (const Explanation& explanation : found.explanations.alternatives)
      EXPECT_TRUE(true_explanation(pair, explanation)) << text_of(found);
    ++done;
  }
}

}  // namespace
}  // namespace sfg
