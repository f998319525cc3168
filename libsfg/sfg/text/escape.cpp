#include "sfg/text/escape.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace sfg {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }
bool is_line_character(char c) { return c == '\n' || c == '\r' || c == '\t'; }
bool is_identifier_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string code_escape(char c) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
  return text.data();
}

/// JSON and basic strings of TOML escape alike.
std::string quoted_with_escapes(std::string_view bytes) {
  std::string text = "\"";
  for (const char c : valid_utf8(bytes)) {
    switch (c) {
      case '"': text += "\\\""; break;
      case '\\': text += "\\\\"; break;
      case '\n': text += "\\n"; break;
      case '\r': text += "\\r"; break;
      case '\t': text += "\\t"; break;
      default: is_control(c) ? text += code_escape(c) : text += c;
    }
  }
  return text + '"';
}

/// UTF-8 without the control characters that a DOT file may not have.
std::string dot_text(std::string_view bytes) {
  std::string text;
  for (const char c : valid_utf8(bytes)) {
    if (is_control(c) && !is_line_character(c))
      text += replacement;
    else
      text += c;
  }
  return text;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool outside = (lead == 0xED && byte(1) > 0x9F) || (lead == 0xF4 && byte(1) > 0x8F);
  return overlong || outside ? 0 : length;
}

bool is_dot_html(std::string_view text) {
  if (text.size() < 2 || text.front() != '<' || text.back() != '>') return false;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>' && --depth == 0) return i + 1 == text.size();
  }
  return false;
}

std::string valid_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t length = utf8_length(bytes.substr(i));
    text += length == 0 ? replacement : bytes.substr(i, length);
    i += std::max<std::size_t>(1, length);
  }
  return text;
}

std::string json_string(std::string_view text) { return quoted_with_escapes(text); }
std::string toml_string(std::string_view text) { return quoted_with_escapes(text); }

std::string toml_key(std::string_view text) {
  const bool bare =
      !text.empty() && std::ranges::all_of(text, [](char c) { return is_identifier_letter(c) || is_digit(c) || c == '-'; });
  return bare ? std::string(text) : toml_string(text);
}

std::string xml_text(std::string_view bytes) {
  std::string text;
  const std::string valid = valid_utf8(bytes);
  for (std::size_t i = 0; i < valid.size(); ++i) {
    switch (const char c = valid[i]; c) {
      case '&': text += "&amp;"; break;
      case '<': text += "&lt;"; break;
      case '>': text += "&gt;"; break;
      case '"': text += "&quot;"; break;
      case '\n': text += "&#10;"; break;
      case '\r': text += "&#13;"; break;
      case '\t': text += "&#9;"; break;
      case '\xEF':
        if (valid.compare(i, 3, "\xEF\xBF\xBE") == 0 || valid.compare(i, 3, "\xEF\xBF\xBF") == 0)
          i += 2;  // no characters of XML
        else
          text += c;
        break;
      default:
        if (!is_control(c)) text += c;
    }
  }
  return text;
}

std::string dot_string(std::string_view bytes) {
  std::string text = "\"";
  for (const char c : dot_text(bytes)) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

namespace {

bool is_bare_name(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  constexpr std::array<std::string_view, 6> keywords{"node", "edge", "graph", "digraph", "subgraph", "strict"};
  return !text.empty() && is_identifier_letter(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_identifier_letter(c) || is_digit(c); }) &&
         std::ranges::find(keywords, lower) == keywords.end();
}

/// Doubles the backslashes that stand before the end, a quote or an end of line: only there they would escape.
std::string quoted_as_kept(const std::string& value) {
  std::string text = "\"";
  std::size_t backslashes = 0;
  for (std::size_t i = 0; i <= value.size(); ++i) {
    if (i < value.size() && value[i] == '\\') {
      ++backslashes;
      continue;
    }
    const bool doubled = i == value.size() || value[i] == '"' || value[i] == '\n' || value[i] == '\r';
    text.append(doubled ? 2 * backslashes : backslashes, '\\');
    backslashes = 0;
    if (i == value.size()) break;
    if (value[i] == '"') text += '\\';
    text += value[i];
  }
  return text + '"';
}

}  // namespace

std::string dot_name(std::string_view text) { return is_bare_name(text) ? std::string(text) : dot_string(text); }

std::string dot_kept_name(std::string_view text) {
  return is_bare_name(text) ? std::string(text) : quoted_as_kept(dot_text(text));
}

std::string dot_kept_value(std::string_view bytes) {
  std::string value = dot_text(bytes);
  if (is_dot_html(value)) return value;
  const std::size_t begin = std::min(value.find_first_not_of('\\'), value.size());
  if (begin > 0 && is_dot_html(std::string_view(value).substr(begin))) value.erase(0, 1);
  return quoted_as_kept(value);
}

}  // namespace sfg
