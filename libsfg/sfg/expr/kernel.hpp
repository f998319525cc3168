#pragma once
#include <ginac/ex.h>
#include <ginac/numeric.h>

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

}  // namespace sfg
