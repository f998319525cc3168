#pragma once
#include <iosfwd>
#include <span>

#include "sfg/approximate/approximate.hpp"
#include "sfg/approximate/short_form.hpp"
#include "sfg/control/asymptotic_gain.hpp"
#include "sfg/transfer/standard.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// T(input → output) ≈ …, how near it is, the roots in closed form where they lie apart.
Page page(const SignalFlowGraph&, std::span<const ApproximateTransfer>, Detail = Detail::brief);
/// {"schema": "sfg/tf/1", "transfers": [… with "error", "range", "kept" and "split"]}
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const ApproximateTransfer>);

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

/// The standard form, its short formulas, how far each is from the exact value, what is left out and how far the whole is.
Page page(const SignalFlowGraph&, std::span<const ShortForm>, Combinations, Detail);
/// docs/schema/tf.schema.json, form "standard" with "formulas".
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const ShortForm>, Combinations);

/// T = A_inf L/(1 + L) + A_0/(1 + L) with what the letters stand for, and T itself.
Page page(const SignalFlowGraph&, std::span<const AsymptoticGain>, Detail = Detail::brief);
/// docs/schema/tf.schema.json, form "asymptotic".
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const AsymptoticGain>);

}  // namespace sfg
