#pragma once
#include <cstddef>
#include <iosfwd>
#include <optional>
#include <span>

#include "sfg/expr/print.hpp"
#include "sfg/transfer/mason.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// T(input → output) = …, one block each, with what was cancelled and how it was verified. With a number of digits the
/// fraction is one with decimals (decimal_fraction).
void write_text(std::ostream&, const SignalFlowGraph&, std::span<const TransferFunction>, Notation = Notation::text,
                std::optional<std::size_t> digits = {});
/// {"schema": "sfg/tf/1", "variable", "transfers": […]}: docs/schema/tf.schema.json.
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const TransferFunction>);

/// The same as sums over paths and loops, nothing multiplied out. `transfers` answer the listings' questions, in their order.
/// @throws std::invalid_argument when a listing is truncated.
void write_text(std::ostream&, const SignalFlowGraph&, std::span<const MasonListing>, std::span<const TransferFunction> transfers,
                Notation = Notation::text);
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const MasonListing>,
                std::span<const TransferFunction> transfers);

/// The same as lists of coefficients. `transfers` are those whose coefficients these are, in the same order.
void write_text(std::ostream&, const SignalFlowGraph&, std::span<const NumericTransfer>,
                std::span<const TransferFunction> transfers);
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const NumericTransfer>,
                std::span<const TransferFunction> transfers);

}  // namespace sfg
