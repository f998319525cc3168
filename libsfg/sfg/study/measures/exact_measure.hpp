#pragma once
#include <optional>

#include "sfg/study/measures/measure.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

/// A base measure of a transfer function with numbers, by the certified passes: frequency_response(), margins(), step_figures(),
/// poles_zeros(). Slow, and right for every transfer function that these take, dead time included.
/// @param T     the transfer function
/// @param loop  the open loop whose margins are meant
/// @returns nothing where the measure does not exist: no crossover, an unstable step, a mode that is not there
std::optional<double> exact_measure(const ExactTransfer& T, const ExactTransfer& loop, const BaseMeasure&);

}  // namespace sfg
