#include "sfg/report/report_latex.hpp"

#include <ostream>

#include "sfg/error.hpp"

namespace sfg {

void write_latex_document(std::ostream&, const Report&, const Budget&) { throw NoAnswer("a report is not written as LaTeX yet"); }

}  // namespace sfg
