#pragma once
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/read/diagram/block_meaning.hpp"

namespace sfg {

/// The graph of a diagram: a node for what leaves each block, under the name of the signal or of the block.
/// @throws sfg::Error where it is not linear, or no diagram.
SignalFlowGraph diagram_graph(const BlockDiagram&, const SourceText&, ValueLanguage, BlockVocabulary, Problems&);

}  // namespace sfg
