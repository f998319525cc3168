#pragma once
#include <iosfwd>

#include "sfg/study/local/response_sensitivity.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

Page page(const ResponseSensitivity&);
/// {"schema": "sfg/sens/1", "step_sensitivities": …}: docs/schema/sens.schema.json.
void write_json(std::ostream&, const ResponseSensitivity&);
/// A column of times, one of y, one a parameter.
void write_csv(std::ostream&, const ResponseSensitivity&);

}  // namespace sfg
