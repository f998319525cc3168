#pragma once
#include <vector>

#include "tools/frame/arguments.hpp"

namespace sfg::command {

/// --watch and what belongs to it.
std::vector<Option> watch_options();
/// The report made again whenever its input changes, in a page that follows.
int watch_report(Task&);

}  // namespace sfg::command
