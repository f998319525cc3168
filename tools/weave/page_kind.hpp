#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/weave/fence.hpp"

namespace sfg::command {

/// A language of pages: how its fences are found, and how answers are written in it.
struct PageKind {
  std::string extension;  ///< "md"
  std::string notation;   ///< of formulas and tables
  std::string picture;    ///< extension of its pictures
  bool parts = false;     ///< the answers stand in files of their own, too
  std::vector<Fence> (*fences)(std::string_view page);
  /// What refers to a picture, "sfg/PAGE-N.svg".
  std::string (*reference)(const std::string& picture, const std::string& alt);
};

/// By the extension of a file; none where it is no page.
const PageKind* page_kind_of(const std::string& path);
/// ".md, .rst or .tex"
std::string listed_page_kinds();

}  // namespace sfg::command
