#include "sfg/draw/letters.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "sfg/draw/serif.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {
namespace {

#include "sfg/draw/letter_outlines.inc"

const LetterOutline* outline_in(std::span<const LetterOutline> face, char32_t character) {
  const auto c = static_cast<int>(character);
  const auto at = std::ranges::lower_bound(face, c, {}, &LetterOutline::character);
  return at != face.end() && at->character == c ? &*at : nullptr;
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

}  // namespace sfg
