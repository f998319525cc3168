#pragma once
#include <iosfwd>

#include "sfg/model/motion.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// Coordinates, M(q) and f of M q̈ = f, constraints and definitions where there are any.
Page page(const EquationsOfMotion&);
/// {"schema": "sfg/derive/1", "form": "motion", "coordinates", "rates", "inputs", "M", "F", …}: docs/schema/derive.schema.json.
void write_json(std::ostream&, const EquationsOfMotion&);

}  // namespace sfg
