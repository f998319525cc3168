#pragma once
#include "sfg/expr/names_in_use.hpp"
#include "sfg/expr/symbol_table.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// The names of a graph and how they are set: parameters, nodes, rates of the coordinates of a model, and what the attribute
/// `latex` says, of the graph ("Kp=K_p^{*}, y=\\dot{y}") and of a node.
/// @throws sfg::Error with the place of a node, or of the graph, whose LaTeX is none
NameTable names_of(const SignalFlowGraph&);

/// Parameters, coordinates, and with D and DD before them their rates.
void add_names(NameTable&, const SymbolTable&);

/// The message of LaTeX that is none. @param where  of what is wrong
Error wrong_latex(const NameLatexError&, SourceSpan where);

}  // namespace sfg
