#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sfg::command {

struct ShellWords {
  std::vector<std::string> words;
  std::string wrong = {};  ///< a quote that is not closed
};

/// The words of a line as a shell has them: quotes and backslashes, nothing is expanded.
ShellWords shell_words(std::string_view line);

}  // namespace sfg::command
