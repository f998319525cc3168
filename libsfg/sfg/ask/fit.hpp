#pragma once
#include <string>
#include <variant>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/measurement.hpp"
#include "sfg/response/simulation.hpp"
#include "sfg/study/fit/fit.hpp"

namespace sfg {

/// What was measured, and what is asked of the model beside it.
struct FitQuestion {
  struct Input {
    std::string name;
    std::variant<GiNaC::ex, SampledSignal> signal;  ///< an expression of `time` and of parameters
  };
  struct Start {
    std::string state;
    GiNaC::ex value;  ///< an expression of parameters
  };
  std::vector<Measurement> records = {};
  std::vector<FitParameter> parameters = {};
  std::vector<std::string> inputs = {};  ///< of the question: "from"
  std::vector<Input> driven = {};        ///< over time, where a record does not say it; none: the unit step at the inputs
  std::vector<Start> initial = {};
  GiNaC::ex time;
  bool inject = false;
};

struct FitAnswer {
  Fit fit;
  std::vector<FittedSeries> series;  ///< record by record, column by column
};

/// @throws sfg::Error for what the data name and the graph does not have; as fitted()
FitAnswer fitted(const SignalFlowGraph&, const FitQuestion&, const FitOptions& = {});

}  // namespace sfg
