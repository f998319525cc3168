#pragma once
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/read/document/document.hpp"

namespace sfg {

/// Whether a table is a file of signalflowgrapher: branches with `start` and `end`.
bool is_drawn_graph(const DocumentReader&, const Value& root);

/// A file of signalflowgrapher: its nodes with their places as the attribute `pos`, its branches with their weights.
SignalFlowGraph drawn_graph_of(const DocumentReader&, const Value& root);

}  // namespace sfg
