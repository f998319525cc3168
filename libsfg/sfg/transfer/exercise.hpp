#pragma once
#include <cstdint>

#include "sfg/budget.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/graph/textbook_shape.hpp"
#include "sfg/transfer/mason.hpp"

namespace sfg {

/// What stands on the branches of an exercise.
enum class ExerciseGains {
  symbols,  ///< G1, G2, … forward, -H1, -H2, … back
  numbers,  ///< small integers and halves, with a gain of few digits
  blocks,   ///< K1, 1/s, 1/(s + 2), … forward, numbers and rate feedback back
};

struct ExerciseOptions {
  ExerciseGains gains = ExerciseGains::symbols;
  Budget budget = {};
};

/// A graph to be solved by Mason's rule, and its solution.
struct Exercise {
  std::uint64_t seed = 0;
  SignalFlowGraph graph;  ///< R → x1 → x2 → … → C, with bypasses and feedback
  ShapeCounts counts;
  MasonListing solution;
};

/// A random signal-flow graph of the demanded kind as a textbook prints it, the same for the same demand and seed on every
/// machine. The counts are those of mason(), which is where the solution is from.
///
/// @throws NoAnswer  as textbook_shape(): nothing of that kind is there, or was found.
/// @throws LimitReached, Cancelled by the budget.
/// @see Mason (1956); exercises in Kuo, Automatic Control Systems, ch. 3; Dorf and Bishop, Modern Control Systems, ch. 2
Exercise exercise(const ShapeDemand&, std::uint64_t seed, const ExerciseOptions& = {});

}  // namespace sfg
