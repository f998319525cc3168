#include "sfg/numeric/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <stop_token>
#include <vector>

#include "sfg/error.hpp"

using sfg::numeric::parallel;
using sfg::numeric::parallel_with;

TEST(Parallel, DoesEveryItemOnceForEveryNumberOfThreads) {
  for (const unsigned threads : {0U, 1U, 2U, 7U})
    for (const std::size_t count : {0U, 1U, 5U, 1000U}) {
      std::vector<std::atomic<int>> done(count);
      parallel(count, threads, {}, "the test", [&](std::size_t k) { ++done[k]; });
      for (std::size_t k = 0; k < count; ++k) EXPECT_EQ(done[k], 1) << k << " of " << count << " on " << threads;
    }
}

TEST(Parallel, GivesEveryThreadMemoryOfItsOwn) {
  std::atomic<int> makers = 0;
  std::vector<int> result(500);
  parallel_with(result.size(), 3, {}, "the test", [&] {
    ++makers;
    return [&result, memory = 0](std::size_t k) mutable {
      memory = static_cast<int>(k);
      result[k] = memory * memory;
    };
  });
  EXPECT_LE(makers, 3);
  for (std::size_t k = 0; k < result.size(); ++k) EXPECT_EQ(result[k], static_cast<int>(k * k));
}

TEST(Parallel, HandsOnWhatAnItemThrewAndLeavesTheRest) {
  std::atomic<int> done = 0;
  EXPECT_THROW(parallel(100'000, 2, {}, "the test",
                        [&](std::size_t k) {
                          if (k == 3) throw std::runtime_error("the fourth");
                          ++done;
                        }),
               std::runtime_error);
  EXPECT_LT(done, 100'000);
}

TEST(Parallel, EndsWithItsBudget) {
  std::stop_source stop;
  const sfg::Budget budget({}, stop.get_token());
  std::atomic<int> done = 0;
  const auto until_asked_to_stop = [&] {
    parallel(100'000, 2, budget, "the test", [&](std::size_t) {
      if (++done == 10) stop.request_stop();
    });
  };
  EXPECT_THROW(until_asked_to_stop(), sfg::Cancelled);
  EXPECT_LT(done, 100'000);
  EXPECT_THROW(parallel(1, 1, sfg::Budget({.seconds = 0}), "the test", [](std::size_t) {}), sfg::LimitReached);
}
