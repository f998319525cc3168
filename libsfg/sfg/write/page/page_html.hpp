#pragma once
#include <iosfwd>

#include "sfg/write/page/page.hpp"

namespace sfg {

struct HouseStyle;

struct HtmlOptions {
  int heading = 2;                    ///< level of its headings; the title of a page that is no part is one above
  bool part = false;                  ///< of a document with a style sheet of its own, which finds things by their classes
  double room = 0;                    ///< for formulas, in ems: wider ones are broken into lines; 0: browsers scroll them
  const HouseStyle* style = nullptr;  ///< of its pictures
};

/// The page as an element `<article>` of HTML that needs nothing else: mathematics is MathML. It is well-formed XML, too.
void write_html(std::ostream&, const Page&, const HtmlOptions& = {});
/// The same as a document.
void write_html_document(std::ostream&, const Page&);

}  // namespace sfg
