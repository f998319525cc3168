#pragma once
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sfg/numeric/kept_state.hpp"
#include "sfg/response/simulation.hpp"

// Not installed.
namespace sfg {

std::string text_of(const std::variant<GiNaC::ex, SampledSignal>& signal);
/// What makes a run the one that it is. @param inputs  "name = signal"
Identity identity_of(const std::string& model, const std::vector<std::string>& inputs, const std::vector<InitialValue>& initial,
                     const std::vector<std::string>& outputs, std::span<const double> times, double rtol, double atol);
Identity identity_of(const SignalFlowGraph&, const SimulationQuestion&, std::span<const double> times, const ForcedOptions&);

}  // namespace sfg
