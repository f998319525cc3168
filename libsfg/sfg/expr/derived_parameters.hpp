#pragma once
#include <ginac/ex.h>

#include <span>
#include <string>
#include <vector>

#include "sfg/expr/symbol_table.hpp"

namespace sfg {

/// Whether the value of a symbol is an expression of other ones (b = 3*a): whatever varies those moves it.
bool is_derived(const Symbol&);

/// Every derived parameter as an expression of those that are not derived.
/// @throws sfg::Error when values refer to each other in a circle.
GiNaC::exmap definitions(const SymbolTable&);

/// The parameters that a derived one follows from in the end, in the order of the table; empty for any other.
std::vector<std::string> bases_of(const SymbolTable&, const Symbol& derived);

/// The values of all symbols but `kept`. What is derived from kept symbols is expressed in them, and so is what is derived from
/// symbols without a value: whoever varies a symbol, or misses its value, finds it wherever it has influence.
/// @throws sfg::Error when values refer to each other in a circle.
GiNaC::exmap values_keeping(const SymbolTable&, std::span<const GiNaC::ex> kept);

}  // namespace sfg
