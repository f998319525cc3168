#pragma once
#include <iosfwd>
#include <span>

#include "sfg/approximate/short_form.hpp"
#include "sfg/write/forms/standard.hpp"

namespace sfg {

/// The standard form, its short formulas, how far each is from the exact value, what is left out and how far the whole is.
Page page(const SignalFlowGraph&, std::span<const ShortForm>, Combinations, Detail);
/// docs/schema/tf.schema.json, form "standard" with "formulas".
void write_json(std::ostream&, const SignalFlowGraph&, std::span<const ShortForm>, Combinations);

}  // namespace sfg
