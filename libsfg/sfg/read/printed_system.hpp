#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// Systems as Octave (package control), MATLAB and python-control print them: transfer functions (tf, zpk) become branches from
/// their inputs to their outputs, state-space models (ss) the graph of state_space_graph(). Names of signals are those printed,
/// else u, y, or u1, y1, … Several systems in one text are one graph: signals that the user named are one signal where they
/// have one name, and the others have the name of their system before them, G.u1. Numbers are what was printed, exactly.
/// @param notes  receives warnings, when given.
/// @throws sfg::Error with every problem found.
SignalFlowGraph read_printed_system(std::string_view text, std::string file, std::vector<Diagnostic>* notes = nullptr);

/// Whether a text reads as such a print: a line says what kind of model it is.
bool is_printed_system(std::string_view text);

}  // namespace sfg
