#pragma once
#include <iosfwd>
#include <span>

#include "sfg/approximate/standard_form.hpp"
#include "sfg/transfer/standard.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/write/detail.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// How sums of fractions are written.
enum class Combinations { fractions, parallel };

/// T = gain · factors, then what the names in it stand for.
Page page(const SignalFlowGraph&, std::span<const StandardTransfer>, std::span<const TransferFunction>, Combinations, Detail);
/// docs/schema/tf.schema.json, form "standard".
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const StandardTransfer>, std::span<const TransferFunction>,
                Combinations);

/// The same of approximations, with the error of the whole and of each root.
Page page(const SignalFlowGraph&, std::span<const StandardApproximation>, std::span<const ApproximateTransfer>, Combinations,
          Detail);
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const StandardApproximation>,
                std::span<const ApproximateTransfer>, Combinations);

}  // namespace sfg
