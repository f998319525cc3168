#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// A parameter that a reader may move.
struct MovingParameter {
  std::string name;
  std::string value;  ///< as a decimal or fraction that JavaScript's Number() would read after division
  double start = 0;
  std::string unit = {}, text = {};
};

/// Transfer functions compiled for a page: values, poles, responses and margins as functions of the parameters, in plain
/// JavaScript.
struct MovingModel {
  std::vector<MovingParameter> parameters;
  std::vector<std::string> transfers;  ///< "OUT/IN" of each
  std::string script;                  ///< of the functions, without names of the model outside of strings
};

/// @throws sfg::Error naming parameters without values; NoAnswer, LimitReached where there is no such form.
MovingModel moving_model(const SignalFlowGraph&, std::span<const Question>, const Budget& = {});

}  // namespace sfg
