#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "sfg/model/substitution_list.hpp"

namespace sfg {

/// The two published forms of Mráz: names, `sub216=sub13*(sub136+lp7xb1);`, or the arrays sub, kon, X,
/// `sub(216)=sub(13)*(sub(136)+kon(134));`, with u for the inputs.
enum class SubstitutionForm { names, indexed };

/// A line a substitution, in the order of evaluation, then the entries of the results. At the head comments say what is in kon, X
/// and u and what values the constants have. read_substitutions() reads both back.
/// @param header  lines of comment at the top
void write_substitutions(std::ostream&, const SubstitutionList&, SubstitutionForm, const std::vector<std::string>& header = {});

}  // namespace sfg
