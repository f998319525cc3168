#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>

#include "sfg/remedy.hpp"

namespace sfg {

/// Limits of one analysis, passed down to everything that may take long; never global.
/// The clock starts when the budget is made.
class Budget {
 public:
  struct Limits {
    std::optional<double> seconds = {};               ///< wall-clock time
    std::size_t memory_bytes = std::size_t{2} << 30;  ///< predicted size of any one structure
    std::uint64_t terms = 1'000'000;                  ///< products in an expanded answer, entries in a listing
  };

  Budget();  ///< no limit of time, the other limits as above
  /// @param stop  asks from another thread (a signal, a window) to end with Cancelled
  explicit Budget(Limits limits, std::stop_token stop = {});

  const Limits& limits() const noexcept { return limits_; }
  /// The same clock, memory and stop with another number of terms, for an attempt that has a cheaper way out.
  Budget with_terms(std::uint64_t terms) const;

  /// Throws LimitReached when the time is over, Cancelled when a stop was requested. `work` names what was going on.
  /// Costs a clock reading: call it every few thousand steps.
  void check(const char* work) const;
  /// Throws LimitReached when `terms` or `bytes` exceed the limits; `cheaper` says which cheaper form would do.
  void check_terms(std::uint64_t terms, const char* work, Advice cheaper) const;
  void check_memory(double bytes, const char* work, Advice cheaper) const;

 private:
  Limits limits_;
  std::stop_token stop_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace sfg
