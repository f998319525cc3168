#include "sfg/draw/letters.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "sfg/text/utf8.hpp"

namespace sfg {
namespace {

#include "sfg/draw/letter_outlines.inc"

const LetterOutline* outline_in(std::span<const LetterOutline> face, char32_t character) {
  const auto c = static_cast<int>(character);
  const auto at = std::ranges::lower_bound(face, c, {}, &LetterOutline::character);
  return at != face.end() && at->character == c ? &*at : nullptr;
}

#include "sfg/draw/serif_table.inc"

const SerifGlyph* find(std::span<const SerifGlyph> face, int character) {
  const auto at = std::ranges::lower_bound(face, character, {}, &SerifGlyph::character);
  return at != face.end() && at->character == character ? &*at : nullptr;
}

bool in(int c, int first, int last) { return first <= c && c <= last; }
bool combines(int c) {
  return in(c, 0x300, 0x36F) || in(c, 0x483, 0x489) || in(c, 0x591, 0x5BD) || in(c, 0x200B, 0x200F) || in(c, 0x20D0, 0x20F0) ||
         in(c, 0xFE00, 0xFE0F);
}
bool is_wide(int c) {
  return in(c, 0x1100, 0x115F) || in(c, 0x2E80, 0xA4CF) || in(c, 0xAC00, 0xD7A3) || in(c, 0xF900, 0xFAFF) ||
         in(c, 0xFE30, 0xFE4F) || in(c, 0xFF00, 0xFF60) || in(c, 0x1F300, 0x1FAFF) || in(c, 0x20000, 0x3FFFD);
}

}  // namespace

const LetterOutline* letter_outline(char32_t character, bool italic) {
  const std::span<const LetterOutline> upright(upright_outlines), slanted(slanted_outlines);
  const LetterOutline* found = outline_in(italic ? slanted : upright, character);
  return found != nullptr ? found : outline_in(italic ? upright : slanted, character);
}

std::vector<OutlinedRun> outlined(const std::vector<TextRun>& runs) {
  std::vector<OutlinedRun> made;
  double at = 0;  // pixels
  for (const TextRun& run : runs) {
    auto same = std::ranges::find(made, run.size, &OutlinedRun::size);
    if (same == made.end()) same = made.insert(made.end(), {run.size, ""});
    const double unit = run.size / 1000;
    at += run.before;
    for (std::size_t i = 0; i < run.text.size();) {
      const std::size_t bytes = character_bytes(run.text, i);
      const char32_t character = decoded(std::string_view(run.text).substr(i, bytes));
      const LetterOutline* letter = letter_outline(character, run.italic);
      i += bytes;
      if (letter == nullptr) return {};
      if (!letter->path.empty())
        same->path += 'M' + std::to_string(std::lround(at / unit)) + ' ' + std::to_string(std::lround(-run.raise / unit)) +
                      std::string(letter->path);
      at += unit * serif_glyph(character, run.italic).advance;
    }
  }
  std::erase_if(made, [](const OutlinedRun& run) { return run.path.empty(); });
  return made;
}

std::string without_outline(const std::vector<TextRun>& runs) {
  std::string found;
  for (const TextRun& run : runs)
    for (std::size_t i = 0; i < run.text.size(); i += character_bytes(run.text, i)) {
      const std::string character = run.text.substr(i, character_bytes(run.text, i));
      if (letter_outline(decoded(character), run.italic) == nullptr && found.find(character) == std::string::npos)
        found += character;
    }
  return found;
}

char32_t decoded(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  char32_t code = character.size() == 1 ? first : first & (0x7FU >> character.size());
  for (const char c : character.substr(1)) code = code << 6U | (static_cast<unsigned char>(c) & 0x3FU);
  return code;
}

SerifGlyph serif_glyph(char32_t character, bool italic) {
  const auto c = static_cast<int>(character);
  const SerifGlyph* found = find(italic ? std::span<const SerifGlyph>(slanted) : upright, c);
  if (found == nullptr) found = find(italic ? std::span<const SerifGlyph>(upright) : slanted, c);
  if (found != nullptr) return *found;
  if (const LetterOutline* other = letter_outline(character, italic); other != nullptr && other->advance > 0)
    return {c, other->advance, 20, -700, other->advance - 20, 210};
  if (combines(c)) return {c, 0, 0, 0, 0, 0};
  return is_wide(c) ? SerifGlyph{c, 1000, 50, -800, 950, 120} : SerifGlyph{c, 600, 20, -700, 580, 210};
}

/// A picture does not change where one digit takes the place of another: all are as large as the largest.
constexpr SerifGlyph any_digit{'0', 500, 20, -665, 484, 10};

SerifGlyph serif_extent(std::string_view text, bool italic) {
  SerifGlyph made;
  bool blank = true;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t bytes = character_bytes(text, i);
    const SerifGlyph g =
        bytes == 1 && text[i] >= '0' && text[i] <= '9' ? any_digit : serif_glyph(decoded(text.substr(i, bytes)), italic);
    i += bytes;
    if (g.right > g.left) {
      const int left = made.advance + g.left, right = made.advance + g.right;
      made.left = blank ? left : std::min(made.left, left);
      made.right = blank ? right : std::max(made.right, right);
      made.top = blank ? g.top : std::min(made.top, g.top);
      made.bottom = blank ? g.bottom : std::max(made.bottom, g.bottom);
      blank = false;
    }
    made.advance += g.advance;
  }
  return made;
}

}  // namespace sfg
