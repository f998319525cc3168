#include "sfg/numeric/taylor_tape.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sfg/numeric/operations.hpp"

namespace sfg::numeric {

namespace {

std::size_t sum(std::size_t a, std::size_t b) {
  return a == TaylorTape::no_polynomial || b == TaylorTape::no_polynomial ? TaylorTape::no_polynomial : a + b;
}

/// Σ f_j f_(k−j) without the first and the last.
double inner_square(const double* f, std::size_t k) {
  double total = 0;
  for (std::size_t j = 1; 2 * j < k; ++j) total += f[j] * f[k - j];
  return 2 * total + (k % 2 == 0 ? f[k / 2] * f[k / 2] : 0);
}

/// Σ j f_j g_(k−j), j = 1 … k − 1, over k.
double rest(const double* f, const double* g, std::size_t g_degree, std::size_t k) {
  double total = 0;
  for (std::size_t j = g_degree < k ? k - g_degree : 1; j < k; ++j) total += static_cast<double>(j) * f[j] * g[k - j];
  return total / static_cast<double>(k);
}

}  // namespace

bool TaylorTape::expands(const Tape& tape) {
  return std::ranges::all_of(tape.instructions(), [](const Instruction& instruction) {
    return instruction.operation != Operation::lookup && instruction.operation != Operation::atan2;
  });
}

TaylorTape::TaylorTape(const Tape& tape, std::size_t orders, std::span<const std::size_t> degrees)
    : tape_(&tape), stride_(orders + 1) {
  for (const std::size_t degree : degrees) inputs_.push_back(place(degree));
  std::vector<std::uint32_t> at;
  for (const Instruction& instruction : tape.instructions()) at.push_back(lower(tape, instruction, at));
  for (const std::uint32_t output : tape.outputs()) outputs_.push_back(at[output]);
}

std::uint32_t TaylorTape::place(std::size_t degree) {
  degrees_.push_back(degree);
  known_.push_back(false);
  values_.resize(values_.size() + stride_, 0);
  return static_cast<std::uint32_t>(degrees_.size() - 1);
}

std::uint32_t TaylorTape::constant(double value) {
  const std::uint32_t made = place(0);
  known_[made] = true;
  values_[made * stride_] = value;
  return made;
}

std::uint32_t TaylorTape::row(Kind kind, Operation start, std::uint32_t a, std::uint32_t b, std::size_t degree, double number) {
  const std::uint32_t result = place(degree);
  const bool pair = kind == Kind::sin_cos || kind == Kind::sinh_cosh || kind == Kind::tan || kind == Kind::tanh;
  const std::uint32_t other = pair ? place(no_polynomial) : result;
  rows_.push_back({kind, start, result, a, b, other, degrees_[a], degrees_[b], number});
  return result;
}

std::uint32_t TaylorTape::product(std::uint32_t a, std::uint32_t b) {
  if (is_constant(a)) std::swap(a, b);
  if (is_constant(b)) return row(Kind::scale, Operation::multiply, a, a, degrees_[a], values_[b * stride_]);
  return row(a == b ? Kind::square : Kind::multiply, Operation::multiply, a, b, sum(degrees_[a], degrees_[b]));
}

/// By squaring.
std::uint32_t TaylorTape::power(std::uint32_t a, std::int32_t exponent) {
  const bool inverse = exponent < 0;
  std::uint32_t result = 0;
  bool begun = false;
  for (auto rest = inverse ? 0U - static_cast<std::uint32_t>(exponent) : static_cast<std::uint32_t>(exponent); rest > 0;
       rest >>= 1) {
    if (rest & 1U) result = std::exchange(begun, true) ? product(result, a) : a;
    if (rest > 1) a = product(a, a);
  }
  if (!begun) return constant(1);
  return inverse ? row(Kind::divide, Operation::divide, constant(1), result, no_polynomial) : result;
}

std::uint32_t TaylorTape::lower(const Tape& tape, const Instruction& instruction, std::span<const std::uint32_t> at) {
  const Operation operation = instruction.operation;
  if (operation == Operation::constant) return constant(tape.constants()[instruction.left]);
  if (operation == Operation::input) return inputs_[instruction.left];
  const std::uint32_t a = at[instruction.left];
  if (operation == Operation::integer_power) return power(a, instruction.exponent());
  if (operand_count(operation) == 1) {
    const std::size_t before = rows_.size();
    const std::uint32_t result = lower_function(operation, a);
    if (operation == Operation::abs || operation == Operation::sign || operation == Operation::step ||
        operation == Operation::floor)
      pieces_.emplace_back(before, static_cast<std::uint32_t>(at.size()));
    piecewise_ = !pieces_.empty();
    return result;
  }
  const std::uint32_t b = at[instruction.right];
  const std::size_t degree = std::max(degrees_[a], degrees_[b]);
  switch (operation) {
    case Operation::add:
      if (is_constant(a)) return row(Kind::add_constant, operation, b, b, degree, values_[a * stride_]);
      if (is_constant(b)) return row(Kind::add_constant, operation, a, a, degree, values_[b * stride_]);
      return row(Kind::add, operation, a, b, degree);
    case Operation::subtract: return row(Kind::subtract, operation, a, b, degree);
    case Operation::multiply: return product(a, b);
    case Operation::divide: return row(Kind::divide, operation, a, b, degrees_[b] == 0 ? degrees_[a] : no_polynomial);
    case Operation::power:
      if (is_constant(b)) return row(Kind::power, operation, a, a, no_polynomial, values_[b * stride_]);
      return lower_function(Operation::exp, product(b, lower_function(Operation::log, a)));
    default:
      pieces_.emplace_back(rows_.size(), static_cast<std::uint32_t>(at.size()));
      piecewise_ = true;
      return row(Kind::choose, operation, a, b, degree);
  }
}

std::uint32_t TaylorTape::lower_function(Operation operation, std::uint32_t a) {
  const auto of = [&](Kind kind) { return row(kind, operation, a, a, no_polynomial); };
  switch (operation) {
    case Operation::negate: return row(Kind::negate, operation, a, a, degrees_[a]);
    case Operation::sqrt: return of(Kind::sqrt);
    case Operation::exp: return of(Kind::exp);
    case Operation::log: return of(Kind::log);
    case Operation::sin: return of(Kind::sin_cos);
    case Operation::cos: {
      of(Kind::sin_cos);
      return rows_.back().other;
    }
    case Operation::sinh: return of(Kind::sinh_cosh);
    case Operation::cosh: {
      of(Kind::sinh_cosh);
      return rows_.back().other;
    }
    case Operation::tan: return of(Kind::tan);
    case Operation::tanh: return of(Kind::tanh);
    case Operation::asin:
    case Operation::atan: {
      const bool sine = operation == Operation::asin;
      std::uint32_t squared = product(a, a);
      if (sine) squared = row(Kind::negate, Operation::negate, squared, squared, degrees_[squared]);
      std::uint32_t slope = row(Kind::add_constant, Operation::add, squared, squared, degrees_[squared], 1);
      if (sine) slope = row(Kind::sqrt, Operation::sqrt, slope, slope, no_polynomial);
      return row(Kind::over, operation, a, slope, no_polynomial);
    }
    case Operation::acos: {
      const std::uint32_t sine = lower_function(Operation::asin, a);
      const std::uint32_t negative = row(Kind::negate, Operation::negate, sine, sine, no_polynomial);
      return row(Kind::add_constant, Operation::add, negative, negative, no_polynomial, std::numbers::pi / 2);
    }
    case Operation::abs: return row(Kind::sign_times, operation, a, a, degrees_[a]);
    default: return row(Kind::level, operation, a, a, 0);  // sign, step, floor
  }
}

void TaylorTape::sides(std::span<const double> inputs) {
  if (!piecewise_) return;
  std::vector<double> values;
  for (const Instruction& instruction : tape_->instructions()) {
    const auto at = [&](std::uint32_t number) { return values[number]; };
    switch (instruction.operation) {
      case Operation::constant: values.push_back(tape_->constants()[instruction.left]); break;
      case Operation::input: values.push_back(inputs[instruction.left]); break;
      case Operation::integer_power: values.push_back(integer_power(at(instruction.left), instruction.exponent())); break;
      default: {
        const double left = at(instruction.left);
        values.push_back(
            applied(instruction.operation, left, operand_count(instruction.operation) == 2 ? at(instruction.right) : left));
      }
    }
  }
  for (const auto& [number, instruction] : pieces_) {
    Row& row = rows_[number];
    const Instruction& stated = tape_->instructions()[instruction];
    const double left = values[stated.left];
    if (row.kind == Kind::sign_times)
      row.number = sign_of(left);
    else if (row.kind == Kind::level)
      row.number = values[instruction];
    else
      row.number = values[instruction] == left ? 0 : 1;
  }
}

void TaylorTape::run(std::size_t order) {
  for (const Row& row : rows_)
    if (order == 0)
      start(row);
    else
      run(row, order);
}

void TaylorTape::start(const Row& row) {
  const double a = values_[row.a * stride_], b = values_[row.b * stride_];
  double &result = values_[row.result * stride_], &other = values_[row.other * stride_];
  switch (row.kind) {
    case Kind::scale: result = row.number * a; return;
    case Kind::add_constant: result = a + row.number; return;
    case Kind::square: result = a * a; return;
    case Kind::power: result = std::pow(a, row.number); return;
    case Kind::sin_cos: result = std::sin(a), other = std::cos(a); return;
    case Kind::sinh_cosh: result = std::sinh(a), other = std::cosh(a); return;
    case Kind::tan: result = std::tan(a), other = 1 + result * result; return;
    case Kind::tanh: result = std::tanh(a), other = 1 - result * result; return;
    case Kind::sign_times: result = row.number * a; return;
    case Kind::level: result = row.number; return;
    case Kind::choose: result = row.number == 0 ? a : b; return;
    default: result = applied(row.start, a, b);
  }
}

/// Σ a_j b_(k−j)
double TaylorTape::convolution(const double* a, const double* b, const Row& row, std::size_t k) const {
  const std::size_t first = row.b_degree < k ? k - row.b_degree : 0, last = std::min(k, row.a_degree);
  double total = 0;
  for (std::size_t j = first; j <= last; ++j) total += a[j] * b[k - j];
  return total;
}

void TaylorTape::run(const Row& row, std::size_t k) {
  const double *a = &values_[row.a * stride_], *b = &values_[row.b * stride_];
  double *r = &values_[row.result * stride_], *w = &values_[row.other * stride_];
  // Σ j a_j f_(k−j), j = 1 … k, over k: the integral of a'·f.
  const auto driven = [&](const double* f) {
    double total = 0;
    for (std::size_t j = 1; j <= std::min(k, row.a_degree); ++j) total += static_cast<double>(j) * a[j] * f[k - j];
    return total / static_cast<double>(k);
  };
  switch (row.kind) {
    case Kind::add: r[k] = a[k] + b[k]; return;
    case Kind::subtract: r[k] = a[k] - b[k]; return;
    case Kind::negate: r[k] = -a[k]; return;
    case Kind::scale:
    case Kind::sign_times: r[k] = row.number * a[k]; return;
    case Kind::add_constant: r[k] = a[k]; return;
    case Kind::multiply: r[k] = convolution(a, b, row, k); return;
    case Kind::square: r[k] = 2 * a[0] * a[k] + inner_square(a, k); return;
    case Kind::divide: {
      double total = a[k];
      for (std::size_t j = 1; j <= std::min(k, row.b_degree); ++j) total -= b[j] * r[k - j];
      r[k] = total / b[0];
      return;
    }
    case Kind::power: {
      double total = 0;
      for (std::size_t j = 1; j <= std::min(k, row.a_degree); ++j)
        total += (row.number * static_cast<double>(j) - static_cast<double>(k - j)) * a[j] * r[k - j];
      r[k] = total / (static_cast<double>(k) * a[0]);
      return;
    }
    case Kind::sqrt: r[k] = (a[k] - inner_square(r, k)) / (2 * r[0]); return;
    case Kind::exp: r[k] = driven(r); return;
    case Kind::log: r[k] = (a[k] - rest(r, a, row.a_degree, k)) / a[0]; return;
    case Kind::sin_cos:
    case Kind::sinh_cosh: {
      const double other = driven(r);
      r[k] = driven(w);
      w[k] = row.kind == Kind::sin_cos ? -other : other;
      return;
    }
    case Kind::tan:
    case Kind::tanh: {
      r[k] = driven(w);
      const double squared = 2 * r[0] * r[k] + inner_square(r, k);
      w[k] = row.kind == Kind::tan ? squared : -squared;
      return;
    }
    case Kind::over: r[k] = (a[k] - rest(r, b, row.b_degree, k)) / b[0]; return;
    case Kind::level: r[k] = 0; return;
    case Kind::choose: r[k] = row.number == 0 ? a[k] : b[k]; return;
  }
}

}  // namespace sfg::numeric
