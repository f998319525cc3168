#pragma once
#include <string>

#include "sfg/report/report.hpp"

namespace sfg {

/// The report as the bytes of a PDF with a title, bookmarks and links: write_latex_document() set by `pdflatex`, a child process
/// with limits on time and memory, in a folder of its own, which may start no other program and write nowhere else. The same
/// report has the same bytes on every run of the same TeX.
/// @throws NoAnswer when the program is missing or refuses the document, with the first line of what it says; LimitReached when
/// it takes too long.
std::string pdf_document(const Report&, const Budget& = {});

}  // namespace sfg
