#include "sfg/export/html_snippet.hpp"

#include "sfg/error.hpp"

namespace sfg {

void write_html_snippet(std::ostream&, const ExportSubject&, const Budget&) {
  throw NoAnswer("the target html-snippet is not known to this version",
                 "the target json has the graph and its transfer functions");
}

}  // namespace sfg
