#pragma once
#include <iosfwd>

#include "sfg/expr/print.hpp"
#include "sfg/transfer/reduce.hpp"

namespace sfg {

/// The reduction step by step: what was done, the branches that went, came or changed, how it was checked; then the graph
/// that is left. `notation` is text, unicode or latex.
void write_text(std::ostream&, const Reduction&, Notation = Notation::text);
/// {"schema": "sfg/reduce/1", "steps": [{"kind", "node", "nodes", "removed": [{"from", "to", "gain"}], "added": […],
///  "inverse", "verified"}], "graph": {"inputs", "outputs", "nodes", "branches"}}.
void write_json(std::ostream&, const Reduction&);

}  // namespace sfg
