#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// A graph in GraphML (graphml.graphdrawing.org), as networkx, igraph, yEd, Gephi and write_graphml() write it. The name of a
/// node is its data `name`, else its `label` (of yEd: the text in it) where all nodes have different ones, else its id. The gain
/// of an edge is its data `gain`, else its label, else its `weight`, else 1; `nonlinear` and `arguments` are as in DOT. What the
/// data of the graph state (title, variable, parameters, input, output …) counts as in DOT; further data are kept.
/// No document type is followed and no entity of one is known.
/// @param notes  receives warnings, when given.
/// @throws sfg::Error with every problem: not well-formed, an edge that is undirected or leads nowhere, hyperedges.
SignalFlowGraph read_graphml(std::string_view text, std::string file, std::vector<Diagnostic>* notes = nullptr);

}  // namespace sfg
