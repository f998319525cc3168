#pragma once
#include <ginac/ex.h>

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sfg/model/simulation.hpp"
#include "sfg/response/forced_response.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

/// A signal that acts on a node: an expression of time, or points.
struct Drive {
  NodeId node;
  std::variant<GiNaC::ex, SampledSignal> signal;
};

/// The value of a state just before t = 0.
struct InitialValue {
  std::string name;  ///< of a state: a signal of the graph, or its derivative Dx
  double value = 0;
};

/// A linear model ready to be simulated: superposition of the inputs, each by the method that suits it, and of the initial
/// values.
struct Simulation {
  std::vector<Drive> drives = {};
  std::vector<InitialValue> initial = {};
  std::vector<std::string> outputs = {};
  std::vector<std::vector<ExactTransfer>> forced = {};  ///< [output][drive]
  std::vector<std::vector<ExactTransfer>> free =
      {};          ///< [output][initial value]: response to an impulse at the state's integrator
  GiNaC::ex time;  ///< the symbol t of the expressions
  Operator op = "s";
};

struct SimulationQuestion {
  std::vector<Drive> drives = {};
  std::vector<InitialValue> initial = {};
  std::vector<NodeId> outputs = {};
  GiNaC::ex time;
  bool inject = false;  ///< a drive is added to what enters its node
};

/// @throws sfg::Error  with the place of every nonlinear branch that matters; naming the states when an initial value is of none.
Simulation simulation(const SignalFlowGraph&, SimulationQuestion, const Budget& = {});

/// A last time that shows everything settle after the last event of the inputs, s.
double settling_range(const Simulation&);

/// Responses at the times. Of a discrete model the times are those of its samples k·h, and the inputs are taken there.
std::vector<NamedResponse> responses(const Simulation&, std::span<const double> times, const ForcedOptions& = {});

}  // namespace sfg
