#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sfg {

// Characters of UTF-8 text. The text is taken as it is: text/escape.hpp says whether it is well formed.

/// Whether a byte begins a character: it is no byte of its continuation.
constexpr bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

/// How many characters the text has: its width in a fixed-width font, but for wide and combining ones.
constexpr std::uint32_t character_count(std::string_view text) {
  return static_cast<std::uint32_t>(std::count_if(text.begin(), text.end(), starts_character));
}

/// Bytes of the character that begins at `i`.
constexpr std::size_t character_bytes(std::string_view text, std::size_t i) {
  std::size_t n = 1;
  while (i + n < text.size() && !starts_character(text[i + n])) ++n;
  return n;
}

/// The text without what lies beyond so many bytes, whole characters only.
constexpr std::string_view cut_to_bytes(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && !starts_character(text[bytes])) --bytes;
  return text.substr(0, bytes);
}

/// Appends a character by its number in Unicode.
inline void append_utf8(std::string& text, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

}  // namespace sfg
