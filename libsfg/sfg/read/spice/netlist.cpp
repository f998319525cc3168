#include "sfg/read/spice/netlist.hpp"

#include <algorithm>
#include <memory>

#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

using Kind = NetlistToken::Kind;

bool is_space(char c) { return c == ' ' || c == '\t' || c == ',' || c == '\r'; }
bool ends_word(char c) {
  return is_space(c) || c == '(' || c == ')' || c == '=' || c == '{' || c == ';' || c == '\'' || c == '"';
}

/// The micro sign as one byte, as programs under Windows write it, becomes u.
std::string with_micro_signs(std::string_view line) {
  std::string result(line);
  for (std::size_t i = 0; i < result.size(); ++i)
    if (result[i] == '\xB5' && (i == 0 || (result[i - 1] & 0x80) == 0)) result[i] = 'u';
  return result;
}

/// Cuts the physical lines of one file.
class Cutter {
 public:
  explicit Cutter(const std::string& file) : file_(std::make_shared<const std::string>(file)) {}

  NetlistText cut(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    for (bool over = false; !text.empty() && !over;) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      over = take_line(with_micro_signs(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!problems_.empty()) throw Error(std::move(problems_));
    return std::move(result_);
  }

 private:
  SourceSpan place(std::string_view line, std::size_t begin, std::size_t bytes) const {
    return {file_, line_, character_count(line.substr(0, begin)) + 1, std::max(1U, character_count(line.substr(begin, bytes)))};
  }

  void problem(SourceSpan where, std::string message, std::string hint) {
    problems_.push_back({std::move(where), std::move(message), std::move(hint)});
  }

  /// True after .end.
  bool take_line(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (line_ == 1) {
      take_title(line);
      return false;
    }
    if (first == std::string_view::npos || line[first] == '*' || line[first] == ';') return false;
    const bool continued = line[first] == '+';
    NetlistStatement pieces = tokens(line, continued ? first + 1 : first);
    if (pieces.empty()) return false;
    if (continued) {
      if (result_.statements.empty())
        problem(place(line, first, 1), "a continuation line without a line before it", "remove the +");
      else
        std::ranges::move(pieces, std::back_inserter(result_.statements.back()));
      return false;
    }
    const std::string head = lower_case(pieces.front().text);
    if (head == ".end") return true;
    if (head == ".title") {
      result_.title = std::string(line.substr(std::min(line.find_first_not_of(" \t", first + head.size()), line.size())));
      return false;
    }
    result_.statements.push_back(std::move(pieces));
    return false;
  }

  void take_title(std::string_view line) {
    std::string title(line);
    title.erase(0, title.find_first_not_of(" \t*"));
    if (lower_case(title).starts_with(".title")) title.erase(0, title.find_first_not_of(" \t", 6));
    title.erase(title.find_last_not_of(" \t\r") + 1);
    result_.title = title;
    result_.title_where = place(line, 0, line.size());
    const bool comment = line.find_first_not_of(" \t") != std::string_view::npos && line[line.find_first_not_of(" \t")] == '*';
    if (comment) return;
    const std::size_t known = problems_.size();
    result_.title_words = tokens(line, 0);
    problems_.resize(known);  // a title may hold anything
    if (looks_like_a_statement(title)) result_.notes.push_back(title_warning(result_));
  }

  static bool looks_like_a_statement(const std::string& title) {
    if (title.starts_with('.')) return true;
    constexpr std::string_view letters = "RCLVIEFGHKOXrclviefghkox";
    const std::size_t name_end = title.find_first_of(" \t");
    return name_end != std::string::npos && name_end > 1 && letters.find(title[0]) != std::string_view::npos &&
           std::isdigit(static_cast<unsigned char>(title[1])) != 0 &&
           title.find_first_of("0123456789", name_end) != std::string::npos;
  }

  NetlistStatement tokens(std::string_view line, std::size_t i) {
    NetlistStatement result;
    while (i < line.size()) {
      const char c = line[i];
      if (is_space(c)) {
        ++i;
      } else if (c == ';' || (c == '$' && i > 0 && is_space(line[i - 1]))) {
        break;
      } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
        problem(place(line, i, 1), "a control character", "netlists are plain text");
        break;
      } else if (c == '(' || c == ')' || c == '=') {
        result.push_back({Kind::sign, std::string(1, c), place(line, i, 1)});
        ++i;
      } else if (c == '{' || c == '\'' || c == '"') {
        if (!take_expression(line, i, result)) break;
      } else {
        const std::size_t begin = i;
        while (i < line.size() && !ends_word(line[i]) && static_cast<unsigned char>(line[i]) >= 0x20) ++i;
        if (i == begin) ++i;  // a lone closing brace
        result.push_back({Kind::word, std::string(line.substr(begin, i - begin)), place(line, begin, i - begin)});
      }
    }
    return result;
  }

  bool take_expression(std::string_view line, std::size_t& i, NetlistStatement& result) {
    const std::size_t begin = i;
    std::size_t depth = 0;
    for (; i < line.size(); ++i) {
      if (line[begin] != '{' ? (i > begin && line[i] == line[begin]) : (line[i] == '}' && depth == 1)) break;
      if (line[i] == '{') ++depth;
      if (line[i] == '}' && depth > 0) --depth;
    }
    if (i == line.size()) {
      problem(place(line, begin, 1), std::string("the ") + (line[begin] == '{' ? "brace" : "quote") + " is not closed",
              "an expression stands on one line");
      return false;
    }
    result.push_back(
        {Kind::expression, std::string(line.substr(begin + 1, i - begin - 1)), place(line, begin + 1, i - begin - 1)});
    ++i;
    return true;
  }

  std::shared_ptr<const std::string> file_;
  std::uint32_t line_ = 0;
  NetlistText result_;
  std::vector<Diagnostic> problems_;
};

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

Diagnostic title_warning(const NetlistText& text) {
  return {text.title_where, "the first line of a netlist is its title, though this one looks like a statement",
          "put a title line above it", Severity::warning};
}

NetlistText netlist_text(std::string_view text, const std::string& file) { return Cutter(file).cut(text); }

}  // namespace sfg
