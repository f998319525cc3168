#include "sfg/write/page/math_font.hpp"

#include <string_view>

namespace sfg {

namespace {

#include "sfg/write/page/math_font.inc"

}  // namespace

std::string math_font_face() {
  std::string face = "@font-face { font-family: 'SFG Math'; src: url(data:font/woff2;base64,";
  for (const std::string_view piece : math_font_data) face += piece;
  return face + ") format('woff2'); }\n";
}

}  // namespace sfg
