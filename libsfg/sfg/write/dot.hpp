#pragma once
#include <iosfwd>

#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// The graph in our DOT dialect (docs/design/interface.md, section 3): reads back to an equal graph, attributes kept; same bytes
/// on every run.
void write_dot(std::ostream&, const SignalFlowGraph&);

}  // namespace sfg
