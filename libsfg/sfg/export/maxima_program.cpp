#include "sfg/export/maxima_program.hpp"

#include "sfg/error.hpp"

namespace sfg {

void write_maxima_program(std::ostream&, const ExportSubject&, const Budget&) {
  throw NoAnswer("the target maxima is not known to this version", "the target json has the graph and its transfer functions");
}

}  // namespace sfg
