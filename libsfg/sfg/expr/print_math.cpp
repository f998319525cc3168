// The notations that people read: LaTeX, plain Unicode, and the markup of Graphviz' labels.
#include "sfg/expr/print_math.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "sfg/expr/latex_text.hpp"
#include "sfg/expr/names_in_use.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {

namespace {

using Kind = Math::Kind;

struct FunctionName {
  std::string_view name, latex;
};
constexpr std::array<FunctionName, 13> latex_functions{{{"sin", "\\sin"},
                                                        {"cos", "\\cos"},
                                                        {"tan", "\\tan"},
                                                        {"asin", "\\arcsin"},
                                                        {"acos", "\\arccos"},
                                                        {"atan", "\\arctan"},
                                                        {"sinh", "\\sinh"},
                                                        {"cosh", "\\cosh"},
                                                        {"tanh", "\\tanh"},
                                                        {"log", "\\ln"},
                                                        {"min", "\\min"},
                                                        {"max", "\\max"},
                                                        {"exp", "\\exp"}}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> latex_relations{
    {{"≤", "\\le"}, {"≥", "\\ge"}, {"≠", "\\ne"}, {"≈", "\\approx"}, {"→", "\\to"}, {parallel_sign, "\\parallel"}}};

class MathWriter {
 public:
  explicit MathWriter(Notation notation) : notation_(notation) {}

  std::string whole(const Math& m) const {
    switch (m.kind) {
      case Kind::name: return print_name(m.text, notation_);
      case Kind::constant: return latex() ? "\\pi" : "π";
      case Kind::number: return number(m.text);
      case Kind::word: return latex() ? upright(m.text) : markup() ? xml_text(m.text) : m.text;
      case Kind::bold: return latex() ? "\\mathbf{" + m.text + "}" : markup() ? "<B>" + xml_text(m.text) + "</B>" : m.text;
      case Kind::sum: return sum(m);
      case Kind::negative: return minus() + addend(m.parts[0]);
      case Kind::product: return product(m);
      case Kind::quotient: return quotient(m.parts[0], m.parts[1]);
      case Kind::power: return power(m.parts[0], m.parts[1]);
      case Kind::root: return root(m.parts[0]);
      case Kind::call: return call(m);
      case Kind::relation: return beside(m, m.parts[0]) + " " + relation(m.text) + " " + beside(m, m.parts[1]);
      case Kind::matrix: return matrix(m);
      case Kind::element: return element(m);
    }
    return {};
  }

 private:
  bool latex() const { return notation_ == Notation::latex; }
  bool markup() const { return notation_ == Notation::markup; }
  std::string minus() const { return latex() ? "-" : "−"; }
  std::string in_parentheses(const std::string& text) const { return latex() ? "\\left(" + text + "\\right)" : "(" + text + ")"; }
  static bool is_loose(const Math& m) { return m.kind == Kind::sum || m.kind == Kind::negative || m.kind == Kind::relation; }

  std::string superscript(const std::string& text) const {
    if (latex()) return "^{" + text + "}";
    if (markup()) return "<SUP>" + text + "</SUP>";
    static constexpr std::array<std::string_view, 10> raised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string result;
    for (const char c : text) {
      if (c < '0' || c > '9') return "^(" + text + ")";
      result += raised[static_cast<std::size_t>(c - '0')];
    }
    return result;
  }

  std::string beside(const Math& relation, const Math& m) const {
    return is_loose_beside(relation, m) ? in_parentheses(whole(m)) : whole(m);
  }

  std::string addend(const Math& m) const { return is_loose(m) ? in_parentheses(whole(m)) : whole(m); }

  std::string factor(const Math& m) const {
    const bool slash = m.kind == Kind::quotient && !latex();
    return is_loose(m) || slash ? in_parentheses(whole(m)) : whole(m);
  }

  std::string sum(const Math& m) const {
    std::string text;
    for (const Math& term : m.parts) {
      const bool negative = term.is_negative();
      if (text.empty() && !m.continued)
        text = negative ? minus() : "";
      else
        text += (text.empty() ? "" : " ") + (negative ? minus() : "+") + " ";
      text += addend(negative ? term.parts[0] : term);
    }
    return text;
  }

  std::string product(const Math& m) const {
    if (is_differential(m)) return (latex() ? "\\mathrm{d} " : m.parts[0].text) + whole(m.parts[1]);
    std::string text;
    for (const Math& part : m.parts) {
      const std::string next = factor(part);
      const bool starts_with_digit = !next.empty() && next.front() >= '0' && next.front() <= '9';
      if (!text.empty()) text += !latex() ? "·" : starts_with_digit ? " \\cdot " : " ";
      text += next;
    }
    return text;
  }

  std::string quotient(const Math& above, const Math& below) const {
    if (latex()) return "\\frac{" + whole(above) + "}{" + whole(below) + "}";
    return factor(above) + "/" +
           (below.kind == Kind::product && !is_differential(below) ? in_parentheses(whole(below)) : factor(below));
  }

  static std::string upright(const std::string& text) {
    return accented_in_latex(text).value_or("\\text{" + latex_text(text) + "}");
  }

  /// 1.5e-13 becomes 1.5·10^-13, 2j is imaginary.
  std::string number(const std::string& text) const {
    if (text.ends_with('j')) return number(text.substr(0, text.size() - 1)) + (latex() ? "\\,\\mathrm{j}" : "j");
    const std::size_t e = text.find('e');
    if (e == std::string::npos) return text;
    const auto [negative, exponent] = exponent_of(text);
    std::string ten = "10" + (notation_ != Notation::unicode ? superscript((negative ? minus() : "") + exponent)
                                                             : (negative ? "⁻" : "") + superscript(exponent));
    const std::string mantissa = text.substr(0, e);
    return mantissa == "1" ? ten : mantissa + (latex() ? " \\cdot " : "·") + ten;
  }

  static bool is_whole(const Math& m) {
    return m.kind == Kind::number && m.text.find_first_not_of("0123456789") == std::string::npos;
  }
  static bool is_single(const Math& m) {
    return m.kind == Kind::name || m.kind == Kind::constant || m.kind == Kind::word || m.kind == Kind::bold || is_whole(m) ||
           is_differential(m);
  }

  std::string power(const Math& base, const Math& exponent) const {
    const std::string e = whole(exponent);
    if (base.kind == Kind::call && latex() && is_whole(exponent) && base.text != "exp" && base.text != "abs")
      return function(base.text) + superscript(e) + in_parentheses(arguments(base));
    const bool is_raised = base.kind == Kind::call && base.text == "exp" && notation_ != Notation::unicode;
    const bool ends_raised = base.kind == Kind::name && needs_brackets_for_power(NamesInUse::look(base.text).line);
    const bool bare = (is_single(base) && !ends_raised) || (base.kind == Kind::call && !is_raised);
    return (bare ? whole(base) : in_parentheses(whole(base))) + superscript(e);
  }

  std::string root(const Math& inside) const {
    if (latex()) return "\\sqrt{" + whole(inside) + "}";
    return "√" + (is_single(inside) ? whole(inside) : in_parentheses(whole(inside)));
  }

  std::string list(std::span<const Math> parts) const {
    std::string text;
    for (const Math& part : parts) text += (text.empty() ? "" : ", ") + whole(part);
    return text;
  }
  std::string arguments(const Math& m) const { return list(m.parts); }

  /// In the notations that lower it a name is on one line.
  std::string index(const Math& m) const {
    if (m.kind != Kind::name || notation_ == Notation::unicode) return whole(m);
    return sfg::write(flattened(NamesInUse::look(m.text).line), notation_);
  }

  std::string element(const Math& m) const {
    std::string indices;
    for (const Math& part : std::span(m.parts).subspan(1)) indices += (indices.empty() ? "" : ", ") + index(part);
    const std::string of = whole(m.parts[0]);
    if (latex() && of.find("_{") != std::string::npos) return of + "\\left[" + indices + "\\right]";  // no second subscript
    return of + (latex() ? "_{" + indices + "}" : markup() ? "<SUB>" + indices + "</SUB>" : "[" + indices + "]");
  }

  std::string call(const Math& m) const {
    if (m.text == "abs") return latex() ? "\\left|" + arguments(m) + "\\right|" : "|" + arguments(m) + "|";
    if (m.text == "floor") return latex() ? "\\left\\lfloor " + arguments(m) + " \\right\\rfloor" : "⌊" + arguments(m) + "⌋";
    if (m.text == "exp" && latex()) return "\\mathrm{e}" + superscript(arguments(m));
    if (m.text == "exp" && markup()) return "e" + superscript(arguments(m));
    return function(m.text) + in_parentheses(arguments(m));
  }

  std::string function(const std::string& name) const {
    if (!latex() || name.size() == 1) return name;  // y(t)
    const auto known = std::ranges::find(latex_functions, name, &FunctionName::name);
    return known != latex_functions.end() ? std::string(known->latex) : "\\operatorname{" + name + "}";
  }

  std::string relation(const std::string& sign) const {
    if (markup()) return xml_text(sign);
    if (!latex()) return sign;
    const auto known = std::ranges::find(latex_relations, sign, &std::pair<std::string_view, std::string_view>::first);
    return known == latex_relations.end() ? sign : std::string(known->second);
  }

  std::string matrix(const Math& m) const {
    constexpr std::size_t most_columns = 10;  // of amsmath's matrices
    const bool wide = m.columns > most_columns;
    std::string text = !latex() ? "["
                       : wide   ? "\\left(\\begin{array}{*{" + std::to_string(m.columns) + "}{c}} "
                                : "\\begin{pmatrix} ";
    for (std::size_t i = 0; i < m.parts.size(); ++i) {
      const bool next_row = m.columns > 0 && i % m.columns == 0;
      if (i > 0) text += latex() ? (next_row ? " \\\\ " : " & ") : next_row ? "; " : ", ";
      text += whole(m.parts[i]);
    }
    return text + (!latex() ? "]" : wide ? " \\end{array}\\right)" : " \\end{pmatrix}");
  }

  Notation notation_;
};

}  // namespace

std::pair<bool, std::string> exponent_of(std::string_view number) {
  number.remove_prefix(number.find('e') + 1);
  const bool negative = number.starts_with('-');
  number.remove_prefix(std::min(number.find_first_of("123456789"), number.size() - 1));
  return {negative, std::string(number)};
}

bool is_mathematical(Notation notation) {
  return notation == Notation::latex || notation == Notation::unicode || notation == Notation::markup;
}

std::string mathematical_text(const Math& m, Notation notation) { return MathWriter(notation).whole(m); }

}  // namespace sfg
