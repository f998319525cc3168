#pragma once
#include <string>
#include <variant>
#include <vector>

#include "sfg/expr/names_in_use.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/model.hpp"

namespace sfg {

struct Input;

/// The names of the signals of an input that a file may say something of: nodes of a graph, unknowns and sources of equations.
std::vector<std::string> signal_names(const std::variant<SignalFlowGraph, Model>&);

/// The names of an input and how they are set: parameters, signals, elements, and what its file says of them.
/// @throws sfg::Error with the place of a node whose LaTeX is none
NameTable names_of(const Input&);

}  // namespace sfg
