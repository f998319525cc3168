#pragma once
#include <iosfwd>

#include "sfg/response/singular_values.hpp"
#include "sfg/write/frequency_response.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

Page page(const SingularValues&, const FrequencyColumns& = {});
/// docs/schema/bode.schema.json, in rad/s.
void write_json(std::ostream&, const SingularValues&);
/// frequency, then the values, the largest first.
void write_csv(std::ostream&, const SingularValues&, const FrequencyColumns& = {});

}  // namespace sfg
