#include "sfg/expr/syntax.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

#include "sfg/expr/name.hpp"
#include "sfg/text/scan.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

[[noreturn]] void refuse_character(std::string_view rest, const SourceSpan& where) {
  const CodePoint point = first_code_point(rest);
  if (point.bytes == 0) throw Error(where, "the text is not valid UTF-8", "save the file as UTF-8");
  struct Advice {
    std::uint32_t code;
    const char* hint;
  };
  static constexpr std::array<Advice, 13> advices{{{'\'', "the rate of x is written Dx"},
                                                   {0x2032, "the rate of x is written Dx"},
                                                   {0x2019, "the rate of x is written Dx"},
                                                   {0x2212, "write '-'"},
                                                   {0x2013, "write '-'"},
                                                   {0xB7, "write '*'"},
                                                   {0xD7, "write '*'"},
                                                   {0x22C5, "write '*'"},
                                                   {0xF7, "write '/'"},
                                                   {0xB2, "write '^2'"},
                                                   {0xB3, "write '^3'"},
                                                   {0x221A, "write 'sqrt(…)'"},
                                                   {'=', "an expression has no '='"}}};
  const auto advice = std::ranges::find(advices, point.value, &Advice::code);
  std::string shown = "'" + std::string(rest.substr(0, point.bytes)) + "'";
  if (point.value < 0x20 || (point.value >= 0x7F && point.value < 0xA0) || point.value >= 0x2000) {
    char code[16];
    std::snprintf(code, sizeof code, "U+%04X", static_cast<unsigned>(point.value));
    shown = advice == advices.end() ? std::string(code) : shown + " (" + code + ")";
  }
  throw Error(where, "unexpected character " + shown,
              advice == advices.end() ? "an expression has numbers, names and + - * / ^ ( )" : advice->hint);
}

/// The name of a file in quotation marks, which both are, at the front of the text; 0 when there is none.
std::size_t quoted_length(std::string_view text) {
  if (text.front() != '"' && text.front() != '\'') return 0;
  const std::size_t end = text.find(text.front(), 1);
  constexpr std::size_t longest = 200;
  const bool is_file = end != std::string_view::npos && end > 1 && end < longest &&
                       text.substr(1, end - 1).find_first_of("\"'\n") == std::string_view::npos;
  return is_file ? end + 1 : 0;
}

template <class Where>
Token first_token(std::string_view rest, Where where) {
  if (const std::size_t number = decimal_length(rest)) return {.kind = TokenKind::number, .text = rest.substr(0, number)};
  if (const std::size_t name = name_length(rest)) return {.kind = TokenKind::name, .text = rest.substr(0, name)};
  if (rest.starts_with("**")) return {.kind = TokenKind::sign, .sign = '^', .text = rest.substr(0, 2)};
  if (rest.starts_with("||")) return {.kind = TokenKind::sign, .sign = '|', .text = rest.substr(0, 2)};
  if (const std::size_t quoted = quoted_length(rest)) return {.kind = TokenKind::text, .text = rest.substr(0, quoted)};
  if (std::string_view("+-*/^(),[]").find(rest.front()) != std::string_view::npos)
    return {.kind = TokenKind::sign, .sign = rest.front(), .text = rest.substr(0, 1)};
  refuse_character(rest, where());
}

}  // namespace

TextPlace::TextPlace(SourceSpan where) : where_(std::move(where)) {
  if (where_ == SourceSpan{}) where_.line = where_.column = 1;
}

SourceSpan TextPlace::at(std::uint32_t line, std::uint32_t column, std::uint32_t length) const {
  SourceSpan span = where_;
  if (line == 0) {
    span = where_.shifted(column);
  } else if (where_.line != 0) {
    span.line += line;
    span.column = 1 + column;
  }
  span.length = length;
  return span;
}

SourceSpan TextPlace::at(const Token& token) const {
  return at(token.line, token.column, std::max(1u, character_count(token.text)));
}

SourceSpan TextPlace::at(std::string_view text, std::size_t begin, std::size_t bytes) const {
  begin = std::min(begin, text.size());
  const std::string_view before = text.substr(0, begin);
  const std::size_t line_break = before.rfind('\n');
  const std::size_t line_start = line_break == std::string_view::npos ? 0 : line_break + 1;
  return at(static_cast<std::uint32_t>(std::ranges::count(before, '\n')), character_count(before.substr(line_start)),
            character_count(text.substr(begin, bytes)));
}

std::size_t decimal_length(std::string_view text) {
  std::size_t i = 0;
  const auto skip_digits = [&] {
    const std::size_t from = i;
    while (i < text.size() && is_ascii_digit(text[i])) ++i;
    return i - from;
  };
  std::size_t digits = skip_digits();
  if (i < text.size() && text[i] == '.') {
    ++i;
    digits += skip_digits();
  }
  if (digits == 0) return 0;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    const std::size_t mantissa = i++;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (skip_digits() == 0) return mantissa;
  }
  return i;
}

std::vector<Token> tokens(std::string_view text, const TextPlace& place, const ParseLimits& limits) {
  std::vector<Token> result;
  std::uint32_t line = 0, column = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (is_space(text[i])) {
      column = text[i] == '\n' ? 0 : column + 1;
      line += text[i++] == '\n' ? 1 : 0;
      continue;
    }
    if (result.size() == limits.tokens)
      throw Error(place.at(text, i), "the expression is longer than " + std::to_string(limits.tokens) + " symbols",
                  "name a part of it as a parameter or split the branch");
    result.push_back(first_token(text.substr(i), [&] { return place.at(text, i); }));
    Token& token = result.back();
    token.line = line;
    token.column = column;
    column += character_count(token.text);
    i += token.text.size();
  }
  result.push_back(Token{.text = text.substr(text.size()), .line = line, .column = column});
  return result;
}

}  // namespace sfg
