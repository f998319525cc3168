#pragma once
#include <ginac/ex.h>
#include <ginac/numeric.h>

#include <optional>
#include <string>

namespace sfg {

// How an expression is seen as a rational function: what is not a sum, product or whole power of something is opaque.

/// A real number as an exact rational; nothing for other expressions and complex numbers.
std::optional<GiNaC::numeric> exact_number(const GiNaC::ex&);

/// The exponent n of a power base^n with a whole n.
std::optional<long> whole_exponent(const GiNaC::ex& power);

/// True for a power whose exponent is rational, but not whole: a root.
bool is_root(const GiNaC::ex&);

/// True for exp(x) and for powers with a symbolic exponent: f(x)·f(−x) = 1.
bool is_exponential(const GiNaC::ex&);
/// 1/e of an exponential e as another exponential, where there is one.
std::optional<GiNaC::ex> reciprocal_exponential(const GiNaC::ex& exponential);

}  // namespace sfg
