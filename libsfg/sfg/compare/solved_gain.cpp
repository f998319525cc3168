#include "sfg/compare/solved_gain.hpp"

#include <ginac/ginac.h>

#include <array>

#include "sfg/expr/rational.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

std::optional<GiNaC::ex> solved_gain(const SignalFlowGraph& graph, const Question& question, NodeId from, NodeId to,
                                     const GiNaC::ex& wanted, const Budget& budget) {
  using GiNaC::ex;
  const NodeId source = driver(question);
  const auto added = [](NodeId input, NodeId output) { return Question{input, output, Question::Mode::inject, {}}; };
  const std::array asked{added(source, question.output), added(to, question.output), added(source, question.input),
                         added(to, question.input),      added(source, from),        added(to, from)};
  const std::vector<TransferFunction> found = transfer_functions(graph, asked, {.budget = budget});
  const auto value = [&](std::size_t i) { return found[i].value.expression(); };
  const bool ratio = question.mode == Question::Mode::ratio;
  const ex rest = value(0) - wanted * (ratio ? value(2) : ex(1));
  const ex influence = (ratio ? ex(value(1) - wanted * value(3)) : value(1)) * value(4);
  const ex below = rest * value(5) - influence;
  if (vanishes(influence) || vanishes(rest) || vanishes(below)) return {};
  return normal_form(rest / below, graph.op.in(graph.symbols));
}

}  // namespace sfg
