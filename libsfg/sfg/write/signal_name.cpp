#include "sfg/write/signal_name.hpp"

#include "sfg/expr/parse.hpp"

namespace sfg {

std::string signal_name(std::string_view node, Notation notation) {
  if (notation == Notation::unicode && is_name(node)) return print_name(node, notation);
  if (notation != Notation::latex) return std::string(node);
  if (is_name(node)) return print_name(node, notation);
  std::string text;
  for (const char c : node) {
    if (c == '\\')
      text += "\\textbackslash{}";
    else if (c == '^' || c == '~')
      text += std::string("\\") + c + "{}";
    else if (std::string_view("#$%&_{}").find(c) != std::string_view::npos)
      text += std::string("\\") + c;
    else
      text += c;
  }
  return "\\text{" + text + "}";
}

namespace {

/// In parentheses where it is a sum or product: "R - y" over R is (R - y)/R.
std::string operand(const std::string& name) {
  std::size_t depth = 0;
  for (const char c : name) {
    if (c == '(') ++depth;
    if (c == ')' && depth > 0) --depth;
    if (depth == 0 && std::string_view("+-*/").find(c) != std::string_view::npos) return "(" + name + ")";
  }
  return name;
}

}  // namespace

std::string gain_name(std::string_view input, std::string_view output, Notation notation) {
  const std::string above = signal_name(output, notation), below = signal_name(input, notation);
  return notation == Notation::latex ? "\\frac{" + above + "}{" + below + "}" : operand(above) + "/" + operand(below);
}

}  // namespace sfg
