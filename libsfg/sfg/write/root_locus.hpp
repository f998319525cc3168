#pragma once
#include <iosfwd>
#include <string>

#include "sfg/control/root_locus.hpp"

namespace sfg {

void write_text(std::ostream&, const RootLocus&, const std::string& parameter);
void write_json(std::ostream&, const RootLocus&, const std::string& parameter);

}  // namespace sfg
