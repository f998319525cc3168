#include "sfg/budget.hpp"

#include <cstdio>
#include <string>
#include <utility>

#include "sfg/error.hpp"

namespace sfg {

namespace {

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value >= 100 && value < 1e9 ? "%.0f" : "%.3g", value);
  return text;
}

}  // namespace

Budget::Budget() : Budget(Limits{}) {}

Budget::Budget(Limits limits, std::stop_token stop)
    : limits_(limits), stop_(std::move(stop)), start_(std::chrono::steady_clock::now()) {}

Budget Budget::with_terms(std::uint64_t terms) const {
  Budget copy = *this;
  copy.limits_.terms = terms;
  return copy;
}

void Budget::check(const char* work) const {
  if (stop_.stop_requested()) throw Cancelled{};
  if (!limits_.seconds) return;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
  if (spent.count() > *limits_.seconds)
    throw LimitReached("the time limit of " + rounded(*limits_.seconds) + " s ended during " + work,
                       Advice::raise_time_limit | "ask for less");
}

void Budget::check_terms(std::uint64_t terms, const char* work, Advice cheaper) const {
  if (terms > limits_.terms)
    throw LimitReached(
        std::string(work) + " needs " + std::to_string(terms) + " terms, more than the limit of " + std::to_string(limits_.terms),
        Advice::raise_term_limit | cheaper);
}

void Budget::check_memory(double bytes, const char* work, Advice cheaper) const {
  if (bytes > static_cast<double>(limits_.memory_bytes))
    throw LimitReached(std::string(work) + " needs about " + rounded(bytes / 1048576.0) + " MiB, more than the limit of " +
                           std::to_string(limits_.memory_bytes >> 20) + " MiB",
                       Advice::raise_memory_limit | cheaper);
}

}  // namespace sfg
