#pragma once
#include <ginac/ginac.h>

#include <map>
#include <set>
#include <string>

#include "sfg/expr/print.hpp"
#include "sfg/model/substitution_list.hpp"

// Not installed: expressions of substitution lists in the words of each target.
namespace sfg {

/// Of a symbol.
inline std::string name_of(const GiNaC::ex& symbol) { return GiNaC::ex_to<GiNaC::symbol>(symbol).get_name(); }

/// The expression with other names in it, without blanks but in Python.
std::string text_with(const GiNaC::ex&, Notation, const std::map<std::string, std::string>& names);

/// The list with results that code may name its arrays after, beside `own` names of the code.
SubstitutionList with_legal_results(SubstitutionList, std::set<std::string> own);

/// Words that are no names in C, C++, Octave and MATLAB.
std::set<std::string> keywords();

}  // namespace sfg
