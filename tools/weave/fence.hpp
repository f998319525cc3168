#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sfg::command {

/// A line of a fence's body in its page.
struct BodyLine {
  std::uint32_t line = 0;
  std::uint32_t column = 0;  ///< characters of the page's line that stand before it
};

/// A place of a page where a question stands, and its answer will.
struct Fence {
  std::vector<std::string> words;  ///< VERB OPTIONS, file=…, alt=…
  std::string body;
  std::vector<BodyLine> lines;
  std::uint32_t line = 0, column = 0;  ///< where it opens
  std::size_t begin = 0, end = 0;      ///< bytes of the page that the answer takes the place of
  std::string indent;                  ///< before every line of the answer but the first
  bool joins_above = false;            ///< a line of text stands right above, of which the answer is no part
  bool joins_below = false;
  std::string wrong, hint;  ///< what no reader of the page can mend
};

/// The lines of a text: where each begins, and ends without its line end.
struct PageLine {
  std::size_t begin = 0, end = 0;
};
inline std::vector<PageLine> lines_of_page(std::string_view page) {
  std::vector<PageLine> lines;
  std::size_t begin = page.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  while (begin < page.size()) {
    const std::size_t stop = std::min(page.find('\n', begin), page.size());
    lines.push_back({begin, stop > begin && page[stop - 1] == '\r' ? stop - 1 : stop});
    begin = stop + 1;
  }
  return lines;
}

inline bool is_blank_line(std::string_view line) { return line.find_first_not_of(" \t") == std::string_view::npos; }

}  // namespace sfg::command
