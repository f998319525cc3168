// Searches of one point against problems whose solutions are known in closed form.
#include "sfg/study/tuning/constrained_search.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stop_token>
#include "sfg/error.hpp"

namespace sfg {
namespace {

SearchPoint point_at(const SearchProblem& problem, std::vector<double> x) {
  SearchValues values = problem.values(x, false);
  return {std::move(x), std::move(values)};
}

/// Smooth: (x − 0.7)² + 2 (y − 0.4)² + … under x + y = 0.8, y ≥ 0.3.
SearchProblem smooth() {
  return {2, [](std::span<const double> x, bool slopes) {
            SearchValues v;
            v.pieces = {(x[0] - 0.7) * (x[0] - 0.7) + 2 * (x[1] - 0.4) * (x[1] - 0.4)};
            v.inequalities = {0.3 - x[1]};
            v.equations = {x[0] + x[1] - 0.8};
            if (slopes) v.slopes = {2 * (x[0] - 0.7), 4 * (x[1] - 0.4), 0, -1, 1, 1};
            return v;
          }};
}

TEST(ConstrainedSearch, DescendsToTheSolutionUnderConditions) {
  const SearchPoint found = descended(smooth(), point_at(smooth(), {0.1, 0.9}), {});
  EXPECT_TRUE(found.values.feasible());
  EXPECT_NEAR(found.x[0], 0.5, 1e-6);  // on the line: 2(x − 0.7) = 4(0.4 − x), x = 0.5
  EXPECT_NEAR(found.x[1], 0.3, 1e-6);
}

TEST(ConstrainedSearch, RestoresTheNearestPointOfTheConditions) {
  const SearchPoint found = restored(smooth(), point_at(smooth(), {0.2, 0.2}), {});
  EXPECT_LT(found.values.violation(), 1e-12);
  EXPECT_NEAR(found.x[0] + found.x[1], 0.8, 1e-12);
}

/// The nonsmooth function of Rosenbrock: w|x² − y| + (1 − x)², with x, y in units of 2; its valley is a curve of kinks.
SearchProblem kinked(double w) {
  return {2, [w](std::span<const double> u, bool slopes) {
            const double x = 2 * u[0], y = 2 * u[1], kink = x * x - y, sign = kink < 0 ? -1 : 1;
            SearchValues v;
            v.pieces = {w * std::abs(kink) + (1 - x) * (1 - x)};
            if (slopes) v.slopes = {2 * (sign * w * 2 * x - 2 * (1 - x)), -2 * sign * w};
            return v;
          }};
}

TEST(ConstrainedSearch, PolishesAlongKinks) {
  for (const double w : {1.0, 8.0}) {
    const SearchPoint found = polished(kinked(w), point_at(kinked(w), {0.2, 0.7}), {});
    EXPECT_LT(found.values.objective(), 1e-8) << w;
    EXPECT_NEAR(found.x[0], 0.5, 1e-4) << w;
  }
}

/// The greatest of n distances |x_i − c_i|·(i + 1) and of their sum: a kink of n + 1 pieces at c.
TEST(ConstrainedSearch, PolishesACornerInFiveDimensions) {
  const SearchProblem corner{5, [](std::span<const double> x, bool slopes) {
                               double sum = 0;
                               SearchValues v;
                               v.slopes.assign(slopes ? 5 : 0, 0.0);
                               for (std::size_t i = 0; i < 5; ++i) {
                                 const double off = x[i] - 0.1 * static_cast<double>(i + 2), w = static_cast<double>(i + 1);
                                 sum += w * std::abs(off) + off * off;
                                 if (slopes) v.slopes[i] = (off < 0 ? -w : w) + 2 * off;
                               }
                               v.pieces = {sum};
                               return v;
                             }};
  const SearchPoint found = polished(corner, point_at(corner, {0.9, 0.9, 0.1, 0.1, 0.9}), {});
  EXPECT_LT(found.values.objective(), 1e-6);
}

/// The least of x + y where x·y ≥ 1/4 bends and |x − y| ≤ 0.2 has a corner: x − y = ±0.2 are not active, x = y = 1/2 is best.
TEST(ConstrainedSearch, PolishesUnderKinkedConditions) {
  const SearchProblem problem{2, [](std::span<const double> x, bool slopes) {
                                SearchValues v;
                                const double off = x[0] - x[1], sign = off < 0 ? -1 : 1;
                                v.pieces = {std::abs(x[0] - 0.5) + 3 * x[1]};
                                v.inequalities = {0.25 - x[0] * x[1], std::abs(off) - 0.2};
                                if (slopes) v.slopes = {x[0] < 0.5 ? -1.0 : 1.0, 3, -x[1], -x[0], sign, -sign};
                                return v;
                              }};
  const SearchPoint found = polished(problem, point_at(problem, {0.9, 0.8}), {});
  const double x = 0.1 + std::sqrt(0.26);  // x(x − 0.2) = 1/4
  EXPECT_TRUE(found.values.feasible());
  EXPECT_NEAR(found.values.objective(), x - 0.5 + 3 * (x - 0.2), 1e-5);
}

/// A stair: least where it jumps, at 0.37.
TEST(ConstrainedSearch, WandersToAJump) {
  const SearchProblem stair{2, [](std::span<const double> x, bool) {
                              SearchValues v;
                              v.pieces = {x[0] < 0.37 ? 2 - x[0] : x[0] + (x[1] - 0.2) * (x[1] - 0.2)};
                              return v;
                            }};
  const SearchPoint found = wandered(stair, point_at(stair, {0.1, 0.9}), {});
  EXPECT_NEAR(found.values.objective(), 0.37, 1e-6);
}

/// Nothing exists left of 0.4: log(x − 0.4) is least there, x·y great.
TEST(ConstrainedSearch, NeverTakesAPointThatDoesNotExist) {
  const SearchProblem edge{1, [](std::span<const double> x, bool slopes) {
                             SearchValues v;
                             v.pieces = {x[0] > 0.4 ? x[0] : std::numeric_limits<double>::quiet_NaN()};
                             if (slopes) v.slopes = {1};
                             return v;
                           }};
  for (const auto& search : {descended, polished, wandered}) {
    const SearchPoint found = search(edge, point_at(edge, {0.9}), Budget());
    EXPECT_TRUE(found.values.exist());
    EXPECT_GT(found.x[0], 0.4);
  }
}

TEST(ConstrainedSearch, EndsWithTheBudget) {
  std::stop_source stop;
  stop.request_stop();
  const Budget budget({}, stop.get_token());
  EXPECT_THROW(static_cast<void>(descended(smooth(), point_at(smooth(), {0.1, 0.9}), budget)), Cancelled);
  EXPECT_THROW(static_cast<void>(wandered(kinked(1), point_at(kinked(1), {0.1, 0.9}), budget)), Cancelled);
}

}  // namespace
}  // namespace sfg
