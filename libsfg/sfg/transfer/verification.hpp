#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "sfg/ring/integer.hpp"

namespace sfg {

/// How an answer was checked.
struct Verification {
  std::string method = {};  ///< "sparse LU modulo 2 primes of 61 bits"
  std::size_t points = 0;
  double error_bound = 0;  ///< of the probability that a wrong answer passed (Schwartz–Zippel)
};

/// Exact numbers of products of branch gains in Σ P_k Δ_k and Δ of the whole graph, parallel branches apart, nothing
/// cancelled; nothing when the diagrams that would count them are too large.
struct TermCounts {
  std::optional<ring::Integer> numerator = {};
  std::optional<ring::Integer> determinant = {};
  friend bool operator==(const TermCounts&, const TermCounts&) = default;
};

}  // namespace sfg
