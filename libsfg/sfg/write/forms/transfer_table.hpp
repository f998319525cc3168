#pragma once
#include <iosfwd>
#include <span>

#include "sfg/transfer/transfer_table.hpp"
#include "sfg/write/detail.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// Δ, and the numerators as a table: a row an output, a column an input; long ones by names that are defined behind it. Then
/// where something cancels. `transfers` are those whose table it is.
Page page(const SignalFlowGraph&, const TransferTable&, std::span<const TransferFunction> transfers, Detail = Detail::brief);
/// {"schema": "sfg/tf/1", "variable", "denominator", "transfers": […]}
void write_json(std::ostream&, const SignalFlowGraph&, const TransferTable&, std::span<const TransferFunction> transfers);

}  // namespace sfg
