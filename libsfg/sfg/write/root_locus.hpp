#pragma once
#include <iosfwd>
#include <string>

#include "sfg/control/root_locus.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// @param opened  where the loop is opened whose 1 + L has these roots; "": they are those of the whole
Page page(const RootLocus&, const std::string& parameter, const std::string& opened = {});
void write_json(std::ostream&, const RootLocus&, const std::string& parameter, const std::string& opened = {});

}  // namespace sfg
