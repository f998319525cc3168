#include "sfg/read/printed/printed_text.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace sfg {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Lines that say nothing of the system.
bool is_passed_over(std::string_view line) {
  if (line.starts_with(">>") || line.starts_with('%') || line.starts_with("octave:")) return true;
  return line == "Model Properties" || line.starts_with("Name: ");
}

/// The number of characters of a number at the front: 12, 0.5, 1e-05.
std::size_t number_length(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end < text.size() && text[end] == '.') ++end;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    const std::size_t sign = end + 1 < text.size() && (text[end + 1] == '+' || text[end + 1] == '-') ? 1 : 0;
    std::size_t digits = end + 1 + sign;
    while (digits < text.size() && is_digit(text[digits])) ++digits;
    if (digits > end + 1 + sign) end = digits;
  }
  return end;
}

/// Writes factors side by side with a sign between them.
class Polynomial {
 public:
  Polynomial(const Passage& printed, const SourceText& source, std::string& variable)
      : printed_(printed), source_(source), variable_(variable) {}

  Passage plain() {
    const std::string& text = printed_.text;
    while (at_ < text.size()) {
      const char c = text[at_];
      if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        ++at_;
      } else if (is_digit(c) || c == '.') {
        factor(number_length(std::string_view(text).substr(at_)));
      } else if (is_letter(c)) {
        name();
      } else if (c == '^') {
        power();
      } else if (c == '(') {
        if (after_factor_ && !after_function_) put("*");
        copy(1);
        after_factor_ = after_function_ = false;
      } else if (c == ')' || c == '+' || c == '-' || c == '*' || c == '/') {
        copy(1);
        after_factor_ = c == ')';
        after_function_ = false;
      } else {
        throw Error(place(source_, printed_.part(at_, 1)), "unexpected " + in_quotes(text.substr(at_, 1)) + " in a polynomial",
                    "the text is read as it was printed: s^2 + 2 s + 3");
      }
    }
    return std::move(result_);
  }

 private:
  void put(std::string_view text) { result_.append(text, printed_.source_of(at_)); }
  void copy(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i, ++at_) put(printed_.text.substr(at_, 1));
  }
  void factor(std::size_t count) {
    if (after_factor_) put("*");
    copy(std::max<std::size_t>(count, 1));
    after_factor_ = true;
    after_function_ = false;
  }

  void name() {
    const std::string& text = printed_.text;
    std::size_t end = at_;
    while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
    const std::string word = text.substr(at_, end - at_);
    const Passage here = printed_.part(at_, end - at_);
    if (word == "exp") {
      factor(3);
      after_function_ = true;
      return;
    }
    if (word == "i" || word == "j" || word == "NaN" || word == "Inf")
      throw Error(place(source_, here), word == "i" || word == "j" ? "a complex coefficient" : "a coefficient that is no number",
                  "coefficients are real numbers");
    const bool backward = text.substr(end, 3) == "^-1" || text.substr(end, 2) == "^-";
    const bool shift = word == "q" && backward;
    static const std::set<std::string> variables{"s", "p", "z"};
    if (!variables.contains(word) && !shift)
      throw Error(place(source_, here), "the variable " + in_quotes(word) + " is not s, p, z or q^-1",
                  "print the system in s or z");
    const std::string meant = shift ? "z" : word;
    if (!variable_.empty() && variable_ != meant)
      throw Error(place(source_, here), "the variable is " + in_quotes(meant) + " here and " + in_quotes(variable_) + " before",
                  "systems of one text have one variable");
    variable_ = meant;
    if (after_factor_) put("*");
    put(meant);
    at_ = end;
    after_factor_ = true;
    after_function_ = false;
  }

  /// ^2, ^-1
  void power() {
    const std::string& text = printed_.text;
    std::size_t end = at_ + 1;
    if (end < text.size() && text[end] == '(') {
      copy(1);
      after_factor_ = false;
      return;
    }
    if (end < text.size() && text[end] == '-') ++end;
    const std::size_t digits = end;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end == digits || end - digits > 6)
      throw Error(place(source_, printed_.part(at_, 1)), "an exponent that is no whole number", "print the system again");
    put("^(");
    const std::size_t from = at_ + 1;
    at_ = from;
    copy(end - from);
    put(")");
    after_factor_ = true;
  }

  const Passage& printed_;
  const SourceText& source_;
  std::string& variable_;
  std::size_t at_ = 0;
  bool after_factor_ = false, after_function_ = false;
  Passage result_;
};

/// Where the bar at the end of a line begins; npos where there is none.
std::size_t bar_of(std::string_view line) {
  std::size_t begin = line.size();
  while (begin > 0 && line[begin - 1] == '-') --begin;
  const bool alone = begin == 0 || line[begin - 1] == ' ' || line[begin - 1] == '\t';
  return begin < line.size() && alone ? begin : std::string_view::npos;
}

}  // namespace

Passage PrintedLine::part(std::size_t from, std::size_t count) const {
  Passage result;
  from = std::min(from, text.size());
  result.append(text.substr(from, count), begin + from);
  return result.trimmed();
}

std::vector<PrintedLine> printed_lines(std::string_view text) {
  std::vector<PrintedLine> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::size_t first = begin, last = end;
    while (first < last && std::isspace(static_cast<unsigned char>(text[first])) != 0) ++first;
    while (last > first && std::isspace(static_cast<unsigned char>(text[last - 1])) != 0) --last;
    if (is_passed_over(text.substr(first, last - first))) last = first;
    lines.push_back({text.substr(first, last - first), first});
    begin = end + 1;
  }
  return lines;
}

std::optional<std::string_view> between(std::string_view text, std::string_view prefix, std::string_view suffix) {
  if (text.size() < prefix.size() + suffix.size() || !text.starts_with(prefix) || !text.ends_with(suffix)) return {};
  return text.substr(prefix.size(), text.size() - prefix.size() - suffix.size());
}

Passage plain_polynomial(const Passage& printed, const SourceText& source, std::string& variable) {
  return Polynomial(printed, source, variable).plain();
}

PrintedFraction printed_fraction(const std::vector<PrintedLine>& lines, const SourceText& source) {
  PrintedFraction fraction;
  const auto bar =
      std::ranges::find_if(lines, [](const PrintedLine& line) { return bar_of(line.text) != std::string_view::npos; });
  Passage above, below;
  for (auto line = lines.begin(); line != lines.end(); ++line) {
    Passage text = line->part(0);
    if (const std::size_t colon = text.text.find(": "); colon != std::string::npos && (bar == lines.end() || line == bar)) {
      if (fraction.label)
        throw Error(place(source, text), "a second label before the system ended", "leave an empty line between systems");
      fraction.label = text.part(0, colon).trimmed();
      text = text.part(colon + 1, std::string::npos).trimmed();
    }
    if (line == bar) {
      Passage prefix = text.part(0, bar_of(text.text)).trimmed();
      if (prefix.text.ends_with('*')) prefix = prefix.part(0, prefix.text.size() - 1).trimmed();
      if (!prefix.text.empty()) fraction.prefix = prefix;
      continue;
    }
    Passage& side = bar == lines.end() || line < bar ? above : below;
    if (!side.text.empty()) side.append(" ", line->begin);
    side.append(text.text, text.source_of(0));
  }
  if (above.trimmed().text.empty() || (bar != lines.end() && below.trimmed().text.empty()))
    throw Error(source.at(lines.front().begin, lines.front().text.size()),
                "a fraction without a numerator or without a denominator", "leave the lines as they were printed");
  fraction.numerator = above;
  if (bar != lines.end()) fraction.denominator = below;
  return fraction;
}

std::vector<Passage> cells_of(const PrintedLine& line) {
  std::vector<Passage> cells;
  for (std::size_t at = 0; at < line.text.size();) {
    std::size_t end = at;
    while (end < line.text.size() && line.text[end] != '\t' &&
           !(line.text[end] == ' ' && end + 1 < line.text.size() && line.text[end + 1] == ' '))
      ++end;
    cells.push_back(line.part(at, end - at));
    at = line.text.find_first_not_of(" \t", end);
    if (at == std::string_view::npos) break;
  }
  return cells;
}

bool is_printed_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return !text.empty() && (is_digit(text[0]) || (text.size() > 1 && text[0] == '.' && is_digit(text[1]))) &&
         number_length(text) == text.size();
}

}  // namespace sfg
