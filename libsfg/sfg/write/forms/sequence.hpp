#pragma once
#include <iosfwd>
#include <span>

#include "sfg/transfer/sequence.hpp"
#include "sfg/write/detail.hpp"
#include "sfg/write/page/page.hpp"
#include "sfg/write/page/page_text.hpp"

namespace sfg {

/// The definitions one a line, then T(input → output) in their names, the numbers of operations, and how it was verified.
Page page(const SignalFlowGraph&, std::span<const TransferSequence>, Detail = Detail::brief);
/// The same of one of them as plain text, so that a million definitions are never trees at once.
Page page(const SignalFlowGraph&, const TransferSequence&, Detail, const TextLayout&);
/// {"schema": "sfg/tf/1", …} (docs/schema/tf.schema.json) with "definitions": [[name, expression], …] and "operations".
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const TransferSequence>);

}  // namespace sfg
