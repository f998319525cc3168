#pragma once
#include <string>

#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

/// Whether the loop is stable when an open loop L is closed by negative unity feedback.
struct ClosedLoop {
  enum class Verdict { stable, unstable, on_the_edge, unknown };
  Verdict verdict = Verdict::unknown;
  std::string reason;  ///< "2 poles right of the axis"; of an unknown one why
};

/// The roots of N + D, counted exactly; modes that cancel in L count too. With dead time, N e^(−τs) + D, the roots that crossed
/// the axis on the way from τ = 0 (Walton and Marshall 1987): they cross where |N| = |D|, at known dead times, in known
/// directions.
ClosedLoop closed_loop(const ExactTransfer& L);

const char* name_of(ClosedLoop::Verdict);  ///< "stable", "unstable", "on the edge", "unknown"

}  // namespace sfg
