#pragma once
#include <ginac/ex.h>

#include <cstddef>
#include <span>
#include <vector>

#include "sfg/nonlinear/principal_form.hpp"
#include "sfg/numeric/tape.hpp"

namespace sfg {

/// The laws of a principal form as programs for numbers. Immutable; may be shared by threads.
class CompiledLaws {
 public:
  /// @param values      of the parameters
  /// @param parameters  those that stay free: symbols of the form's table, given their values with every call
  /// @throws sfg::Error naming parameters without values.
  explicit CompiledLaws(const PrincipalForm&, const GiNaC::exmap& values, std::span<const GiNaC::ex> parameters = {});

  std::size_t laws() const noexcept { return laws_; }
  std::size_t arguments() const noexcept { return arguments_; }
  std::size_t parameters() const noexcept { return parameters_; }

  /// What the laws depend on.
  struct Point {
    std::span<const double> arguments;
    double time = 0;
    std::span<const double> parameters = {};
  };
  /// @param f  laws() places
  void values(const Point&, std::span<double> f) const;
  /// @param by_arguments  laws() × arguments(), by rows: ∂f_i/∂a_j; of a jump or corner the derivative at one side
  void values(const Point&, std::span<double> f, std::span<double> by_arguments) const;
  /// @param by_parameters  laws() × parameters(), by rows
  void sensitivities(const Point&, std::span<double> f, std::span<double> by_arguments, std::span<double> by_parameters) const;

  /// Many points at once, time 0.
  /// @param arguments   argument by argument its values at the points
  /// @param parameters  one value each
  /// @returns values of the first law at the points, of the second …; then of each law its derivatives by every argument,
  ///          by time and by every parameter, all at the points: laws() · (1 + arguments() + 1 + parameters()) · points
  std::vector<double> batch(std::size_t points, std::span<const double> arguments, std::span<const double> parameters = {}) const;

 private:
  std::vector<double> inputs(const Point&) const;

  std::size_t laws_, arguments_, parameters_;
  numeric::Tape value_, jacobian_;  // inputs: arguments, time, parameters
};

}  // namespace sfg
