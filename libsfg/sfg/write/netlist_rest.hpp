#pragma once
#include <iosfwd>

#include "sfg/model/netlist_rest.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// The operating point of a netlist: its voltages, and what is proven of them.
Page page(const SpiceRest&);
void write_json(std::ostream&, const SpiceRest&);
void write_csv(std::ostream&, const SpiceRest&);

}  // namespace sfg
