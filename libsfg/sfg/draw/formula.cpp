#include "sfg/draw/formula.hpp"

#include <algorithm>
#include <utility>

#include "sfg/draw/letters.hpp"
#include "sfg/expr/names_in_use.hpp"
#include "sfg/expr/print_math.hpp"

namespace sfg {
namespace {

using Kind = Math::Kind;

// Of a line, whatever letters are in it: no row moves where t becomes q. In sizes.
constexpr double line_ascent = 0.69, line_descent = 0.22;

Formula glyphs(std::string text, double size, bool italic) {
  const SerifGlyph extent = serif_extent(text, italic);
  Formula made;
  made.width = extent.advance * size / 1000;
  made.ascent = std::max(line_ascent * size, -extent.top * size / 1000);
  made.descent = std::max(line_descent * size, extent.bottom * size / 1000);
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
  const double up = axis + gap + numerator.descent;
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

/// Parts side by side; a sign has white space around it where something precedes that it can act on.
class Row {
 public:
  explicit Row(double size) : size_(size) {}

  void sign(std::string text) {
    const double around = operand_ ? 0.22 * size_ : 0;
    line_.add(glyphs(std::move(text), size_, false), around);
    after_sign_ = operand_ ? around : 0.04 * size_;
    operand_ = false;
  }
  void operand(const Formula& next, double gap = 0) {
    line_.add(next, operand_ ? gap : after_sign_);
    after_sign_ = 0;
    operand_ = true;
  }
  Formula made() const { return line_.made(); }

 private:
  double size_;
  Line line_;
  bool operand_ = false;
  double after_sign_ = 0;
};

Formula bracketed(const Formula& inside, double size, const char* open = "(", const char* close = ")") {
  Line line;
  line.add(tall(open, inside, size), 0);
  line.add(inside, 0);
  line.add(tall(close, inside, size), 0);
  return line.made();
}

/// Rows of cells centred in their columns, about the axis of the line.
Formula grid(const std::vector<Formula>& cells, std::size_t columns, double size) {
  const double between_columns = 0.8 * size, between_rows = 0.3 * size;
  std::vector<double> widths(columns, 0);
  for (std::size_t i = 0; i < cells.size(); ++i) widths[i % columns] = std::max(widths[i % columns], cells[i].width);
  Formula made;
  double top = 0;
  for (std::size_t first = 0; first < cells.size(); first += columns) {
    const std::size_t end = std::min(first + columns, cells.size());
    double ascent = 0, descent = 0, left = 0;
    for (std::size_t i = first; i < end; ++i) {
      ascent = std::max(ascent, cells[i].ascent);
      descent = std::max(descent, cells[i].descent);
    }
    if (first > 0) top += between_rows;
    for (std::size_t i = first; i < end; ++i) {
      const Formula placed = cells[i].moved(left + (widths[i - first] - cells[i].width) / 2, top + ascent);
      made.rows.insert(made.rows.end(), placed.rows.begin(), placed.rows.end());
      made.rules.insert(made.rules.end(), placed.rules.begin(), placed.rules.end());
      left += widths[i - first] + between_columns;
    }
    made.width = std::max(made.width, left - between_columns);
    top += ascent + descent;
  }
  const double up = top / 2 + 0.26 * size;
  made = made.moved(0, -up);
  made.ascent = up;
  made.descent = top - up;
  return made;
}

class Setter {
 public:
  static Formula set(const Math& m, double size) {
    switch (m.kind) {
      case Kind::name: return name(NamesInUse::look(m.text).line, size);
      case Kind::constant: return glyphs("π", size, true);
      case Kind::number: return number(m.text, size);
      case Kind::word:
      case Kind::bold: return glyphs(m.text, size, false);
      case Kind::sum: return sum(m, size);
      case Kind::negative: return sum({.kind = Kind::sum, .text = {}, .parts = {m}}, size);
      case Kind::product: return product(m, size);
      case Kind::quotient: {
        const double part = size > 14 ? 0.94 * size : std::max(0.86 * size, smallest);
        return fraction(set(m.parts[0], part), set(m.parts[1], part), size);
      }
      case Kind::power: return power(m.parts[0], m.parts[1], size);
      case Kind::root: return root(set(m.parts[0], size), size);
      case Kind::call: return call(m, size);
      case Kind::relation: {
        Row row(size);
        row.operand(beside(m, m.parts[0], size));
        row.sign(m.text);
        row.operand(beside(m, m.parts[1], size));
        return row.made();
      }
      case Kind::matrix: return matrix(m, size);
      case Kind::element: {
        Line indices;
        for (std::size_t i = 1; i < m.parts.size(); ++i) {
          if (i > 1) indices.add(glyphs(", ", small(size), false), 0);
          indices.add(m.parts[i].kind == Kind::name ? name(flattened(NamesInUse::look(m.parts[i].text).line), small(size))
                                                    : set(m.parts[i], small(size)),
                      0);
        }
        return with_scripts(set(m.parts[0], size), &indices.made(), nullptr, size);
      }
    }
    return {};
  }

 private:
  static constexpr double smallest = 8;

  static bool is_loose(const Math& m) { return m.kind == Kind::sum || m.kind == Kind::negative || m.kind == Kind::relation; }
  static Formula factor(const Math& m, double size) { return is_loose(m) ? bracketed(set(m, size), size) : set(m, size); }

  static Formula beside(const Math& relation, const Math& m, double size) {
    return is_loose_beside(relation, m) ? bracketed(set(m, size), size) : set(m, size);
  }

  static Formula sum(const Math& m, double size) {
    Row row(size);
    bool first = !m.continued;
    for (const Math& term : m.parts) {
      if (term.is_negative() || !first) row.sign(term.is_negative() ? "−" : "+");
      row.operand(factor(term.is_negative() ? term.parts[0] : term, size));
      first = false;
    }
    return row.made();
  }

  static Formula product(const Math& m, double size) {
    Row row(size);
    for (const Math& part : m.parts) {
      const bool digits = part.kind == Kind::number || (part.kind == Kind::power && part.parts[0].kind == Kind::number);
      if (digits && &part != &m.parts.front()) row.operand(glyphs("·", size, false), 0.14 * size);
      row.operand(factor(part, size), 0.14 * size);
    }
    return row.made();
  }

  static Formula with_scripts(const Formula& base, const Formula* below, const Formula* above, double size) {
    Line line;
    line.add(base, 0);
    const double up = std::max(0.38 * size, base.ascent - 0.35 * size);
    const double gap = 0.03 * size;
    const bool both = below != nullptr && above != nullptr, wide_first = both && below->width > above->width;
    if (wide_first) line.add(raised(*above, up), gap);  // the wider one comes last, set back: the row is as wide as it is
    if (below != nullptr) line.add(raised(*below, -0.18 * size), wide_first ? -above->width : gap);
    if (above != nullptr && !wide_first) line.add(raised(*above, up), both ? -below->width : gap);
    return line.made();
  }
  static double small(double size) { return std::max(0.7 * size, smallest - 1); }

  static Formula name(const NameLine& line, double size) {
    Line made;
    for (const NamePiece& p : line) made.add(piece(p, size), 0);
    return made.made();
  }

  static Formula piece(const NamePiece& p, double size) {
    Formula base = p.text.empty() ? name(p.inside, size) : glyphs(p.text, size, p.face == NamePiece::Face::slanted);
    if (const NameAccent* accent = name_accent(p.accent)) base = under_accent(std::move(base), p, *accent, size);
    const bool primes = std::ranges::all_of(p.above, [](const NamePiece& each) { return each.text == "′"; });
    if (primes && !p.above.empty()) base = base.followed_by(name(p.above, size), 0.02 * size);  // they are raised as they are
    const bool raises = !primes && !p.above.empty();
    if (p.below.empty() && !raises) return base;
    const Formula below = name(p.below, small(size)), above = name(p.above, small(size));
    return with_scripts(base, p.below.empty() ? nullptr : &below, raises ? &above : nullptr, size);
  }

  /// The sign is a run of the same row, set back over the letter's ink: in a line of text, too, it goes where the letter goes.
  static Formula under_accent(Formula made, const NamePiece& p, const NameAccent& accent, double size) {
    if (!one_row(made) || made.rows.front().runs.empty()) return made;
    constexpr double small_letter = 460, apart = 90;  // thousandths of the size
    TextRow& row = made.rows.front();
    const SerifGlyph sign = serif_extent(accent.sign, false);
    const TextRun& last = row.runs.back();  // which may be an accent itself
    const bool slanted = last.italic;
    const SerifGlyph ink = serif_extent(p.text.empty() ? last.text : p.text, slanted);
    const double top = ink.top < 0 ? 1000 * last.raise / size - ink.top : small_letter;
    const double up = (top + apart + sign.bottom) * size / 1000;
    const double middle = !p.text.empty() && ink.right > ink.left ? (ink.left + ink.right) * size / 2000 : made.width / 2;
    const double lean = slanted ? 0.04 * size : 0;
    const double left = middle + lean - (sign.left + sign.right) * size / 2000;
    row.runs.push_back({std::string(accent.sign), size, false, up, left - row.width});
    row.width = left + sign.advance * size / 1000;
    row.x = row.width / 2;
    made.ascent = std::max(made.ascent, up - sign.top * size / 1000);
    return made;
  }

  static Formula number(const std::string& text, double size) {
    const std::size_t e = text.find('e');
    if (e == std::string::npos) return glyphs(text, size, false);
    const auto [negative, digits] = exponent_of(text);
    const Formula exponent = glyphs((negative ? "−" : "") + digits, small(size), false);
    const std::string mantissa = text.substr(0, e);
    return with_scripts(glyphs(mantissa == "1" ? "10" : mantissa + "·10", size, false), nullptr, &exponent, size);
  }

  static Formula power(const Math& base, const Math& exponent, double size) {
    const Formula above = set(exponent, small(size));
    const bool whole = exponent.kind == Kind::number && exponent.text.find_first_not_of("0123456789") == std::string::npos;
    if (base.kind == Kind::call && whole && base.text != "exp" && base.text != "abs") {
      Line line;
      line.add(with_scripts(glyphs(base.text, size, false), nullptr, &above, size), 0);
      line.add(bracketed(arguments(base, size), size), 0);
      return line.made();
    }
    const bool bare = (base.kind == Kind::name && !needs_brackets_for_power(NamesInUse::look(base.text).line)) ||
                      base.kind == Kind::constant || base.kind == Kind::word || base.kind == Kind::bold ||
                      (base.kind == Kind::number && base.text.find('e') == std::string::npos) ||
                      (base.kind == Kind::call && base.text != "exp");
    const Formula below = set(base, size);
    return with_scripts(bare ? below : bracketed(below, size), nullptr, &above, size);
  }

  static Formula arguments(const Math& m, double size) {
    Line line;
    for (const Math& part : m.parts) {
      if (&part != &m.parts.front()) line.add(glyphs(",", size, false), 0);
      line.add(set(part, size), &part == &m.parts.front() ? 0 : 0.14 * size);
    }
    return line.made();
  }

  static Formula call(const Math& m, double size) {
    if (m.text == "abs") return bracketed(arguments(m, size), size, "|", "|");
    if (m.text == "exp") {
      const Formula above = arguments(m, small(size));
      return with_scripts(glyphs("e", size, false), nullptr, &above, size);
    }
    Line line;
    line.add(glyphs(m.text, size, false), 0);
    line.add(bracketed(arguments(m, size), size), 0);
    return line.made();
  }

  static Formula matrix(const Math& m, double size) {
    std::vector<Formula> cells;
    for (const Math& entry : m.parts) cells.push_back(set(entry, size));
    return bracketed(grid(cells, std::max<std::size_t>(m.columns, 1), size), size);
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

Formula typeset(const Math& m, double size) { return Setter::set(m, size); }

std::vector<Formula> typeset_lines(const Math& m, double size, double width) {
  const std::size_t count = terms(m).size();
  if (count == 1) return {typeset(m, size)};
  std::vector<Formula> lines;
  for (std::size_t begin = 0; begin < count;) {
    Formula line = typeset(line_of_terms(m, begin, begin + 1), size);
    std::size_t end = begin + 1;
    for (; end < count; ++end) {
      Formula longer = typeset(line_of_terms(m, begin, end + 1), size);
      if (longer.width > width) break;
      line = std::move(longer);
    }
    lines.push_back(std::move(line));
    begin = end;
  }
  return lines;
}

Formula typeset_plain(std::string_view text, double size) { return glyphs(std::string(text), size, false); }

}  // namespace sfg
