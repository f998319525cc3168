#pragma once
#include <iosfwd>

#include "sfg/report/report.hpp"

namespace sfg {

/// The report as one file of Markdown, mathematics in LaTeX, pictures in it as data.
void write_markdown_document(std::ostream&, const Report&, const Budget& = {});

}  // namespace sfg
