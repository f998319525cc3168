#include "tools/weave/restructured_page.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "sfg/text/scan.hpp"
#include "sfg/text/utf8.hpp"
#include "tools/weave/shell_words.hpp"

namespace sfg::command {

namespace {

constexpr std::string_view directive = ".. sfg::";

std::size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(" \t"), line.size()); }

/// Behind the marks of the items of lists that a line begins with.
std::size_t behind_items(std::string_view line) {
  std::size_t at = indent_of(line);
  for (;;) {
    const std::string_view rest = line.substr(at);
    const std::size_t number = std::min(rest.find_first_not_of("0123456789#"), rest.size());
    const bool counted = number > 0 && number < rest.size() && (rest[number] == '.' || rest[number] == ')');
    const std::size_t mark =
        counted ? number + 1 : !rest.empty() && std::string_view("-*+").find(rest[0]) != std::string_view::npos;
    if (mark == 0 || mark >= rest.size() || rest[mark] != ' ') return at;
    at += mark + indent_of(rest.substr(mark));
  }
}

/// Whether what is indented below the line is no text of the page.
bool begins_literal(std::string_view text) {
  if (text == ".." || text.starts_with(".. ")) {
    const std::string_view what = text.substr(std::min<std::size_t>(3, text.size()));
    if (!what.empty() && std::string_view("_[|").find(what[0]) != std::string_view::npos) return false;
    const std::size_t end = what.find("::");
    const bool is_directive = end != std::string_view::npos && what.substr(0, end).find(' ') == std::string_view::npos;
    constexpr std::array<std::string_view, 10> raw{"code-block", "code", "sourcecode", "literalinclude", "parsed-literal",
                                                   "raw",        "math", "prompt",     "highlight",      "doctest"};
    return !is_directive || std::ranges::find(raw, what.substr(0, end)) != raw.end();
  }
  return text.ends_with("::");
}

class RestructuredReader {
 public:
  explicit RestructuredReader(std::string_view page) : page_(page), lines_(lines_of_page(page)) {}

  std::vector<Fence> read() {
    while (at_ < lines_.size()) {
      const std::string_view line = text(at_);
      const std::size_t column = behind_items(line);
      const std::string_view rest = line.substr(column);
      if (rest.starts_with(directive) && (rest.size() == directive.size() || is_blank_character(rest[directive.size()])))
        read_fence(column);
      else if (begins_literal(rest.substr(0, rest.find_last_not_of(" \t") + 1)))
        pass_block(column);
      else
        ++at_;
    }
    return std::move(found_);
  }

 private:
  std::string_view text(std::size_t line) const {
    return page_.substr(lines_[line].begin, lines_[line].end - lines_[line].begin);
  }
  bool blank(std::size_t line) const { return is_blank_line(text(line)); }
  bool within(std::size_t column) const { return at_ < lines_.size() && (blank(at_) || indent_of(text(at_)) > column); }

  void pass_block(std::size_t column) {
    for (++at_; within(column);) ++at_;
  }

  /// The options and words behind the directive, up to the blank line.
  void read_words(std::size_t column, Fence& fence) {
    std::string words(text(at_).substr(column + directive.size()));
    std::vector<std::string> named;
    for (++at_; within(column) && !blank(at_); ++at_) {
      const std::string_view line = text(at_).substr(indent_of(text(at_)));
      const std::size_t end = line.starts_with(':') ? line.find(": ", 1) : std::string_view::npos;
      if (end == std::string_view::npos) {
        words += " " + std::string(line);
        continue;
      }
      const std::string name(line.substr(1, end - 1)), value(line.substr(end + 2));
      if (name == "alt" || name == "file")
        named.push_back(name + "=" + value);
      else
        fence.wrong = "the directive has no option '" + name + "'";
    }
    ShellWords read = shell_words(words);
    fence.words = std::move(read.words);
    fence.words.insert(fence.words.end(), named.begin(), named.end());
    if (fence.wrong.empty()) fence.wrong = read.wrong;
  }

  void read_fence(std::size_t column) {
    const std::size_t first = at_;
    Fence fence;
    read_words(column, fence);
    std::size_t last = at_ - 1, body = at_, margin = std::string_view::npos;
    for (; within(column); ++at_) {
      if (blank(at_)) continue;
      last = at_;
      margin = std::min(margin, indent_of(text(at_)));
    }
    for (; body <= last; ++body) {
      const std::string_view line = text(body);
      const std::size_t cut = std::min(margin, line.size());
      fence.body += std::string(line.substr(cut)) + "\n";
      fence.lines.push_back({static_cast<std::uint32_t>(body + 1), static_cast<std::uint32_t>(cut)});
    }
    at_ = last + 1;
    const std::string_view before = text(first).substr(0, column);
    fence.line = static_cast<std::uint32_t>(first + 1);
    fence.column = character_count(before) + 1;
    fence.begin = lines_[first].begin + column;
    fence.end = lines_[last].end;
    for (const char c : before) fence.indent += c == '\t' ? '\t' : ' ';
    fence.joins_above = first > 0 && !blank(first - 1) && is_blank_line(before);
    fence.joins_below = at_ < lines_.size() && !blank(at_);
    found_.push_back(std::move(fence));
  }

  std::string_view page_;
  std::vector<PageLine> lines_;
  std::size_t at_ = 0;
  std::vector<Fence> found_;
};

}  // namespace

std::vector<Fence> fences_of_restructured(std::string_view page) { return RestructuredReader(page).read(); }

}  // namespace sfg::command
