#pragma once
#include <iosfwd>
#include <string>

#include "sfg/control/stability_region.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// The stable region of two parameters: a few columns as text; every column and the boundary as JSON; the boundary as CSV.
Page page(const StabilityRegion&, const std::string& first, const std::string& second);
void write_json(std::ostream&, const StabilityRegion&, const std::string& first, const std::string& second);
void write_csv(std::ostream&, const StabilityRegion&, const std::string& first, const std::string& second);

}  // namespace sfg
