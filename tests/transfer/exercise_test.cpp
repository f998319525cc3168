#include "sfg/transfer/exercise.hpp"

#include <ginac/operators.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <sstream>

#include "expect.hpp"
#include "sfg/error.hpp"
#include "sfg/write/graph.hpp"
#include "sfg/write/mason.hpp"

namespace sfg {
namespace {

std::string text_of(const SignalFlowGraph& graph) {
  std::ostringstream out;
  write_toml(out, graph);
  return out.str();
}

// The gain by Cramer's elimination of nodes in the test: x = A x + b, one node after the other put into the rest.
GiNaC::ex gain_by_substitution(const SignalFlowGraph& graph) {
  const std::size_t n = graph.nodes().size();
  std::vector<std::vector<GiNaC::ex>> a(n, std::vector<GiNaC::ex>(n, 0));
  for (const Branch& branch : graph.branches()) a[branch.to.index][branch.from.index] += branch.gain();
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const GiNaC::ex through = normal_form(1 / (1 - a[k][k]));
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || a[i][k].is_zero()) continue;
      for (std::size_t j = 0; j < n; ++j)
        if (j != k) a[i][j] = normal_form(a[i][j] + a[i][k] * through * a[k][j]);
      a[i][k] = 0;
    }
  }
  return a[n - 1][0];
}

// Loops and paths of a graph of the library, found by walking along its branches.
ShapeCounts walked(const SignalFlowGraph& graph) {
  std::vector<std::set<std::uint32_t>> loops;
  ShapeCounts found;
  std::vector<std::uint32_t> walk;
  const std::function<void(std::uint32_t)> follow = [&](std::uint32_t at) {
    walk.push_back(at);
    if (walk.front() == graph.inputs.front().index && at == graph.outputs.front().index) ++found.paths;
    for (const Branch& branch : graph.branches()) {
      if (branch.from.index != at) continue;
      if (branch.to.index == walk.front()) loops.emplace_back(walk.begin(), walk.end());
      if (branch.to.index > walk.front() && std::ranges::find(walk, branch.to.index) == walk.end()) follow(branch.to.index);
    }
    walk.pop_back();
  };
  for (const NodeId node : graph.node_ids()) follow(node.index);
  const auto apart = [&](std::size_t i, std::size_t j) {
    return std::ranges::none_of(loops[i], [&](std::uint32_t node) { return loops[j].contains(node); });
  };
  found.loops = loops.size();
  for (std::size_t i = 0; i < loops.size(); ++i) {
    found.self_loops += loops[i].size() == 1 ? 1 : 0;
    for (std::size_t j = i + 1; j < loops.size(); ++j) {
      found.pairs += apart(i, j) ? 1 : 0;
      for (std::size_t k = j + 1; k < loops.size(); ++k) found.triples += apart(i, j) && apart(i, k) && apart(j, k) ? 1 : 0;
    }
  }
  return found;
}

TEST(Exercise, HasWhatIsDemandedAndIsSolvedRight) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const ShapeDemand demand{.nodes = 5 + seed % 4, .loops = 2 + seed % 4, .pairs = seed % 2, .paths = 1 + seed % 3};
    const auto kind = static_cast<ExerciseGains>(seed % 3);
    const Exercise made = exercise(demand, seed, {.gains = kind});
    const ShapeCounts found = walked(made.graph);
    EXPECT_EQ(found, made.counts) << seed;
    EXPECT_EQ(found.loops, demand.loops) << seed;
    EXPECT_EQ(found.pairs, demand.pairs) << seed;
    EXPECT_EQ(found.paths, demand.paths) << seed;
    EXPECT_EQ(made.graph.nodes().size(), demand.nodes);
    EXPECT_EQ(made.graph.sources(), made.graph.inputs);
    EXPECT_EQ(made.graph.sinks(), made.graph.outputs);
    EXPECT_FALSE(made.solution.transmittance.is_zero());
    EXPECT_EXPRESSION(made.solution.transmittance, gain_by_substitution(made.graph)) << seed;
  }
}

TEST(Exercise, IsTheSameForTheSameSeed) {
  std::set<std::string> different;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ShapeDemand demand{.nodes = 7, .loops = 4};
    const std::string text = text_of(exercise(demand, seed).graph);
    EXPECT_EQ(text, text_of(exercise(demand, seed).graph));
    different.insert(text.substr(text.find("branches")));
  }
  EXPECT_EQ(different.size(), 20U);
}

TEST(Exercise, OfNumbersHasAResultOfFewDigits) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Exercise made = exercise({.nodes = 6, .loops = 3}, seed, {.gains = ExerciseGains::numbers});
    ASSERT_TRUE(GiNaC::is_a<GiNaC::numeric>(made.solution.transmittance)) << seed;
    EXPECT_LE(print(made.solution.transmittance).size(), 7U) << print(made.solution.transmittance);
  }
}

TEST(Exercise, SheetKeepsTheSolutionForItself) {
  const std::vector<Exercise> made{exercise({.nodes = 5, .loops = 2}, 1), exercise({.nodes = 5, .loops = 2}, 2)};
  std::ostringstream sheet, solved;
  write_json(sheet, made);
  write_json(solved, made, true);
  EXPECT_EQ(sheet.str().find("solution"), std::string::npos);
  EXPECT_NE(solved.str().find("\"solution\":{\"schema\":\"sfg/mason/1\""), std::string::npos);
  EXPECT_LT(page(made).blocks.size(), page(made, {.solution = true}).blocks.size());
  EXPECT_THROW(page(made, {.pictures = {Picture{}}}), std::invalid_argument);
}

}  // namespace
}  // namespace sfg
