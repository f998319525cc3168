#pragma once
#include <complex>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/exact/rational.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/numeric/tape.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// An input of a tape that is known exactly.
struct ExactInput {
  std::complex<double> value;
  std::optional<exact::Rational> rational = {};  ///< nothing: the value is exact as it is
};

/// Outputs of a tape at one point in ball arithmetic (Arb), with as many digits as it takes: correct to double precision.
/// Infinite at a pole. Where a quotient on the way is 0/0 at this very point the value is the limit in the first input, the operator, else
/// that in all of them; nan where there is none, which depends on the way.
/// @param inputs  one for every input; constants of the tape count as exact
/// @returns nothing when the tape has an operation that balls do not have here (abs, sign, step, min, max, inverse functions).
/// @param precision  bits to begin with; set to those that were enough, a good beginning for points nearby
/// @throws std::invalid_argument  if the number of inputs is wrong.
std::optional<std::vector<std::complex<double>>> certified_values(const numeric::Tape&, std::span<const ExactInput> inputs,
                                                                  long* precision = nullptr);

struct CompiledOptions {
  std::vector<std::string> parameters = {};  ///< names that stay free, beside the operator; the others take their values
  Budget budget = {};
  /// Parameters with values by which every answer is differentiated; what is derived from them moves with them.
  std::vector<std::string> derivatives = {};
  bool slope = false;  ///< every answer is differentiated by the operator, too, before the parameters
};

struct EvaluationOptions {
  /// Greatest bound of the relative error that is left as it is; values with a larger one are calculated again with more digits.
  /// Bounds count every rounding at its worst: the errors themselves are some thousand times smaller on long chains.
  /// 0: no bounds at all, plain double precision, several times faster.
  double tolerance = 1e-8;
  unsigned threads = 0;  ///< 0: one for each core; the results do not depend on it
  Budget budget = {};
};

/// Values of several transfer functions at many points.
struct CompiledValues {
  std::size_t points = 0;
  /// Those of the first question, then of the second …; then the derivatives of the first one, by one parameter after the
  /// other, of the second …
  std::vector<std::complex<double>> value = {};
  std::vector<double> error = {};  ///< bounds of their relative errors; empty without bounds, 0: correct to the last digits
  std::size_t refined = 0;         ///< points that were calculated again
  std::span<const std::complex<double>> of(std::size_t question) const {
    return std::span(value).subspan(question * points, points);
  }
};

/// Transfer functions of a linear graph as a program for numbers: nodes are eliminated once (Markowitz's order), and what
/// remains is run at every point, 64 points at a time and on all cores. The way for large graphs and for many points: no
/// polynomial is ever made. The pivots are chosen for the pattern, not for the numbers, so that every value carries a bound of
/// its rounding error (numeric::Tape::run_bounded), and where that is not small the program is run in ball arithmetic. Gains may
/// be any function of the grammar: exp(-s*T), sqrt(s), tanh(s). Not for use from several threads at once while it is made
/// (GiNaC); values() may be called from many.
class CompiledResponse {
 public:
  /// @throws as transfer_functions; sfg::Error naming parameters without values; LimitReached when it is too long.
  CompiledResponse(const SignalFlowGraph&, std::span<const Question>, const CompiledOptions& = {});

  std::size_t question_count() const noexcept { return names_.size(); }
  const Operator& op() const noexcept { return op_; }
  const std::string& input(std::size_t question) const { return names_.at(question).first; }
  const std::string& output(std::size_t question) const { return names_.at(question).second; }
  /// Inputs: the operator, the free parameters, offsets of those of the derivatives, then constants that no double holds
  /// exactly.
  const numeric::Tape& tape() const noexcept { return tape_; }
  /// The values of the inputs after the parameters.
  std::span<const ExactInput> constants() const noexcept { return constants_; }
  std::size_t node_count() const noexcept { return nodes_; }

  /// @param s           the operator at every point (jω; e^{jωh} for a discrete system), or a single value for all
  /// @param parameters  for every free parameter its values at the points, or a single one for all
  /// @throws std::invalid_argument  if a length is wrong.
  CompiledValues values(std::span<const std::complex<double>> s, std::span<const std::span<const double>> parameters = {},
                        const EvaluationOptions& = {}) const;
  /// The same in double precision alone: `error` holds bounds of the absolute errors, infinite where nothing is known.
  CompiledValues bounded(std::span<const std::complex<double>> s, std::span<const std::span<const double>> parameters = {},
                         const EvaluationOptions& = {}) const;
  /// Every set of parameters with every s, for tolerance studies.
  /// @param samples  for every free parameter its values in the sets
  /// @returns points set by set: the first set with every s, then the second …
  CompiledValues sampled(std::span<const std::complex<double>> s, std::span<const std::vector<double>> samples,
                         const EvaluationOptions& = {}) const;

 private:
  Operator op_;
  std::vector<std::pair<std::string, std::string>> names_;
  std::size_t parameters_ = 0;
  std::size_t nodes_ = 0;
  numeric::Tape tape_;
  std::vector<ExactInput> constants_;  ///< the offsets, which are 0, among them

  struct Columns;
};

/// Whether the compiled way is much the quicker one: the exact one expands polynomials whose degree grows with the graph.
bool prefers_compiled(const SignalFlowGraph&, std::span<const Question>);

}  // namespace sfg
