#pragma once
#include <string>

#include "sfg/expr/symbol_table.hpp"

namespace sfg {

/// A tolerance as it is written: "5%" or "0.05" of the value, "±2" or "+-2" in its unit.
/// @throws sfg::Error, at the place given, for what is none and for one below 0.
Tolerance parse_tolerance(const std::string& text, const SourceSpan& where = {});
/// A distribution by its name. @throws sfg::Error with the nearest one.
Distribution parse_distribution(const std::string& text, const SourceSpan& where = {});

}  // namespace sfg
