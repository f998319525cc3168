#pragma once
#include <vector>

#include "sfg/read/source_text.hpp"

namespace sfg {

/// A statement of a Lagrange script: text up to the end of the line, a ';' or a ',', or to the end of an open '['.
/// Comments and continuations ("...") are gone; inside brackets ends of lines are kept.
struct ScriptStatement {
  Passage text;     ///< trimmed, not empty
  Passage comment;  ///< of its last line, without '%', trimmed
};

struct ScriptStatements {
  std::vector<ScriptStatement> statements;
  std::vector<Passage> redundant;  ///< what follows "%redundant", one for each such comment
};

/// Splits a script. Brackets that do not match are errors.
ScriptStatements script_statements(const SourceText&, Problems&);

/// The parts of a bracket's inside: rows end with a line or ';', elements with a blank or a comma. A sign between blanks joins
/// ("a - b"), one that only follows a blank begins an element ("a -b"), as in the original environment. Empty rows are left out.
std::vector<std::vector<Passage>> script_rows(const Passage& inside);

/// The elementwise operators .* ./ .^ as plain ones, at the same places: elements are scalars.
Passage scalar_operators(Passage);

}  // namespace sfg
