#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "sfg/read/input.hpp"
#include "tools/frame/verb.hpp"

namespace sfg::command {

/// Whether a value of the input or of --set is no whole number and was written as a decimal: 1.5, 2e-3, 10n. Values are exact
/// after reading, so it is the text that tells 0.5 from 1/2.
bool decimal_typed(const Input&, const SymbolTable&, const Task&);
/// The decimals in the text of the input, in whatever place; none where it cannot be read again.
std::vector<exact::Rational> typed_decimals(const Task&);

/// How an answer with numbers is written.
Option digits_option();
Option exact_option();
/// Significant digits of decimals; nothing where fractions are to stay. @throws UsageError
std::optional<std::size_t> digits_of(const Task&);

}  // namespace sfg::command
