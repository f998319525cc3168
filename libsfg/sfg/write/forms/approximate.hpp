#pragma once
#include <iosfwd>
#include <span>

#include "sfg/approximate/approximate.hpp"
#include "sfg/write/detail.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// T(input → output) ≈ …, how near it is, the roots in closed form where they lie apart.
Page page(const SignalFlowGraph&, std::span<const ApproximateTransfer>, Detail = Detail::brief);
/// {"schema": "sfg/tf/1", "transfers": [… with "error", "range", "kept" and "split"]}
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const ApproximateTransfer>);

}  // namespace sfg
