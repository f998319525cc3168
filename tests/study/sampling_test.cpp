#include "sfg/study/samples/monte_carlo.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "sfg/error.hpp"

namespace sfg {
namespace {

constexpr Sampling every[]{Sampling::random, Sampling::latin_hypercube, Sampling::sobol};

TEST(Philox, GivesThePublishedBits) {  // of Random123's known answers
  using Four = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Four{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Four{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Four{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(UnitPoints, AreTheSameOneByOne) {
  constexpr std::size_t dimensions = 3, count = 100;
  for (const Sampling sampling : every) {
    const UnitPoints points(dimensions, sampling, 7, 1000);
    std::vector<double> all(dimensions * count), one(dimensions);
    points.draw(300, count, all);
    for (std::size_t i = 0; i < count; ++i) {
      points.draw(300 + i, 1, one);
      for (std::size_t d = 0; d < dimensions; ++d) EXPECT_EQ(one[d], all[d * count + i]) << to_string(sampling);
    }
    for (const double u : all) EXPECT_TRUE(u > 0 && u < 1);
  }
}

TEST(UnitPoints, OfALatinHypercubeAreOneInEverySlice) {
  for (const std::uint64_t N : {1U, 2U, 3U, 5U, 64U, 1000U}) {
    const UnitPoints points(4, Sampling::latin_hypercube, 3, N);
    std::vector<double> all(4 * N);
    points.draw(0, N, all);
    for (std::size_t d = 0; d < 4; ++d) {
      std::set<int> slices;
      for (std::size_t i = 0; i < N; ++i) slices.insert(static_cast<int>(all[d * N + i] * static_cast<double>(N)));
      EXPECT_EQ(slices.size(), N);
      EXPECT_LT(*slices.rbegin(), static_cast<int>(N));
    }
  }
}

TEST(UnitPoints, OfSobolsSequenceAreNetsForEverySeed) {
  // Each elementary interval of measure 2^-8 in the first two dimensions has one of the first 256 points: t = 0 there.
  for (const std::uint64_t seed : {1U, 2U, 99U}) {
    const UnitPoints points(5, Sampling::sobol, seed, 256);
    std::vector<double> all(5 * 256);
    points.draw(0, 256, all);
    for (int a = 0; a <= 8; ++a) {
      std::set<std::pair<int, int>> cells;
      for (std::size_t i = 0; i < 256; ++i)
        cells.emplace(static_cast<int>(std::ldexp(all[i], a)), static_cast<int>(std::ldexp(all[256 + i], 8 - a)));
      EXPECT_EQ(cells.size(), 256U) << "seed " << seed << ", 2^-" << a;
    }
  }
}

TEST(UnitPoints, OfSobolsSequenceIntegrateBetterForAnyNumber) {
  // The mean of Π (1 + (u − 1/2)) is 1; for numbers that are no power of 2, too.
  const auto error = [](Sampling sampling, std::uint64_t N) {
    double squares = 0;
    for (std::uint64_t seed = 1; seed <= 16; ++seed) {
      const UnitPoints points(6, sampling, seed, N);
      std::vector<double> u(6 * N);
      points.draw(0, N, u);
      double sum = 0;
      for (std::size_t i = 0; i < N; ++i) {
        double product = 1;
        for (std::size_t d = 0; d < 6; ++d) product *= 0.5 + u[d * N + i];
        sum += product;
      }
      squares += std::pow(sum / static_cast<double>(N) - 1, 2);
    }
    return std::sqrt(squares / 16);
  };
  for (const std::uint64_t N : {500U, 777U, 1024U, 3000U})
    EXPECT_LT(error(Sampling::sobol, N), 0.35 * error(Sampling::random, N)) << N;
}

TEST(UnitPoints, RefuseMoreDimensionsThanSobolHas) { EXPECT_THROW(UnitPoints(4000, Sampling::sobol, 1, 10), Error); }

TEST(ToValues, FollowsDistributionsAndTheirCopula) {
  constexpr std::size_t N = 40000;
  Variation variation{
      {{"a", 10, 3, Distribution::normal}, {"b", 2, 1, Distribution::lognormal}, {"c", 5, 1, Distribution::uniform}}, {}};
  variation.cholesky = {1, 0, 0, 0.8, 0.6, 0, -0.5, 0.2, std::sqrt(1 - 0.25 - 0.04)};
  std::vector<double> x(3 * N);
  UnitPoints(3, Sampling::random, 5, N).draw(0, N, x);
  to_values(variation, N, x);
  const auto column = [&](std::size_t k) { return std::span(x).subspan(k * N, N); };
  EXPECT_NEAR(moments_of(column(0)).mean, 10, 0.03);
  EXPECT_NEAR(moments_of(column(0)).deviation(), 1, 0.02);
  EXPECT_NEAR(moments_of(column(2)).deviation(), 1 / std::sqrt(3.0), 0.01);
  EXPECT_TRUE(std::ranges::all_of(column(2), [](double v) { return v > 4 && v < 6; }));
  double sum = 0;
  const double sigma = std::log(1.5) / 3;
  for (std::size_t i = 0; i < N; ++i) sum += (column(0)[i] - 10) * std::log(column(1)[i] / 2) / sigma;
  EXPECT_NEAR(sum / N, 0.8, 0.02);
}

}  // namespace
}  // namespace sfg
