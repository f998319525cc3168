#pragma once
#include <iosfwd>

#include "sfg/report/report.hpp"

namespace sfg {

/// The report as a document that pdflatex compiles as it is: no picture beside it.
void write_latex_document(std::ostream&, const Report&, const Budget& = {});

}  // namespace sfg
