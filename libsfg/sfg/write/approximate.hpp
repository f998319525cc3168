#pragma once
#include <iosfwd>
#include <span>

#include "sfg/approximate/approximate.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

void write_text(std::ostream&, const SignalFlowGraph&, std::span<const ApproximateTransfer>, Notation = Notation::text);
/// {"schema": "sfg/tf/1", "variable", "transfers": [… with "error", "range", "kept" and "split"]}
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const ApproximateTransfer>);

}  // namespace sfg
