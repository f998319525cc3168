#pragma once
#include <iosfwd>

#include "sfg/expr/print.hpp"
#include "sfg/model/motion.hpp"

namespace sfg {

/// Coordinates, M(q) and f of M q̈ = f, constraints and definitions where there are any; `notation` is text, unicode or latex.
void write_text(std::ostream&, const EquationsOfMotion&, Notation = Notation::text);
/// {"schema": "sfg/derive/1", "form": "motion", "coordinates", "rates", "inputs", "M", "F", …}: docs/schema/derive.schema.json.
void write_json(std::ostream&, const EquationsOfMotion&);

}  // namespace sfg
