#pragma once
#include <span>
#include <string>
#include <variant>

#include "sfg/numeric/kept_state.hpp"
#include "sfg/response/simulation.hpp"

// Not installed.
namespace sfg {

std::string text_of(const std::variant<GiNaC::ex, SampledSignal>& signal);
std::string stated(const std::string& list);
void add_times(Identity&, std::span<const double> times, double rtol, double atol);
/// What makes a run the one that it is.
Identity identity_of(const SignalFlowGraph&, const SimulationQuestion&, std::span<const double> times, const ForcedOptions&);

}  // namespace sfg
