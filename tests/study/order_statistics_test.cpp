#include "sfg/study/samples/order_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace sfg {
namespace {

/// What a window finds of numbers that come in so many at a time, and how many it keeps at most.
std::optional<std::pair<double, double>> found(const std::vector<double>& x, double p, std::size_t at_a_time, std::size_t& most) {
  QuantileWindow window(p, 6);
  OrderTally tally;
  for (std::size_t first = 0; first < x.size(); first += at_a_time) {
    const std::size_t size = std::min(at_a_time, x.size() - first);
    const std::size_t half = size / 2;
    OrderTally other;  // of another thread
    tally.add(window.window(), std::span(x).subspan(first, half));
    other.add(window.window(), std::span(x).subspan(first + half, size - half));
    tally.take(other);
    window.take(tally);
    window.settle(first + size);
    Packer packer;
    window.pack(packer);
    const std::string bytes = std::move(packer).bytes();
    most = std::max(most, bytes.size() / sizeof(double));
    Unpacker from(bytes);
    window.unpack(from);
  }
  return window.neighbours(x.size());
}

TEST(QuantileWindow, FindsWhatSortingFinds) {
  std::mt19937_64 generator(11);
  std::normal_distribution<double> normal;
  for (const std::size_t N : {1U, 2U, 5U, 999U, 50000U, 400000U}) {
    std::vector<double> x(N), ties(N), sorted;
    for (double& v : x) v = normal(generator);
    for (std::size_t i = 0; i < N; ++i) ties[i] = std::max(0.0, std::round(4 * x[i]) / 4);  // a lump at 0, and steps
    for (const std::vector<double>* numbers : {&x, &ties}) {
      sorted = *numbers;
      std::ranges::sort(sorted);
      for (const double p : {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99}) {
        std::size_t most = 0;
        const auto pair = found(*numbers, p, 4000, most);
        const auto rank = static_cast<std::size_t>(std::floor(p * static_cast<double>(N - 1)));
        ASSERT_TRUE(pair) << N << " " << p;
        EXPECT_EQ(pair->first, sorted[rank]) << N << " " << p;
        EXPECT_EQ(pair->second, sorted[std::min(rank + 1, N - 1)]) << N << " " << p;
        EXPECT_LT(most, 14000U) << N << " " << p;
      }
    }
  }
}

TEST(QuantileWindow, SaysWhenItLostAQuantile) {
  std::vector<double> x(100000);  // that are not alike: they grow
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  std::size_t most = 0;
  EXPECT_FALSE(found(x, 0.5, 4000, most));
}

TEST(OrderTally, LeavesOutWhatIsNoNumber) {
  OrderTally tally;
  tally.add(OrderWindow(), std::vector<double>{NAN, 1, INFINITY, -INFINITY, 2});
  EXPECT_EQ(tally.within, (std::vector<double>{1, 2}));
  OrderWindow window;
  window.low = 0;
  window.high = 1;
  tally = {};
  tally.add(window, std::vector<double>{NAN, -1, -INFINITY, 0, 0.5, 1, 2, INFINITY});
  EXPECT_EQ(tally.below, 1U);
  EXPECT_EQ(tally.at_low, 1U);
  EXPECT_EQ(tally.at_high, 1U);
  EXPECT_EQ(tally.within, (std::vector<double>{0.5}));
}

}  // namespace
}  // namespace sfg
