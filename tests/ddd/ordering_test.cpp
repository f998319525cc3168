#include "sfg/ddd/ordering.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "ddd/families.hpp"
#include "sfg/ddd/size_estimate.hpp"

namespace sfg::ddd {
namespace {

TEST(Ordering, PredictsLaddersAndGridsNarrow) {
  EXPECT_LE(best_order(families::ladder(500)).prediction.width, 2U);
  EXPECT_LE(best_order(families::grid(7)).prediction.width, 14U);
  EXPECT_LE(best_order(families::star(100)).prediction.states, 1000);
}

TEST(Ordering, ThePredictionIsAnUpperBound) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Pattern pattern = families::random_graph(20, 3, seed);
    const Order order = best_order(pattern);
    const DeterminantDiagram diagram(pattern, order);
    EXPECT_GE(order.prediction.states * (1 + 1e-9), static_cast<double>(diagram.visited_states())) << "seed " << seed;
    EXPECT_GE(order.prediction.edges * (1 + 1e-9), static_cast<double>(diagram.edge_count())) << "seed " << seed;
  }
}

TEST(Ordering, SamplesPredictWithinTwentyPercent) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Pattern pattern = families::random_graph(34, 3, seed);
    const Order order = best_order(pattern);
    const DeterminantDiagram diagram(pattern, order);
    const Prediction sampled = sampled_prediction(pattern, LineGraph(pattern), order.lines);
    EXPECT_NEAR(sampled.states / static_cast<double>(diagram.visited_states()), 1, 0.2) << "seed " << seed;
  }
}

TEST(Ordering, SearchFindsBetterOrdersOfWideGraphs) {
  const Pattern pattern = families::random_graph(44, 3, 3);
  const Order quick = best_order(pattern, {.search_seconds = 0});
  const Order better = best_order(pattern, {.search_seconds = 0.03, .good_enough = 1});
  EXPECT_LT(better.prediction.states, 0.9 * quick.prediction.states);
  EXPECT_EQ(better.method, "local search");
}

TEST(Ordering, IsTheSameEveryTime) {
  const Pattern pattern = families::random_graph(40, 3, 5);
  const OrderOptions options{.search_seconds = 0.01, .good_enough = 1, .seed = 7};
  EXPECT_EQ(best_order(pattern, options).lines, best_order(pattern, options).lines);
}

TEST(Ordering, RefusesWhatIsNoOrder) {
  const Pattern pattern = families::complete(3);
  EXPECT_THROW(order_of(pattern, {0, 1}), std::invalid_argument);
  EXPECT_THROW(order_of(pattern, {0, 1, 1}), std::invalid_argument);
  EXPECT_THROW(order_of(pattern, {0, 1, 6}), std::invalid_argument);
  EXPECT_NO_THROW(order_of(pattern, {0, 5, 1, 3, 2}));
}

}  // namespace
}  // namespace sfg::ddd
