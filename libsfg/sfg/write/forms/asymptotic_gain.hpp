#pragma once
#include <iosfwd>
#include <span>

#include "sfg/control/asymptotic_gain.hpp"
#include "sfg/write/detail.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// T = A_inf L/(1 + L) + A_0/(1 + L) with what the letters stand for, and T itself.
Page page(const SignalFlowGraph&, std::span<const AsymptoticGain>, Detail = Detail::brief);
/// docs/schema/tf.schema.json, form "asymptotic".
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const AsymptoticGain>);

}  // namespace sfg
