#pragma once
#include <string_view>

namespace sfg {

/// What characters of the face of all pictures measure: of Liberation Serif (a Times), the first face that they ask for.
/// Lengths in thousandths of the size; the ink about the origin on the baseline, y downwards.
struct SerifGlyph {
  int character = 0;
  int advance = 0;
  int left = 0, top = 0, right = 0, bottom = 0;  ///< of the ink; all 0: there is none
};

/// Of the bytes of one character.
char32_t decoded(std::string_view character);

/// Of one character; where the face lacks it, room for what another face shows.
SerifGlyph serif_glyph(char32_t character, bool italic);

/// A text on one baseline: its advance and the box of its ink.
SerifGlyph serif_extent(std::string_view utf8, bool italic);

}  // namespace sfg
