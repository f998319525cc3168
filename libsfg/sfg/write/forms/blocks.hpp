#pragma once
#include <iosfwd>
#include <span>

#include "sfg/transfer/blocks.hpp"
#include "sfg/write/detail.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// Transmittances in the functions of blocks: what the blocks do, each kind once, then the answers. The questions of the answers
/// are of the graph.
Page page(const SignalFlowGraph&, const BlockTransfers&, Detail);
void write_json(std::ostream&, const SignalFlowGraph&, const BlockTransfers&);

}  // namespace sfg
