#include "sfg/export/functional_mockup_unit.hpp"

#include "sfg/error.hpp"

namespace sfg {

void write_functional_mockup_unit(std::ostream&, const ExportSubject&, const Budget&) {
  throw NoAnswer("the target fmu is not known to this version", "the target json has the graph and its transfer functions");
}

}  // namespace sfg
