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

struct SubstitutionCode {
  std::string name = "model";            ///< of the functions: letters, digits, "_"
  std::vector<std::string> header = {};  ///< lines of the comment at the top
  /// Results are compared with these by the code's self-check; as many as result_entries() of the list.
  SubstitutionPoint point = {};
  std::vector<double> expected = {};
};

/// C of the standard of 1999, without allocation or globals: `struct NAME_model` of its parameters with NAME_defaults, and for
/// every result a function of the parameters p, the states x, the inputs u and the time t: `void NAME_M(p, x, u, t, M)`, matrices
/// row by row; with substitutions sub[…] under the numbers of the list. NAME_motion makes all results at once. With SFG_MAIN
/// defined a main compares them with the expected values, says so and returns 0 where they agree.
/// `others` are further lists of the same constants and states, with inputs of their own: NAME_reactions
void write_c(std::ostream&, const SubstitutionList&, const SubstitutionCode&);

/// A file NAME.m for Octave and MATLAB: [M,F,…]=NAME(x,u,t,p); p=NAME('parameters'); NAME('check') compares as the C does.
void write_octave(std::ostream&, const SubstitutionList&, const SubstitutionCode&);

/// A module for Python with NumPy: M, F, … = NAME(x, u, t, p), p = parameters(), check(); run as a program it compares as the C
/// does.
void write_python(std::ostream&, const SubstitutionList&, const SubstitutionCode&);

}  // namespace sfg
