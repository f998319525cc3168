#include "sfg/study/samples/monte_carlo.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <random>

namespace sfg {
namespace {

std::vector<double> numbers(std::size_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal(1000, 2);
  std::vector<double> result(count);
  for (double& x : result) x = normal(generator);
  return result;
}

TEST(Moments, AreThoseOfTwoPassesInLongDouble) {
  const std::vector<double> x = numbers(10007, 1);
  MomentTree tree;
  for (std::size_t i = 0; i < x.size(); i += 256)
    tree.add(moments_of(std::span(x).subspan(i, std::min<std::size_t>(256, x.size() - i))));
  long double mean = 0, squares = 0;
  for (const double v : x) mean += v;
  mean /= static_cast<long double>(x.size());
  for (const double v : x) squares += (v - mean) * (v - mean);
  const Moments all = tree.total();
  EXPECT_EQ(all.count, x.size());
  EXPECT_NEAR(all.mean, static_cast<double>(mean), 1e-12);
  EXPECT_NEAR(all.deviation(), std::sqrt(static_cast<double>(squares) / 10006), 1e-12);
  EXPECT_EQ(all.minimum, std::ranges::min(x));
  EXPECT_EQ(all.maximum, std::ranges::max(x));
}

TEST(Moments, LeaveOutWhatIsNoNumber) {
  const std::vector<double> x{1, NAN, 3, INFINITY};
  const Moments m = moments_of(x);
  EXPECT_EQ(m.count, 2U);
  EXPECT_EQ(m.mean, 2);
  EXPECT_TRUE(std::isnan(moments_of(std::span(x).first(1)).deviation()));
}

TEST(MomentTree, GoesOnFromItsSubtreesToTheSameBits) {
  MomentTree whole, first;
  const std::vector<double> x = numbers(4096, 2);
  for (std::size_t k = 0; k < 37; ++k) {
    const Moments block = moments_of(std::span(x).subspan(64 * k, 64));
    whole.add(block);
    if (k < 13) first.add(block);
  }
  MomentTree resumed = MomentTree::of(first.blocks(), first.subtrees());
  for (std::size_t k = 13; k < 37; ++k) resumed.add(moments_of(std::span(x).subspan(64 * k, 64)));
  EXPECT_EQ(resumed, whole);
  EXPECT_EQ(resumed.total(), whole.total());
}

TEST(Histogram, IsTheSameInAnyOrder) {
  std::vector<double> x = numbers(5000, 3);
  x.push_back(-40000);
  Histogram once, parts, joined;
  once.add(x);
  std::ranges::reverse(x);
  for (const double v : x) parts.add(std::span(&v, 1));
  Histogram half;
  half.add(std::span(x).first(2000));
  joined.add(std::span(x).subspan(2000));
  joined.add(half);
  EXPECT_EQ(once, parts);
  EXPECT_EQ(once, joined);
  std::uint64_t sum = 0;
  for (const std::uint64_t count : once.counts()) sum += count;
  EXPECT_EQ(sum, x.size());
  EXPECT_LE(once.counts().size(), static_cast<std::size_t>(Histogram::most_bins));
  EXPECT_LE(once.start(), -40000);
  EXPECT_GT(once.start() + once.width(), -40000);
}

TEST(Histogram, HasABinForNumbersThatAreAllTheSame) {
  for (const double v : {0.0, 1.0, -3e-300, 1e300}) {
    Histogram histogram;
    histogram.add(std::vector<double>(10, v));
    ASSERT_EQ(histogram.counts(), std::vector<std::uint64_t>{10}) << v;
    EXPECT_LE(histogram.start(), v);
    EXPECT_GT(histogram.start() + histogram.width(), v);
  }
}

TEST(ClopperPearson, MissesWithHalfOfWhatIsLeftOnEitherSide) {
  for (const auto& [k, n] : {std::pair(3, 10), std::pair(0, 10), std::pair(10, 10), std::pair(850, 1000)}) {
    const auto [low, high] = clopper_pearson(static_cast<std::uint64_t>(k), static_cast<std::uint64_t>(n));
    using Binomial = boost::math::binomial_distribution<double>;
    if (k == 0)
      EXPECT_EQ(low, 0);
    else
      EXPECT_NEAR(boost::math::cdf(boost::math::complement(Binomial(n, low), k - 1)), 0.025, 1e-12);
    if (k == n)
      EXPECT_EQ(high, 1);
    else
      EXPECT_NEAR(boost::math::cdf(Binomial(n, high), k), 0.025, 1e-12);
  }
}

TEST(NormalQuantile, IsThatOfBoost) {
  for (double u = 1e-300; u < 0.5; u *= 1.7)
    EXPECT_NEAR(normal_quantile(u) / (-std::sqrt(2.0) * boost::math::erfc_inv(2 * u)), 1, 2e-15);
  for (double u = 0.001; u < 1; u += 0.001)
    EXPECT_NEAR(normal_quantile(u), -std::sqrt(2.0) * boost::math::erfc_inv(2 * u), 2e-15);
  EXPECT_NEAR(normal_probability(normal_quantile(0.3)), 0.3, 1e-15);
}

}  // namespace
}  // namespace sfg
