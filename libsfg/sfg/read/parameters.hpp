#pragma once

#include <string_view>

#include "sfg/expr/symbol_table.hpp"
#include "sfg/model/operator.hpp"
#include "sfg/read/source_text.hpp"

namespace sfg {

/// Warns of a number alone that is likely read as another than was meant: 2M is 2 milli.
void doubt_number(const Passage& value, const SourceText&, Problems&);

/// Whether a name is pi, which is a number in every expression, so that nothing else can be called so: a problem.
bool is_number_pi(std::string_view name, const SourceSpan& where, Problems&);

/// States the value of a parameter; a second value, or one for a name that is something else, is a problem.
void state_parameter(SymbolTable&, const Passage& name, const Passage& value, const SourceText&, Problems&);

/// "K=10, T=0.5": numbers, or expressions of numbers and other parameters.
void state_parameters(SymbolTable&, const Passage& list, const SourceText&, Problems&);

/// Problems of the stated values together: values that refer to each other in a circle.
void check_parameters(const SymbolTable&, Problems&);

/// The name of the operator: s, p, z.
void state_operator(SymbolTable&, Operator&, const Passage& name, const SourceText&, Problems&);

/// The sample time that an operator has, s: a number above 0.
void state_sample_time(Operator&, const Passage& value, const SourceText&, Problems&);

/// How two parameters, "R1,R2", go together: a number from −1 to 1. Both must be in the table by then.
void state_correlation(SymbolTable&, const Passage& names, const Passage& value, const SourceText&, Problems&);

}  // namespace sfg
