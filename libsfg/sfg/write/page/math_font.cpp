#include "sfg/write/page/math_font.hpp"

#include <string_view>

namespace sfg {

namespace {

#include "sfg/write/page/math_font.inc"

}  // namespace

std::string math_font_face() {
  return "@font-face { font-family: 'SFG Math'; src: url(data:font/woff2;base64," + std::string(math_font_data) +
         ") format('woff2'); }\n";
}

}  // namespace sfg
