#pragma once
#include <ginac/ex.h>

namespace sfg {

/// A sum of products by the roots and the denominators in its terms: terms with the same ones become one fraction in
/// lowest terms where that is shorter. A common denominator of all would be the product of all roots:
/// a^2/(a^2 + b^2)^(3/2) - 1/sqrt(a^2 + b^2) + 1/sqrt(c^2 + d^2) is -b^2/(a^2 + b^2)^(3/2) + 1/sqrt(c^2 + d^2).
GiNaC::ex collected_by_roots(const GiNaC::ex& sum);

/// The same number with every root of a rational number in lowest terms: √99 is 3·√11.
GiNaC::ex with_shortest_roots(const GiNaC::ex&);

/// Whether a root occurs outside of function arguments.
bool has_roots(const GiNaC::ex&);

}  // namespace sfg
