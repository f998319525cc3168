#pragma once
#include <string>
#include <vector>

#include "tools/weave/woven_page.hpp"

namespace sfg::command {

/// The pages that are named and those of the folders that are, in their order; each with its place in the folder of woven pages.
/// What was woven before, the folder itself and hidden ones hold no pages.
/// @throws UsageError where two pages would be one, or a page would take the place of its source.
std::vector<PagePlace> page_places(const std::vector<std::string>& named, const std::string& folder);

}  // namespace sfg::command
