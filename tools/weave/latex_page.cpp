#include "tools/weave/latex_page.hpp"

#include <array>
#include <string>

#include "sfg/text/utf8.hpp"
#include "tools/weave/shell_words.hpp"

namespace sfg::command {

namespace {

constexpr std::string_view begin_mark = "\\begin{sfg}", end_mark = "\\end{sfg}";

/// The part of a line before its comment.
std::string_view without_comment(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '%') return line.substr(0, i);
    if (line[i] == '\\') ++i;
  }
  return line;
}

class LatexReader {
 public:
  explicit LatexReader(std::string_view page) : page_(page), lines_(lines_of_page(page)) {}

  std::vector<Fence> read() {
    while (at_ < lines_.size()) {
      const std::string_view line = without_comment(text(at_).substr(from_)), name = verbatim_in(line);
      const std::size_t fence = line.find(begin_mark);
      if (!name.empty() && line.find("\\begin{" + std::string(name)) < fence)
        pass_verbatim(name);
      else if (fence != std::string_view::npos)
        read_fence(from_ + fence);
      else
        next_line();
    }
    return std::move(found_);
  }

 private:
  std::string_view text(std::size_t line) const {
    return page_.substr(lines_[line].begin, lines_[line].end - lines_[line].begin);
  }
  void next_line() {
    ++at_;
    from_ = 0;
  }

  static std::string_view verbatim_in(std::string_view line) {
    constexpr std::array<std::string_view, 8> names{"verbatim}", "verbatim*}", "Verbatim}",     "lstlisting}",
                                                    "minted}",   "comment}",   "filecontents}", "filecontents*}"};
    for (const std::string_view name : names)
      if (line.find("\\begin{" + std::string(name)) != std::string_view::npos) return name;
    return {};
  }
  void pass_verbatim(std::string_view name) {
    const std::string end = "\\end{" + std::string(name);
    while (at_ < lines_.size()) {
      const std::size_t there = text(at_).substr(from_).find(end);
      if (there != std::string_view::npos) return void(from_ += there + end.size());
      next_line();
    }
  }

  /// [VERB OPTIONS], of several lines where these are long. @returns where it ends in the page
  std::size_t read_words(std::size_t begin, Fence& fence) const {
    const std::size_t open = page_.find_first_not_of(" \t", begin);
    if (open == std::string_view::npos || page_[open] != '[') return begin;
    char quote = '\0';
    for (std::size_t i = open + 1; i < page_.size(); ++i) {
      const char c = page_[i];
      if (quote != '\0')
        quote = c == quote ? '\0' : quote;
      else if (c == '"' || c == '\'')
        quote = c;
      else if (c == ']') {
        ShellWords words = shell_words(page_.substr(open + 1, i - open - 1));
        fence.words = std::move(words.words);
        return i + 1;
      }
    }
    fence.wrong = quote == '\0' ? "the words of the fence are not closed" : std::string("the quote ") + quote + " is not closed";
    fence.hint = "write \\begin{sfg}[VERB OPTIONS]";
    return begin;
  }

  void read_fence(std::size_t column) {
    Fence fence;
    fence.line = static_cast<std::uint32_t>(at_ + 1);
    fence.column = character_count(text(at_).substr(0, column)) + 1;
    fence.begin = lines_[at_].begin + column;
    const std::size_t behind = read_words(fence.begin + begin_mark.size(), fence);
    while (at_ + 1 < lines_.size() && lines_[at_].end < behind) ++at_;
    from_ = behind - lines_[at_].begin;
    bool closed = false;
    for (; at_ < lines_.size() && !closed; closed ? void() : next_line()) {
      const std::string_view rest = text(at_).substr(from_);
      const std::size_t end = rest.find(end_mark);
      closed = end != std::string_view::npos;
      const std::string_view inside = rest.substr(0, end);
      if (from_ > 0 ? !is_blank_line(inside) : !closed || !is_blank_line(inside)) {
        fence.body += std::string(inside) + "\n";
        fence.lines.push_back({static_cast<std::uint32_t>(at_ + 1), character_count(text(at_).substr(0, from_))});
      }
      if (!closed) continue;
      from_ += end + end_mark.size();
      fence.end = lines_[at_].begin + from_;
      fence.joins_below = !is_blank_line(text(at_).substr(from_));
    }
    if (!closed) {
      if (fence.wrong.empty()) fence.wrong = "the fence is not closed";
      if (fence.hint.empty()) fence.hint = "write \\end{sfg} behind its input";
      fence.end = page_.size();
    }
    found_.push_back(std::move(fence));
  }

  std::string_view page_;
  std::vector<PageLine> lines_;
  std::size_t at_ = 0, from_ = 0;  ///< line, and how far in it
  std::vector<Fence> found_;
};

}  // namespace

std::vector<Fence> fences_of_latex(std::string_view page) { return LatexReader(page).read(); }

}  // namespace sfg::command
