#include "sfg/study/samples/order_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "sfg/study/samples/monte_carlo.hpp"

namespace sfg {
namespace {

using Pairs = std::optional<std::vector<std::pair<double, double>>>;

/// What windows find of numbers that come in so many at a time, and how many they keep at most.
Pairs found(const std::vector<double>& x, std::span<const double> levels, std::size_t at_a_time, std::size_t& most) {
  QuantileWindows windows(levels, 6);
  OrderTally tally, other;  // of two threads
  for (std::size_t first = 0; first < x.size(); first += at_a_time) {
    const std::size_t size = std::min(at_a_time, x.size() - first);
    const std::size_t half = size / 2;
    tally.add(windows.windows(), std::span(x).subspan(first, half));
    other.add(windows.windows(), std::span(x).subspan(first + half, size - half));
    tally.take(other);
    windows.take(tally);
    windows.settle(first + size);
    Packer packer;
    windows.pack(packer);
    const std::string bytes = std::move(packer).bytes();
    most = std::max(most, bytes.size() / sizeof(double));
    Unpacker from(bytes);
    windows.unpack(from);
  }
  return windows.neighbours(x.size());
}

TEST(QuantileWindows, FindWhatSortingFinds) {
  std::mt19937_64 generator(11);
  std::normal_distribution<double> normal;
  for (const std::size_t N : {1U, 2U, 5U, 999U, 50000U, 400000U}) {
    std::vector<double> x(N), ties(N), wide(N), lumps(N), same(N, 3.5), sorted;
    for (double& v : x) v = normal(generator);
    for (std::size_t i = 0; i < N; ++i) ties[i] = std::max(0.0, std::round(4 * x[i]) / 4);              // a lump at 0, and steps
    for (std::size_t i = 0; i < N; ++i) wide[i] = std::copysign(std::exp(100 * std::abs(x[i])), x[i]);  // one cell has nearly all
    for (std::size_t i = 0; i < N; ++i) lumps[i] = std::abs(x[i]) < 1 ? std::round(x[i]) : x[i];        // within what goes on
    for (const std::vector<double>* numbers : {&x, &ties, &wide, &lumps, &same}) {
      sorted = *numbers;
      std::ranges::sort(sorted);
      std::size_t most = 0;
      const auto pairs = found(*numbers, measure_levels, 4000, most);
      ASSERT_TRUE(pairs) << N;
      for (std::size_t l = 0; l < std::size(measure_levels); ++l) {
        const auto rank = static_cast<std::size_t>(std::floor(measure_levels[l] * static_cast<double>(N - 1)));
        EXPECT_EQ((*pairs)[l].first, sorted[rank]) << N << " " << measure_levels[l];
        EXPECT_EQ((*pairs)[l].second, sorted[std::min(rank + 1, N - 1)]) << N << " " << measure_levels[l];
      }
      EXPECT_LT(most, 60000U) << N;  // of seven windows
    }
  }
}

TEST(QuantileWindows, SayWhenTheyLostAQuantile) {
  std::vector<double> x(100000);  // that are not alike: they grow
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  std::size_t most = 0;
  constexpr double half[] = {0.5};
  EXPECT_FALSE(found(x, half, 4000, most));
}

TEST(Ranked, FindsWhatSortingFinds) {
  std::mt19937_64 generator(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<double> x(1 + generator() % 3000);
    const double scale = std::exp2(static_cast<double>(generator() % 2047) - 1023), steps = round % 3 == 0 ? 5 : 1e9;
    for (double& v : x) v = scale * (std::round(steps * (static_cast<double>(generator()) * 0x1p-63 - 1)) / steps);
    Ranked ranked;
    ranked.take(x);
    std::ranges::sort(x);
    for (int k = 0; k < 20; ++k) {
      const std::size_t rank = generator() % x.size();
      ASSERT_EQ(ranked.at(rank), x[rank]) << round;
    }
  }
}

TEST(OrderTally, CountsAsOneByOne) {
  std::mt19937_64 generator(3);
  const std::vector<double> odd{
      NAN, INFINITY, -INFINITY, 0, -0.0, 1, -1, std::numeric_limits<double>::max(), -std::numeric_limits<double>::max()};
  for (int round = 0; round < 500; ++round) {
    std::vector<OrderWindow> windows(1 + generator() % 7);
    for (OrderWindow& window : windows)
      if (generator() % 4 != 0) {
        window.low = static_cast<double>(generator() % 9) - 4;
        window.high = window.low + static_cast<double>(generator() % 3);
      }
    std::vector<double> x(generator() % 700), within;
    for (double& v : x) v = generator() % 5 == 0 ? odd[generator() % odd.size()] : static_cast<double>(generator() % 33) / 4 - 4;
    OrderTally tally;
    tally.add(windows, x);
    for (std::size_t w = 0; w < windows.size() && !x.empty(); ++w)
      EXPECT_EQ(tally.below[w], static_cast<std::uint64_t>(
                                    std::ranges::count_if(x, [&](double v) { return std::isfinite(v) && v < windows[w].low; })));
    std::ranges::copy_if(x, std::back_inserter(within), [&](double v) {
      return std::isfinite(v) &&
             std::ranges::any_of(windows, [v](const OrderWindow& window) { return v >= window.low && v <= window.high; });
    });
    EXPECT_EQ(tally.within, within);
  }
}

}  // namespace
}  // namespace sfg
