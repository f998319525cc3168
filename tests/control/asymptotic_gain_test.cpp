// T = A∞·L/(1 + L) + A₀/(1 + L) of random graphs: A∞ is the limit of T for a growing gain of the branch that is opened, A₀ that
// for 0.
#include "sfg/control/asymptotic_gain.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "graphs/families.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {
namespace {

TEST(AsymptoticGain, IsTheLimitOfAGrowingGain) {
  std::mt19937_64 random(74);
  int compared = 0;
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<test::Arrow> edges{{"u", "a", "g1"}, {"a", "b", "K"}, {"b", "y", "g2"}, {"b", "a", "-h"}};
    const std::array<const char*, 5> nodes{"u", "a", "b", "c", "y"};
    for (int i = 0; i < 4; ++i) {
      const std::string from = nodes[random() % 5], to = nodes[1 + random() % 4];
      if (from != to && !(from == "a" && to == "b"))
        edges.push_back({from, to, "w" + std::to_string(i) + (random() % 2 ? "/(s + 1)" : "")});
    }
    SignalFlowGraph graph = test::graph_of(edges);
    graph.op.declare(graph.symbols);
    const Question question{*graph.find("u"), *graph.find("y"), Question::Mode::source, {}};
    try {
      const AsymptoticGain gain = asymptotic_gain(graph, {*graph.find("a"), *graph.find("b")}, question);
      const GiNaC::ex T = gain.transfer.value.expression(), K = graph.symbols.at("K").expr, L = gain.loop_gain;
      const auto [above, below] = fraction(T, K);
      const int degree = std::max(above.degree(K), below.degree(K));
      EXPECT_TRUE(vanishes(gain.ideal - above.coeff(K, degree) / below.coeff(K, degree)));
      EXPECT_TRUE(vanishes(gain.direct - T.subs(K == 0)));
      EXPECT_TRUE(vanishes(T - (gain.ideal * L + gain.direct) / (1 + L)));
      ++compared;
    } catch (const Error&) {              // the graph has no unique solution
    } catch (const GiNaC::pole_error&) {  // nothing but K closes a loop that must be closed
    }
  }
  EXPECT_GT(compared, 40);
}

}  // namespace
}  // namespace sfg
