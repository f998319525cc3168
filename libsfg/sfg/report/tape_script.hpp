#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sfg/exact/rational.hpp"
#include "sfg/numeric/tape.hpp"

// Not installed: tapes as plain JavaScript.
namespace sfg {

/// A tape as an object literal: `{size, inputs: [slot …], numbers: [[slot, number] …], code: [r => {…} …], outputs: [slot …]}`.
/// The code is straight-line: r.m(7, 1, 2) puts the product of values 1 and 2 into place 7; a, s, m, d, n and p add, subtract,
/// multiply, divide, negate and raise to a whole power, f applies a function by its name. What numbers are is the machine's
/// choice.
/// @param named    inputs of the tape at its beginning that the page gives; a place −1 is that of one which the tape does not use
/// @param numbers  values of the inputs after these, by name
/// @throws NoAnswer  where it interpolates in a table
std::string tape_script(const numeric::Tape&, std::size_t named,
                        std::span<const std::pair<std::string, exact::Rational>> numbers);

/// The number exactly: as a literal where it is a double, else as a string, "\"1/3\"".
std::string script_number(const exact::Rational&);

/// A string literal of JavaScript that may stand in an HTML script: any bytes may come in, no markup comes out.
std::string script_string(std::string_view);

}  // namespace sfg
