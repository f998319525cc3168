#pragma once
#include <string_view>
#include <vector>

#include "tools/weave/fence.hpp"

namespace sfg::command {

/// The fences of a page in Markdown, as CommonMark finds code blocks: in items of lists and in quotations, too, and not within
/// other code blocks, comments or preformatted HTML.
std::vector<Fence> fences_of_markdown(std::string_view page);

}  // namespace sfg::command
