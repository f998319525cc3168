#pragma once
#include <cstddef>
#include <iosfwd>
#include <optional>
#include <span>

#include "sfg/control/poles.hpp"
#include "sfg/transfer/blocks.hpp"
#include "sfg/transfer/factored.hpp"
#include "sfg/transfer/mason.hpp"
#include "sfg/transfer/sequence.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/transfer/transfer_table.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// T(input → output) = …, one after the other, with what was cancelled and how they were verified. With a number of digits the
/// fractions are those with decimals (decimal_fraction).
Page page(const SignalFlowGraph&, std::span<const TransferFunction>, Detail = Detail::brief,
          std::optional<std::size_t> digits = {});
/// {"schema": "sfg/tf/1", "variable", "transfers": […]}: docs/schema/tf.schema.json.
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const TransferFunction>);

/// The same with parallel combinations as such (parallel_form); where there are none, as fractions.
Page parallel_page(const SignalFlowGraph&, std::span<const TransferFunction>, Detail = Detail::brief);
/// With "parallel" beside "expression".
void write_parallel_json(std::ostream&, const SignalFlowGraph&, std::span<const TransferFunction>);

/// The same as sums over paths and loops, nothing multiplied out. `transfers` answer the listings' questions, in their order.
/// @throws std::invalid_argument when a listing is truncated.
Page page(const SignalFlowGraph&, std::span<const MasonListing>, std::span<const TransferFunction> transfers,
          Detail = Detail::brief);
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const MasonListing>,
                std::span<const TransferFunction> transfers);

/// The same as lists of coefficients. `transfers` are those whose coefficients these are, in the same order.
Page page(const SignalFlowGraph&, std::span<const NumericTransfer>, std::span<const TransferFunction> transfers,
          Detail = Detail::brief);
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const NumericTransfer>,
                std::span<const TransferFunction> transfers);

/// T(input → output) as a product of factors, then what the factors of first and second order mean (time constants, corner
/// frequencies, ω_n, ζ, Q) and the value at 0. `transfers` are those that were factored, in the same order.
Page page(const SignalFlowGraph&, std::span<const FactoredTransfer>, std::span<const TransferFunction> transfers,
          Detail = Detail::brief);
/// {"schema": "sfg/tf/1", …} (docs/schema/tf.schema.json) with "gain", "power", "factors" and "dc_gain".
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const FactoredTransfer>,
                std::span<const TransferFunction> transfers);

/// The definitions one a line, then T(input → output) in their names, the numbers of operations, and how it was verified.
Page page(const SignalFlowGraph&, std::span<const TransferSequence>, Detail = Detail::brief);
/// The same of one of them as plain text, so that a million definitions are never trees at once.
Page page(const SignalFlowGraph&, const TransferSequence&, Detail, const TextLayout&);
/// {"schema": "sfg/tf/1", …} (docs/schema/tf.schema.json) with "definitions": [[name, expression], …] and "operations".
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const TransferSequence>);

/// Transmittances in the functions of blocks: what the blocks do, each kind once, then the answers. The questions of the answers
/// are of the graph.
Page page(const SignalFlowGraph&, const BlockTransfers&, Detail);
void write_json(std::ostream&, const SignalFlowGraph&, const BlockTransfers&);

/// Δ, and the numerators as a table: a row an output, a column an input; long ones by names that are defined behind it. Then
/// where something cancels. `transfers` are those whose table it is.
Page page(const SignalFlowGraph&, const TransferTable&, std::span<const TransferFunction> transfers, Detail = Detail::brief);
/// {"schema": "sfg/tf/1", "variable", "denominator", "transfers": […]}
void write_json(std::ostream&, const SignalFlowGraph&, const TransferTable&, std::span<const TransferFunction> transfers);

/// Transfer functions by zeros, poles and gain: gain*(s - z1)*…/((s - p1)*…), and docs/schema/tf.schema.json, form zpk.
Page zpk_page(std::span<const PolesZeros>);
void write_zpk_json(std::ostream&, std::span<const PolesZeros>);

}  // namespace sfg
