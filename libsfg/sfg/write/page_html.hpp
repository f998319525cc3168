#pragma once
#include <iosfwd>

#include "sfg/write/page.hpp"

namespace sfg {

/// The page as an element `<article>` of HTML that needs nothing else: mathematics is MathML. It is well-formed XML, too.
void write_html(std::ostream&, const Page&);
/// The same as a document.
void write_html_document(std::ostream&, const Page&);

}  // namespace sfg
