#pragma once
#include <ginac/ex.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sfg/analysis/question.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// How an answer was checked.
struct Verification {
  std::string method;      ///< "sparse LU modulo 2 primes of 61 bits"
  std::size_t points = 0;
  double error_bound = 0;  ///< of the probability that a wrong answer passed (Schwartz–Zippel)
};

/// The value of the response modulo the point's prime, by sparse Gaussian elimination of I − Aᵀ: shares no code with the
/// determinant diagram and the polynomials. Nothing when the point is unlucky (a denominator or the determinant vanishes).
std::optional<std::uint64_t> response_modulo(const SignalFlowGraph&, const Question&, const ModularPoint&);

/// Compares `answer(point)` with the elimination at `points` random points.
/// @throws std::logic_error when they differ: an error of ours, never printed as an answer.
Verification verified(const SignalFlowGraph&, const Question&,
                      const std::function<std::optional<std::uint64_t>(const ModularPoint&)>& answer,
                      double degree_bound, std::uint64_t seed = 1, std::size_t points = 2);

}  // namespace sfg
