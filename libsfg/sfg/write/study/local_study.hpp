#pragma once
#include <iosfwd>

#include "sfg/study/local/local_study.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// A table a measure, the parameter that matters most first; then how poles and zeros move.
Page page(const LocalStudy&);
/// {"schema": "sfg/sens/1", …}: docs/schema/sens.schema.json.
void write_json(std::ostream&, const LocalStudy&);

}  // namespace sfg
