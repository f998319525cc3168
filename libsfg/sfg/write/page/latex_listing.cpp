// Text of programs as LaTeX: typewriter type of the encoding OT1, which every installation has as outlines.
#include <string>

#include "sfg/expr/latex_text.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/text/utf8.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

namespace {

constexpr double character_width = 4.25;  ///< of cmtt at eight points
constexpr std::size_t tab = 8;

struct Character {
  std::string latex;
  std::size_t columns = 1;
};

/// By their places in the font where TeX or the font would make something else of them.
Character set(std::string_view character, std::size_t column) {
  if (character == "\t") {
    const std::size_t columns = tab - column % tab;
    std::string blanks;
    for (std::size_t i = 0; i < columns; ++i) blanks += "\\ ";
    return {std::move(blanks), columns};
  }
  if (character.size() > 1) {
    std::string latex = latex_text(character);
    const std::size_t columns = latex.starts_with("[U+") ? latex.size() : 2;
    return {std::move(latex), columns};
  }
  switch (const char c = character.front(); c) {
    case ' ': return {"\\ "};
    case '\'': return {"{\\char13}"};
    case '`': return {"{\\char18}"};
    case '<':
    case '>':
    case '|':
    case '"':
    case '\\':
    case '{':
    case '}':
    case '_':
    case '^':
    case '~':
    case '#':
    case '$':
    case '%':
    case '&':
    case '-':
    case ',': return {"{\\char" + std::to_string(static_cast<int>(c)) + "}"};
    default: return {std::string(1, static_cast<unsigned char>(c) < ' ' || c == '\x7F' ? '?' : c)};
  }
}

}  // namespace

std::string latex_listing(std::string_view any, double width) {
  const auto room = static_cast<std::size_t>(std::max(20.0, width / character_width));
  std::string text = valid_utf8(any);
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  std::string result =
      "{\\fontencoding{OT1}\\fontfamily{cmtt}\\fontsize{8}{9.6}\\selectfont\\parindent=0pt\\parskip=0pt\\raggedright\n"
      "\\mbox{}";
  std::size_t column = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view character = std::string_view(text).substr(i, character_bytes(text, i));
    i += character.size();
    if (character == "\r") continue;
    if (character == "\n") {
      result += i < text.size() ? "\\par\n\\mbox{}" : "\\par";
      column = 0;
      continue;
    }
    const Character made = set(character, column);
    if (column + made.columns > room) {
      result += "\\par\n\\mbox{}$\\hookrightarrow$\\ ";
      column = 2;
    }
    result += made.latex;
    column += made.columns;
  }
  return result + "}\n";
}

}  // namespace sfg
