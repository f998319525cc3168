#pragma once
#include <iosfwd>

#include "sfg/transfer/reduce.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// The reduction step by step: what was done, the branches that went, came or changed, how it was checked; then the graph
/// that is left.
Page page(const Reduction&);
/// {"schema": "sfg/reduce/1", "steps": [{"kind", "node", "nodes", "removed": [{"from", "to", "gain"}], "added": […],
///  "inverse", "verified"}], "graph": {"inputs", "outputs", "nodes", "branches"}}.
void write_json(std::ostream&, const Reduction&);

}  // namespace sfg
