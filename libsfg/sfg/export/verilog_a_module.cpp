#include "sfg/export/verilog_a_module.hpp"

#include "sfg/error.hpp"

namespace sfg {

void write_verilog_a_module(std::ostream&, const ExportSubject&, const Budget&) {
  throw NoAnswer("the target verilog-a is not known to this version", "the target json has the graph and its transfer functions");
}

}  // namespace sfg
