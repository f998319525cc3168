#pragma once
#include <span>
#include <string>
#include <vector>

#include "tools/frame/verb.hpp"

namespace sfg::command {

Verb batch();

/// A batch has the options of the verb that its words name, too. @throws UsageError where there is no such verb.
std::vector<Option> options_of_verb_asked(std::span<const std::string> words);

}  // namespace sfg::command
