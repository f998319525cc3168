#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/numeric/tape.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// Multiplicities of the zero and of the pole at s = 0, in z at z = 1.
struct AtRest {
  std::size_t zeros = 0, poles = 0;
};

/// T = e^(−τs) N(s)/D(s) in lowest terms, with coefficients that are functions of parameters, compiled.
class CoefficientProgram {
 public:
  /// @param parameters  names that stay free; all others take their values, and what is derived from free ones follows them
  /// @throws NoAnswer where T is no such fraction: a dead time inside a loop or two different ones, sqrt(s); LimitReached where
  ///         it is too long; sfg::Error naming parameters without values.
  CoefficientProgram(const SignalFlowGraph&, const Question&, const std::vector<std::string>& parameters, const Budget& = {});

  /// Inputs: the free parameters in their order. Outputs: the coefficients of N, then of D, lowest power first; then τ where
  /// delayed(). Constants are rounded to doubles.
  const numeric::Tape& tape() const noexcept { return tape_; }
  std::size_t numerator_size() const noexcept { return numerator_size_; }  ///< degree + 1; 0 for T = 0
  std::size_t denominator_size() const noexcept { return denominator_size_; }
  /// How often the numerator and the denominator vanish at s = 0, in z at z = 1, for all parameters.
  const AtRest& at_rest() const noexcept { return at_rest_; }
  bool delayed() const noexcept { return delayed_; }  ///< whether there is a dead time τ
  const Operator& op() const noexcept { return op_; }

 private:
  Operator op_;
  numeric::Tape tape_;
  std::size_t numerator_size_ = 0, denominator_size_ = 0;
  AtRest at_rest_;
  bool delayed_ = false;
};

}  // namespace sfg
