#include "sfg/response/certified_values.hpp"

#include <acb.h>
#include <arb.h>

#include <stdexcept>

#include "sfg/exact/flint.hpp"
#include "sfg/numeric/numbers.hpp"

namespace sfg {

namespace {

using exact::ComplexBalls;
using numeric::Instruction;
using numeric::Operation;

constexpr slong accurate = 60;  // bits of a value that is correct to double precision
constexpr slong first_precision = 128, last_precision = 1 << 13;
constexpr slong vanished = -1074;  // exponent of what is 0 in double precision

void set(acb_t ball, const ExactInput& input, slong precision) {
  if (input.rational) return acb_set_fmpq(ball, exact::raw(*input.rational), precision);
  acb_set_d_d(ball, input.value.real(), input.value.imag());
}

/// False for an operation that is not there.
bool apply(const Instruction& i, acb_t result, acb_t a, acb_t b, slong precision) {
  switch (i.operation) {
    case Operation::add: acb_add(result, a, b, precision); return true;
    case Operation::subtract: acb_sub(result, a, b, precision); return true;
    case Operation::multiply: acb_mul(result, a, b, precision); return true;
    case Operation::divide: acb_div(result, a, b, precision); return true;
    case Operation::negate: acb_neg(result, a); return true;
    case Operation::integer_power: acb_pow_si(result, a, i.exponent(), precision); return true;
    case Operation::power: acb_pow(result, a, b, precision); return true;
    case Operation::sqrt: acb_sqrt(result, a, precision); return true;
    case Operation::exp: acb_exp(result, a, precision); return true;
    case Operation::log: acb_log(result, a, precision); return true;
    case Operation::sin: acb_sin(result, a, precision); return true;
    case Operation::cos: acb_cos(result, a, precision); return true;
    case Operation::tan: acb_tan(result, a, precision); return true;
    case Operation::sinh: acb_sinh(result, a, precision); return true;
    case Operation::cosh: acb_cosh(result, a, precision); return true;
    case Operation::tanh: acb_tanh(result, a, precision); return true;
    default: return false;
  }
}

/// One value for every instruction; with `shift` the inputs are moved by about 2^shift, each by another amount.
bool evaluate(const numeric::Tape& tape, std::span<const ExactInput> inputs, ComplexBalls& x, slong precision, slong shift = 0) {
  const auto instructions = tape.instructions();
  for (std::size_t k = 0; k < instructions.size(); ++k) {
    const Instruction& i = instructions[k];
    if (i.operation == Operation::constant) {
      acb_set_d(x[k], tape.constants()[i.left]);
    } else if (i.operation == Operation::input) {
      set(x[k], inputs[i.left], precision);
      if (shift == 0) continue;
      exact::ComplexBall offset;
      acb_set_d_d(offset, 1.0 + 0.37 / (1.0 + i.left), 0.59 + 0.21 / (1.0 + i.left));
      acb_mul_2exp_si(offset, offset, shift);
      if (acb_is_zero(x[k]) == 0) acb_mul(offset, offset, x[k], precision);
      acb_add(x[k], x[k], offset, precision);
    } else if (!apply(i, x[k], x[i.left], x[numeric::operand_count(i.operation) == 2 ? i.right : i.left], precision)) {
      return false;
    }
  }
  return true;
}

bool accurate_enough(acb_t ball) {
  if (acb_is_finite(ball) == 0) return false;
  if (acb_is_zero(ball) != 0 || acb_rel_accuracy_bits(ball) > accurate) return true;
  exact::Magnitude bound;
  acb_get_mag(bound, ball);
  return mag_cmp_2exp_si(bound, vanished) < 0;
}

/// Greater modulus of the two: −1, 0, 1.
int compare(acb_t a, acb_t b, slong precision) {
  exact::RealBall x, y;
  acb_abs(x, a, precision);
  acb_abs(y, b, precision);
  return arb_gt(x, y) != 0 ? 1 : arb_lt(x, y) != 0 ? -1 : 0;
}

/// The value a tape goes to where it divides 0 by 0, from two points nearby: equal ones are the limit, growing ones a
/// pole, shrinking ones a zero.
std::vector<std::complex<double>> limits(const numeric::Tape& tape, std::span<const ExactInput> inputs) {
  constexpr slong near = -200, nearer = -300, precision = 2048;
  const std::size_t size = tape.instructions().size();
  ComplexBalls first(static_cast<slong>(size)), second(static_cast<slong>(size));
  evaluate(tape, inputs, first, precision, near);
  evaluate(tape, inputs, second, precision, nearer);
  std::vector<std::complex<double>> results;
  exact::ComplexBall difference;
  for (const std::uint32_t o : tape.outputs()) {
    acb_sub(difference, first[o], second[o], precision);
    acb_mul_2exp_si(difference, difference, accurate);
    const bool finite = acb_is_finite(first[o]) != 0 && acb_is_finite(second[o]) != 0;
    if (finite && compare(difference, second[o], precision) < 0)
      results.push_back(exact::midpoint(second[o]));
    else
      results.push_back(finite && compare(first[o], second[o], precision) > 0 ? 0.0 : std::complex<double>(infinity, 0));
  }
  return results;
}

}  // namespace

std::optional<std::vector<std::complex<double>>> certified_values(const numeric::Tape& tape, std::span<const ExactInput> inputs,
                                                                  long* begin) {
  if (inputs.size() != tape.inputs().size()) throw std::invalid_argument("certified_values: one value for every input");
  ComplexBalls x(static_cast<slong>(tape.instructions().size()));
  for (slong precision = begin != nullptr ? *begin : first_precision; precision <= last_precision; precision *= 2) {
    if (!evaluate(tape, inputs, x, precision)) return std::nullopt;
    bool done = true;
    for (const std::uint32_t o : tape.outputs()) done = done && accurate_enough(x[o]);
    if (!done) continue;
    if (begin != nullptr) *begin = precision;
    std::vector<std::complex<double>> results;
    for (const std::uint32_t o : tape.outputs()) results.push_back(exact::midpoint(x[o]));
    return results;
  }
  return limits(tape, inputs);
}

}  // namespace sfg
