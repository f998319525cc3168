#pragma once
#include <vector>

#include "sfg/expr/symbol_table.hpp"
#include "sfg/model/lagrangian.hpp"
#include "sfg/read/source_text.hpp"

namespace sfg {

/// The summands of TM=, PM= or FM=: a sum of terms "factor*[rows].^n*scalar/scalar" (the sum of the elements after the
/// elementwise operations) and of plain expressions (docs/design/derivation.md, section 1.2). Each element keeps its place.
std::vector<Lagrangian::Energy> script_energy(const Passage&, const SourceText&, SymbolTable&, Problems&);

}  // namespace sfg
