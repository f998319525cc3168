#pragma once
#include <ginac/ex.h>
#include <ginac/ginac.h>
#include <ginac/numeric.h>

#include <algorithm>
#include <optional>

namespace sfg {

// How an expression is seen as a rational function: what is not a sum, product or whole power of something is opaque.

/// A real number as an exact rational; nothing for other expressions and complex numbers.
std::optional<GiNaC::numeric> exact_number(const GiNaC::ex&);

/// The exponent n of a power base^n with a whole n.
std::optional<long> whole_exponent(const GiNaC::ex& power);

/// True for a power whose exponent is rational, but not whole: a root.
bool is_root(const GiNaC::ex&);

/// factor·√radicand with a squarefree whole radicand, which is 1 when the root is a number.
struct ConstantRoot {
  GiNaC::numeric factor, radicand;
};
/// Of r^(n/2) with a positive rational r: √8 = 2·√2, √(5/9) = √5/3. Squares of primes above 1000 may stay inside.
std::optional<ConstantRoot> constant_root(const GiNaC::ex&);

/// unit^multiple: exp(x) or a power with a symbolic exponent, the number in front of the exponent taken out, so that
/// exp(-2*x) and exp(x/3) are powers of one thing.
struct Exponential {
  GiNaC::ex unit;
  GiNaC::numeric multiple;
};
/// Nothing for other expressions.
std::optional<Exponential> exponential(const GiNaC::ex&);
/// unit^multiple in one piece.
GiNaC::ex raised(const GiNaC::ex& unit, const GiNaC::numeric& multiple);

/// The exponentials whose exponents are multiples of one thing: powers of one variable, where these are not too high. The
/// exponents of slopes at a point that was searched have sixteen digits, and nothing in common that would cancel.
class ExponentialFamily {
 public:
  explicit ExponentialFamily(const Exponential& first)
      : unit_(first.unit), step_(first.multiple), greatest_(abs(first.multiple)) {}

  /// False, and nothing changes, where the powers would be too high.
  bool join(const GiNaC::numeric& multiple) {
    const GiNaC::numeric a = abs(step_), b = abs(multiple);
    const GiNaC::numeric common = GiNaC::gcd(a.numer(), b.numer()) / GiNaC::lcm(a.denom(), b.denom());
    const GiNaC::numeric greatest = std::max(greatest_, b);
    if (greatest > common * most) return false;
    step_ = step_.is_negative() || multiple.is_negative() ? -common : common;
    greatest_ = greatest;
    return true;
  }
  bool contains(const GiNaC::numeric& multiple) const {
    const GiNaC::numeric quotient = multiple / step_;
    return quotient.is_integer() && abs(quotient) <= most;
  }
  /// The variable, and the power of it that an exponential is.
  GiNaC::ex generator() const { return raised(unit_, step_); }
  long power(const GiNaC::numeric& multiple) const { return (multiple / step_).to_long(); }

 private:
  static constexpr long most = 1'000'000;
  GiNaC::ex unit_;
  GiNaC::numeric step_;  ///< the greatest number of which all multiples are whole multiples; negative for exp(-T*s)
  GiNaC::numeric greatest_;
};

}  // namespace sfg
