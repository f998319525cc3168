#pragma once
#include <iosfwd>

#include "sfg/report/report.hpp"

namespace sfg {

/// The report as one page of HTML 5 that needs nothing else and lets nothing else in: its Content-Security-Policy forbids the
/// network, and scripts but its own, by their hashes. Paths, loops and sets can be pressed, parameters moved.
void write_html_document(std::ostream&, const Report&, const Budget& = {});

}  // namespace sfg
