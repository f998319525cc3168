#include "sfg/response/noise_spectrum.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

using exact::Rational;
using exact::RationalPolynomial;
using GiNaC::ex;

/// 300.15 is 6003/20, not the double next to it.
Rational decimal_fraction(double value) {
  constexpr std::size_t digits = 15;
  const Rational nearest = exact::rounded(Rational::of(value), digits);
  return nearest.to_double() == value ? nearest : Rational::of(value);
}

RationalPolynomial polynomial_in(const ex& e, const ex& w, const NoiseSource& source, const SymbolTable& symbols) {
  const auto found = polynomial_coefficients(e, w);
  std::vector<Rational> numbers;
  if (!found)
    throw Error(source.where, "the noise density of '" + source.element + "' is no rational function of w",
                "write a fraction of polynomials in w");
  for (const ex& coefficient : *found) {
    const auto number = rational_value(coefficient);
    if (!number) throw missing_values(coefficient, symbols);
    numbers.push_back(*number);
  }
  return RationalPolynomial(numbers);
}

}  // namespace

GiNaC::exmap noise_constants(SymbolTable& symbols, double temperature) {
  GiNaC::exmap known{{symbols.symbol(boltzmann), GiNaC::numeric("1380649/100000000000000000000000000000")},
                     {symbols.symbol(noise_temperature), numeric_value(decimal_fraction(temperature))}};
  if (const Symbol* kelvin = symbols.find(noise_temperature); kelvin->value) {  // of the circuit
    const GiNaC::exmap values = symbols.values();
    known[kelvin->expr] = values.at(kelvin->expr);
  }
  if (const Symbol* charge = symbols.find(elementary_charge); charge && !charge->value)
    known[charge->expr] = GiNaC::numeric("1602176634/10000000000000000000000000000");
  return known;
}

exact::RationalFraction noise_density(const NoiseSource& source, const ex& w, const SymbolTable& symbols,
                                      const GiNaC::exmap& constants) {
  const auto plain = GiNaC::subs_options::no_pattern;
  const auto [above, below] = fraction(source.density.subs(symbols.values(), plain).subs(constants, plain), w);
  return {polynomial_in(above, w, source, symbols), polynomial_in(below, w, source, symbols)};
}

RationalPolynomial squared_modulus(const RationalPolynomial& polynomial) {
  const RationalPolynomial x{1, 0};
  // p(s) = e(s²) + s o(s²); at s = jw, s² = −w²
  const RationalPolynomial minus_square{-1, 0, 0};
  const RationalPolynomial even = polynomial.even_part().composed(minus_square),
                           odd = polynomial.odd_part().composed(minus_square);
  return even * even + x * x * odd * odd;
}

RationalPolynomial::RootCounts worst_counts(std::span<const ExactTransfer> transfers) {
  RationalPolynomial::RootCounts worst{};
  for (const ExactTransfer& transfer : transfers) {
    const auto counts = transfer.denominator.polynomial().root_counts();
    worst.right = std::max(worst.right, counts.right);
    worst.axis = std::max(worst.axis, counts.axis);
  }
  return worst;
}

}  // namespace sfg
