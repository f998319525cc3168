// The notations that people read: LaTeX, plain Unicode, and the markup of Graphviz' labels.
#include "sfg/expr/print_math.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>

namespace sfg {

namespace {

using GiNaC::numeric;

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

class MathPrinter {
 public:
  explicit MathPrinter(Notation notation) : notation_(notation) {}

  std::string sum(const PrintSum& s) const {
    if (s.terms.empty()) return "0";
    std::string text;
    for (const PrintProduct& term : s.terms) {
      const bool negative = term.coefficient.is_negative();
      if (text.empty())
        text = negative ? minus() : "";
      else
        text += " " + (negative ? minus() : "+") + " ";
      text += magnitude(term);
    }
    return text;
  }

 private:
  bool latex() const { return notation_ == Notation::latex; }
  std::string minus() const { return latex() ? "-" : "−"; }
  std::string in_parentheses(const std::string& text) const { return latex() ? "\\left(" + text + "\\right)" : "(" + text + ")"; }

  std::string superscript(const std::string& text) const {
    if (latex()) return "^{" + text + "}";
    if (notation_ == Notation::markup) return "<SUP>" + text + "</SUP>";
    static constexpr std::array<std::string_view, 10> raised{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string result;
    for (const char c : text) {
      if (c < '0' || c > '9') return "^(" + text + ")";
      result += raised[static_cast<std::size_t>(c - '0')];
    }
    return result;
  }

  /// Factors side by side.
  struct Row {
    std::string text;
    std::size_t count = 0;
    const PrintFactor* only = nullptr;  ///< the factor, when there is just one
  };

  void append(Row& row, const std::string& factor, const PrintFactor* source) const {
    const bool starts_with_digit = !factor.empty() && factor.front() >= '0' && factor.front() <= '9';
    if (row.count > 0) row.text += !latex() ? "·" : starts_with_digit ? " \\cdot " : " ";
    row.text += factor;
    row.only = ++row.count == 1 ? source : nullptr;
  }

  /// The product without its sign.
  std::string magnitude(const PrintProduct& p) const {
    const numeric coefficient = abs(p.coefficient);
    Row top, bottom;
    if (!coefficient.is_rational() || number_text(coefficient).find('/') == std::string::npos) {
      if (coefficient != 1) append(top, number(coefficient), nullptr);
    } else {
      if (coefficient.numer() != 1) append(top, number(coefficient.numer()), nullptr);
      append(bottom, number(coefficient.denom()), nullptr);
    }
    for (const PrintFactor& factor : p.factors) {
      if (factor.is_denominator())
        append(bottom, power(factor, -factor.exponent), &factor);
      else
        append(top, power(factor, factor.exponent), &factor);
    }
    if (top.count == 0) top.text = "1";
    if (bottom.count == 0) return top.text;
    if (latex()) return "\\frac{" + bare(top, false) + "}{" + bare(bottom, true) + "}";
    return top.text + "/" + (bottom.count == 1 ? bottom.text : "(" + bottom.text + ")");
  }

  /// A lone sum needs no parentheses above or below a fraction line.
  std::string bare(const Row& row, bool is_bottom) const {
    if (row.only == nullptr || row.only->kind != PrintFactor::Kind::group || !row.only->symbolic_exponent.empty())
      return row.text;
    return row.only->exponent == (is_bottom ? -1 : 1) ? sum(row.only->parts[0]) : row.text;
  }

  /// 1.5e-13 becomes 1.5·10^-13.
  std::string number(const numeric& n) const {
    const std::string text = number_text(n);
    const std::size_t e = text.find('e');
    if (e == std::string::npos) return text;
    std::string exponent = text.substr(e + 1);
    const bool negative = exponent.front() == '-';
    if (negative || exponent.front() == '+') exponent.erase(0, 1);
    std::string ten = "10" + (notation_ != Notation::unicode ? superscript((negative ? minus() : "") + exponent)
                                                             : (negative ? "⁻" : "") + superscript(exponent));
    const std::string mantissa = text.substr(0, e);
    return mantissa == "1" ? ten : mantissa + (latex() ? " \\cdot " : "·") + ten;
  }

  std::string power(const PrintFactor& f, const numeric& exponent) const {
    static const numeric half(1, 2);
    const bool numeric_exponent = f.symbolic_exponent.empty();
    if (numeric_exponent && exponent == 1) return base(f);
    if (numeric_exponent && exponent == half) return root(f);
    const std::string e = numeric_exponent ? sum(PrintSum{{PrintProduct{exponent, {}}}}) : sum(f.symbolic_exponent[0]);
    if (f.kind == PrintFactor::Kind::call && latex() && numeric_exponent && exponent.is_integer())
      if (const auto name = function(f.name); name != "\\exp" && f.name != "abs")
        return name + superscript(e) + in_parentheses(arguments(f));
    const bool is_raised = f.kind == PrintFactor::Kind::call && f.name == "exp" && notation_ != Notation::unicode;
    return (is_raised ? in_parentheses(base(f)) : base(f)) + superscript(e);
  }

  std::string root(const PrintFactor& f) const {
    const std::string inside = f.kind == PrintFactor::Kind::group    ? sum(f.parts[0])
                               : f.kind == PrintFactor::Kind::number ? sum(PrintSum{{PrintProduct{f.number, {}}}})
                                                                     : base(f);
    if (latex()) return "\\sqrt{" + inside + "}";
    const bool simple = f.kind != PrintFactor::Kind::group && f.kind != PrintFactor::Kind::call &&
                        inside.find_first_of(" /") == std::string::npos && !inside.starts_with(minus());
    return "√" + (simple ? inside : "(" + inside + ")");
  }

  std::string base(const PrintFactor& f) const {
    switch (f.kind) {
      case PrintFactor::Kind::number: {
        const std::string text = sum(PrintSum{{PrintProduct{f.number, {}}}});
        return f.number.is_pos_integer() ? text : in_parentheses(text);
      }
      case PrintFactor::Kind::constant: return latex() ? "\\pi" : "π";
      case PrintFactor::Kind::symbol: return print_name(f.name, notation_);
      case PrintFactor::Kind::call: return call(f);
      case PrintFactor::Kind::group: return in_parentheses(sum(f.parts[0]));
    }
    return {};
  }

  std::string arguments(const PrintFactor& f) const {
    std::string text;
    for (const PrintSum& part : f.parts) text += (text.empty() ? "" : ", ") + sum(part);
    return text;
  }

  std::string call(const PrintFactor& f) const {
    if (f.name == "abs") return latex() ? "\\left|" + arguments(f) + "\\right|" : "|" + arguments(f) + "|";
    if (f.name == "exp" && latex()) return "\\mathrm{e}" + superscript(arguments(f));
    if (f.name == "exp" && notation_ == Notation::markup) return "e" + superscript(arguments(f));
    return function(f.name) + in_parentheses(arguments(f));
  }

  std::string function(const std::string& name) const {
    if (!latex()) return name;
    const auto known = std::ranges::find(latex_functions, name, &FunctionName::name);
    return known != latex_functions.end() ? std::string(known->latex) : "\\operatorname{" + name + "}";
  }

  Notation notation_;
};

}  // namespace

bool is_mathematical(Notation notation) {
  return notation == Notation::latex || notation == Notation::unicode || notation == Notation::markup;
}

std::string mathematical_text(const PrintSum& form, Notation notation) { return MathPrinter(notation).sum(form); }

}  // namespace sfg
