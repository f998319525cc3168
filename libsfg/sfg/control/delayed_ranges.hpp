#pragma once
#include <ginac/ex.h>

#include <vector>

#include "sfg/budget.hpp"
#include "sfg/control/routh.hpp"
#include "sfg/expr/symbol_table.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

/// The open ranges of a gain K for which 1 + K L is stable, of an L = R e^(−τs) with one dead time. Roots cross the axis where L
/// is real, at K = −1/L (L(0) and the limit at infinite frequency among them); between neighbouring values of K closed_loop()
/// counts them. Where the phase only falls every crossing is one to the right as |K| grows, so that beyond the first of these and
/// all before no K is stable.
/// @throws NoAnswer for several dead times, and where a limit found in doubles is not confirmed on both of its sides
std::vector<OpenRange> delayed_stable_ranges(const ExactTransfer& L, const Budget& = {});

/// The same of a characteristic D(s) + K N(s) e^(−τs), an expression in s and K with numbers for all else.
/// @param symbols  with the variable in it
/// @throws NoAnswer also where it is no such thing
std::vector<OpenRange> delayed_stable_ranges(const GiNaC::ex& characteristic, const GiNaC::ex& parameter, const Operator&,
                                             const SymbolTable& symbols, const Budget& = {});

}  // namespace sfg
