#include "sfg/report/report_markdown.hpp"

#include <ostream>

#include "sfg/error.hpp"

namespace sfg {

void write_markdown_document(std::ostream&, const Report&, const Budget&) {
  throw NoAnswer("a report is not written as Markdown yet");
}

}  // namespace sfg
