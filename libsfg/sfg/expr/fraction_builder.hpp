#pragma once
#include <ginac/ex.h>

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/expr/variable_map.hpp"
#include "sfg/ring/multivariate.hpp"

namespace sfg {

/// Turns expressions into fractions of polynomials without gcds: denominators stay products of powers of known
/// factors, so that common denominators are found by comparing factors.
class FractionBuilder {
 public:
  FractionBuilder(const VariableMap& variables, const Budget& budget);

  /// Numerator and denominator; factors of the denominator that divide the numerator are cancelled.
  /// Throws std::invalid_argument for a variable that is not in the map, sfg::Error for a division by zero.
  std::pair<ring::Polynomial, ring::Polynomial> operator()(const GiNaC::ex&);
  /// Powers of roots beyond their degree replaced by what is under them, and roots above and below cancelled: 1/(r·√r)
  /// and √r/r² both become √r^-3, so that the power of one root alone is a common denominator. The fraction is unchanged.
  /// @throws sfg::Error  when the denominator is 0.
  void settle(ring::Polynomial& numerator, ring::Polynomial& denominator);

 private:
  using Polynomial = ring::Polynomial;
  /// Factor number and multiplicity, by ascending number.
  using Factors = std::vector<std::pair<std::size_t, std::uint64_t>>;
  struct Fraction {
    Polynomial numerator;
    Factors denominator;
  };

  Fraction fraction(const GiNaC::ex&);
  Fraction shared_fraction(const GiNaC::ex&);
  Fraction sum(const GiNaC::ex&);
  Fraction product(const GiNaC::ex&);
  Fraction power(Fraction base, long exponent);
  Fraction inverse(const Fraction&);
  Fraction generator(const GiNaC::ex&);
  Fraction complex_number(const GiNaC::numeric&);

  /// True and the term, when the expression is a coefficient times whole powers ≥ 0 of variables.
  bool append_monomial(const GiNaC::ex&, Polynomial::Term&) const;
  /// Splits off known factors; appends the rest to `factors` and the constant in front of all to `constant`.
  void split(Polynomial p, std::uint64_t multiplicity, Factors& factors, Polynomial& constant);
  std::size_t factor_number(const Polynomial&);
  void cancel(Fraction&) const;
  Polynomial expanded(const Factors&) const;
  Polynomial multiply(const Polynomial&, const Polynomial&) const;
  Polynomial raised(const Polynomial&, std::uint64_t exponent) const;
  /// What is under a root, when that is a polynomial of several terms; nothing for √k and √(k/m).
  const std::optional<Polynomial>& polynomial_base(std::size_t root);
  /// Takes odd powers √r, √r³ … of such roots out of a denominator: shorter than r·√r multiplied out.
  Polynomial taken_powers(Polynomial& denominator);
  /// Divides by roots that are below, and above too, be it as r = √r·√r. True when there was one.
  bool cancel_roots(Polynomial& numerator, Polynomial& denominator);
  /// Powers of roots beyond their degree replaced by their bases, in both, the fraction unchanged.
  void settle_roots(Polynomial& numerator, Polynomial& denominator);
  Polynomial zero() const { return Polynomial(variables_.context); }
  Polynomial one() const { return Polynomial::constant(variables_.context, 1); }

  const VariableMap& variables_;
  const Budget& budget_;
  std::vector<Polynomial> factors_;   ///< the variables first
  std::vector<std::uint64_t> point_;  ///< factors are looked up by their value at a point
  std::unordered_multimap<std::uint64_t, std::size_t> factor_at_;
  std::map<std::size_t, std::optional<Polynomial>> bases_;  ///< of roots, by index
  /// The expressions are kept: their addresses are the keys.
  std::unordered_map<const GiNaC::basic*, std::pair<GiNaC::ex, Fraction>> shared_;
};

}  // namespace sfg
