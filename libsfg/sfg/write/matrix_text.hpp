#pragma once
#include <ginac/ex.h>

#include <iosfwd>
#include <string>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

using TextTable = std::vector<std::vector<std::string>>;  ///< rows of cells

/// Columns side by side, two blanks apart.
void write_table(std::ostream&, const TextTable& rows, const std::string& indent);
/// NAME = and the entries by rows, "none" for an empty matrix; in LaTeX a displayed matrix, an empty one left out.
void write_matrix(std::ostream&, const std::string& name, const std::vector<std::vector<GiNaC::ex>>&, Notation);
/// A heading with an empty line before it; in LaTeX a subsection without a number.
void write_heading(std::ostream&, const std::string& text, Notation);
/// "warning: message; hint", one a line; comments in LaTeX.
void write_notes(std::ostream&, const std::vector<Diagnostic>&, Notation);
/// "a, b, c"; "none" of none.
std::string joined(const std::vector<std::string>& names, Notation);

}  // namespace sfg
