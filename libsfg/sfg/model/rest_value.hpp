#pragma once
#include <ginac/ex.h>

#include <optional>
#include <string>

#include "sfg/expr/symbol_table.hpp"

namespace sfg {

/// What a source is at rest: the DC value of a netlist, or where a waveform begins.
struct RestValue {
  GiNaC::ex value;    ///< of numbers and parameters
  bool lasts = true;  ///< false of a waveform
};

/// Kept beside the parameters in the table of a model, so that what is put in for these is put in there, too.
void state_rest(SymbolTable&, const std::string& source, const RestValue&, const SourceSpan& where = {});
std::optional<RestValue> stated_rest(const SymbolTable&, const std::string& source);

}  // namespace sfg
