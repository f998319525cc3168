#pragma once
#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

#include "sfg/write/page/page.hpp"

namespace sfg {

struct MarkdownLayout {
  std::size_t level = 0;  ///< of the headings that the page stands below: 0 for a document of its own
};

/// The page as Markdown with tables (GitHub, Pandoc); mathematics stands between dollars, as LaTeX.
void write_markdown(std::ostream&, const Page&, const MarkdownLayout& = {});
/// Any text as one of Markdown: nothing in it is markup.
std::string markdown_text(std::string_view);
/// The text of a program between fences longer than any in it.
std::string markdown_listing(std::string_view text);

/// The rows as an environment aligned of LaTeX, for displayed mathematics; those too long for a line are broken.
std::string aligned_equations(const Equations&);

}  // namespace sfg
