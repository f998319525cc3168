#include "sfg/write/page/line_break.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

/// A place where a line may begin.
struct Cut {
  std::size_t at = 0;
  int depth = 0;  ///< brackets around it
};

enum class Between { summands, factors };

bool begins(std::string_view text, std::size_t at, std::string_view part) { return text.substr(at).starts_with(part); }

std::vector<Cut> cuts(std::string_view text, Between what) {
  static constexpr std::array<std::string_view, 6> signs{" + ", " - ", " − ", " → ", " -> ", " = "};
  static constexpr std::array<std::string_view, 3> marks{"*", "/", "·"};
  std::vector<Cut> found;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (what == Between::summands) {
      if (c == ' ' && std::ranges::any_of(signs, [&](std::string_view sign) { return begins(text, i, sign); }))
        found.push_back({i + 1, depth});
      else if (begins(text, i, ", "))
        found.push_back({i + 2, depth});
    } else if (i > 0 && std::ranges::any_of(marks, [&](std::string_view mark) { return begins(text, i, mark); })) {
      found.push_back({i, depth});
    }
  }
  return found;
}

/// The parts between the cuts that stand in the fewest brackets; one part when there is no cut.
std::vector<std::string_view> parts(std::string_view text) {
  std::vector<Cut> places = cuts(text, Between::summands);
  if (places.empty()) places = cuts(text, Between::factors);
  int least = 0;
  for (const Cut& cut : places) least = &cut == &places.front() ? cut.depth : std::min(least, cut.depth);
  std::vector<std::string_view> result;
  std::size_t begin = 0;
  for (const Cut& cut : places) {
    if (cut.depth != least) continue;
    result.push_back(text.substr(begin, cut.at - begin));
    begin = cut.at;
  }
  result.push_back(text.substr(begin));
  return result;
}

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0; }

/// What follows the operator among the factors of a term: "^2" of 3*a*s^2, "" of s; nothing where it is no factor.
std::optional<std::string_view> power_of(std::string_view term, std::string_view main) {
  int depth = 0;
  for (std::size_t i = 0; i < term.size(); ++i) {
    if (term[i] == '(') ++depth;
    if (term[i] == ')') --depth;
    if (depth != 0 || !begins(term, i, main) ||
        (i > 0 && std::string_view("*/ (-").find(term[i - 1]) == std::string_view::npos && !term.substr(0, i).ends_with("·")))
      continue;
    const std::string_view rest = term.substr(i + main.size());
    const std::size_t end = std::min(rest.find_first_of("*/ )"), rest.find("·"));
    const std::string_view power = rest.substr(0, end);
    if (power.empty() || power.front() == '^' || !is_of_name(power.front()) || (power.front() & 0x80) != 0) return power;
  }
  return std::nullopt;
}

class Breaker {
 public:
  Breaker(std::size_t column, LineRoom room) : column_(column), room_(room) {}

  void put(std::string_view text, std::size_t indent, std::string_view main) {
    if (column_ + trimmed(text) <= room_.width) return append(text);
    const std::vector<std::string_view> pieces = parts(text);
    if (pieces.size() == 1) return append(text);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const bool other_power = !main.empty() && i > 0 && power_of(pieces[i], main) != power_of(pieces[i - 1], main);
      if (i > 0 && (other_power || column_ + trimmed(pieces[i]) > room_.width)) next_line(indent);
      put(pieces[i], indent + 2, {});
    }
  }
  std::string text() && { return std::move(text_); }

  void append(std::string_view text) {
    text_ += text;
    column_ += character_count(text);
  }
  void next_line(std::size_t indent) {
    if (column_ <= indent && text_.ends_with(' ')) return;
    text_.erase(text_.find_last_not_of(' ') + 1);
    // Far inside of brackets there is no room left for indenting.
    const std::size_t blanks = std::min(indent, std::max(room_.indent, room_.width / 2));
    text_ += "\n" + std::string(blanks, ' ');
    column_ = blanks;
  }
  std::size_t column() const { return column_; }

 private:
  /// Characters without the blanks at the end, which a new line takes.
  static std::size_t trimmed(std::string_view text) {
    return character_count(text.substr(0, std::min(text.size(), text.find_last_not_of(' ') + 1)));
  }

  std::string text_;
  std::size_t column_;
  LineRoom room_;
};

}  // namespace

std::string broken_formula(std::string_view formula, std::size_t column, LineRoom room, std::string_view main) {
  Breaker breaker(column, room);
  breaker.put(formula, room.indent, main);
  return std::move(breaker).text();
}

std::string broken_words(std::string_view words, std::size_t column, LineRoom room) {
  Breaker breaker(column, room);
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t blank = std::min(words.find(' ', begin), words.size());
    const std::size_t end = std::min(words.find_first_not_of(' ', blank), words.size());
    if (breaker.column() + character_count(words.substr(begin, blank - begin)) > room.width && begin > 0)
      breaker.next_line(room.indent);
    breaker.append(words.substr(begin, end - begin));
    begin = end;
  }
  return std::move(breaker).text();
}

std::optional<Math> power_of(const Math& term, std::string_view main) {
  const Math& positive = term.is_negative() ? term.parts[0] : term;
  const auto of = [&](const Math& factor) -> std::optional<Math> {
    if (factor.kind == Math::Kind::name && factor.text == main) return Math::number("1");
    if (factor.kind == Math::Kind::power && factor.parts[0].kind == Math::Kind::name && factor.parts[0].text == main)
      return factor.parts[1];
    return std::nullopt;
  };
  if (positive.kind == Math::Kind::product)
    for (const Math& factor : positive.parts)
      if (auto power = of(factor)) return power;
  if (positive.kind == Math::Kind::quotient) return power_of(positive.parts[0], main);
  return of(positive);
}

bool is_loose(const Math& m) {
  return m.kind == Math::Kind::sum || m.kind == Math::Kind::negative || m.kind == Math::Kind::relation;
}

}  // namespace sfg
