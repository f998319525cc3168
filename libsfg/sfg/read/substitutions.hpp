#pragma once
#include <string>
#include <string_view>

#include "sfg/model/substitution_list.hpp"

namespace sfg {

/// Reads a list of substitutions (Mráz) in either published form: by names, `sub216=sub13*(sub136+lp7xb1);`, or indexed,
/// `sub(216)=sub(13)*(sub(136)+kon(134));`, with entries of the results, `M(1,2)=sub29;`, among and after them. What stands
/// behind
/// "#" or "%" is a comment, but the lines that sfg writes at the head: what is in kon, X and u, and values.
/// Without them, states are the names `s<i>`, `e<j>b<b>` and with a d their rates, and in kon the constants of elastic bodies
/// (`lp<k>x|y|z b<b>`, `v<j>p<k>…`, `r<j>p<k>…`, `mp<k>b<b>`) come first in Mráz's order.
/// @throws sfg::Error with every problem and its place: what is used before it is made, made twice, or no assignment.
SubstitutionList read_substitutions(std::string_view text, std::string file);

}  // namespace sfg
