// Mason's rule by enumeration, the determinant diagram and the elimination modulo primes share no algorithm: on random
// graphs they must agree. SFG_TEST_MULTIPLIER=10 runs ten times as many.
#include <ginac/operators.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "expect.hpp"
#include "graphs/random.hpp"
#include "response_modulo.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/transfer/mason.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/transfer/verify.hpp"

namespace sfg {
namespace {

std::uint64_t multiplier() {
  const char* text = std::getenv("SFG_TEST_MULTIPLIER");
  return text == nullptr ? 1 : std::max(1, std::atoi(text));
}

std::string describe(const test::RandomGraph& random, const Question& question) {
  std::string text;
  for (const auto& arrow : random.arrows) text += arrow.from + "->" + arrow.to + " [" + arrow.gain + "]; ";
  return text + "from " + random.graph[question.input].name + " to " + random.graph[question.output].name;
}

/// Products of the multigraph, parallel branches apart, from the listed loops.
std::uint64_t products_apart(const SignalFlowGraph& graph, const MasonListing& listing) {
  std::map<std::pair<NodeId, NodeId>, std::uint64_t> parallel;
  for (const BranchBundle& bundle : bundles(graph)) parallel[{bundle.from, bundle.to}] = bundle.branches.size();
  std::vector<std::uint64_t> loops;
  for (const auto& loop : listing.loops) {
    std::uint64_t count = 1;
    const auto& nodes = loop.path.nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i) count *= parallel.at({nodes[i], nodes[(i + 1) % nodes.size()]});
    loops.push_back(count);
  }
  std::uint64_t total = 1;
  for (const std::uint64_t count : loops) total += count;
  for (const auto& set : listing.non_touching) {
    std::uint64_t count = 1;
    for (const std::size_t i : set) count *= loops[i];
    total += count;
  }
  return total;
}

void compare(const test::RandomGraph& random, const Question& question) {
  SCOPED_TRACE(describe(random, question));
  const SignalFlowGraph& graph = random.graph;
  std::optional<TransferFunction> found;
  try {
    found = transfer_function(graph, question);
  } catch (const NoAnswer&) {
  }
  if (!found) {
    for (std::uint64_t seed = 100; seed < 102; ++seed)
      EXPECT_EQ(ModularElimination(graph, random_point(seed)).response(question), std::nullopt);
    EXPECT_THROW(mason(graph, question), NoAnswer);
    return;
  }
  const MasonListing listing = mason(graph, question);
  const auto [above, below] = gain_by_paths(listing);
  EXPECT_EXPRESSION(above / below, found->value.expression()) << found->value.text();
  EXPECT_EQ(listing.set_count, ring::Integer(static_cast<std::int64_t>(listing.non_touching.size() + listing.loops.size() + 1)));
  EXPECT_EQ(found->terms.determinant, ring::Integer(std::to_string(products_apart(graph, listing))));
  EXPECT_TRUE(found->value.common_factor().is_one()) << found->value.text();

  SymbolTable symbols = graph.symbols;
  EXPECT_EXPRESSION(parse(found->value.text(), symbols), found->value.expression()) << found->value.text();
  EXPECT_EXPRESSION(parse(print(listing.determinant), symbols), listing.determinant) << print(listing.determinant);

  const ModularPoint point = random_point(99);
  const auto by_elimination = test::response_modulo(graph, question, point);
  EXPECT_EQ(by_elimination ? point(found->value.expression()) : by_elimination, by_elimination);
}

TEST(MasonAndDiagram, AgreeOnRandomGraphs) {
  const std::uint64_t graphs = 300 * multiplier();
  int answers = 0;
  for (std::uint64_t seed = 1; seed <= graphs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const test::RandomGraph random(seed);
    for (const Question& question : {Question{random.input, random.output, Question::Mode::source, {}},
                                     Question{random.inner, random.output, Question::Mode::inject, {}},
                                     Question{random.inner, random.output, Question::Mode::ratio, random.input}})
      try {
        compare(random, question);
      } catch (const std::exception& error) {
        ADD_FAILURE() << error.what() << "\n" << describe(random, question);
      }
    ++answers;
    if (::testing::Test::HasFailure()) break;
  }
  EXPECT_GT(answers, 0);
}

}  // namespace
}  // namespace sfg
