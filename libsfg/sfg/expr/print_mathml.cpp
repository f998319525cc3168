// Presentation MathML in the elements that browsers have in common (MathML Core).
#include <algorithm>

#include "sfg/expr/math_tree.hpp"
#include "sfg/expr/name.hpp"
#include "sfg/expr/names_in_use.hpp"
#include "sfg/expr/print_math.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/text/scan.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

using Kind = Math::Kind;

constexpr std::string_view invisible_times = "\u2062", function_application = "\u2061";

std::string element(std::string_view tag, const std::string& inside) {
  return "<" + std::string(tag) + ">" + inside + "</" + std::string(tag) + ">";
}
std::string sign(std::string_view text) { return element("mo", xml_text(text)); }
std::string row(const std::string& inside) { return element("mrow", inside); }
std::string in_parentheses(const std::string& inside) { return row(sign("(") + inside + sign(")")); }

bool is_loose(const Math& m) { return m.kind == Kind::sum || m.kind == Kind::negative || m.kind == Kind::relation; }
bool is_number(const Math& m) { return m.kind == Kind::number; }

std::string whole(const Math& m);

std::string addend(const Math& m) { return is_loose(m) ? in_parentheses(whole(m)) : whole(m); }

std::string beside(const Math& relation, const Math& m) {
  return is_loose_beside(relation, m) ? in_parentheses(whole(m)) : whole(m);
}

std::string sum(const Math& m) {
  std::string text;
  for (const Math& term : m.parts) {
    const bool negative = term.is_negative();
    if (negative || !text.empty() || m.continued) text += sign(negative ? "−" : "+");
    text += addend(negative ? term.parts[0] : term);
  }
  return row(text);
}

/// Whether several letters stand for one thing: what stands beside them needs room.
bool is_long_name(const Math& m) {
  if (m.kind == Kind::power) return is_long_name(m.parts[0]);
  const NameLine line = m.kind == Kind::name ? NamesInUse::look(m.text).line : NameLine();
  return !line.empty() && (line.size() > 1 || line.front().face == NamePiece::Face::upright);
}

std::string product(const Math& m) {
  if (is_differential(m)) return row("<mi mathvariant=\"normal\">d</mi>" + whole(m.parts[1]));
  const std::string spaced = "<mo rspace=\".17em\">" + std::string(invisible_times) + "</mo>";
  std::string text;
  for (const Math& part : m.parts) {
    const bool begins_with_number = is_number(part) || (part.kind == Kind::power && is_number(part.parts[0]));
    if (!text.empty()) {
      const bool apart = is_long_name(part) || is_long_name((&part)[-1]);
      text += begins_with_number ? sign("·") : apart ? spaced : sign(invisible_times);
    }
    text += addend(part);
  }
  return row(text);
}

std::string name(const NameLine& line);

std::string bare(const NamePiece& piece) {
  if (piece.text.empty()) return name(piece.inside);
  const std::string text = xml_text(piece.text);
  if (std::ranges::all_of(piece.text, is_ascii_digit)) return element("mn", text);
  if (piece.text == ",") return sign(",");
  if (piece.face == NamePiece::Face::bold) return "<mi mathvariant=\"normal\" style=\"font-weight:bold\">" + text + "</mi>";
  const bool alone = character_count(piece.text) == 1, upright = piece.face == NamePiece::Face::upright;
  if (upright && !alone && !is_name("n" + piece.text)) return element("mtext", text);
  if (alone && upright) return "<mi mathvariant=\"normal\">" + text + "</mi>";
  return alone || upright ? element("mi", text) : "<mi style=\"font-style:italic\">" + text + "</mi>";
}

/// Index and power of one letter stand above each other.
std::string with_scripts(const std::string& base, const std::string& below, const std::string& above) {
  if (below.empty() && above.empty()) return base;
  return below.empty()   ? element("msup", base + above)
         : above.empty() ? element("msub", base + below)
                         : element("msubsup", base + below + above);
}

std::string piece(const NamePiece& p, const std::string& power) {
  std::string base = bare(p);
  if (const NameAccent* accent = name_accent(p.accent))
    base = "<mover accent=\"true\">" + base + "<mo stretchy=\"false\">" + std::string(accent->sign) + "</mo></mover>";
  return with_scripts(base, p.below.empty() ? "" : name(p.below), p.above.empty() ? power : name(p.above));
}

std::string name(const NameLine& line) {
  std::string all;
  for (const NamePiece& p : line) all += piece(p, "");
  return line.size() == 1 ? all : row(all);
}

std::string number(const std::string& text) {
  if (text.ends_with('j')) return row(number(text.substr(0, text.size() - 1)) + element("mi", "j"));
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return element("mn", text);
  const auto [negative, exponent] = exponent_of(text);
  const std::string digits = element("mn", exponent);
  const std::string ten = element("msup", element("mn", "10") + (negative ? row(sign("−") + digits) : digits));
  return text.substr(0, e) == "1" ? ten : row(element("mn", text.substr(0, e)) + sign("·") + ten);
}

std::string power(const Math& base, const Math& exponent) {
  const NameLine line = base.kind == Kind::name ? NamesInUse::look(base.text).line : NameLine();
  if (!line.empty() && !needs_brackets_for_power(line)) return piece(line.front(), whole(exponent));
  const bool bare = base.kind == Kind::constant || base.kind == Kind::word || base.kind == Kind::bold || is_differential(base) ||
                    (is_number(base) && base.text.find('e') == std::string::npos) ||
                    (base.kind == Kind::call && base.text != "exp");
  return element("msup", (bare ? whole(base) : in_parentheses(whole(base))) + whole(exponent));
}

std::string call(const Math& m) {
  std::string arguments;
  for (const Math& part : m.parts) arguments += (arguments.empty() ? "" : sign(",")) + whole(part);
  if (m.text == "abs") return row(sign("|") + arguments + sign("|"));
  if (m.text == "exp") return element("msup", element("mi", "e") + row(arguments));
  return row(element("mi", xml_text(m.text)) + sign(function_application) + in_parentheses(arguments));
}

std::string indexed(const Math& m) {
  std::string indices;
  for (std::size_t i = 1; i < m.parts.size(); ++i)
    indices += (i == 1 ? "" : sign(",")) +
               (m.parts[i].kind == Kind::name ? name(flattened(NamesInUse::look(m.parts[i].text).line)) : whole(m.parts[i]));
  return element("msub", whole(m.parts[0]) + row(indices));
}

std::string matrix(const Math& m) {
  const std::size_t columns = std::max<std::size_t>(m.columns, 1);
  std::string rows;
  for (std::size_t i = 0; i < m.parts.size(); i += columns) {
    std::string cells;
    for (std::size_t k = i; k < std::min(i + columns, m.parts.size()); ++k) cells += element("mtd", whole(m.parts[k]));
    rows += element("mtr", cells);
  }
  return in_parentheses(element("mtable", rows));
}

std::string whole(const Math& m) {
  switch (m.kind) {
    case Kind::name: return name(NamesInUse::look(m.text).line);
    case Kind::constant: return element("mi", "π");
    case Kind::number: return number(m.text);
    case Kind::word: return element("mtext", xml_text(m.text));
    case Kind::bold: return "<mi mathvariant=\"normal\" style=\"font-weight:bold\">" + xml_text(m.text) + "</mi>";
    case Kind::sum: return sum(m);
    case Kind::negative: return row(sign("−") + addend(m.parts[0]));
    case Kind::product: return product(m);
    case Kind::quotient: return element("mfrac", whole(m.parts[0]) + whole(m.parts[1]));
    case Kind::power: return power(m.parts[0], m.parts[1]);
    case Kind::root: return element("msqrt", whole(m.parts[0]));
    case Kind::call: return call(m);
    case Kind::relation: return row(beside(m, m.parts[0]) + sign(m.text) + beside(m, m.parts[1]));
    case Kind::matrix: return matrix(m);
    case Kind::element: return indexed(m);
  }
  return {};
}

}  // namespace

std::string mathml(const Math& m, bool display) {
  return std::string("<math xmlns=\"http://www.w3.org/1998/Math/MathML\"") + (display ? " display=\"block\"" : "") + ">" +
         whole(m) + "</math>";
}

}  // namespace sfg
