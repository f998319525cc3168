#pragma once
#include <string>
#include <vector>

#include "tools/frame/verb.hpp"

namespace sfg::command {

/// Every verb, in the order of the help.
const std::vector<Verb>& verb_table();

/// The verb that `words` begin with. @throws UsageError with the nearest one, or that the verb comes first.
const Verb& verb_named(const std::vector<std::string>& words);

}  // namespace sfg::command
