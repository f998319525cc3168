#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sfg/numeric/tape.hpp"

// Not installed.
namespace sfg::numeric {

/// Taylor coefficients of what a tape calculates, order by order from those of its inputs (Moore, Interval Analysis, 1966;
/// Griewank and Walther, Evaluating Derivatives, 2nd ed., 2008, ch. 13): those of an order may depend on the outputs of lower
/// ones, as in differential equations.
class TaylorTape {
 public:
  /// Whether every operation has a series: tables and atan2 have none here.
  static bool expands(const Tape&);

  static constexpr std::size_t no_polynomial = SIZE_MAX;
  /// @param orders   the highest order
  /// @param degrees  of the inputs, as polynomials of the parameter: 0 of a constant, 1 of the time
  TaylorTape(const Tape&, std::size_t orders, std::span<const std::size_t> degrees);

  /// Whether abs, sign, step, floor, min or max stand in it: what they are is as at the point of sides().
  bool piecewise() const { return piecewise_; }
  /// @param inputs  values somewhere in the piece
  void sides(std::span<const double> inputs);

  /// Place of a coefficient of an input, to be filled before run() of that order.
  double& input(std::size_t i, std::size_t order) { return values_[inputs_[i] * stride_ + order]; }
  /// After run() of all orders up to that.
  double output(std::size_t i, std::size_t order) const { return values_[outputs_[i] * stride_ + order]; }
  /// The coefficients of that order, after those below it.
  void run(std::size_t order);

 private:
  enum class Kind : std::uint8_t {
    add,
    subtract,
    negate,
    scale,
    add_constant,
    multiply,
    square,
    divide,
    power,
    sqrt,
    exp,
    log,
    sin_cos,  // and the cosine at `other`
    sinh_cosh,
    tan,
    tanh,  // with 1 ± r² at `other`
    over,  // r' = a'/b, r_0 by `start`: asin, atan
    sign_times,
    level,
    choose
  };
  struct Row {
    Kind kind;
    Operation start;  // the function, for order 0 and sides
    std::uint32_t result, a, b, other;
    std::size_t a_degree, b_degree;
    double number;  // factor, exponent, constant; of a side what it is
  };
  std::uint32_t place(std::size_t degree);
  std::uint32_t row(Kind, Operation, std::uint32_t a, std::uint32_t b, std::size_t degree, double number = 0);
  std::uint32_t power(std::uint32_t a, std::int32_t exponent);
  std::uint32_t product(std::uint32_t a, std::uint32_t b);
  std::uint32_t lower(const Tape&, const Instruction&, std::span<const std::uint32_t> at);
  std::uint32_t lower_function(Operation, std::uint32_t a);
  std::uint32_t constant(double);
  bool is_constant(std::uint32_t value) const { return degrees_[value] == 0 && known_[value]; }
  void start(const Row&);
  void run(const Row&, std::size_t order);
  double convolution(const double* a, const double* b, const Row&, std::size_t order) const;

  const Tape* tape_;
  std::size_t stride_;
  bool piecewise_ = false;
  std::vector<Row> rows_;
  std::vector<std::size_t> degrees_;
  std::vector<bool> known_;  // constants of the tape
  std::vector<double> values_;
  std::vector<std::uint32_t> inputs_, outputs_;
  std::vector<std::pair<std::size_t, std::uint32_t>> pieces_;  // row, instruction
};

}  // namespace sfg::numeric
