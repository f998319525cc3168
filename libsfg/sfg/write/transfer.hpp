#pragma once
#include <iosfwd>
#include <span>

#include "sfg/expr/print.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

enum class TransferForm { rational, mason, numeric };

/// T(input → output) = …, one block each, with what was cancelled and how it was verified.
void write_text(std::ostream&, const SignalFlowGraph&, std::span<const TransferFunction>, TransferForm,
                Notation = Notation::text);
/// {"schema": "sfg/tf/1", "variable", "transfers": […]}: docs/schema/tf.schema.json.
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const TransferFunction>, TransferForm);

}  // namespace sfg
