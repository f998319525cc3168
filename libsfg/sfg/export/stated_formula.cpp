#include "sfg/export/stated_formula.hpp"

#include <algorithm>

#include "sfg/expr/compile.hpp"

namespace sfg {

std::string with_steps(const std::string& formula, const std::function<std::string(std::size_t k)>& step) {
  std::string text;
  for (std::size_t at = 0; at < formula.size();) {
    if (formula[at] != *step_mark) {
      text += formula[at++];
      continue;
    }
    const std::size_t end = std::min(formula.find_first_not_of("0123456789", at + 1), formula.size());
    text += step(std::stoul(formula.substr(at + 1, end - at - 1)));
    at = end;
  }
  return text;
}

std::string stated_formula(const ExportedParameter& parameter, const std::vector<ExportedParameter>& all,
                           const std::vector<std::string>& names, const CodeSyntax& syntax) {
  if (!parameter.follows) return code_number(parameter.value);
  numeric::TapeBuilder builder;
  for (const ExportedParameter& other : all) builder.input(other.name);
  const numeric::TapeBuilder::Value value = ExpressionCompiler(builder)(parameter.stated);
  const CodeLines lines = code_lines(builder.tape(std::span(&value, 1)), names, syntax, step_mark);
  const std::function<std::string(std::size_t)> step = [&](std::size_t k) {
    return "(" + with_steps(lines.assignments[k - 1].second, step) + ")";
  };
  return with_steps(lines.outputs.front(), step);
}

}  // namespace sfg
