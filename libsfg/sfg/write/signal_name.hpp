#pragma once
#include <string>
#include <string_view>

#include "sfg/expr/print.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// The name of a node in a notation. Nodes may have any name; in LaTeX one that is no name of the grammar becomes text.
std::string signal_name(std::string_view node, Notation);
/// What a question asks for: "C/R" or \frac{C}{R}.
std::string gain_name(std::string_view input, std::string_view output, Notation);

}  // namespace sfg
