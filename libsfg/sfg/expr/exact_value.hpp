#pragma once
#include <ginac/numeric.h>

#include "sfg/exact/rational.hpp"

namespace sfg {

// Where GiNaC's numbers and FLINT's meet: words are copied, no text is made.

/// @throws std::invalid_argument for a number that is not rational.
exact::Rational exact_value(const GiNaC::numeric&);
GiNaC::numeric numeric_value(const exact::Rational&);

}  // namespace sfg
