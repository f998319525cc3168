#include "sfg/export/stated_equations.hpp"

#include <algorithm>

#include "sfg/export/proper_branches.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

StatedEquations stated_equations(const ExportSubject& subject, const Budget& budget) {
  StatedEquations result{.parameters = valued_parameters(subject.graph), .motion = {}, .verified = {}, .laws = {}};
  if (!subject.graph.linear()) {
    for (const Branch& branch : subject.graph.branches())
      if (!branch.linear())
        result.laws.push_back("law of '" + subject.graph[branch.from].name + "' -> '" + subject.graph[branch.to].name +
                              "': " + print(std::get<Nonlinearity>(branch.law).law));
    result.motion = exported_motion(subject, result.parameters, budget);
    result.verified = "verified: the tests of sfg compare these rates with its own simulation of graphs";
    return result;
  }
  const std::vector<ExportedTransfer> transfers = exported_transfers(subject, result.parameters, budget);
  for (const ExportedTransfer& T : transfers)
    if (T.improper()) refuse_improper(subject, T.label());
  result.motion = linear_motion(exported_states(subject, result.parameters, transfers, budget), result.parameters);
  result.verified = verification(subject, transfers, result.parameters, budget);
  return result;
}

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
