#pragma once
#include <ginac/numeric.h>

#include <cstdint>

#include "sfg/exact/rational.hpp"

namespace sfg {

// Where GiNaC's numbers and FLINT's meet: words are copied, no text is made.

/// @throws std::invalid_argument for a number that is not rational.
exact::Rational exact_value(const GiNaC::numeric&);
GiNaC::numeric numeric_value(const exact::Rational&);
/// A whole number between −2^63 and 2^63 − 1; to_long() of GiNaC is of 32 bits where long is.
std::int64_t whole_value(const GiNaC::numeric&);

}  // namespace sfg
