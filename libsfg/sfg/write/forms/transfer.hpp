#pragma once
#include <cstddef>
#include <iosfwd>
#include <optional>
#include <span>

#include "sfg/transfer/mason.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/write/detail.hpp"
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

}  // namespace sfg
