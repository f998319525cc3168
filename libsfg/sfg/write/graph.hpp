#pragma once
#include <iosfwd>

#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// As a [graph] model.
void write_toml(std::ostream&, const SignalFlowGraph&);
/// {"schema": "sfg/graph/1", …}; read_json reads it back.
void write_json(std::ostream&, const SignalFlowGraph&);
/// For graph tools (yEd, Gephi, networkx, igraph): gains as data of the edges.
void write_graphml(std::ostream&, const SignalFlowGraph&);

}  // namespace sfg
