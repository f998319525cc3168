#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sfg/report/report_work.hpp"
#include "sfg/response/simulation.hpp"

// Not installed.
namespace sfg {

/// What the input states of its simulation, read.
struct StatedSimulation {
  struct Input {
    std::string name;
    std::string text;  ///< as written
    std::variant<GiNaC::ex, SampledSignal> signal;
  };
  std::vector<Input> inputs = {};
  std::vector<InitialValue> initial = {};
  std::optional<double> until = {};
  GiNaC::ex time;  ///< t of the expressions
  bool empty() const { return inputs.empty() && initial.empty(); }
};

/// Inputs as expressions of t with the values of the parameters, or the points of a file beside the input.
/// @throws sfg::Error at the place of what is wrong.
StatedSimulation stated_simulation(const ReportWork&);
/// "F = sin(t), x = 0.1 at t = 0"
Prose in_words(const StatedSimulation&);

}  // namespace sfg
