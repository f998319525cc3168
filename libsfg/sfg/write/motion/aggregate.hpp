#pragma once
#include <iosfwd>

#include "sfg/multibody/aggregate_description.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// Parts, connections, unknowns and equations in Ivankov's letters; at a state the accelerations and wrenches.
Page page(const AggregateDescription&);
/// {"schema": "sfg/derive/1", "form": "aggregate", "parts", "connections", "unknowns", "at"}: docs/schema/derive.schema.json.
void write_json(std::ostream&, const AggregateDescription&);

}  // namespace sfg
