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

/// The graph in our DOT dialect (docs/design/interface.md, section 3): reads back to an equal graph, attributes kept; same bytes
/// on every run.
void write_dot(std::ostream&, const SignalFlowGraph&);

/// Writes the graph as a block diagram is typed (read_typed_diagram reads it back to the same transfer functions). Attributes
/// such as places, which have no place there, are left out.
/// @throws sfg::Error where a branch has a nonlinear law.
void write_typed_diagram(std::ostream&, const SignalFlowGraph&);
/// Something of the graph has no place in such a text.
bool loses_as_typed_diagram(const SignalFlowGraph&);

}  // namespace sfg
