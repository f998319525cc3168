// Where LaTeX breaks a formula: it does so by itself neither between \left and \right nor in a display.
#include <algorithm>

#include "sfg/draw/formula.hpp"
#include "sfg/write/page/line_break.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

using Kind = Math::Kind;

namespace {

constexpr double latex_operator = 13;  ///< " + " at ten points
constexpr double latex_bracket = 5;
constexpr double latex_narrowest = 40;  ///< room below which breaking helps no more

std::string in_latex(const Math& formula) { return write(formula, Notation::latex); }

/// Lines that grow from left to right.
class LatexLines {
 public:
  explicit LatexLines(double room) : room_(room) {}

  /// What cannot be broken, after white space or a sign that goes with it to the next line.
  void add(const std::string& piece, double width, const std::string& before = {}, double width_before = 0) {
    if (!lines_.empty() && used_ + width_before + width > room_) next();
    if (lines_.empty()) lines_.emplace_back();
    lines_.back() += (lines_.back().empty() && before == " " ? "" : before) + piece;
    used_ += width_before + width;
  }
  /// Lines of something that was broken, the first of them after `before`.
  void add(const std::vector<std::string>& broken, const std::string& before = {}) {
    if (!lines_.empty() && used_ > 0) next();
    for (const std::string& line : broken) {
      if (lines_.empty() || used_ > 0) next();
      lines_.back() += (&line == &broken.front() ? before : std::string()) + line;
      used_ = room_;  // nothing more on it: its width is not known
    }
  }
  void next() {
    lines_.emplace_back();
    used_ = 0;
  }
  bool fresh() const { return lines_.empty() || used_ == 0; }
  std::vector<std::string> take() && { return std::move(lines_); }

 private:
  double room_;
  double used_ = 0;
  std::vector<std::string> lines_;
};

/// A sum in brackets of one size, which may stand on different lines.
std::vector<std::string> bracketed_latex(const Math& sum, double room, const std::string& after) {
  std::vector<std::string> lines = latex_lines(sum, room - 2 * latex_bracket);
  lines.front().insert(0, "\\bigl(");
  lines.back() += "\\bigr)" + after;
  return lines;
}

std::vector<std::string> latex_sum(const Math& sum, double room, std::string_view main) {
  LatexLines lines(room);
  const std::vector<Math> all = terms(sum);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool negative = all[i].is_negative();
    const Math& term = negative ? all[i].parts[0] : all[i];
    const std::string sign = i == 0 ? (negative ? "-" : "") : negative ? " - " : " + ";
    const double width = latex_width(term);
    if (i > 0 && !main.empty() && !lines.fresh() && power_of(all[i], main) != power_of(all[i - 1], main)) lines.next();
    const Math shown = negative && is_loose(term) ? Math::negative(term) : term;  // with its brackets
    if (width + latex_operator <= room)
      lines.add(&shown == &term ? in_latex(term) : in_latex(shown).substr(in_latex(shown).starts_with('-') ? 1 : 0), width, sign,
                sign.empty() ? 0 : latex_operator);
    else
      lines.add(negative && is_loose(term) ? bracketed_latex(term, room - latex_operator, "")
                                           : latex_lines(term, room - latex_operator),
                sign);
  }
  return std::move(lines).take();
}

std::vector<std::string> latex_product(const Math& product, double room) {
  LatexLines lines(room);
  for (std::size_t i = 0; i < product.parts.size(); ++i) {
    const Math& factor = product.parts[i];
    const double width = latex_width(factor) + (is_loose(factor) ? 2 * latex_bracket : 0);
    const bool power_of_sum = factor.kind == Kind::power && factor.parts[0].kind == Kind::sum;
    if (width <= room) {
      const std::string text = is_loose(factor) ? "\\left(" + in_latex(factor) + "\\right)" : in_latex(factor);
      const bool is_number = !text.empty() && text.front() >= '0' && text.front() <= '9';
      lines.add(text, width, lines.fresh() ? "" : is_number ? " \\cdot " : " ", 2);
    } else if (is_loose(factor)) {
      const bool last = i + 1 == product.parts.size();
      const double next = last ? 0 : latex_width(product.parts[i + 1]);
      const bool together = !last && !is_loose(product.parts[i + 1]) && next <= latex_narrowest;  // (…) s^3 on one line
      lines.add(
          bracketed_latex(factor, room - (together ? next : 0), together ? " " + in_latex(product.parts[i + 1]) : std::string()));
      if (together) ++i;
    } else if (power_of_sum) {
      lines.add(bracketed_latex(factor.parts[0], room, "^{" + in_latex(factor.parts[1]) + "}"));
    } else {
      lines.add(latex_lines(factor, room));
    }
  }
  return std::move(lines).take();
}

/// Above or below a fraction line.
std::string latex_stacked(const Math& part, double room) {
  const std::vector<std::string> lines = latex_lines(part, room);
  if (lines.size() == 1) return lines.front();
  std::string text = "\\begin{aligned}{}";  // which looks for an option first, and must not find the sign of a column
  for (std::size_t i = 0; i < lines.size(); ++i) text += (i == 0 ? "& " : " \\\\ &\\quad {}") + lines[i];
  return text + "\\end{aligned}";
}

}  // namespace

double latex_width(const Math& formula) {
  constexpr double size = 10, wider_than_times = 1.3;  // Computer Modern, and the room between signs
  return wider_than_times * typeset(formula, size).width;
}

std::vector<std::string> latex_lines(const Math& formula, double room, std::string_view main) {
  if (room < latex_narrowest || latex_width(formula) <= room) return {in_latex(formula)};
  constexpr double indent = 12;
  switch (formula.kind) {
    case Kind::sum: return latex_sum(formula, room, main);
    case Kind::product: return latex_product(formula, room);
    case Kind::quotient:
      return {"\\frac{" + latex_stacked(formula.parts[0], room - indent) + "}{" + latex_stacked(formula.parts[1], room - indent) +
              "}"};
    case Kind::power:
      if (formula.parts[0].kind == Kind::sum)
        return bracketed_latex(formula.parts[0], room, "^{" + in_latex(formula.parts[1]) + "}");
      break;
    case Kind::negative: {
      const Math& inside = formula.parts[0];
      std::vector<std::string> lines =
          inside.kind == Kind::sum ? bracketed_latex(inside, room, "") : latex_lines(inside, room - latex_bracket);
      lines.front().insert(0, "-");
      return lines;
    }
    case Kind::relation: {
      std::vector<std::string> lines = latex_lines(formula.parts[0], room);
      const std::string sign = in_latex(Math::relation(Math::word(""), formula.text, Math::word("")));
      std::vector<std::string> right = latex_lines(formula.parts[1], room - latex_operator);
      right.front().insert(0, sign + " ");
      lines.insert(lines.end(), right.begin(), right.end());
      return lines;
    }
    default: break;
  }
  return {in_latex(formula)};
}

}  // namespace sfg
