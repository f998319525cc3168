#pragma once
#include <ginac/ex.h>

#include <complex>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include "sfg/error.hpp"
#include "sfg/exact/rational.hpp"
#include "sfg/exact/roots.hpp"
#include "sfg/expr/symbol_table.hpp"

namespace sfg {

/// The operator of a system: a symbol that stands for d/dt (s, p, …) or, if it is z, for one sample ahead in time. What differs
/// between the two is asked here. Made from its name: `graph.op = "z"`.
class Operator {
 public:
  enum class Kind { none, continuous, discrete };

  Operator() = default;  ///< none
  /// @param sample_time  h, s; beside a continuous operator the one that the system is to be sampled with.
  /// @throws std::invalid_argument for a sample time that is not above 0.
  template <std::convertible_to<std::string_view> Text>
  Operator(const Text& symbol, std::optional<exact::Rational> sample_time = {})  // NOLINT(google-explicit-constructor)
      : symbol_(std::string_view(symbol)), sample_time_(std::move(sample_time)) {
    settle();
  }
  Operator sampled(const exact::Rational& sample_time) const { return {symbol_, sample_time}; }

  const std::string& symbol() const noexcept { return symbol_; }
  Kind kind() const noexcept { return kind_; }
  bool discrete() const noexcept { return kind_ == Kind::discrete; }
  const std::optional<exact::Rational>& sample_time() const noexcept { return sample_time_; }  ///< as stated
  /// h: the stated sample time, else 1, so that frequencies are in rad per sample.
  exact::Rational period() const { return sample_time_.value_or(1); }

  exact::Boundary boundary() const noexcept {
    return discrete() ? exact::Boundary::unit_circle : exact::Boundary::imaginary_axis;
  }
  /// The operator of a constant signal: s = 0, z = 1.
  exact::Rational at_rest() const { return discrete() ? 1 : 0; }
  /// Of an oscillation: jω, or e^(jωh).
  std::complex<double> at_frequency(double rad_per_s) const;
  /// The root in s: itself, or ln(z)/h.
  std::complex<double> in_s(std::complex<double> root) const;
  /// The name of the operator times a signal: Dx, or zx.
  std::string name_of_rate(std::string_view signal) const;

  /// The symbol in a model's table; one that occurs nowhere when no expression has it.
  GiNaC::ex in(const SymbolTable&) const;
  /// Makes the symbol that of the operator, and adds it when it is not there.
  GiNaC::ex declare(SymbolTable&, const SourceSpan& where = {}) const;

  friend bool operator==(const Operator&, const Operator&) = default;

 private:
  void settle();

  std::string symbol_;
  Kind kind_ = Kind::none;
  std::optional<exact::Rational> sample_time_;
};

}  // namespace sfg
