#include "tools/weave/markdown_page.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "sfg/text/scan.hpp"
#include "sfg/text/utf8.hpp"
#include "tools/weave/shell_words.hpp"

namespace sfg::command {

namespace {

/// Four columns make a line of text one of code.
constexpr std::size_t code_indent = 4;

/// A line on the way from its beginning: bytes and columns, which tabs make unlike.
class Margin {
 public:
  explicit Margin(std::string_view line) : line_(line) {}

  std::string_view rest() const { return line_.substr(at_); }
  std::size_t at() const { return at_; }
  std::size_t column() const { return column_; }
  bool ended() const { return at_ == line_.size(); }
  /// Passes over blanks, so many columns at most. @returns the columns
  std::size_t blanks(std::size_t most = std::string_view::npos) {
    const std::size_t from = column_;
    while (!ended() && (line_[at_] == ' ' || line_[at_] == '\t')) {
      const std::size_t wide = line_[at_] == ' ' ? 1 : code_indent - column_ % code_indent;
      if (column_ - from + wide > most) break;
      column_ += wide;
      ++at_;
    }
    return column_ - from;
  }
  bool quotation() {
    if (ended() || line_[at_] != '>') return false;
    step(1);
    blanks(1);
    return true;
  }
  /// "- " or "12. " of the item of a list. @returns its characters, 0 where there is none
  std::size_t item() {
    const std::string_view here = rest();
    const std::size_t digits = std::min(here.find_first_not_of("0123456789"), here.size());
    constexpr std::size_t most_digits = 9;
    const std::string_view marks = digits == 0 ? "-+*" : ".)";
    if (digits > most_digits || digits == here.size() || marks.find(here[digits]) == std::string_view::npos) return 0;
    if (digits + 1 < here.size() && here[digits + 1] != ' ' && here[digits + 1] != '\t') return 0;
    step(digits + 1);
    return digits + 1;
  }

 private:
  void step(std::size_t characters) {
    at_ += characters;
    column_ += characters;
  }

  std::string_view line_;
  std::size_t at_ = 0, column_ = 0;
};

/// A quotation or the item of a list.
struct Holder {
  bool quotation = false;
  std::size_t columns = 0;  ///< where the text of an item begins, behind the last sign of quotation
};

/// A place in a line within what holds it.
struct Place {
  Margin margin;            ///< behind the last sign of quotation or item
  std::size_t zero = 0;     ///< column behind the last sign of quotation
  std::size_t inside = 0;   ///< columns behind that that belong to items
  std::size_t holders = 0;  ///< that the line is in, of those asked for
};

/// The columns of blanks that follow, counted from the last sign of quotation.
std::size_t columns_ahead(const Place& place) {
  Margin ahead = place.margin;
  ahead.blanks();
  return ahead.column() - place.zero;
}

/// Passes over a sign of quotation.
bool take_quotation(Place& place) {
  if (columns_ahead(place) >= place.inside + code_indent) return false;
  Margin ahead = place.margin;
  ahead.blanks();
  if (!ahead.quotation()) return false;
  place = {ahead, ahead.column(), 0, place.holders};
  return true;
}

/// As far as a line goes on in these holders.
Place place_within(const std::vector<Holder>& holders, std::string_view line) {
  Place place{Margin(line)};
  for (const Holder& holder : holders) {
    Margin ahead = place.margin;
    ahead.blanks();
    if (holder.quotation ? !take_quotation(place) : !ahead.ended() && columns_ahead(place) < holder.columns) break;
    if (!holder.quotation) place.inside = holder.columns;
    ++place.holders;
  }
  return place;
}

/// Where a line of text begins, within the lists and quotations that hold it.
struct Opening {
  std::size_t at = 0;  ///< bytes before it
  std::vector<Holder> holders = {};
  std::size_t columns = 0;   ///< behind the last sign of quotation
  std::string further = "";  ///< what stands before the lines that follow
  bool code = false;         ///< it is indented as code is
  bool in_item = false;      ///< it begins an item
};

/// The run of ` or ~ that opens a code block; 0 where there is none.
std::size_t fence_run(std::string_view text) {
  if (text.empty() || (text[0] != '`' && text[0] != '~')) return 0;
  const std::size_t run = std::min(text.find_first_not_of(text[0]), text.size());
  constexpr std::size_t least = 3;
  return run >= least && (text[0] == '~' || text.find('`', run) == std::string_view::npos) ? run : 0;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// do="…" file="…" alt="…" beside .sfg, as shell words.
void read_attributes(std::string_view inner, Fence& fence) {
  const ShellWords attributes = shell_words(inner);
  fence.wrong = attributes.wrong;
  for (const std::string& attribute : attributes.words) {
    if (attribute == ".sfg") continue;
    if (attribute.starts_with("do=")) {
      ShellWords words = shell_words(std::string_view(attribute).substr(3));
      if (fence.wrong.empty()) fence.wrong = words.wrong;
      fence.words.insert(fence.words.begin(), words.words.begin(), words.words.end());
    } else if (attribute.starts_with("file=") || attribute.starts_with("alt=")) {
      fence.words.push_back(attribute);
    } else if (fence.wrong.empty()) {
      fence.wrong = "the fence has no attribute '" + attribute + "'";
      fence.hint = "write {.sfg do=\"VERB OPTIONS\"}, with file=\"…\" and alt=\"…\" where these are wanted";
    }
  }
}

/// Whether a code block is ours; its words are read then.
bool is_ours(std::string_view info, Fence& fence) {
  info = trimmed(info);
  if (info.starts_with('{') && info.ends_with('}')) {
    const std::string_view inner = info.substr(1, info.size() - 2);
    const std::vector<std::string> classes = shell_words(inner).words;
    if (std::ranges::find(classes, ".sfg") == classes.end()) return false;
    read_attributes(inner, fence);
    return true;
  }
  if (!info.starts_with("sfg") || (info.size() > 3 && !is_blank_character(info[3]))) return false;
  ShellWords words = shell_words(info.substr(3));
  fence.words = std::move(words.words);
  fence.wrong = words.wrong;
  return true;
}

class MarkdownReader {
 public:
  explicit MarkdownReader(std::string_view page) : page_(page), lines_(lines_of_page(page)) {}

  std::vector<Fence> read() {
    while (at_ < lines_.size()) {
      const std::string_view line = text(at_);
      if (is_blank_line(line)) {
        ++at_;
        continue;
      }
      const Opening opening = open(line);
      const std::string_view rest = line.substr(opening.at);
      const std::size_t run = opening.code ? 0 : fence_run(rest);
      if (run > 0)
        read_block(opening, run);
      else if (const char* end = opening.code ? nullptr : end_of_html(rest))
        pass_html(end);
      else
        ++at_;
    }
    return std::move(found_);
  }

 private:
  std::string_view text(std::size_t line) const {
    return page_.substr(lines_[line].begin, lines_[line].end - lines_[line].begin);
  }

  /// Goes into the quotations and items that a line begins with; those that it leaves are ended.
  Opening open(std::string_view line) {
    Opening opening;
    Place place = place_within(holders_, line);
    holders_.resize(place.holders);
    opening.further = std::string(line.substr(0, place.margin.at()));
    while (columns_ahead(place) < place.inside + code_indent) {
      const std::size_t from = place.margin.at();
      if (take_quotation(place)) {
        holders_.push_back({true, 0});
        opening.further += line.substr(from, place.margin.at() - from);
      } else if (const std::string before = take_item(place, line); !before.empty()) {
        opening.further += before;
        opening.in_item = true;
      } else {
        break;
      }
    }
    opening.columns = columns_ahead(place);
    opening.code = opening.columns >= place.inside + code_indent;
    const std::size_t from = place.margin.at();
    place.margin.blanks();
    opening.at = place.margin.at();
    opening.further += line.substr(from, opening.at - from);
    opening.holders = holders_;
    return opening;
  }

  /// Goes into an item. @returns what stands before its further lines, nothing where there is none
  std::string take_item(Place& place, std::string_view line) {
    Margin ahead = place.margin;
    ahead.blanks();
    const std::size_t from = place.margin.at(), sign = ahead.at(), mark = ahead.item();
    if (mark == 0) return "";
    const std::size_t behind = ahead.at(), gap = ahead.blanks(), columns = ahead.column() - place.zero;
    place.inside = gap > code_indent ? columns - gap + 1 : columns;
    place.margin = ahead;
    holders_.push_back({false, place.inside});
    return std::string(line.substr(from, sign - from)) + std::string(mark, ' ') +
           std::string(line.substr(behind, ahead.at() - behind));
  }

  /// A line behind the opening one, without what holds it; nothing where it is outside.
  struct Continued {
    bool inside = false, closes = false;
    std::size_t at = 0;
  };
  static Continued continued(const Opening& opening, char mark, std::size_t run, std::string_view line) {
    Place place = place_within(opening.holders, line);
    if (place.holders < opening.holders.size()) return {};
    const std::string_view rest = trimmed(place.margin.rest());
    const bool closes = columns_ahead(place) < place.inside + code_indent && rest.size() >= run &&
                        rest.find_first_not_of(mark) == std::string_view::npos;
    place.margin.blanks(opening.columns);
    return {true, closes, place.margin.at()};
  }

  void read_block(const Opening& opening, std::size_t run) {
    const std::size_t first = at_;
    const std::string_view rest = text(first).substr(opening.at);
    Fence fence;
    const bool ours = is_ours(rest.substr(run), fence);
    bool closed = false;
    for (++at_; at_ < lines_.size() && !closed; ++at_) {
      const std::string_view line = text(at_);
      const Continued here = continued(opening, rest[0], run, line);
      if (!here.inside) break;
      closed = here.closes;
      if (closed || !ours) continue;
      fence.body += std::string(line.substr(here.at)) + "\n";
      fence.lines.push_back({static_cast<std::uint32_t>(at_ + 1), character_count(line.substr(0, here.at))});
    }
    if (!ours) return;
    if (!closed && fence.wrong.empty()) {
      fence.wrong = "the fence is not closed";
      fence.hint = "end it with a line of " + std::string(rest.substr(0, run)) + ", indented as this one";
    }
    fence.line = static_cast<std::uint32_t>(first + 1);
    fence.column = character_count(text(first).substr(0, opening.at)) + 1;
    fence.begin = lines_[first].begin + opening.at;
    fence.end = lines_[at_ - 1].end;
    fence.indent = opening.further;
    const auto blank = [&](std::size_t line) { return text(line).find_first_not_of(" \t\r>") == std::string_view::npos; };
    fence.joins_above = first > 0 && !opening.in_item && !blank(first - 1);
    fence.joins_below = at_ < lines_.size() && !blank(at_);
    found_.push_back(std::move(fence));
  }

  /// What ends the HTML that begins here and holds no Markdown.
  static const char* end_of_html(std::string_view text) {
    constexpr std::array<std::pair<const char*, const char*>, 5> kinds{
        {{"<!--", "-->"}, {"<script", "</script>"}, {"<pre", "</pre>"}, {"<style", "</style>"}, {"<textarea", "</textarea>"}}};
    for (const auto& [begin, end] : kinds)
      if (Scan(text).take_caseless(begin)) return end;
    return nullptr;
  }
  void pass_html(std::string_view end) {
    for (; at_ < lines_.size(); ++at_) {
      const std::string_view line = text(at_);
      for (std::size_t i = 0; i < line.size(); ++i)
        if (Scan(line, i).take_caseless(end)) return void(++at_);
    }
  }

  std::string_view page_;
  std::vector<PageLine> lines_;
  std::size_t at_ = 0;
  std::vector<Holder> holders_;  ///< that are open
  std::vector<Fence> found_;
};

}  // namespace

std::vector<Fence> fences_of_markdown(std::string_view page) { return MarkdownReader(page).read(); }

}  // namespace sfg::command
