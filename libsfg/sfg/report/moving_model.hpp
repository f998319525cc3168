#pragma once
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/exact/rational.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// A parameter that a reader may move.
struct MovingParameter {
  std::string name;
  exact::Rational start = {};  ///< irrational ones to 120 digits
  std::string unit = {}, text = {};
  std::string follows = {};  ///< the expression of others that states it: until it is moved itself it follows these
};

/// Transfer functions compiled for a page: values, poles, responses and margins as functions of the parameters.
struct MovingModel {
  std::vector<MovingParameter> parameters;
  std::vector<std::string> transfers;  ///< "OUT/IN" of each
  /// Plain JavaScript, `const moving = {…};`: straight-line programs of numbered values for the coefficients of the transfer
  /// functions in lowest terms, one polynomial for each dead time; where there are no such coefficients (sqrt(s), too many terms)
  /// for their values at a point. Names of the model occur in string literals alone.
  std::string script;
  /// Whether a page knows poles and step responses: there are coefficients, and no dead time in a loop, or it is moved to 0.
  bool coefficients = true;
  std::vector<std::string> fixed = {};  ///< what stays where it is when parameters move, in words
};

/// @throws sfg::Error naming parameters without values; NoAnswer, LimitReached where there is no such form.
MovingModel moving_model(const SignalFlowGraph&, std::span<const Question>, const Budget& = {});

}  // namespace sfg
