#pragma once
#include <iosfwd>

#include "sfg/write/page.hpp"

namespace sfg {

/// The page as Markdown with tables (GitHub, Pandoc); mathematics stands between dollars, as LaTeX.
void write_markdown(std::ostream&, const Page&);

}  // namespace sfg
