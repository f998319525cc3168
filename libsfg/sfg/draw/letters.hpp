#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sfg/draw/formula.hpp"

// Not installed: the letters of pictures as outlines, the same on every machine.
namespace sfg {

/// Of a letter, in thousandths of its size about the origin on the baseline, y downwards.
struct LetterOutline {
  int character = 0;
  std::string_view path;  ///< SVG path data, relative
  int advance = 0;        ///< where Liberation Serif lacks it; else 0
};

/// In this face, else in the other one; null where there is none.
const LetterOutline* letter_outline(char32_t character, bool italic);

/// Letters of one size: path data in thousandths of it, about the beginning of a line.
struct OutlinedRun {
  double size = 0;
  std::string path;
};

/// A line of text, its runs one behind the other. Nothing where a letter has no outline.
std::vector<OutlinedRun> outlined(const std::vector<TextRun>&);
/// The characters of these runs that have none.
std::string without_outline(const std::vector<TextRun>&);

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
