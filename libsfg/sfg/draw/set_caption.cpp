#include "sfg/draw/set_caption.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "sfg/expr/latex_text.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

/// Nothing where it is none or needs more than a line.
std::optional<Formula> formula_of(const Caption::Part& part, double size) {
  if (!part.formula) return {};
  Formula made = typeset(part.math, size);
  return made.rows.size() == 1 && made.rules.empty() ? std::optional(std::move(made)) : std::nullopt;
}

/// Characters [begin, end) of a caption; a formula that is cut is words.
Caption slice(const Caption& caption, std::size_t begin, std::size_t end) {
  Caption made;
  std::size_t at = 0;
  for (const Caption::Part& part : caption.parts()) {
    const std::size_t size = character_count(part.text), from = std::max(begin, at), to = std::min(end, at + size);
    if (from < to) {
      std::string text;
      std::size_t k = at;
      for (std::size_t i = 0; i < part.text.size(); i += character_bytes(part.text, i), ++k)
        if (k >= from && k < to) text += part.text.substr(i, character_bytes(part.text, i));
      made += part.formula && to - from == size ? Caption::formula(part.math, text) : Caption(text);
    }
    at += size;
  }
  return made;
}

std::size_t caption_length(const Caption& caption) { return character_count(caption.plain()); }

/// Words with the space that follows them, and formulas.
std::vector<Caption> pieces_of(const Caption& caption) {
  std::vector<Caption> pieces;
  for (const Caption::Part& part : caption.parts()) {
    if (part.formula) {
      pieces.push_back(Caption::formula(part.math, part.text));
      continue;
    }
    for (std::size_t begin = 0; begin < part.text.size();) {
      const std::size_t space = part.text.find(' ', begin), end = space == std::string::npos ? part.text.size() : space + 1;
      pieces.emplace_back(part.text.substr(begin, end - begin));
      begin = end;
    }
  }
  return pieces;
}

}  // namespace

TextRow set(const Caption& caption, double size) {
  Formula made;
  for (const Caption::Part& part : caption.parts())
    made = made.followed_by(formula_of(part, size).value_or(typeset_plain(part.text, size)), 0);
  if (made.rows.empty()) return {};
  TextRow row = std::move(made.rows.front());
  row.width = made.width;
  return row;
}

std::string latex(const Caption& caption) {
  std::string text;
  for (const Caption::Part& part : caption.parts())
    text += formula_of(part, 10) ? "$" + write(part.math, Notation::latex) + "$" : latex_text(part.text);
  return text;
}

double width_of(const Caption& caption, double size) { return set(caption, size).width; }

Caption shortened(const Caption& caption, double size, double width) {
  if (width_of(caption, size) <= width) return caption;
  const std::size_t length = caption_length(caption);
  Caption best("…");
  std::size_t low = 0, high = length;  // characters kept
  while (high - low > 1) {
    const std::size_t kept = (low + high) / 2;
    Caption tried = slice(caption, 0, kept - kept / 2) + "…" + slice(caption, length - kept / 2, length);
    if (width_of(tried, size) <= width) {
      best = std::move(tried);
      low = kept;
    } else {
      high = kept;
    }
  }
  return best;
}

std::vector<Caption> wrapped(const Caption& caption, double size, double width, std::size_t most_lines) {
  std::vector<Caption> lines;
  const std::vector<Caption> pieces = pieces_of(caption);
  Caption line;
  for (const Caption& piece : pieces) {
    const bool last = lines.size() + 1 >= most_lines;
    if (!line.empty() && !last && width_of(line + piece, size) > width) {
      lines.push_back(shortened(line, size, width));
      line.clear();
    }
    line += piece;
  }
  if (!line.empty()) lines.push_back(shortened(line, size, width));
  return lines;
}

}  // namespace sfg
