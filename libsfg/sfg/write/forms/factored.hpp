#pragma once
#include <iosfwd>
#include <span>

#include "sfg/transfer/factored.hpp"
#include "sfg/write/detail.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// T(input → output) as a product of factors, then what the factors of first and second order mean (time constants, corner
/// frequencies, ω_n, ζ, Q) and the value at 0. `transfers` are those that were factored, in the same order.
Page page(const SignalFlowGraph&, std::span<const FactoredTransfer>, std::span<const TransferFunction> transfers,
          Detail = Detail::brief);
/// {"schema": "sfg/tf/1", …} (docs/schema/tf.schema.json) with "gain", "power", "factors" and "dc_gain".
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const FactoredTransfer>,
                std::span<const TransferFunction> transfers);

}  // namespace sfg
