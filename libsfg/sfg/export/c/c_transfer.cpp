// A transfer function in C: coefficients in straight lines, then Horner's rule in real arithmetic for the even and the odd
// powers, two chains of operations beside each other that are half as long as one.
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
    const std::string coefficients = fmt::format("void $N_coefficients_{}(const $R p[], $R {}[{}])", k_, local("c"),
                                                 T_.coefficients.outputs().size()),
                      at = fmt::format("void $N_value_{}(const $R {}[], $R re, $R im, $R out[2])", k_, local("c"));
    CPart part;
    part.declarations = c_.filled(value + ";\n" + slope + ";\n" + coefficients + ";\n" + at + ";\n");
    part.definitions = c_.filled("\n/* $LABEL */\n", {{"$LABEL", comment()}}) + c_.filled(value) + " {\n" + of_value() + "}\n\n" +
                       c_.filled(slope) + " {\n" + of_gradient() + "}\n\n" + c_.filled(coefficients) + " {\n" +
                       of_coefficients() + "}\n\n" + c_.filled(at) + " {\n" + of_value_at() + "}\n";
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

  /// A polynomial of w = (re + j im)² by Horner's rule: the statements, the real and the imaginary part (empty where it is 0).
  struct InSquare {
    std::string statements, real, imaginary;
  };
  InSquare in_square(const CoefficientTexts& a, const std::string& name) const {
    if (a.empty()) return {};
    if (a.size() == 1) return {"", a.front(), ""};
    const std::string real = local(name + "r"), imaginary = local(name + "i"), wr = local("wr"), wi = local("wi");
    std::string text =
        c_.filled("    $R ") + fmt::format("{0} = {2} * {3} + {4}, {1} = {2} * {5};\n", real, imaginary, a[0], wr, a[1], wi);
    for (std::size_t i = 2; i < a.size(); ++i)
      text += fmt::format("    {0} = {1} * {4} - {2} * {5} + {3};\n    {2} = {1} * {5} + {2} * {4};\n    {1} = {0};\n",
                          local("t"), real, imaginary, a[i], wr, wi);
    return {text, real, imaginary};
  }

  /// Statements that put the polynomial at re + j im into two variables.
  std::string beside_axis(const CoefficientTexts& a, const char* letter) const {
    CoefficientTexts even, odd;
    for (std::size_t i = 0; i < a.size(); ++i) ((a.size() - 1 - i) % 2 == 0 ? even : odd).push_back(a[i]);
    const InSquare E = in_square(even, letter + std::string("e")), O = in_square(odd, letter + std::string("o"));
    std::string real = E.real, imaginary = E.imaginary;
    const auto plus = [](std::string& sum, const std::string& term) { sum = sum.empty() ? term : sum + " + " + term; };
    if (!O.imaginary.empty()) {
      plus(real, fmt::format("(re * {} - im * {})", O.real, O.imaginary));
      plus(imaginary, fmt::format("(re * {} + im * {})", O.imaginary, O.real));
    } else if (!O.real.empty()) {
      plus(real, "re * " + O.real);
      plus(imaginary, "im * " + O.real);
    }
    if (imaginary.empty()) imaginary = c_.filled("0.0$l");
    return fmt::format("{}{}    {} = {};\n    {} = {};\n", E.statements, O.statements, local(letter + std::string("r")), real,
                       local(letter + std::string("i")), imaginary);
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
    std::string text = stated(block, upper, lower);
    text += quotient(upper, lower, block.outputs.back());
    return unused({"p", "re", "im"}, text) + text;
  }

  /// Coefficients for any number of values, highest powers first, those of the numerator before those of the denominator.
  std::string of_coefficients() {
    const CText::Block block = c_.block(T_.coefficients);
    std::string text = block.statements;
    for (std::size_t i = 0; i < block.outputs.size(); ++i)
      text += fmt::format("  {}[{}] = {};\n", local("c"), i, block.outputs[i]);
    return unused({"p"}, text) + text;
  }

  std::string of_value_at() {
    CText::Block block;
    for (std::size_t i = 0; i < T_.coefficients.outputs().size(); ++i)
      block.outputs.push_back(fmt::format("{}[{}]", local("c"), i));
    CoefficientTexts upper, lower;
    std::string text = stated(block, upper, lower);
    text += quotient(upper, lower, block.outputs.back());
    return unused({"re", "im"}, text) + text;
  }

  std::string quotient(const CoefficientTexts& upper, const CoefficientTexts& lower, const std::string& dead_time) const {
    const std::size_t longest = std::max(upper.size(), lower.size());
    std::string text = c_.filled("  $R ") + fmt::format("{}, {}, {}, {};\n", local("nr"), local("ni"), local("dr"), local("di"));
    text += c_.filled("  if (re == 0.0$l) {\n");
    if (longest > 2) text += c_.filled("    const $R ") + local("q") + " = im * im;\n";
    text += on_axis(upper, local("nr"), local("ni")) + on_axis(lower, local("dr"), local("di"));
    text += "  } else {\n";
    if (longest > 2) text += c_.filled("    const $R $Vwr = re * re - im * im, $Vwi = 2.0$l * re * im;\n", {{"$V", c_.own("")}});
    if (longest > 4) text += c_.filled("    $R ") + local("t") + ";\n";
    text += beside_axis(upper, "n") + beside_axis(lower, "d") + "  }\n";
    text += c_.filled("  $N_divide($Vnr, $Vni, $Vdr, $Vdi, out);\n", {{"$V", c_.own("")}});
    return T_.delayed ? text + delay(dead_time) : text;
  }

  std::string delay(const std::string& dead_time) const {
    return c_.filled("  $N_delay($TAU, re, im, out);\n", {{"$TAU", dead_time}});
  }

  static std::string unused(std::initializer_list<std::string_view> words, const std::string& text) {
    return CText::unused(std::span(words.begin(), words.size()), text);
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
