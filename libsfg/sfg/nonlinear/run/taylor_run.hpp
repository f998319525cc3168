#pragma once
#include <optional>
#include <span>
#include <string>

#include "sfg/budget.hpp"
#include "sfg/nonlinear/run/checked_run.hpp"
#include "sfg/nonlinear/run/coupled_system.hpp"

// Not installed.
namespace sfg {

/// Follows a system by Taylor series of as many terms as the tolerance asks for: of smooth equations without fast decay, where
/// every other method takes more steps and more evaluations.
/// @param corners  ascending, the last one the end: where drives jump or bend
/// @returns the outputs asked for at the times; nothing of a system to which series do not apply, that is stiff, or where they do
///          not go on: others follow it, or say why not
/// @param kept  a state of such a run, from which it goes on; its beginning where it is but a mark of one character
std::optional<RunSamples> taylor_run(CoupledSystem&, std::span<const double> corners, std::span<const double> times,
                                     const Fineness&, const Budget&, RunKeeper* = nullptr, const std::string& kept = {});

}  // namespace sfg
