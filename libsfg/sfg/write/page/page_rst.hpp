#pragma once
#include <iosfwd>
#include <string>
#include <string_view>

#include "sfg/write/page/page.hpp"

namespace sfg {

/// The page as reStructuredText: headings as rubrics, so that it stands in any section; mathematics as LaTeX in the directive and
/// the role math, tables as list-table.
void write_rst(std::ostream&, const Page&);
/// Any text as one of reStructuredText: nothing in it is markup.
std::string rst_text(std::string_view);

}  // namespace sfg
