#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "sfg/ddd/sweep.hpp"

// Not installed: local search for a narrower order.
namespace sfg::ddd {

/// Every line exactly once, with the same sweep: lines that need no step follow the one that retires them.
std::vector<std::uint32_t> completed(const LineGraph&, std::span<const std::uint32_t> lines);

/// Moves lines about (simulated annealing) so that the sum of the level sizes falls. The number of moves follows from
/// `seconds` and the size of the graph, so that the result does not depend on the clock unless the machine is very slow: after
/// 10 · `seconds` and five more the search ends.
/// @returns the best order seen, never worse than `lines`, which must be complete.
std::vector<std::uint32_t> searched(const LineGraph&, std::vector<std::uint32_t> lines, double seconds, std::uint64_t seed,
                                    const std::function<void(std::uint64_t)>& checkpoint);

}  // namespace sfg::ddd
