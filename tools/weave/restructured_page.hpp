#pragma once
#include <string_view>
#include <vector>

#include "tools/weave/fence.hpp"

namespace sfg::command {

/// The directives `.. sfg::` of a page in reStructuredText, but not those in comments and literal blocks. Their options :alt: and
/// :file: are words like the others.
std::vector<Fence> fences_of_restructured(std::string_view page);

}  // namespace sfg::command
