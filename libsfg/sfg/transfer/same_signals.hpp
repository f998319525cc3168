#pragma once
#include "sfg/transfer/reduce.hpp"

namespace sfg {

/// Compares the signals of a graph before and after a rewriting at random points; see reduce().
Verification same_signals(const SignalFlowGraph& before, const SignalFlowGraph& after, const Rewriting&, std::uint64_t seed,
                          const Budget&);

}  // namespace sfg
