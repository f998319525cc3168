#include "sfg/response/compiled_response.hpp"

#include <acb.h>
#include <arb.h>

#include <cstdint>
#include <stdexcept>

#include "sfg/exact/flint.hpp"
#include "sfg/numeric/numbers.hpp"
#include "sfg/response/certified_decibels.hpp"

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

/// How far inputs are moved: by about 2^shift, each by another amount, in each direction by others.
struct Displacement {
  slong shift = 0;
  int direction = 0;
  bool first_alone = false;
};

/// One value for every instruction, at inputs that may be moved.
bool evaluate(const numeric::Tape& tape, std::span<const ExactInput> inputs, ComplexBalls& x, slong precision,
              Displacement move = {}) {
  const auto instructions = tape.instructions();
  for (std::size_t k = 0; k < instructions.size(); ++k) {
    const Instruction& i = instructions[k];
    if (i.operation == Operation::constant) {
      acb_set_d(x[k], tape.constants()[i.left]);
    } else if (i.operation == Operation::input) {
      set(x[k], inputs[i.left], precision);
      if (move.shift == 0 || (move.first_alone && i.left != 0)) continue;
      exact::ComplexBall offset;
      const double of_input = 1.0 / (1.0 + i.left + 0.3 * move.direction);
      acb_set_d_d(offset, 1.0 + 0.37 * of_input, 0.59 + 0.21 * of_input);
      acb_mul_2exp_si(offset, offset, move.shift);
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

enum class Approach : std::uint8_t { limit, pole, none };

/// What an output goes to from two points, the second nearer: equal values are the limit, growing ones a pole, shrinking ones a
/// zero.
Approach approach(acb_t first, acb_t second, slong precision, std::complex<double>& value) {
  if (acb_is_finite(first) == 0 || acb_is_finite(second) == 0) return Approach::none;
  value = 0;
  if (acb_is_zero(first) != 0 && acb_is_zero(second) != 0) return Approach::limit;
  exact::ComplexBall difference;
  acb_sub(difference, first, second, precision);
  acb_mul_2exp_si(difference, difference, accurate);
  if (compare(difference, second, precision) < 0)
    value = exact::midpoint(second);
  else if (compare(first, second, precision) <= 0)
    return Approach::pole;
  return Approach::limit;
}

/// The values a tape goes to where it divides 0 by 0: of its first input, the others being what they are; else of all, provided
/// that it is the same from another side.
std::vector<std::complex<double>> limits(const numeric::Tape& tape, std::span<const ExactInput> inputs) {
  constexpr slong near = -200, nearer = -300, precision = 2048;
  struct Way {
    Way(const numeric::Tape& tape, std::span<const ExactInput> inputs, int direction, bool first_alone)
        : first(static_cast<slong>(tape.instructions().size())), second(static_cast<slong>(tape.instructions().size())) {
      evaluate(tape, inputs, first, precision, {near, direction, first_alone});
      evaluate(tape, inputs, second, precision, {nearer, direction, first_alone});
    }
    Approach to(std::uint32_t output, std::complex<double>& value) {
      return approach(first[output], second[output], precision, value);
    }
    ComplexBalls first, second;
  };
  Way of_first(tape, inputs, 0, true), of_all(tape, inputs, 0, false), from_aside(tape, inputs, 1, false);
  std::vector<std::complex<double>> results;
  for (const std::uint32_t o : tape.outputs()) {
    std::complex<double> value, other;
    Approach kind = of_first.to(o, value);
    if (kind == Approach::none) {
      kind = of_all.to(o, value);
      if (from_aside.to(o, other) != kind || std::abs(value - other) > 1e-12 * std::abs(value)) kind = Approach::none;
    }
    results.push_back(kind == Approach::limit ? value : std::complex<double>(kind == Approach::pole ? infinity : undefined, 0));
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

std::vector<double> certified_decibels(const CompiledResponse& response, std::complex<double> s) {
  const numeric::Tape& tape = response.tape();
  std::vector<ExactInput> inputs{{s, {}}};
  inputs.insert(inputs.end(), response.constants().begin(), response.constants().end());
  if (inputs.size() != tape.inputs().size()) throw std::invalid_argument("certified_decibels: parameters are free");
  ComplexBalls x(static_cast<slong>(tape.instructions().size()));
  std::vector<double> found(tape.outputs().size(), undefined);
  for (slong precision = first_precision; precision <= last_precision; precision *= 2) {
    if (!evaluate(tape, inputs, x, precision)) break;
    bool done = true;
    for (std::size_t k = 0; k < found.size(); ++k) {
      acb_ptr ball = x[tape.outputs()[k]];
      exact::RealBall size;
      acb_abs(size, ball, precision);
      if (acb_is_zero(ball) != 0) {
        found[k] = -infinity;
      } else if (arb_is_finite(size) != 0 && arb_is_positive(size) != 0 && arb_rel_accuracy_bits(size) > accurate) {
        arb_log_base_ui(size, size, 10, precision);
        found[k] = 20 * arf_get_d(arb_midref(size.get()), ARF_RND_NEAR);
      } else {
        done = false;
      }
    }
    if (done) break;
  }
  return found;
}

}  // namespace sfg
