#pragma once
#include <iosfwd>
#include <span>

#include "sfg/expr/print.hpp"
#include "sfg/transfer/sequence.hpp"

namespace sfg {

/// The definitions one a line, then T(input → output) in their names, the numbers of operations, and how it was verified.
void write_text(std::ostream&, const SignalFlowGraph&, std::span<const TransferSequence>, Notation = Notation::text);
/// {"schema": "sfg/tf/1", …} (docs/schema/tf.schema.json) with "definitions": [[name, expression], …] and "operations".
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const TransferSequence>);

}  // namespace sfg
