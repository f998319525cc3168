#pragma once
#include <iosfwd>
#include <span>
#include <string>

#include "sfg/response/frequency_response.hpp"
#include "sfg/write/page.hpp"

namespace sfg {

Page page(std::span<const FrequencyResponse>);
/// docs/schema/bode.schema.json. A response on a pole of the axis is null.
void write_json(std::ostream&, std::span<const FrequencyResponse>, const std::string& verb);
/// frequency, then re, im, dB, deg of each.
void write_csv(std::ostream&, std::span<const FrequencyResponse>);

}  // namespace sfg
