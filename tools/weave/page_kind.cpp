#include "tools/weave/page_kind.hpp"

#include <algorithm>

#include "sfg/write/page/page.hpp"
#include "tools/frame/output.hpp"
#include "tools/weave/latex_page.hpp"
#include "tools/weave/markdown_page.hpp"
#include "tools/weave/restructured_page.hpp"

namespace sfg::command {

namespace {

std::string markdown_reference(const std::string& picture, const std::string& alt) {
  const bool plain = picture.find_first_of(" ()<>") == std::string::npos;
  return "![" + markdown_text(alt) + "](" + (plain ? picture : "<" + picture + ">") + ")";
}

std::string restructured_reference(const std::string& picture, const std::string& alt) {
  return ".. image:: " + picture + "\n   :alt: " + rst_text(alt);
}

std::string latex_reference(const std::string& picture, const std::string&) {
  return "\\includegraphics{" + picture.substr(0, picture.rfind('.')) + "}";
}

const std::vector<PageKind>& page_kinds() {
  static const std::vector<PageKind> kinds{{"md", "markdown", "svg", false, fences_of_markdown, markdown_reference},
                                           {"rst", "rst", "svg", false, fences_of_restructured, restructured_reference},
                                           {"tex", "latex", "pdf", true, fences_of_latex, latex_reference}};
  return kinds;
}

}  // namespace

const PageKind* page_kind_of(const std::string& path) {
  const auto kind = std::ranges::find(page_kinds(), extension_of(path), &PageKind::extension);
  return kind == page_kinds().end() ? nullptr : &*kind;
}

std::string listed_page_kinds() {
  std::string list;
  for (std::size_t i = 0; i < page_kinds().size(); ++i)
    list += (i == 0 ? "." : i + 1 == page_kinds().size() ? " or ." : ", .") + page_kinds()[i].extension;
  return list;
}

}  // namespace sfg::command
