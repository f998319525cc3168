#include "sfg/read/dot/dot_tokens.hpp"

#include "sfg/text/escape.hpp"

#include <algorithm>

namespace sfg {

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Bytes of an escaped end of line at the front: backslash, LF or CR LF.
std::size_t continuation(std::string_view text) {
  if (text.starts_with("\\\n")) return 2;
  return text.starts_with("\\\r\n") ? 3 : 0;
}

/// The inside of a quoted string that begins at `begin`, up to its closing quote.
void append_quoted(Passage& passage, std::string_view text, std::size_t begin, std::size_t end) {
  std::size_t from = begin;
  for (std::size_t i = begin; i < end;) {
    if (text[i] != '\\') {
      ++i;
      continue;
    }
    if (text[i + 1] == '"') {
      passage.append(text.substr(from, i - from), from);
      from = ++i;
      ++i;
    } else if (const std::size_t skipped = continuation(text.substr(i))) {
      passage.append(text.substr(from, i - from), from);
      from = i += skipped;
    } else {
      i += 2;
    }
  }
  passage.append(text.substr(from, end - from), from);
}

}  // namespace

DotTokens::DotTokens(const SourceText& source, std::size_t from) : source_(source), position_(from) { read(); }

DotToken DotTokens::take() {
  const DotToken token = next_;
  read();
  return token;
}

DotAtom DotTokens::take_atom() {
  const DotToken first = take();
  DotAtom atom{first.begin, first.end, first.kind, false};
  while (first.kind == DotTokenKind::quoted && next_.is('+')) {
    const DotToken plus = take();
    if (next_.kind != DotTokenKind::quoted)
      throw Error(source_.at(plus.begin, 1), "after '+' a quoted string must follow", "'+' joins two strings in double quotes");
    atom.end = take().end;
    atom.joined = true;
  }
  return atom;
}

void DotTokens::skip_blanks() {
  const std::string_view text = source_.text();
  while (position_ < text.size()) {
    const char c = text[position_];
    const std::string_view rest = text.substr(position_);
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++position_;
    } else if (c == '#' || rest.starts_with("//")) {
      position_ = std::min(text.find('\n', position_), text.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t close = text.find("*/", position_ + 2);
      if (close == std::string_view::npos)
        refuse_unclosed(position_, 2, "the comment that begins here is not closed", "write '*/' where it ends");
      position_ = close + 2;
    } else {
      return;
    }
  }
}

void DotTokens::read() {
  skip_blanks();
  const std::string_view text = source_.text();
  next_ = DotToken{};
  next_.begin = next_.end = static_cast<std::uint32_t>(position_);
  if (position_ >= text.size()) return;
  const char c = text[position_];
  const char following = position_ + 1 < text.size() ? text[position_ + 1] : '\0';
  if (is_letter(c)) {
    next_.kind = DotTokenKind::word;
    while (position_ < text.size() && (is_letter(text[position_]) || is_digit(text[position_]))) ++position_;
    refuse_arrow_in(text.substr(next_.begin, position_ - next_.begin));
  } else if (c == '=' && following == '>') {
    refuse_arrow(position_, 2);
  } else if (is_digit(c) || ((c == '.' || c == '-') && is_digit(following)) ||
             (c == '-' && following == '.' && position_ + 2 < text.size() && is_digit(text[position_ + 2]))) {
    read_number();
  } else if (c == '"') {
    read_quoted();
  } else if (c == '<') {
    read_html();
  } else if (c == '-' && (following == '>' || following == '-')) {
    next_.kind = following == '>' ? DotTokenKind::arrow : DotTokenKind::line;
    position_ += 2;
  } else if (std::string_view("{}[]=;,:+").find(c) != std::string_view::npos) {
    next_.kind = DotTokenKind::sign;
    next_.sign = c;
    ++position_;
  } else {
    next_.kind = DotTokenKind::bad;
    next_.end = static_cast<std::uint32_t>(++position_);
    throw Error(source_.at(position_ - 1, 1), std::string("unexpected character '") + c + "'",
                c == '-' || c == '>' ? "a branch is written '->'"
                                     : "a name with other characters than letters, digits and '_' goes in double quotes");
  }
  next_.end = static_cast<std::uint32_t>(position_);
}

/// Arrows that are letters to DOT: "a → b" would be three nodes.
void DotTokens::refuse_arrow_in(std::string_view word) {
  for (const std::string_view arrow : {"→", "⟶", "⇒", "⟹", "➔", "➜", "➝", "⇨", "↦", "←", "⟵", "⇐"})
    if (const std::size_t at = word.find(arrow); at != std::string_view::npos) refuse_arrow(next_.begin + at, arrow.size());
}

void DotTokens::refuse_arrow(std::size_t begin, std::size_t bytes) {
  const std::string_view arrow = source_.text().substr(begin, bytes);
  position_ = begin + bytes;
  next_.kind = DotTokenKind::bad;
  next_.end = static_cast<std::uint32_t>(position_);
  throw Error(source_.at(begin, bytes), "arrow '" + std::string(arrow) + "' is none of DOT's",
              "a branch is written 'tail -> head'; a name with an arrow in it goes in double quotes");
}

void DotTokens::read_number() {
  const std::string_view text = source_.text();
  next_.kind = DotTokenKind::number;
  const std::size_t begin = position_;
  std::size_t points = 0;
  if (text[position_] == '-') ++position_;
  while (position_ < text.size() && (is_digit(text[position_]) || text[position_] == '.')) points += text[position_++] == '.';
  if (points > 1 || (position_ < text.size() && is_letter(text[position_]))) {
    while (position_ < text.size() && (is_letter(text[position_]) || is_digit(text[position_]) || text[position_] == '.'))
      ++position_;
    const std::string_view word = text.substr(begin, position_ - begin);
    next_.kind = DotTokenKind::bad;
    next_.end = static_cast<std::uint32_t>(position_);
    throw Error(source_.at(begin, word.size()), "word " + in_quotes(word) + " is neither a number nor a name",
                "write it in double quotes");
  }
}

void DotTokens::refuse_unclosed(std::size_t begin, std::size_t bytes, const char* what, const char* hint) {
  unclosed_ = true;
  position_ = source_.text().size();
  next_ = DotToken{};
  throw Error(source_.at(begin, bytes), what, hint);
}

void DotTokens::read_quoted() {
  const std::string_view text = source_.text();
  next_.kind = DotTokenKind::quoted;
  const std::size_t begin = position_++;
  while (position_ < text.size() && text[position_] != '"') position_ += text[position_] == '\\' ? 2 : 1;
  if (position_ >= text.size())
    refuse_unclosed(begin, 1, "the string that begins here is not closed", "write '\"' where it ends");
  ++position_;
}

void DotTokens::read_html() {
  const std::string_view text = source_.text();
  next_.kind = DotTokenKind::html;
  const std::size_t begin = position_;
  int depth = 0;
  do {
    if (position_ >= text.size() && text.substr(begin, 2) == "<-")
      refuse_unclosed(begin, 2, "arrow '<-' is none of DOT's", "a branch is written 'tail -> head'");
    if (position_ >= text.size())
      refuse_unclosed(begin, 1, "the HTML string that begins here is not closed", "every '<' in it needs its '>'");
    if (text[position_] == '<') ++depth;
    if (text[position_] == '>') --depth;
    ++position_;
  } while (depth > 0);
}

Passage dot_value(const SourceText& source, std::size_t offset) {
  DotTokens tokens(source, offset);
  Passage value;
  while (tokens.next().is_atom()) {
    const DotToken token = tokens.take();
    if (token.kind == DotTokenKind::quoted) {
      append_quoted(value, source.text(), token.begin + 1, token.end - 1);
      if (!tokens.next().is('+')) break;
      tokens.take();
      continue;
    }
    const std::size_t bracket = token.kind == DotTokenKind::html ? 1 : 0;
    value.append(source.text().substr(token.begin + bracket, token.end - token.begin - 2 * bracket), token.begin + bracket);
    break;
  }
  return value;
}

Passage dot_meaning(const Passage& value) {
  if (value.text.find("\\\\") == std::string::npos) return value;
  Passage meaning;
  bool second = false;  // of a pair of backslashes
  for (std::size_t i = 0, piece = 0; i < value.text.size(); ++i) {
    while (piece + 1 < value.pieces.size() && value.pieces[piece + 1].begin <= i) ++piece;
    second = !second && i > 0 && value.text[i] == '\\' && value.text[i - 1] == '\\';
    if (!second)
      meaning.append(std::string_view(value.text).substr(i, 1), value.pieces[piece].source + i - value.pieces[piece].begin);
  }
  return meaning;
}

std::string kept_name(const std::string& value) {
  std::string kept;
  std::size_t backslashes = 0;
  for (std::size_t i = 0; i <= value.size(); ++i) {
    if (i < value.size() && value[i] == '\\') {
      ++backslashes;
      continue;
    }
    const bool doubled = i == value.size() || value[i] == '"' || value[i] == '\n' || value[i] == '\r';
    kept.append(doubled ? backslashes / 2 : backslashes, '\\');
    backslashes = 0;
    if (i < value.size()) kept += value[i];
  }
  return kept;
}

std::string kept_value(const std::string& value, bool html) {
  if (html) return '<' + value + '>';
  std::string kept = kept_name(value);
  const std::size_t begin = std::min(kept.find_first_not_of('\\'), kept.size());
  return is_dot_html(std::string_view(kept).substr(begin)) ? '\\' + kept : kept;
}

}  // namespace sfg
