#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "sfg/budget.hpp"

namespace sfg::numeric {

/// The one loop of the library that runs on several threads: items 0 … count − 1, each once, in no order. Whoever gives items
/// that write to places of their own gets the same bits for every number of threads.
/// @param threads  0: one for each core; never more than there are items
/// @param budget   looked at before every item; make items of a millisecond or so
/// @param worker   called once on every thread, gives the function of an item, which may own the memory the thread works in
/// @throws what the first item that failed threw, or the budget; the others are left undone then.
template <class MakeWorker>
void parallel_with(std::size_t count, unsigned threads, const Budget& budget, const char* what, const MakeWorker& worker) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  threads = static_cast<unsigned>(std::min<std::size_t>(threads, count));
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto run = [&] {
    try {
      auto item = worker();
      for (std::size_t k = next++; k < count; k = next++) {
        budget.check(what);
        item(k);
      }
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned thread = 1; thread < threads; ++thread) others.emplace_back(run);
    if (count > 0) run();
  }
  if (failure) std::rethrow_exception(failure);
}

/// The same where an item needs no memory of its own: item(k).
template <class Item>
void parallel(std::size_t count, unsigned threads, const Budget& budget, const char* what, const Item& item) {
  parallel_with(count, threads, budget, what, [&] { return [&](std::size_t k) { item(k); }; });
}

}  // namespace sfg::numeric
