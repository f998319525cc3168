// A transfer function in C: coefficients in straight lines, then Horner's rule in real arithmetic.
#include <fmt/format.h>

#include <numeric>

#include "sfg/export/c/c_parts.hpp"

namespace sfg {

namespace {

using CoefficientTexts = std::vector<std::string>;  ///< formulas, highest power first

bool is_atom(const std::string& formula) { return formula.find_first_of("+-*/( ") == std::string::npos; }

class TransferCode {
 public:
  TransferCode(CText& c, const ExportedTransfer& T, std::size_t k) : c_(c), T_(T), k_(k) {}

  CPart part() {
    const std::string value = signature("transfer", "2"), slope = signature("gradient", "");
    CPart part;
    part.declarations = c_.filled(value + ";\n" + slope + ";\n");
    part.definitions = c_.filled("\n/* $LABEL */\n", {{"$LABEL", comment()}}) + c_.filled(value) + " {\n" + of_value() + "}\n\n" +
                       c_.filled(slope) + " {\n" + of_gradient() + "}\n";
    return part;
  }

 private:
  std::string signature(const char* what, const char* size) const {
    return fmt::format("void $N_{}_{}(const $R p[], $R re, $R im, $R out[{}])", what, k_, size);
  }
  std::string comment() const { return "transfer function " + std::to_string(k_); }

  std::string local(std::string_view name) const { return c_.own(name); }

  /// The coefficients as constants of their own, so that those that are used twice are calculated once.
  std::string stated(const CText::Block& block, CoefficientTexts& upper, CoefficientTexts& lower) const {
    std::string text;
    const auto state = [&](std::size_t from, std::size_t count, const char* letter, CoefficientTexts& to) {
      for (std::size_t i = 0; i < count; ++i) {
        to.push_back(local(letter + std::to_string(count - 1 - i)));
        text += c_.filled("  const $R ") + to.back() + " = " + block.outputs[from + i] + ";\n";
      }
    };
    state(0, T_.numerator, "n", upper);
    state(T_.numerator, T_.denominator, "d", lower);
    return block.statements + text;
  }

  /// Statements that put the polynomial at re + j im into two variables.
  std::string horner(const CoefficientTexts& a, const std::string& real, const std::string& imaginary) const {
    std::string text = "    " + real + " = " + a.front() + ";\n    " + imaginary + c_.filled(" = 0.0$l;\n");
    for (std::size_t i = 1; i < a.size(); ++i)
      text += fmt::format("    {0} = {1} * re - {2} * im + {3};\n    {2} = {1} * im + {2} * re;\n    {1} = {0};\n", local("t"),
                          real, imaginary, a[i]);
    return text;
  }

  /// At s = j im: a polynomial of −im² for the real part, another one times im for the imaginary part.
  std::string on_axis(const CoefficientTexts& a, const std::string& real, const std::string& imaginary) const {
    const auto alternate = [&](std::size_t power) {  // a_power − im² (a_(power + 2) − …)
      std::size_t top = power;
      while (top + 2 < a.size()) top += 2;
      std::string text = a[a.size() - 1 - top];
      while (top > power) {
        top -= 2;
        text = fmt::format("{} - {} * {}", a[a.size() - 1 - top], local("q"), top + 2 + 2 < a.size() ? "(" + text + ")" : text);
      }
      return text;
    };
    return "    " + real + " = " + alternate(0) + ";\n    " + imaginary + " = " +
           (a.size() < 2 ? c_.filled("0.0$l") : "im * (" + alternate(1) + ")") + ";\n";
  }

  std::string of_value() {
    const CText::Block block = c_.block(T_.coefficients);
    CoefficientTexts upper, lower;
    const std::string statements = stated(block, upper, lower);
    std::string text = statements;
    text += c_.filled("  $R ") + fmt::format("{}, {}, {}, {};\n", local("nr"), local("ni"), local("dr"), local("di"));
    text += c_.filled("  if (re == 0.0$l) {\n");
    if (upper.size() > 2 || lower.size() > 2) text += c_.filled("    const $R ") + local("q") + " = im * im;\n";
    text += on_axis(upper, local("nr"), local("ni")) + on_axis(lower, local("dr"), local("di"));
    text += "  } else {\n";
    if (upper.size() > 1 || lower.size() > 1) text += c_.filled("    $R ") + local("t") + ";\n";
    text += horner(upper, local("nr"), local("ni")) + horner(lower, local("dr"), local("di")) + "  }\n";
    text += c_.filled("  $N_divide($Vnr, $Vni, $Vdr, $Vdi, out);\n", {{"$V", c_.own("")}});
    if (T_.delayed) text += delay(block.outputs.back());
    return unused(text) + text;
  }

  std::string delay(const std::string& dead_time) const {
    return c_.filled("  $N_delay($TAU, re, im, out);\n", {{"$TAU", dead_time}});
  }

  static std::string unused(const std::string& text) {
    static constexpr std::array<std::string_view, 3> words{"p", "re", "im"};
    return CText::unused(words, text);
  }

  /// dT = (dN − T dD)/D for every parameter, from powers of s; of a dead time τ also −s dτ T.
  std::string of_gradient() {
    const std::size_t inputs = T_.coefficients.inputs().size(), degree = std::max(T_.numerator, T_.denominator) - 1;
    std::string text = c_.filled("  $N_transfer_$K(p, re, im, out);\n", {{"$K", std::to_string(k_)}});
    if (inputs == 0) return text;
    const CText::Block block = c_.block(without_numerator(numeric::with_jacobian(T_.coefficients)));
    std::string rest = block.statements + powers(degree);
    rest += c_.filled("  {\n    $R $Vdr = 0.0$l, $Vdi = 0.0$l;\n", {{"$V", c_.own("")}});
    for (std::size_t i = 0; i < T_.denominator; ++i) rest += added(block.outputs[i], T_.denominator - 1 - i, "dr", "di", "    ");
    rest += c_.filled("    $N_divide(1.0$l, 0.0$l, $Vdr, $Vdi, $Vi);\n  }\n", {{"$V", c_.own("")}});
    if (T_.delayed)
      rest += c_.filled("  $R $Ve[2] = {1.0$l, 0.0$l};\n  $N_delay($TAU, re, im, $Ve);\n",
                        {{"$V", c_.own("")}, {"$TAU", block.outputs[T_.denominator]}});
    for (std::size_t parameter = 0; parameter < inputs; ++parameter) rest += derivative(block, parameter);
    return text + rest;
  }

  /// D (and the dead time), then the derivatives: the numerator itself is in T.
  numeric::Tape without_numerator(const numeric::Tape& tape) const {
    std::vector<std::size_t> wanted(tape.outputs().size() - T_.numerator);
    std::iota(wanted.begin(), wanted.end(), T_.numerator);
    return outputs_of(tape, wanted);
  }

  /// s^0, s^1, …; the inverse of D is an array of two.
  std::string powers(std::size_t degree) const {
    return c_.filled(
        "  $R $Vr[$M], $Vj[$M], $Vi[2];\n  int $Vk;\n  $Vr[0] = 1.0$l;\n  $Vj[0] = 0.0$l;\n"
        "  for ($Vk = 1; $Vk < $M; ++$Vk) {\n    $Vr[$Vk] = $Vr[$Vk - 1] * re - $Vj[$Vk - 1] * im;\n"
        "    $Vj[$Vk] = $Vr[$Vk - 1] * im + $Vj[$Vk - 1] * re;\n  }\n",
        {{"$V", c_.own("")}, {"$M", std::to_string(degree + 1)}});
  }

  bool zero(const std::string& formula) const { return formula == c_.number(0); }

  std::string added(const std::string& formula, std::size_t power, const char* real, const char* imaginary,
                    const char* indent) const {
    if (zero(formula)) return "";
    const std::string factor = formula == c_.number(1) ? "" : is_atom(formula) ? formula + " * " : "(" + formula + ") * ";
    return c_.filled("$I$V$A += $F$Vr[$P];\n",
                     {{"$I", indent}, {"$V", c_.own("")}, {"$A", real}, {"$F", factor}, {"$P", std::to_string(power)}}) +
           (power == 0
                ? ""
                : c_.filled(
                      "$I$V$A += $F$Vj[$P];\n",
                      {{"$I", indent}, {"$V", c_.own("")}, {"$A", imaginary}, {"$F", factor}, {"$P", std::to_string(power)}}));
  }

  std::string derivative(const CText::Block& block, std::size_t parameter) const {
    const std::size_t all = T_.coefficients.outputs().size(), inputs = T_.coefficients.inputs().size();
    const auto slope = [&](std::size_t output) { return block.outputs[all - T_.numerator + output * inputs + parameter]; };
    std::string above, below;
    for (std::size_t i = 0; i < T_.numerator; ++i) above += added(slope(i), T_.numerator - 1 - i, "ar", "ai", "    ");
    for (std::size_t i = 0; i < T_.denominator; ++i)
      below += added(slope(T_.numerator + i), T_.denominator - 1 - i, "br", "bi", "    ");
    const std::string place = std::to_string(2 + 2 * parameter), next = std::to_string(3 + 2 * parameter);
    if (above.empty() && below.empty() && !(T_.delayed && !zero(slope(all - 1))))
      return c_.filled("  out[$A] = out[$B] = 0.0$l;\n", {{"$A", place}, {"$B", next}});
    std::string text = c_.filled("  {\n    $R $Var = 0.0$l, $Vai = 0.0$l;\n", {{"$V", c_.own("")}});
    if (!below.empty()) text += c_.filled("    $R $Vbr = 0.0$l, $Vbi = 0.0$l;\n", {{"$V", c_.own("")}});
    text += above + below;
    const std::vector<std::pair<std::string, std::string>> names{{"$V", c_.own("")}, {"$A", place}, {"$B", next}};
    if (T_.delayed)
      text += c_.filled(
          "    {\n      const $R $Vt = $Var;\n      $Var = $Vt * $Ve[0] - $Vai * $Ve[1];\n"
          "      $Vai = $Vt * $Ve[1] + $Vai * $Ve[0];\n    }\n",
          names);
    if (!below.empty())
      text += c_.filled("    $Var -= out[0] * $Vbr - out[1] * $Vbi;\n    $Vai -= out[0] * $Vbi + out[1] * $Vbr;\n", names);
    text += c_.filled("    out[$A] = $Var * $Vi[0] - $Vai * $Vi[1];\n    out[$B] = $Var * $Vi[1] + $Vai * $Vi[0];\n", names);
    if (T_.delayed && !zero(slope(all - 1)))
      text +=
          c_.filled("    out[$A] -= ($S) * (re * out[0] - im * out[1]);\n    out[$B] -= ($S) * (re * out[1] + im * out[0]);\n",
                    {{"$S", slope(all - 1)}, {"$V", c_.own("")}, {"$A", place}, {"$B", next}});
    return text + "  }\n";
  }

  CText& c_;
  const ExportedTransfer& T_;
  std::size_t k_;
};

}  // namespace

CPart c_transfer(CText& c, const ExportedTransfer& T, std::size_t k) { return TransferCode(c, T, k).part(); }

}  // namespace sfg
