#include "sfg/control/poles.hpp"

#include <cmath>
#include <limits>

#include "sfg/control/routh.hpp"
#include "sfg/error.hpp"
#include "sfg/exact/rational_polynomial.hpp"

namespace sfg {

namespace {

using exact::RationalPolynomial;

Mode mode_of(exact::Root root) {
  Mode mode;
  mode.frequency = std::abs(root.value);
  mode.damping = mode.frequency == 0 ? 1.0 : root.on_axis ? 0.0 : -root.value.real() / mode.frequency;
  if (!root.on_axis) mode.time_constant = -1.0 / root.value.real();
  mode.pole = std::move(root);
  return mode;
}

/// The mode e^(p h k) of a pole z = e^(p h).
Mode discrete_mode_of(exact::Root root, double sample_time) {
  Mode mode;
  const double size = std::abs(root.value);
  const std::complex<double> p = size == 0 ? std::complex<double>(-std::numeric_limits<double>::infinity(), 0)
                                           : std::complex<double>(std::log(size), std::arg(root.value)) / sample_time;
  mode.frequency = std::abs(p);
  mode.damping = size == 0 || mode.frequency == 0 ? 1.0 : -p.real() / mode.frequency;
  if (p.real() != 0) mode.time_constant = -1.0 / p.real();
  mode.pole = std::move(root);
  return mode;
}

std::vector<Mode> modes_of(const std::vector<exact::Rational>& coefficients, std::size_t digits, const std::string& variable,
                           double sample_time) {
  std::vector<Mode> modes;
  for (exact::Root& root : exact::roots(coefficients, digits))
    modes.push_back(variable == "z" ? discrete_mode_of(std::move(root), sample_time) : mode_of(std::move(root)));
  return modes;
}

bool stable(const std::vector<Mode>& modes, const std::vector<exact::Rational>& coefficients, const std::string& variable) {
  if (variable == "z") {
    const CircleCounts counts = circle_counts(RationalPolynomial(coefficients));
    return counts.outside + counts.on == 0;
  }
  for (const Mode& mode : modes)
    if (mode.pole.on_axis || mode.pole.value.real() >= 0) return false;
  return true;
}

/// Of a transfer function: simple pairs on the axis, nothing else.
bool undamped(const PolesZeros& poles) {
  for (const Mode& mode : poles.modes)
    if (!mode.pole.on_axis || mode.pole.is_real || mode.pole.multiplicity > 1) return false;
  return poles.variable != "z" && !poles.modes.empty();
}

}  // namespace

PolesZeros poles_zeros(const ExactTransfer& transfer, std::size_t digits, double sample_time) {
  if (!transfer.denominator.rational() || transfer.numerator.parts.size() > 1)
    throw NoAnswer("dead time inside the loops: the transfer function has infinitely many poles", Advice::pade);
  PolesZeros result;
  result.input = transfer.input;
  result.output = transfer.output;
  result.variable = transfer.variable;
  const std::vector<exact::Rational>& den = transfer.denominator.coefficients();
  result.modes = modes_of(den, digits, transfer.variable, sample_time);
  result.stable = stable(result.modes, den, transfer.variable);
  result.undamped = undamped(result);
  if (transfer.cancelled.size() > 1) result.hidden = modes_of(transfer.cancelled, digits, transfer.variable, sample_time);
  if (transfer.numerator.parts.empty()) {
    result.gain = 0;
    result.dc_gain = 0;
    return result;
  }
  const std::vector<exact::Rational>& num = transfer.numerator.parts.front().coefficients;
  result.zeros = exact::roots(num, digits);
  result.dead_time = transfer.numerator.parts.front().delay;
  result.gain = num.front() / den.front();
  const exact::Rational still = transfer.variable == "z" ? 1 : 0;
  const RationalPolynomial n(num), d(den);
  if (d.sign_at(still) != 0) result.dc_gain = n.at(still) / d.at(still);
  return result;
}

PolesZeros poles_zeros(const std::vector<exact::Rational>& characteristic, const std::string& variable, std::size_t digits,
                       double sample_time) {
  PolesZeros result;
  result.variable = variable;
  result.modes = modes_of(characteristic, digits, variable, sample_time);
  result.stable = stable(result.modes, characteristic, variable);
  return result;
}

std::vector<PolesZeros> poles(const SignalFlowGraph& graph, std::span<const Question> questions, const PolesOptions& options) {
  std::vector<PolesZeros> found;
  for (const ExactTransfer& transfer : exact_transfers(graph, questions, {.budget = options.budget}))
    found.push_back(poles_zeros(transfer, options.digits, options.sample_time));
  return found;
}

PolesZeros poles(const SignalFlowGraph& graph, const Question& question, const PolesOptions& options) {
  return poles(graph, std::span(&question, 1), options).front();
}

}  // namespace sfg
