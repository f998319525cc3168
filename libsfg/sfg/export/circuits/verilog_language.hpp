#pragma once
#include <set>
#include <string>

#include "sfg/export/c/code_lines.hpp"

namespace sfg {

/// The keywords of Verilog, Verilog-AMS and SystemVerilog, and the functions of their arithmetic.
const std::set<std::string>& verilog_words();

/// Formulas of Verilog-A.
CodeSyntax verilog_a_syntax();
/// Formulas of SystemVerilog, whose functions begin with a dollar sign.
CodeSyntax verilog_syntax();

}  // namespace sfg
