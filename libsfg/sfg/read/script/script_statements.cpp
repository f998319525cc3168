#include "sfg/read/script/script_statements.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace sfg {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// The last character of an operand: of a name, a number, a closing bracket, a transposition.
bool ends_operand(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0 ||
         std::string_view("_.)]'").find(c) != std::string_view::npos;
}

class Scanner {
 public:
  Scanner(const SourceText& source, Problems& problems) : source_(source), text_(source.text()), problems_(problems) {}

  ScriptStatements operator()() {
    while (position_ < text_.size()) step();
    if (!open_.empty()) problems_.error(source_.at(open_.front(), 1), "bracket '[' is not closed", "end the rows with ']'");
    finish_statement();
    attach_comments();
    return std::move(result_);
  }

 private:
  void step() {
    const char c = text_[position_];
    if (c == '%') return comment();
    if (text_.substr(position_).starts_with("...")) return continuation();
    if (c == '\n') parentheses_ = 0;
    if (c == '(') ++parentheses_;
    if (c == ')') --parentheses_;
    const bool separates = c == '\n' || c == ';' || (c == ',' && parentheses_ <= 0 && !is_syms());
    if (open_.empty() && separates) {
      finish_statement();
      ++position_;
      return;
    }
    if (c == '[') open_.push_back(position_);
    if (c == ']') close();
    current_.append(text_.substr(position_, 1), position_);
    ++position_;
  }

  bool is_syms() const {
    const std::size_t first = current_.text.find_first_not_of(" \t\r\n");
    return first != std::string::npos && current_.text.compare(first, 4, "syms") == 0;
  }

  void close() {
    if (open_.empty()) {
      problems_.error(source_.at(position_, 1), "bracket ']' without its '['", "remove it, or write the '['");
      return;
    }
    open_.pop_back();
  }

  std::size_t end_of_line() const { return std::min(text_.find('\n', position_), text_.size()); }
  std::size_t line_of(std::size_t offset) const { return source_.at(offset).line; }

  /// To the end of the line. "%{" alone on its line begins a block of comment.
  void comment() {
    const std::size_t end = end_of_line();
    Passage words;
    words.append(text_.substr(position_ + 1, end - position_ - 1), position_ + 1);
    words = words.trimmed();
    const std::size_t before = text_.substr(0, position_).rfind('\n');
    const std::size_t line_begin = before == std::string_view::npos ? 0 : before + 1;
    const bool alone = std::ranges::all_of(text_.substr(line_begin, position_ - line_begin), is_blank);
    if (alone && words.text == "{") return block_comment();
    if (words.text.starts_with("redundant") && (words.text.size() == 9 || is_blank(words.text[9])))
      result_.redundant.push_back(words.part(9, words.text.size() - 9).trimmed());
    comments_.emplace_back(line_of(position_), words);
    position_ = end;
  }

  void block_comment() {
    const std::size_t opened = position_;
    position_ = end_of_line();
    while (position_ < text_.size()) {
      ++position_;
      std::string_view line = text_.substr(position_, end_of_line() - position_);
      while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
      while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
      position_ = end_of_line();
      if (line == "%}") return;
    }
    problems_.error(source_.at(opened, 2), "the comment '%{' is not closed", "end it with a line '%}'");
  }

  /// "..." and the rest of the line count as a blank.
  void continuation() {
    current_.append(" ", position_);
    position_ = std::min(end_of_line() + 1, text_.size());
  }

  void finish_statement() {
    const Passage statement = current_.trimmed();
    current_ = {};
    if (statement.text.empty()) return;
    result_.statements.push_back({statement, {}});
    last_lines_.push_back(line_of(statement.source_of(statement.text.size() - 1)));
  }

  /// The comment of a line belongs to the last statement that ends on it.
  void attach_comments() {
    std::size_t i = 0;
    for (const auto& [line, words] : comments_) {
      while (i < last_lines_.size() && last_lines_[i] <= line) ++i;
      if (i != 0 && last_lines_[i - 1] == line) result_.statements[i - 1].comment = words;
    }
  }

  const SourceText& source_;
  std::string_view text_;
  Problems& problems_;
  ScriptStatements result_;
  std::size_t position_ = 0;
  int parentheses_ = 0;
  std::vector<std::size_t> open_;  // where the open brackets stand
  Passage current_;
  std::vector<std::pair<std::size_t, Passage>> comments_;  // with their lines
  std::vector<std::size_t> last_lines_;                    // of the statements
};

}  // namespace

ScriptStatements script_statements(const SourceText& source, Problems& problems) { return Scanner(source, problems)(); }

std::vector<std::vector<Passage>> script_rows(const Passage& inside) {
  std::vector<std::vector<Passage>> rows(1);
  const std::string& text = inside.text;
  std::size_t begin = 0;
  int depth = 0;
  const auto end_element = [&](std::size_t end, std::size_t next) {
    if (Passage element = inside.part(begin, end - begin).trimmed(); !element.text.empty())
      rows.back().push_back(std::move(element));
    begin = next;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == '\n' || c == ';') {
      end_element(i, i + 1);
      if (!rows.back().empty()) rows.emplace_back();
      depth = 0;
    }
    if (depth > 0) continue;
    if (c == ',') end_element(i, i + 1);
    if (!is_blank(c) || i == begin || !ends_operand(text[i - 1])) continue;
    std::size_t next = i;
    while (next < text.size() && is_blank(text[next])) ++next;
    if (next == text.size()) continue;
    const bool sign = text[next] == '+' || text[next] == '-';
    const bool sign_of_element = sign && next + 1 < text.size() && !is_blank(text[next + 1]);
    const bool operand = std::isalnum(static_cast<unsigned char>(text[next])) != 0 || (text[next] & 0x80) != 0 ||
                         text[next] == '_' || text[next] == '(';
    const bool decimal =
        text[next] == '.' && next + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[next + 1])) != 0;
    if (sign_of_element || operand || decimal) end_element(i, next);
    i = next - 1;
  }
  end_element(text.size(), text.size());
  if (rows.back().empty()) rows.pop_back();
  return rows;
}

Passage scalar_operators(Passage passage) {
  std::string& text = passage.text;
  for (std::size_t i = 0; i + 1 < text.size(); ++i)
    if (text[i] == '.' && (text[i + 1] == '*' || text[i + 1] == '/' || text[i + 1] == '^')) text[i] = ' ';
  return passage;
}

}  // namespace sfg
