#pragma once
#include <iosfwd>

#include "sfg/study/boxes/worst_case.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

Page page(const WorstCases&);
/// {"schema": "sfg/sens/1", …, "worst_case": […]}: docs/schema/sens.schema.json.
void write_json(std::ostream&, const WorstCases&);

}  // namespace sfg
