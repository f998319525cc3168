#include "sfg/study/tape_jets.hpp"

#include <stdexcept>

namespace sfg {

namespace {

using numeric::Instruction;
using numeric::Operation;
using ring::Interval;
using ring::Jet;

Interval of(ring::Bounds (*function)(const ring::Bounds&), const Interval& x) { return Interval(function(x.bounds())); }

/// A constant of a tape: rounded a few times at most when the tape was made; 0 and small powers of two are themselves.
Interval tape_constant(double x) {
  constexpr double roundings = 0x1p-50;
  return x == 0 ? Interval() : Interval(x) + Interval(-std::abs(x) * roundings, std::abs(x) * roundings);
}

Jet value(const Instruction& i, const Jet& a, const Jet& b) {
  switch (i.operation) {
    case Operation::add: return a + b;
    case Operation::subtract: return a - b;
    case Operation::multiply: return i.left == i.right ? square(a) : a * b;
    case Operation::divide: return a / b;
    case Operation::negate: return -a;
    case Operation::integer_power: return power(a, i.exponent());
    case Operation::power: return power(a, b);
    case Operation::sqrt: return sqrt(a);
    case Operation::exp: return exp(a);
    case Operation::log: return log(a);
    case Operation::sin: return sin(a);
    case Operation::cos: return cos(a);
    case Operation::tan: return sin(a) / cos(a);
    case Operation::atan: return atan(a);
    case Operation::sinh: return Jet(0.5) * (exp(a) - exp(-a));
    case Operation::cosh: return Jet(0.5) * (exp(a) + exp(-a));
    case Operation::tanh: return Jet(1.0) - Jet(2.0) / (exp(a + a) + Jet(1.0));
    case Operation::asin: return Jet::rough(of(ring::asin, a.value()));
    case Operation::acos: return Jet::rough(of(ring::acos, a.value()));
    case Operation::atan2: return Jet::rough(Interval(ring::atan2(a.value().bounds(), b.value().bounds())));
    case Operation::abs: return abs(a);
    case Operation::min: return min(a, b);
    case Operation::max: return max(a, b);
    case Operation::sign: return Jet::rough(of(ring::sign, a.value()));
    case Operation::step: return Jet::rough(of(ring::step, a.value()));
    case Operation::floor: return Jet::rough(of(ring::floor, a.value()));
    case Operation::lookup:
    case Operation::constant:
    case Operation::input: break;
  }
  return Jet::rough(Interval::everything());
}

}  // namespace

std::vector<Jet> jets(const numeric::Tape& tape, std::span<const Jet> inputs) {
  if (inputs.size() != tape.inputs().size()) throw std::invalid_argument("jets: one for every input of the tape");
  std::vector<Jet> values;
  values.reserve(tape.instructions().size());
  for (const Instruction& i : tape.instructions()) {
    if (i.operation == Operation::constant) {
      values.emplace_back(tape_constant(tape.constants()[i.left]));
    } else if (i.operation == Operation::input) {
      values.push_back(inputs[i.left]);
    } else {
      const Jet nothing, &left = values[i.left], &right = numeric::operand_count(i.operation) == 2 ? values[i.right] : nothing;
      values.push_back(value(i, left, right));
    }
  }
  std::vector<Jet> result;
  for (const std::uint32_t output : tape.outputs()) result.push_back(values[output]);
  return result;
}

}  // namespace sfg
