#pragma once
#include <ginac/ex.h>

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "sfg/exact/rational.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/numeric/tape.hpp"

// Not installed: polynomials of the operator with dead times, coefficient by coefficient, for a tape.
namespace sfg {

/// A product without its power of the operator: a coefficient and powers of the space's other variables.
struct CoefficientProduct {
  exact::Rational coefficient;
  std::vector<std::pair<std::size_t, std::uint64_t>> powers;
};
using CoefficientSum = std::vector<CoefficientProduct>;

/// The coefficients of what has one dead time: e^(−delay·s) Σ by_power[k] s^k.
struct DelayedCoefficients {
  GiNaC::ex delay = 0;
  std::map<std::uint64_t, CoefficientSum> by_power = {};
  /// Degree + 1.
  std::size_t size() const { return by_power.empty() ? 0 : static_cast<std::size_t>(by_power.rbegin()->first) + 1; }
  /// How often s = 0, in z z = 1, is a root, whatever the letters stand for.
  std::size_t order_at_rest(bool discrete) const;
};

/// A polynomial by its dead times, in the order of their appearance.
/// @throws NoAnswer for what is neither rational in s nor a dead time: sqrt(s).
std::vector<DelayedCoefficients> delayed_coefficients(const PolynomialSpace&, const ring::Polynomial&, const GiNaC::ex& s);

/// Writes coefficients into a tape by Horner's rule in many letters: what occurs most is taken out.
class CoefficientWriter {
 public:
  using Value = numeric::TapeBuilder::Value;
  /// @param letter  the value of a variable of the space
  /// @param number  the value of a number
  CoefficientWriter(numeric::TapeBuilder& builder, const PolynomialSpace& space, std::function<Value(const GiNaC::ex&)> letter,
                    std::function<Value(const exact::Rational&)> number)
      : builder_(builder), space_(space), letter_(std::move(letter)), number_(std::move(number)) {}

  Value operator()(CoefficientSum);
  /// All of a polynomial, lowest power first, appended; 0 where there is no such power.
  void append(const DelayedCoefficients&, std::vector<Value>& to);

 private:
  numeric::TapeBuilder& builder_;
  const PolynomialSpace& space_;
  std::function<Value(const GiNaC::ex&)> letter_;
  std::function<Value(const exact::Rational&)> number_;
};

/// The greatest number in a polynomial, 1 of an empty one: divided by it, both sides of a fraction stay in the range of a double.
exact::Rational greatest_coefficient(const ring::Polynomial&);

}  // namespace sfg
