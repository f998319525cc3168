#pragma once
#include <ginac/ex.h>
#include <ginac/numeric.h>

#include <optional>
#include <string_view>

#include "sfg/error.hpp"
#include "sfg/expr/name.hpp"
#include "sfg/expr/symbol_table.hpp"

namespace sfg {

/// Bounds of the parser: text of a model file is data from anywhere.
struct ParseLimits {
  std::size_t depth = 200;  ///< nested parentheses, functions and unary signs
  std::size_t tokens = 100'000;
  std::size_t digits = 1'000;   ///< of one number
  long decimal_exponent = 400;  ///< |e| of 1e400
  long power = 1'000;           ///< |n| of x^n
};

/// Reads an expression of the toolkit's grammar: + - * / ^ (right associative; ** is the same), parentheses, exact decimals,
/// names, the functions `sqrt exp log sin cos tan asin acos atan atan2 sinh cosh tanh abs sign min max step`, and `pi`.
/// Every other name is a plain symbol of `symbols`; one that is not there yet is added as a parameter.
/// A function name that is not followed by "(" is a plain symbol too.
///
/// @param where  place of the first character of `text`, so that errors point into the user's file.
/// @throws sfg::Error with the place of the offending character: a syntax error, division by zero, a limit.
GiNaC::ex parse(std::string_view text, SymbolTable& symbols, SourceSpan where = {}, const ParseLimits& limits = {});

/// Like parse(), but a name that is not in the table is an error with the nearest name as a hint.
GiNaC::ex parse_known(std::string_view text, const SymbolTable& symbols, SourceSpan where = {}, const ParseLimits& limits = {});

/// An exact number alone: a fraction "1/3", or a decimal with a SPICE suffix (f p n u m k meg g t, any case) where one is given.
/// Letters after a suffix are a unit and are ignored, as in SPICE: "10uF" is 10u; "10F" is 10 femto, "1M" is 1 milli.
GiNaC::numeric parse_number(std::string_view text, SourceSpan where = {}, const ParseLimits& limits = {});

/// The value of a parameter: a number alone, with a SPICE suffix where one is given, or an expression.
GiNaC::ex parse_value(std::string_view text, SymbolTable& symbols, const SourceSpan& where = {});

/// What is wrong with a text that was meant as a number alone: a decimal comma ("0,5"), a unit behind it ("100 N/m").
std::optional<Diagnostic> foreign_number(std::string_view text, const SourceSpan& where = {});
/// A warning where a number alone is likely read as another than was meant: "2M" is 2 milli.
std::optional<Diagnostic> doubtful_number(std::string_view text, const SourceSpan& where = {});

}  // namespace sfg
