#pragma once
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "sfg/numeric/lookup_table.hpp"
#include "sfg/numeric/tape.hpp"

// Not installed: what the operations of a tape are, for any kind of number, and what their derivatives are, also for tapes. A
// kind of number has + − · / and what else occurs by these names in its own namespace; `power` is a^b, `lookup` a table at a
// number.
namespace sfg::numeric {

inline double product(double a, double b) { return a * b; }
// Without the special cases of the C standard for infinities, which cost more than the product.
inline std::complex<double> product(const std::complex<double>& a, const std::complex<double>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
template <class T>
T product(const T& a, const T& b) {
  return a * b;
}

/// By squaring; a negative exponent by one division at the end, so that x^−n of a tape is 1/x^n bit by bit.
template <class T>
T integer_power(T base, std::int32_t exponent) {
  const bool inverse = exponent < 0;
  T result(1);
  for (auto rest = inverse ? 0U - static_cast<std::uint32_t>(exponent) : static_cast<std::uint32_t>(exponent); rest > 0;
       rest >>= 1) {
    if (rest & 1U) result = product(result, base);
    if (rest > 1) base = product(base, base);
  }
  return inverse ? T(1) / result : result;
}

// What orders numbers (sign, step, min, max) looks at real parts: on the frequency axis such functions are of parameters only.
inline double real_part(double x) { return x; }
inline double real_part(const std::complex<double>& x) { return x.real(); }
inline double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

template <class T>
concept Number = requires(const T& x) {
  real_part(x);
};

template <Number T>
T power(const T& a, const T& b) {
  return std::pow(a, b);
}
template <Number T>
T ordered(Operation operation, const T& a, const T& b) {
  switch (operation) {
    case Operation::atan2: return std::atan2(real_part(a), real_part(b));
    case Operation::sign: return sign_of(real_part(a));
    case Operation::step: return real_part(a) < 0 ? 0.0 : 1.0;
    case Operation::min: return real_part(b) < real_part(a) ? b : a;
    case Operation::max: return real_part(b) > real_part(a) ? b : a;
    case Operation::floor: return std::floor(real_part(a));
    case Operation::lookup: return looked_up(real_part(b), real_part(a));
    default: return T();
  }
}
template <class T>
T ordered(Operation operation, const T& a, const T& b) {
  switch (operation) {
    case Operation::atan2: return atan2(a, b);
    case Operation::sign: return sign(a);
    case Operation::step: return step(a);
    case Operation::min: return min(a, b);
    case Operation::max: return max(a, b);
    case Operation::floor: return floor(a);
    case Operation::lookup: return lookup(a, b);
    default: return T();
  }
}

/// Of functions only: neither of constants and inputs nor of powers with an integer exponent.
template <class T>
T applied(Operation operation, const T& a, const T& b) {
  using std::sqrt, std::exp, std::log, std::sin, std::cos, std::tan, std::asin, std::acos, std::atan, std::sinh, std::cosh,
      std::tanh, std::abs;
  switch (operation) {
    case Operation::add: return a + b;
    case Operation::subtract: return a - b;
    case Operation::multiply: return product(a, b);
    case Operation::divide: return a / b;
    case Operation::negate: return -a;
    case Operation::power: return power(a, b);
    case Operation::sqrt: return sqrt(a);
    case Operation::exp: return exp(a);
    case Operation::log: return log(a);
    case Operation::sin: return sin(a);
    case Operation::cos: return cos(a);
    case Operation::tan: return tan(a);
    case Operation::asin: return asin(a);
    case Operation::acos: return acos(a);
    case Operation::atan: return atan(a);
    case Operation::sinh: return sinh(a);
    case Operation::cosh: return cosh(a);
    case Operation::tanh: return tanh(a);
    case Operation::abs: return abs(a);
    default: return ordered(operation, a, b);
  }
}

/// Runs a tape over any kind of number: a value for every instruction.
/// @param constant, input  of a number, of the number of an input
/// @param value            of an instruction and the values of its operands, the left one twice where it has one
template <class T, class Constant, class Input, class Value>
void run_over(const Tape& tape, std::vector<T>& values, Constant&& constant, Input&& input, Value&& value) {
  values.clear();
  values.reserve(tape.instructions().size());
  for (const Instruction& i : tape.instructions()) {
    if (i.operation == Operation::constant)
      values.push_back(constant(tape.constants()[i.left]));
    else if (i.operation == Operation::input)
      values.push_back(input(i.left));
    else
      values.push_back(value(i, values[i.left], values[operand_count(i.operation) == 2 ? i.right : i.left]));
  }
}

/// Numbers as an algebra for `pull_back`; a TapeBuilder is another.
template <class T>
struct Numbers {
  using Value = T;
  T constant(double x) const { return T(x); }
  T add(const T& a, const T& b) const { return a + b; }
  T subtract(const T& a, const T& b) const { return a - b; }
  T multiply(const T& a, const T& b) const { return product(a, b); }
  T divide(const T& a, const T& b) const { return a / b; }
  T negate(const T& a) const { return -a; }
  T power(const T& a, std::int32_t exponent) const { return integer_power(a, exponent); }
  T apply(Operation operation, const T& a, const T& b = T()) const { return applied(operation, a, b); }
};

/// Partial derivatives of one value by its operands; `right` is 0 for operations of one operand.
template <class Value>
struct Partials {
  Value left, right;
};

/// The table of derivatives, for numbers (a reverse sweep) and for a TapeBuilder (a tape of the derivatives).
/// @param value, left, right  of the instruction and of its operands, at hand in a sweep: exp, sqrt and tan need no second call
/// @param constant_right  whether the right operand is a constant: its partial derivative is not wanted then
template <class Algebra, class Value = typename Algebra::Value>
Partials<Value> partials(Algebra& x, const Instruction& instruction, const Value& value, const Value& left, const Value& right,
                         bool constant_right) {
  const Value zero = x.constant(0), one = x.constant(1);
  const auto of_left = [&](const Value& derivative) { return Partials<Value>{derivative, zero}; };
  const auto complement = [&](const Value& square) { return x.apply(Operation::sqrt, x.subtract(one, square)); };
  switch (instruction.operation) {
    case Operation::add: return {one, one};
    case Operation::subtract: return {one, x.constant(-1)};
    case Operation::multiply: return {right, left};
    case Operation::divide: return {x.divide(one, right), x.negate(x.divide(value, right))};
    case Operation::negate: return of_left(x.constant(-1));
    case Operation::integer_power:
      return of_left(x.multiply(x.constant(instruction.exponent()), x.power(left, instruction.exponent() - 1)));
    case Operation::power:
      return {x.multiply(right, x.apply(Operation::power, left, x.subtract(right, one))),
              constant_right ? zero : x.multiply(value, x.apply(Operation::log, left))};
    case Operation::sqrt: return of_left(x.divide(x.constant(0.5), value));
    case Operation::exp: return of_left(value);
    case Operation::log: return of_left(x.divide(one, left));
    case Operation::sin: return of_left(x.apply(Operation::cos, left));
    case Operation::cos: return of_left(x.negate(x.apply(Operation::sin, left)));
    case Operation::tan: return of_left(x.add(one, x.multiply(value, value)));
    case Operation::asin: return of_left(x.divide(one, complement(x.multiply(left, left))));
    case Operation::acos: return of_left(x.divide(x.constant(-1), complement(x.multiply(left, left))));
    case Operation::atan: return of_left(x.divide(one, x.add(one, x.multiply(left, left))));
    case Operation::atan2: {
      const Value square = x.add(x.multiply(left, left), x.multiply(right, right));
      return {x.divide(right, square), x.negate(x.divide(left, square))};
    }
    case Operation::sinh: return of_left(x.apply(Operation::cosh, left));
    case Operation::cosh: return of_left(x.apply(Operation::sinh, left));
    case Operation::tanh: return of_left(x.subtract(one, x.multiply(value, value)));
    case Operation::abs: return of_left(x.apply(Operation::sign, left));
    case Operation::min: {
      const Value first = x.apply(Operation::step, x.subtract(right, left));
      return {first, x.subtract(one, first)};
    }
    case Operation::max: {
      const Value first = x.apply(Operation::step, x.subtract(left, right));
      return {first, x.subtract(one, first)};
    }
    case Operation::lookup: return of_left(x.apply(Operation::lookup, left, x.add(right, one)));  // the next derivative
    case Operation::floor:
    case Operation::sign:
    case Operation::step:
    case Operation::constant:
    case Operation::input: break;
  }
  return {zero, zero};
}

}  // namespace sfg::numeric
