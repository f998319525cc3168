#include "tools/weave/shell_words.hpp"

#include "sfg/text/scan.hpp"

namespace sfg::command {

ShellWords shell_words(std::string_view line) {
  ShellWords found;
  std::string word;
  bool within = false;
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool escapes = c == '\\' && quote != '\'' && i + 1 < line.size();
    if (escapes && (quote == '\0' || line[i + 1] == '"' || line[i + 1] == '\\')) {
      word += line[++i];
      within = true;
    } else if (quote != '\0') {
      c == quote ? void(quote = '\0') : word.push_back(c);
    } else if (c == '"' || c == '\'') {
      quote = c;
      within = true;
    } else if (is_blank_character(c)) {
      if (within) found.words.push_back(std::move(word));
      word.clear();
      within = false;
    } else {
      word += c;
      within = true;
    }
  }
  if (within) found.words.push_back(std::move(word));
  if (quote != '\0') found.wrong = std::string("the quote ") + quote + " is not closed";
  return found;
}

}  // namespace sfg::command
