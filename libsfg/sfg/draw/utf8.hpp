#pragma once
#include <cstddef>
#include <string_view>

namespace sfg {

/// Bytes of the UTF-8 character at `i`.
inline std::size_t utf8_length(std::string_view text, std::size_t i) {
  std::size_t n = 1;
  while (i + n < text.size() && (static_cast<unsigned char>(text[i + n]) & 0xC0U) == 0x80U) ++n;
  return n;
}

}  // namespace sfg
