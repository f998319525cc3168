#include "sfg/expr/name.hpp"

#include <algorithm>
#include <array>

#include "sfg/text/scan.hpp"

namespace sfg {

namespace {

/// Latin, Greek and Cyrillic letters beyond ASCII.
bool is_foreign_letter(std::uint32_t c) {
  struct Range {
    std::uint32_t first, last;
  };
  static constexpr std::array<Range, 16> letters{{{0xAA, 0xAA},
                                                  {0xB5, 0xB5},
                                                  {0xBA, 0xBA},
                                                  {0xC0, 0xD6},
                                                  {0xD8, 0xF6},
                                                  {0xF8, 0x2AF},
                                                  {0x370, 0x373},
                                                  {0x376, 0x377},
                                                  {0x37B, 0x37D},
                                                  {0x37F, 0x37F},
                                                  {0x386, 0x386},
                                                  {0x388, 0x3FF},
                                                  {0x400, 0x481},
                                                  {0x48A, 0x52F},
                                                  {0x1E00, 0x1EFF},
                                                  {0x1F00, 0x1FBC}}};
  return std::ranges::any_of(letters, [c](Range r) { return r.first <= c && c <= r.last; });
}

/// Bytes of a name's character at the front of the text; 0 when there is none.
std::size_t name_character(std::string_view text, bool first) {
  const char c = text.front();
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (!first && is_ascii_digit(c))) return 1;
  if (static_cast<unsigned char>(c) < 0x80) return 0;
  const CodePoint point = first_code_point(text);
  if (point.bytes == 0) return 0;
  const bool combines = point.value >= 0x300 && point.value <= 0x36F;  // the accent of a decomposed letter
  return is_foreign_letter(point.value) || (!first && combines) ? point.bytes : 0;
}

}  // namespace

CodePoint first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  std::uint32_t value = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3F);
  }
  constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < least[length] || value > 0x10FFFF || is_surrogate) return {};
  return {value, length};
}

std::size_t name_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size()) {
    const std::size_t bytes = name_character(text.substr(length), length == 0);
    if (bytes == 0) break;
    length += bytes;
  }
  return length;
}

bool is_name(std::string_view text) { return !text.empty() && name_length(text) == text.size(); }

bool name_less(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_ascii_digit(a[i]) && is_ascii_digit(b[j])) {
      const auto number = [](std::string_view text, std::size_t& at) {
        while (at + 1 < text.size() && text[at] == '0' && is_ascii_digit(text[at + 1])) ++at;
        const std::size_t begin = at;
        while (at < text.size() && is_ascii_digit(text[at])) ++at;
        return text.substr(begin, at - begin);
      };
      const std::string_view m = number(a, i), n = number(b, j);
      if (m.size() != n.size()) return m.size() < n.size();
      if (m != n) return m < n;
    } else {
      if (a[i] != b[j]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[j]);
      ++i;
      ++j;
    }
  }
  if (i < a.size() || j < b.size()) return j < b.size();
  return a < b;
}

}  // namespace sfg
