#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sfg/control/open_loop.hpp"
#include "sfg/model/circuit.hpp"

// Not installed: how Subject opens the loop that it is asked about.
namespace sfg {

/// The branch that words name: FROM,TO (names may have commas themselves); a node, at its only entering branch, else its only
/// leaving one; a controlled source, in a graph that has one for it.
/// @throws sfg::Error without a place for a name that the graph does not have; as open_loop() for the others
LoopPlace loop_place(const SignalFlowGraph&, std::string_view where);

/// The loop opened there. @throws as loop_place(), open_loop() and require_loop()
OpenLoop loop_opened_at(const SignalFlowGraph&, std::string_view where);

/// The graph of what is asked of the loop. @throws as loop_place() and loop_graph()
SignalFlowGraph loop_graph(const SignalFlowGraph&, const LoopTerms&);

/// The elements of the circuit that are named as places.
std::vector<std::string> elements_at(const Circuit&, const LoopTerms&);
/// The graph of a circuit with a branch for each of these controlled sources, where its loop is opened.
/// @param graph  of the equations that freed() makes of them
SignalFlowGraph with_loop_branches(SignalFlowGraph graph, const std::vector<std::string>& elements);

}  // namespace sfg
