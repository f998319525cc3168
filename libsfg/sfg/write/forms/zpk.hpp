#pragma once
#include <iosfwd>
#include <span>

#include "sfg/control/poles.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// Transfer functions by zeros, poles and gain: gain*(s - z1)*…/((s - p1)*…), and docs/schema/tf.schema.json, form zpk.
Page zpk_page(std::span<const PolesZeros>);
void write_zpk_json(std::ostream&, std::span<const PolesZeros>);

}  // namespace sfg
