#pragma once
#include <complex>
#include <map>

#include "sfg/approximate/prune_equations.hpp"
#include "sfg/approximate/short_fraction.hpp"

namespace sfg {

/// Equations without sources, of which det D has the zeros of an unknown's response to a source for its roots: the source is an
/// unknown more, and the response is 0.
EquationSystem with_zeros_of(const EquationSystem&, std::size_t source, std::size_t unknown);

/// Equations without the products in the entries of D that hardly move one root of det D (and its conjugate). They are tried in
/// ascending order of what each does to the root alone, by first order; the root is followed by Newton's method, so that it is
/// never further than `limit`, relatively, from where it was at first.
/// @param values  of the parameters; every one must have a number
/// @param root    not 0
/// @throws NoAnswer for a function of the operator (a dead time); LimitReached for more than 400 unknowns.
/// @see Hennig: Symbolic approximation and modeling techniques for analysis and design of analog circuits (2000), ch. 4.
PrunedEquations pruned_for_root(const EquationSystem&, const GiNaC::exmap& values, std::complex<double> root, double limit,
                                const Budget& = {});

/// Real parts of d ln root/d ln letter, summed over the letters of each kind; none where the root is not simple.
/// @throws as pruned_for_root
std::map<LetterKind, double> root_sensitivities(const EquationSystem&, const GiNaC::exmap& values, std::complex<double> root);

}  // namespace sfg
