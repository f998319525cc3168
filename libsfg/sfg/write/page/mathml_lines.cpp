#include "sfg/write/page/mathml_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sfg/draw/formula.hpp"
#include "sfg/write/page/line_break.hpp"

namespace sfg {

using Kind = Math::Kind;

namespace {

constexpr double operator_width = 1.3;  ///< " + "
constexpr double bracket_width = 0.5;
constexpr double narrowest = 6;  ///< room below which breaking helps no more

std::string mathml_element(std::string_view tag, const std::string& inside) {
  return "<" + std::string(tag) + ">" + inside + "</" + std::string(tag) + ">";
}
/// A bracket whose other half may stand on another line.
std::string bracket(const char* sign) { return std::string("<mo stretchy=\"false\">") + sign + "</mo>"; }
std::string sign(const char* text, const char* form) { return std::string("<mo form=\"") + form + "\">" + text + "</mo>"; }

/// Lines that grow from left to right.
class MathmlLines {
 public:
  explicit MathmlLines(double room) : room_(room) {}

  /// What cannot be broken, after a sign that goes with it to the next line.
  void add(const std::string& piece, double width, const std::string& before = {}, double width_before = 0) {
    if (!lines_.empty() && used() + width_before + width > room_) next();
    if (lines_.empty()) next();
    lines_.back().elements += before + piece;
    lines_.back().width += width_before + width;
  }
  /// Lines of something that was broken, the first of them after `before`.
  void add(const std::vector<MathmlLine>& broken, const std::string& before = {}, double width_before = 0) {
    for (const MathmlLine& line : broken) {
      if (!fresh() || lines_.empty()) next();
      const bool first = &line == &broken.front();
      lines_.back().elements += (first ? before : std::string()) + line.elements;
      lines_.back().width = line.width + (first ? width_before : 0);
    }
    full_ = true;
  }
  void next() {
    lines_.emplace_back();
    full_ = false;
  }
  bool fresh() const { return lines_.empty() || lines_.back().elements.empty(); }
  std::vector<MathmlLine> take() && { return std::move(lines_); }

 private:
  double used() const { return full_ ? room_ : lines_.back().width; }

  double room_;
  bool full_ = false;  ///< nothing more goes on the last line: it ends something that was broken
  std::vector<MathmlLine> lines_;
};

/// A sum in brackets of one size, which may stand on different lines.
std::vector<MathmlLine> bracketed_mathml(const Math& sum, double room, const std::string& after = {}, double width_after = 0) {
  std::vector<MathmlLine> lines = mathml_lines(sum, room - 2 * bracket_width - width_after);
  lines.front().elements.insert(0, bracket("("));
  lines.back().elements += bracket(")") + after;
  lines.front().width += bracket_width;
  lines.back().width += bracket_width + width_after;
  return lines;
}

std::string in_brackets(const Math& m) { return mathml_element("mrow", "<mo>(</mo>" + mathml_elements(m) + "<mo>)</mo>"); }

std::vector<MathmlLine> mathml_sum(const Math& sum, double room, std::string_view main) {
  MathmlLines lines(room);
  const std::vector<Math> all = terms(sum);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool negative = all[i].is_negative(), signed_term = i > 0 || negative || sum.continued;
    const Math& term = negative ? all[i].parts[0] : all[i];
    const std::string before = signed_term ? sign(negative ? "−" : "+", i == 0 ? "prefix" : "infix") : "";
    const double width = mathml_width(term) + (is_loose(term) ? 2 * bracket_width : 0),
                 width_before = signed_term ? operator_width : 0;
    if (i > 0 && !main.empty() && !lines.fresh() && power_of(all[i], main) != power_of(all[i - 1], main)) lines.next();
    if (width + operator_width <= room)
      lines.add(is_loose(term) ? in_brackets(term) : mathml_elements(term), width, before, width_before);
    else
      lines.add(is_loose(term) ? bracketed_mathml(term, room - operator_width) : mathml_lines(term, room - operator_width),
                before, width_before);
  }
  return std::move(lines).take();
}

std::vector<MathmlLine> mathml_product(const Math& product, double room) {
  constexpr double gap = 0.2;
  const std::string space = "<mspace width=\"0.2em\"></mspace>";
  MathmlLines lines(room);
  for (std::size_t i = 0; i < product.parts.size(); ++i) {
    const Math& factor = product.parts[i];
    const double width = mathml_width(factor) + (is_loose(factor) ? 2 * bracket_width : 0);
    if (width <= room) {
      const bool is_number = factor.kind == Kind::number || (factor.kind == Kind::power && factor.parts[0].kind == Kind::number);
      lines.add(is_loose(factor) ? in_brackets(factor) : mathml_elements(factor), width,
                i == 0      ? ""
                : is_number ? "<mo>·</mo>"
                            : space,
                gap);
    } else if (is_loose(factor)) {
      const bool last = i + 1 == product.parts.size();
      const double next = last ? 0 : mathml_width(product.parts[i + 1]);
      const bool together = !last && !is_loose(product.parts[i + 1]) && next <= narrowest;  // (…) s³ on one line
      lines.add(bracketed_mathml(factor, room, together ? space + mathml_elements(product.parts[i + 1]) : std::string(),
                                 together ? next + gap : 0));
      if (together) ++i;
    } else {
      lines.add(mathml_lines(factor, room));
    }
  }
  return std::move(lines).take();
}

double widest(const std::vector<MathmlLine>& lines) {
  double width = 0;
  for (const MathmlLine& line : lines) width = std::max(width, line.width);
  return width;
}

/// Above or below a fraction line: its lines as rows.
MathmlLine mathml_stacked(const Math& part, double room) {
  std::vector<MathmlLine> lines = mathml_lines(part, room);
  if (lines.size() == 1) return std::move(lines.front());
  std::string rows;
  for (const MathmlLine& line : lines)
    rows += mathml_element("mtr", mathml_element("mtd", mathml_element("mrow", line.elements)));
  return {"<mtable class=\"lines\">" + rows + "</mtable>", widest(lines)};
}

std::vector<MathmlLine> relation_lines(const Math& relation, double room, std::string_view main) {
  std::vector<MathmlLine> lines = mathml_lines(relation.parts[0], room);
  const MathmlLine before = lines.back();
  const bool beside = before.width < room / 4;  // what is left of the sign stays there
  std::vector<MathmlLine> right = mathml_lines(relation.parts[1], room - operator_width - (beside ? before.width : 0), main);
  right.front().elements.insert(0, "<mo form=\"infix\">" + relation.text + "</mo>");
  right.front().width += operator_width;
  if (before.width + right.front().width <= room) {
    right.front().elements.insert(0, before.elements);
    right.front().width += before.width;
    lines.pop_back();
  }
  lines.insert(lines.end(), std::make_move_iterator(right.begin()), std::make_move_iterator(right.end()));
  return lines;
}

}  // namespace

double mathml_width(const Math& formula) {
  constexpr double size = 10, wider_than_times = 1.3;  // the mathematical fonts, and the room between signs
  return wider_than_times * typeset(formula, size).width / size;
}

std::string mathml_elements(const Math& formula) {
  const std::string whole = mathml(formula);
  const std::size_t begin = whole.find('>') + 1, end = whole.rfind("</math>");
  return whole.substr(begin, end - begin);
}

std::string mathml_line(const MathmlLine& line, double room, std::string_view style) {
  std::string head = "<math";
  if (!style.empty()) head += " class=\"" + std::string(style) + '"';
  if (line.width > room) head += fmt::format(" style=\"--fit:{:.2f}\"", room / line.width);
  return head + '>' + line.elements + "</math>";
}

std::string mathml_within(const Math& formula, double room) {
  std::string all;
  for (const MathmlLine& line : mathml_lines(formula, room)) all += (all.empty() ? "" : " ") + mathml_line(line, room);
  return all;
}

std::vector<MathmlLine> mathml_lines(const Math& formula, double room, std::string_view main) {
  const double width = mathml_width(formula);
  if (room < narrowest || width <= room) return {{mathml_elements(formula), width}};
  switch (formula.kind) {
    case Kind::sum: return mathml_sum(formula, room, main);
    case Kind::product: return mathml_product(formula, room);
    case Kind::quotient: {
      const MathmlLine above = mathml_stacked(formula.parts[0], room), below = mathml_stacked(formula.parts[1], room);
      return {{mathml_element("mfrac", mathml_element("mrow", above.elements) + mathml_element("mrow", below.elements)),
               std::max(above.width, below.width)}};
    }
    case Kind::power:
      if (formula.parts[0].kind == Kind::sum)
        return bracketed_mathml(formula.parts[0], room,
                                mathml_element("msup", mathml_element("mrow", "") + mathml_elements(formula.parts[1])),
                                mathml_width(formula.parts[1]));
      break;
    case Kind::negative: {
      const Math& inside = formula.parts[0];
      std::vector<MathmlLine> lines =
          is_loose(inside) ? bracketed_mathml(inside, room - operator_width) : mathml_lines(inside, room - operator_width);
      lines.front().elements.insert(0, sign("−", "prefix"));
      lines.front().width += operator_width;
      return lines;
    }
    case Kind::relation: return relation_lines(formula, room, main);
    default: break;
  }
  return {{mathml_elements(formula), width}};
}

}  // namespace sfg
