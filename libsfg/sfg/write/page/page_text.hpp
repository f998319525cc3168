#pragma once
#include <iosfwd>

#include "sfg/expr/print.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

struct TextLayout {
  Notation notation = Notation::text;  ///< or unicode
  std::size_t width = 100;             ///< characters of a line
};

/// The page as plain text. Formulas too long for a line are broken, a power of the operator a line; what continues is indented
/// more.
void write_text(std::ostream&, const Page&, const TextLayout& = {});

}  // namespace sfg
