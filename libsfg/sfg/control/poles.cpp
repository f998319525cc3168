#include "sfg/control/poles.hpp"

#include <cmath>
#include <limits>

#include "sfg/control/routh.hpp"
#include "sfg/error.hpp"

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
Mode discrete_mode_of(exact::Root root, double h) {
  Mode mode;
  const double size = std::abs(root.value);
  const std::complex<double> p = size == 0 ? std::complex<double>(-std::numeric_limits<double>::infinity(), 0)
                                           : std::complex<double>(std::log(size), std::arg(root.value)) / h;
  mode.frequency = std::abs(p);
  mode.damping = size == 0 || mode.frequency == 0 ? 1.0 : -p.real() / mode.frequency;
  if (p.real() != 0) mode.time_constant = -1.0 / p.real();
  mode.pole = std::move(root);
  return mode;
}

std::vector<Mode> modes_of(const RationalPolynomial& polynomial, std::size_t digits, const Operator& op) {
  const double h = op.period().to_double();
  std::vector<Mode> modes;
  for (exact::Root& root : exact::roots(polynomial.coefficients(), digits))
    modes.push_back(op.discrete() ? discrete_mode_of(std::move(root), h) : mode_of(std::move(root)));
  return modes;
}

bool stable(const std::vector<Mode>& modes, const RationalPolynomial& polynomial, const Operator& op) {
  if (op.discrete()) {
    const CircleCounts counts = circle_counts(polynomial);
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
  return !poles.op.discrete() && !poles.modes.empty();
}

}  // namespace

PolesZeros poles_zeros(const ExactTransfer& transfer, std::size_t digits) {
  if (!transfer.denominator.rational())
    throw NoAnswer("dead time inside the loops: the transfer function has infinitely many poles", Advice::pade);
  if (transfer.numerator.parts.size() > 1)
    throw NoAnswer("several dead times on the ways: the transfer function has infinitely many zeros", Advice::pade);
  if (transfer.numerator.parts.empty() && transfer.cancelled.is_zero())
    throw NoAnswer("dead time inside the loops: the transfer function is 0, and hides infinitely many modes",
                   "give the gain that is 0 another value");
  PolesZeros result;
  result.input = transfer.input;
  result.output = transfer.output;
  result.op = transfer.op;
  const RationalPolynomial d = transfer.denominator.polynomial();
  result.modes = modes_of(d, digits, transfer.op);
  result.stable = stable(result.modes, d, transfer.op);
  result.undamped = undamped(result);
  if (transfer.cancelled.degree() > 0) result.hidden = modes_of(transfer.cancelled, digits, transfer.op);
  if (transfer.numerator.parts.empty()) {
    result.gain = 0;
    result.dc_gain = 0;
    return result;
  }
  const RationalPolynomial& n = transfer.numerator.parts.front().polynomial;
  result.zeros = exact::roots(n.coefficients(), digits);
  result.dead_time = transfer.numerator.parts.front().delay;
  result.gain = n.leading() / d.leading();
  const exact::Rational still = transfer.op.at_rest();
  if (d.sign_at(still) != 0) result.dc_gain = n.at(still) / d.at(still);
  return result;
}

PolesZeros poles_zeros(const std::vector<exact::Rational>& characteristic, const Operator& op, std::size_t digits) {
  const RationalPolynomial polynomial(characteristic);
  PolesZeros result;
  result.op = op;
  result.modes = modes_of(polynomial, digits, op);
  result.stable = stable(result.modes, polynomial, op);
  return result;
}

std::vector<PolesZeros> poles(const SignalFlowGraph& graph, std::span<const Question> questions, const PolesOptions& options) {
  std::vector<PolesZeros> found;
  for (const ExactTransfer& transfer : exact_transfers(graph, questions, {.budget = options.budget}))
    found.push_back(poles_zeros(transfer, options.digits));
  return found;
}

PolesZeros poles(const SignalFlowGraph& graph, const Question& question, const PolesOptions& options) {
  return poles(graph, std::span(&question, 1), options).front();
}

}  // namespace sfg
