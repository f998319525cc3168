// Formulas are set from the LaTeX that expr/print writes, so that there is one order of terms and one spelling of names
// in the whole toolkit.
#include "sfg/draw/formula.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "sfg/draw/math_tree.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {
namespace {

// Advance widths of a Times face in thousandths of the size: U+0020 to U+007E.
constexpr std::array<std::uint16_t, 95> upright_widths{
    250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500, 500, 500, 500, 500, 500,
    500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722, 611, 889, 722, 722,
    556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469, 500, 333, 444, 500, 444, 500, 444, 333, 500,
    500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541};
constexpr std::array<std::uint16_t, 95> italic_widths{
    250, 333, 420, 500, 500, 833, 778, 214, 333, 333, 500, 675, 250, 333, 250, 278, 500, 500, 500, 500, 500, 500, 500, 500,
    500, 500, 333, 333, 675, 675, 675, 500, 920, 611, 611, 667, 722, 611, 611, 722, 722, 333, 444, 667, 556, 833, 667, 722,
    611, 722, 611, 500, 556, 722, 611, 833, 611, 556, 556, 389, 278, 389, 422, 500, 333, 500, 500, 444, 500, 444, 278, 500,
    500, 278, 278, 444, 278, 722, 500, 500, 500, 500, 389, 389, 278, 500, 444, 667, 444, 444, 389, 400, 275, 400, 541};

// The faces that stand in where no Times is installed (DejaVu Serif Condensed) are wider by this; texts are centred in the
// room they are given, so that a narrower face does no harm.
constexpr double widest_face = 1.16;

double text_width(std::string_view text, double size, bool italic) {
  double width = 0;
  for (std::size_t i = 0; i < text.size(); i += character_bytes(text, i)) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c < 0x7F) {
      width += italic ? italic_widths[c - 0x20] : upright_widths[c - 0x20];
    } else {
      width += c == 0xC2 ? 300 : c < 0xE0 ? 520 : 640;  // "·", Greek and accented letters, signs
    }
  }
  return width * widest_face * size / 1000;
}

Formula glyphs(std::string text, double size, bool italic) {
  Formula made;
  made.width = text_width(text, size, italic);
  made.ascent = 0.68 * size;
  const bool deep = text.find_first_of(italic ? "fgjpqy()[]|," : "gjpqy()[]|,") != std::string::npos;
  made.descent = (deep ? 0.21 : 0.02) * size;
  made.rows.push_back({made.width / 2, 0, made.width, {{std::move(text), size, italic, 0, 0}}});
  return made;
}

bool one_row(const Formula& f) { return f.rows.size() == 1 && f.rules.empty() && f.rows.front().y == 0; }

/// The formula with its text raised by `up` pixels; a single row stays one, its runs are raised.
Formula raised(Formula f, double up) {
  if (one_row(f)) {
    for (TextRun& run : f.rows.front().runs) run.raise += up;
  } else {
    f = f.moved(0, -up);
  }
  f.ascent += up;
  f.descent -= up;
  return f;
}

/// A line of formulas under construction: neighbours that are plain text are joined into one row.
class Line {
 public:
  void add(const Formula& next, double gap) {
    if (made_.rows.empty() && made_.rules.empty()) gap = 0;
    const double at = made_.width + gap;
    if (open_ && one_row(next)) {
      TextRow& row = made_.rows.back();
      const double left = row.x - row.width / 2;
      row.runs.insert(row.runs.end(), next.rows.front().runs.begin(), next.rows.front().runs.end());
      row.runs[row.runs.size() - next.rows.front().runs.size()].before += at - (left + row.width);
      row.width = at + next.width - left;
      row.x = left + row.width / 2;
    } else {
      const Formula placed = next.moved(at, 0);
      made_.rows.insert(made_.rows.end(), placed.rows.begin(), placed.rows.end());
      made_.rules.insert(made_.rules.end(), placed.rules.begin(), placed.rules.end());
      open_ = one_row(next);
    }
    made_.width = at + next.width;
    made_.ascent = std::max(made_.ascent, next.ascent);
    made_.descent = std::max(made_.descent, next.descent);
  }
  const Formula& made() const { return made_; }

 private:
  Formula made_;
  bool open_ = false;
};

Formula fraction(const Formula& numerator, const Formula& denominator, double size) {
  const double axis = 0.26 * size, gap = 0.16 * size;
  Formula made;
  made.width = std::max(numerator.width, denominator.width) + 0.3 * size;
  const double up = axis + gap + std::max(numerator.descent, 0.05 * size);
  const double down = gap - axis + denominator.ascent;
  for (const auto& [part, y] : {std::pair{&numerator, -up}, std::pair{&denominator, down}}) {
    const Formula placed = part->moved((made.width - part->width) / 2, y);
    made.rows.insert(made.rows.end(), placed.rows.begin(), placed.rows.end());
    made.rules.insert(made.rules.end(), placed.rules.begin(), placed.rules.end());
  }
  made.rules.push_back({0.06 * size, made.width - 0.06 * size, -axis, 0.055 * size});
  made.ascent = up + numerator.ascent;
  made.descent = down + denominator.descent;
  return made;
}

/// A sign as high as what it encloses.
Formula tall(std::string sign, const Formula& inside, double size) {
  const double height = std::max(inside.height(), 0.9 * size);
  const double grown = height < 1.3 * size ? size : 1.08 * height;
  Formula made = glyphs(std::move(sign), grown, false);
  if (grown == size) return made;
  const double middle = (inside.ascent - inside.descent) / 2 - 0.24 * grown;
  made = made.moved(0, -middle);
  made.ascent = inside.ascent;
  made.descent = inside.descent;
  return made;
}

Formula root(const Formula& inside, double size) {
  Line line;
  line.add(tall("√", inside, size), 0);
  const double left = line.made().width;
  line.add(inside, 0);
  Formula made = line.made();
  made.ascent = inside.ascent + 0.15 * size;
  made.rules.push_back({left - 0.04 * size, made.width, -made.ascent, 0.05 * size});
  return made;
}

class Setter {
 public:
  static Formula set(const MathNode& node, double size) {
    switch (node.kind) {
      case MathNode::Kind::list: return list(node, size);
      case MathNode::Kind::letter: return glyphs(node.text, size, true);
      case MathNode::Kind::upright:
      case MathNode::Kind::sign: return glyphs(node.text, size, false);
      case MathNode::Kind::fraction: {
        const double part = size > 14 ? 0.94 * size : std::max(0.86 * size, smallest);
        return fraction(set(node.parts[0], part), set(node.parts[1], part), size);
      }
      case MathNode::Kind::root: return root(set(node.parts[0], size), size);
      case MathNode::Kind::bracket: return bracket(node, size);
      case MathNode::Kind::script: return script(node, size);
    }
    return {};
  }

 private:
  static constexpr double smallest = 8;

  static Formula list(const MathNode& node, double size) {
    Line line;
    bool operand = false;  // what precedes can stand on the left of a sign
    double after_sign = 0;
    for (const MathNode& part : node.parts) {
      const double around = operand ? 0.22 * size : 0;
      if (part.kind == MathNode::Kind::sign) {
        line.add(set(part, size), around);
        after_sign = operand ? around : 0.04 * size;
        operand = false;
        continue;
      }
      line.add(set(part, size), !operand ? after_sign : part.spaced ? 0.14 * size : 0);
      after_sign = 0;
      operand = true;
    }
    return line.made();
  }

  static Formula bracket(const MathNode& node, double size) {
    const Formula inside = node.parts.empty() ? Formula{} : set(node.parts[0], size);
    Line line;
    if (!node.text.empty()) line.add(tall(node.text, inside, size), 0);
    line.add(inside, 0);
    if (!node.closing.empty()) line.add(tall(node.closing, inside, size), 0);
    return line.made();
  }

  static Formula script(const MathNode& node, double size) {
    Line line;
    line.add(set(node.parts[0], size), 0);
    const double small = std::max(0.7 * size, smallest - 1);
    const double up = std::max(0.38 * size, line.made().ascent - 0.35 * size);
    if (!node.parts[1].empty()) line.add(raised(set(node.parts[1], small), -0.18 * size), 0.03 * size);
    if (!node.parts[2].empty()) line.add(raised(set(node.parts[2], small), up), 0.03 * size);
    return line.made();
  }
};

}  // namespace

Formula Formula::moved(double x, double y) const {
  Formula made = *this;
  for (TextRow& row : made.rows) {
    row.x += x;
    row.y += y;
  }
  for (TextRule& rule : made.rules) {
    rule.x1 += x;
    rule.x2 += x;
    rule.y += y;
  }
  return made;
}

Formula Formula::followed_by(const Formula& next, double gap) const {
  Line line;
  line.add(*this, 0);
  line.add(next, gap);
  return line.made();
}

Formula typeset(std::string_view latex, double size) { return Setter::set(math_tree(latex), size); }

std::vector<Formula> typeset_lines(std::string_view latex, double size, double width) {
  std::vector<Formula> lines;
  std::string line;
  for (const std::string& part : summands(latex)) {
    if (!line.empty() && typeset(line + part, size).width > width) {
      lines.push_back(typeset(line, size));
      line.clear();
    }
    line += part;
  }
  lines.push_back(typeset(line, size));
  return lines;
}

Formula typeset_plain(std::string_view text, double size) { return glyphs(std::string(text), size, false); }

}  // namespace sfg
