#pragma once
#include <iosfwd>
#include <string>

#include "sfg/control/root_locus.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

Page page(const RootLocus&, const std::string& parameter);
void write_json(std::ostream&, const RootLocus&, const std::string& parameter);

}  // namespace sfg
