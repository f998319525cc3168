#pragma once
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/response/compiled_response.hpp"

namespace sfg::python {

/// A transfer function as a program for numbers. It has no formulas, so that it runs on whatever thread asks. Values of
/// parameters are meant as their shortest decimal texts, 0.1 as 1/10. Every value is correct to about 11 digits: where the bound
/// of the rounding errors is not small enough, it is calculated again in ball arithmetic.
class Evaluation {
 public:
  using Complex = std::complex<double>;
  explicit Evaluation(const CompiledResponse&, std::size_t parameters);

  std::size_t parameters() const noexcept { return parameters_; }
  Complex at(Complex s, std::span<const double> parameters) const;
  /// @param s, parameters  a value for each of the points, or a single one for all
  void at(std::span<const Complex> s, std::span<const std::span<const double>> parameters, std::span<Complex> values,
          const Budget&) const;

 private:
  struct Block;
  void run(Block&, std::span<const Complex> s, std::span<const std::span<const double>> parameters, std::span<Complex> values,
           const Budget&) const;
  /// With as many digits as it takes; the value as it is where balls do not have an operation of the program.
  Complex refined(Complex value, Complex s, std::span<const double> parameters, long& precision) const;

  numeric::Tape tape_;
  std::vector<ExactInput> constants_;
  std::size_t parameters_;
  std::vector<double> relative_errors_;
};

}  // namespace sfg::python
