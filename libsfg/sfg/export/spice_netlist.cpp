#include "sfg/export/spice_netlist.hpp"

#include "sfg/error.hpp"

namespace sfg {

void write_spice_netlist(std::ostream&, const ExportSubject&, const Budget&) {
  throw NoAnswer("the target spice is not known to this version", "the target json has the graph and its transfer functions");
}

}  // namespace sfg
