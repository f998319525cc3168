#pragma once
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// What the denominator of a branch's gain lost as values were put in, s - 1 of K/(s - 1) at K = 0: a factor whose modes the
/// branch has all the same. 1 where nothing was lost. @throws sfg::Error where the attribute `hidden_modes`, which keeps it, is
/// no expression.
GiNaC::ex hidden_modes(const Branch&, const SymbolTable&);
void keep_hidden_modes(Branch&, const GiNaC::ex&);

}  // namespace sfg
