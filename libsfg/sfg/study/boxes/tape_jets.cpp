#include "sfg/study/boxes/tape_jets.hpp"

#include <stdexcept>

#include "sfg/numeric/operations.hpp"

namespace sfg {

namespace ring {

static Jet rough(Bounds (*function)(const Bounds&), const Jet& a) { return Jet::rough(Interval(function(a.value().bounds()))); }

// What numeric::applied() asks for beside the functions of jets.
static Jet tan(const Jet& a) { return sin(a) / cos(a); }
static Jet sinh(const Jet& a) { return Jet(0.5) * (exp(a) - exp(-a)); }
static Jet cosh(const Jet& a) { return Jet(0.5) * (exp(a) + exp(-a)); }
static Jet tanh(const Jet& a) { return Jet(1.0) - Jet(2.0) / (exp(a + a) + Jet(1.0)); }
static Jet asin(const Jet& a) { return rough(asin, a); }
static Jet acos(const Jet& a) { return rough(acos, a); }
static Jet atan2(const Jet& a, const Jet& b) { return Jet::rough(Interval(atan2(a.value().bounds(), b.value().bounds()))); }
static Jet sign(const Jet& a) { return rough(sign, a); }
static Jet step(const Jet& a) { return rough(step, a); }
static Jet floor(const Jet& a) { return rough(floor, a); }
static Jet lookup(const Jet&, const Jet&) { return Jet::rough(Interval::everything()); }

/// A constant of a tape: rounded a few times at most when the tape was made; 0 and small powers of two are themselves.
static Interval tape_constant(double x) {
  constexpr double roundings = 0x1p-50;
  return x == 0 ? Interval() : Interval(x) + Interval(-std::abs(x) * roundings, std::abs(x) * roundings);
}

static Jet value(const numeric::Instruction& i, const Jet& a, const Jet& b) {
  using numeric::Operation;
  if (i.operation == Operation::multiply && i.left == i.right) return square(a);
  return i.operation == Operation::integer_power ? power(a, i.exponent()) : numeric::applied(i.operation, a, b);
}

}  // namespace ring

std::vector<ring::Jet> jets(const numeric::Tape& tape, std::span<const ring::Jet> inputs) {
  if (inputs.size() != tape.inputs().size()) throw std::invalid_argument("jets: one for every input of the tape");
  std::vector<ring::Jet> values, result;
  numeric::run_over(
      tape, values, ring::tape_constant, [&](std::uint32_t k) { return inputs[k]; }, ring::value);
  for (const std::uint32_t output : tape.outputs()) result.push_back(values[output]);
  return result;
}

}  // namespace sfg
