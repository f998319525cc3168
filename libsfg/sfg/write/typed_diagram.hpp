#pragma once
#include <iosfwd>

#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// Writes the graph as a block diagram is typed (read_typed_diagram reads it back to the same transfer functions). Attributes
/// such as places, which have no place there, are left out.
/// @throws sfg::Error where a branch has a nonlinear law.
void write_typed_diagram(std::ostream&, const SignalFlowGraph&);
/// Something of the graph has no place in such a text.
bool loses_as_typed_diagram(const SignalFlowGraph&);

}  // namespace sfg
