#include "sfg/draw/svg_rules.hpp"

#include <sstream>

namespace sfg {

std::string sheet_rules(const std::string& scope) {
  const std::string in = '#' + scope;
  std::ostringstream out;
  out << in << " .line," << in << " .wire{fill:none;stroke:currentColor;stroke-width:1.3}\n"
      << in << " path.law{stroke-dasharray:7 4}\n"
      << in << " rect.block," << in << " circle.sum{stroke:currentColor;stroke-width:1.3}\n"
      << in << " rect.law{stroke-dasharray:7 4}\n"
      << in << " .dot{fill:currentColor;stroke:none}\n"
      << in << " .frame{fill:currentColor;fill-opacity:.04;stroke:currentColor;stroke-opacity:.5;stroke-dasharray:3 3}\n"
      << in << " .sign{stroke-width:3px}\n"
      << in << " .letters.sign{stroke-width:175}\n"
      << in << " .table{fill:none;stroke:currentColor;stroke-width:1}\n"
      << in << " .grid{fill:none;stroke:currentColor;stroke-opacity:.18;stroke-width:.7}\n"
      << in << " rect.cell{fill:currentColor;fill-opacity:.09}\n"
      << in << " .cell text," << in << " .cell .letters{stroke:none}\n"
      << in << " .mark{fill:currentColor;fill-opacity:.75}\n"
      << in << " .diagonal{fill:none;stroke:currentColor;stroke-width:2}\n";
  return out.str();
}

std::string sheet_colours(const std::string& scope, const DrawingPalette& palette) {
  const std::string in = '#' + scope;
  std::ostringstream out;
  out << in << " rect.block," << in << " circle.sum{fill:" << palette.paper << "}\n"
      << in << " .blocks{color:" << palette.feedback << "}\n";
  return out.str();
}

}  // namespace sfg
