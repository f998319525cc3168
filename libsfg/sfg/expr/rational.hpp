#pragma once
#include <ginac/ex.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/ring/multivariate.hpp"

namespace sfg {

class RationalFunction;

/// The variables in which a set of expressions is rational: every symbol, and every subexpression that is not rational
/// (a function value, a fractional power, pi) as one opaque variable ("kernel"). A cheap value: copies share.
class PolynomialSpace {
 public:
  /// All variables of the expressions. `main` (the operator s, p or z) becomes the first; the others follow by name.
  explicit PolynomialSpace(std::span<const GiNaC::ex> expressions, const GiNaC::ex& main = {});

  const ring::Polynomial::Context& context() const noexcept;
  std::size_t size() const noexcept;
  const GiNaC::ex& generator(std::size_t index) const;  ///< the symbol or kernel behind a variable
  std::optional<std::size_t> index(const GiNaC::ex& generator) const;

  /// The expression over one fraction, not cancelled beyond what is free. Throws std::invalid_argument when it has a
  /// variable that is not in the space, sfg::Error when a denominator vanishes identically.
  RationalFunction rational(const GiNaC::ex&, const Budget& = {}) const;
  GiNaC::ex expression(const ring::Polynomial&) const;
  bool has_roots() const noexcept;
  /// Uses √r·√r = r: powers of roots beyond their degree are replaced, roots above and below cancelled.
  void settle_roots(ring::Polynomial& numerator, ring::Polynomial& denominator) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// A fraction of polynomials of one space. Built without gcds; reduced() cancels.
class RationalFunction {
 public:
  RationalFunction(PolynomialSpace, ring::Polynomial numerator, ring::Polynomial denominator);

  const PolynomialSpace& space() const noexcept { return space_; }
  const ring::Polynomial& numerator() const noexcept { return numerator_; }
  const ring::Polynomial& denominator() const noexcept { return denominator_; }
  /// In lowest terms, roots settled: coprime, integer coefficients without common content, a denominator that does not read
  /// negative (ring::Polynomial::reads_negative).
  RationalFunction reduced() const;
  /// The factor that reduced() cancels, with coprime integer coefficients; 1 when there is none.
  ring::Polynomial common_factor() const;
  GiNaC::ex expression() const;
  /// "numerator/denominator" with parentheses where needed, both collected by the main variable; see expr/print.
  std::string text() const;

 private:
  PolynomialSpace space_;
  ring::Polynomial numerator_;
  ring::Polynomial denominator_;
};

/// "numerator/denominator" of printed sums, with parentheses where needed; the numerator alone over "1".
std::string quotient_text(const std::string& numerator, const std::string& denominator);

/// Exactly zero as a rational function of its symbols and kernels, roots squared to what is under them (is_zero() of GiNaC
/// is only structural). Where the expression is too large to be expanded, zero at four random points modulo 2^61 − 1.
bool vanishes(const GiNaC::ex&);
/// One fraction in lowest terms, as an expression: the normal form by FLINT, much faster than GiNaC's normal().
GiNaC::ex normal_form(const GiNaC::ex&, const GiNaC::ex& main = {});
/// (numerator, denominator) of normal_form, each expanded.
std::pair<GiNaC::ex, GiNaC::ex> fraction(const GiNaC::ex&, const GiNaC::ex& main = {});
/// Coefficients of a polynomial in x, highest power first; {} for 0; nothing when it is not a polynomial in x.
std::optional<std::vector<GiNaC::ex>> polynomial_coefficients(const GiNaC::ex&, const GiNaC::ex& x);
/// The names of the symbols in an expression, sorted.
std::vector<std::string> symbol_names(const GiNaC::ex&);

/// Random residues for symbols and kernels: the independent evaluation of expressions modulo a prime, sharing nothing
/// with the polynomial arithmetic (docs/design/engine.md, section 5). Equal kernels get equal residues.
class ModularPoint {
 public:
  ModularPoint(std::uint64_t prime, std::uint64_t seed) : prime_(prime), seed_(seed) {}
  std::uint64_t prime() const noexcept { return prime_; }
  /// Value of the expression; nothing when a denominator vanishes at this point or a root does not exist modulo the prime
  /// (a sum has a square root at about every second point): then take another seed, or a point of RandomPoints.
  std::optional<std::uint64_t> operator()(const GiNaC::ex&) const;
  /// Residue of a symbol or kernel by its printed name.
  std::uint64_t residue(std::string_view printed) const;
  /// Residue of a text alone, whatever it says: that of a symbol with the name. It has a q-th root for every product q of
  /// prime factors of `roots`.
  std::uint64_t hashed(std::string_view printed, std::uint64_t roots = 30) const;
  /// Gives a letter (the printed name of a symbol or kernel) another residue.
  void redraw(const std::string& letter) { ++draws_[letter]; }

 private:
  std::uint64_t prime_;
  std::uint64_t seed_;
  std::map<std::string, std::uint64_t, std::less<>> draws_;  ///< how often a letter was drawn again
};

}  // namespace sfg
