#pragma once
#include <ginac/ex.h>

#include <span>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/question.hpp"
#include "sfg/transfer/verification.hpp"

namespace sfg {

/// A transmittance as one cancelled fraction, verified.
struct TransferFunction {
  Question question;
  RationalFunction value;      ///< in lowest terms
  ring::Polynomial cancelled;  ///< the common factor that was cancelled: hidden modes; 1 when none
  TermCounts terms;
  Verification verification;
};

struct TransferOptions {
  Budget budget = {};
  std::uint64_t seed = 1;
};

/// Closed-form transfer functions of a linear graph by the determinant diagram (docs/design/engine.md, sections 1 and 2), one per
/// question; questions share what they can. No way from input to output: 0.
/// @throws std::invalid_argument when a question is ambiguous (see check_question).
/// @throws NoAnswer when Δ ≡ 0 (naming the loops that make it so), or when x_input ≡ 0 in a ratio.
/// @throws LimitReached when the predicted size exceeds the budget; the message names cheaper forms.
/// @throws sfg::Error when a relevant branch is nonlinear (with its place).
std::vector<TransferFunction> transfer_functions(const SignalFlowGraph&, std::span<const Question>, const TransferOptions& = {});
TransferFunction transfer_function(const SignalFlowGraph&, const Question&, const TransferOptions& = {});

/// num/den coefficient lists with doubles, highest power first, den as derived (monic where that leaves the range of a double).
struct NumericTransfer {
  std::vector<double> num = {};
  std::vector<double> den = {};
};
/// Values are exact until the last step, where each coefficient is rounded once.
/// @throws sfg::Error naming the parameters that have no value, or a gain that is no rational function of the variable.
NumericTransfer numeric_transfer(const TransferFunction&, const SymbolTable&);

}  // namespace sfg
