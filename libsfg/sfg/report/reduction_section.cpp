#include <algorithm>

#include "sfg/draw/graph/layout.hpp"
#include "sfg/draw/sheets/reduction_sheet.hpp"
#include "sfg/expr/decimal_fraction.hpp"
#include "sfg/nonlinear/principal.hpp"
#include "sfg/report/sections.hpp"
#include "sfg/transfer/reduce.hpp"
#include "sfg/write/derivation.hpp"
#include "sfg/write/mason.hpp"

namespace sfg {

namespace {

/// The inputs and outputs that the report is about.
SignalFlowGraph asked_graph(const ReportWork& work) {
  SignalFlowGraph graph = work.graph();
  graph.inputs.clear();
  graph.outputs.clear();
  for (const Question& question : work.subject().questions) {
    if (std::ranges::find(graph.inputs, question.input) == graph.inputs.end()) graph.inputs.push_back(question.input);
    if (std::ranges::find(graph.outputs, question.output) == graph.outputs.end()) graph.outputs.push_back(question.output);
  }
  return graph;
}

std::string in_unicode(const Caption& caption) {
  std::string text;
  for (const Caption::Part& part : caption.parts()) text += part.formula ? write(part.math, Notation::unicode) : part.text;
  return text;
}

/// The graph as it stands after each of a few steps; its caption names what went since the one before.
std::vector<ReportPart> stages(const ReportWork& work, const Reduction& reduction) {
  std::vector<ReportPart> parts;
  for (const ReductionStage& stage : reduction_stages(reduction)) {
    try {
      parts.push_back(picture_part(layout(stage.graph, {.decimals = decimals_in(work.subject().text), .budget = work.share(2)}),
                                   in_unicode(caption(stage, reduction))));
    } catch (const Failure&) {
      work.budget().check("the pictures of the reduction");  // the steps are written out below
    }
  }
  return parts;
}

/// Of a graph with laws: the linear rest between its principal nodes.
std::vector<ReportPart> principal_nodes(ReportWork& work) {
  if (work.subject().questions.empty()) return {};
  const PrincipalReduction reduction =
      principal_reduction(asked_graph(work), {}, {}, {.budget = work.share(4), .seed = work.seed()});
  std::vector<ReportPart> parts{
      remark("What is linear is reduced to the transmittances between the principal nodes: the inputs, what the laws depend on, "
             "what they bring, and the outputs.")};
  if (const SignalFlowGraph left = reduced_graph(reduction); suits_layout(left)) {
    parts.push_back(picture_part(layout(left, {.decimals = decimals_in(work.subject().text), .budget = work.share(2)}),
                                 "The reduced graph of the principal nodes"));
    work.gives({.verb = "draw", .options = {"--as", "reduced"}, .ends = ReportCommand::Ends::asked, .picture = "reduced"});
  }
  parts.push_back(fitting(page(reduction)));
  work.gives({.verb = "reduce", .options = {"--principal"}, .ends = ReportCommand::Ends::asked});
  for (const TransferFunction& transmittance : reduction.transmittances)
    if (&transmittance == &reduction.transmittances.front())
      work.verified({"Reduction", "transmittances between principal nodes", transmittance.verification.method,
                     transmittance.verification.points, transmittance.verification.error_bound});
  return parts;
}

}  // namespace

std::vector<ReportPart> reduction_section(ReportWork& work) {
  if (!work.linear()) return principal_nodes(work);
  if (!work.answerable()) return {};
  constexpr std::size_t few_branches = 16;
  const bool asked = work.requested("reduction");
  if (!asked && work.graph().branches().size() > few_branches) return {};
  if (work.subject().questions.front().mode != Question::Mode::source) {
    if (!asked) return {};
    return {remark("A reduction keeps responses to sources: there is none of a ratio or of an injected signal.")};
  }
  const Reduction reduction =
      reduce(asked_graph(work), {}, {.rewrite = {.budget = asked ? work.budget() : work.share(2)}, .seed = work.seed()});
  if (reduction.steps.empty()) {
    if (!asked) return {};
    return {remark("There is nothing to reduce: inputs and outputs are all nodes.")};
  }
  std::vector<ReportPart> parts{
      remark("All nodes but inputs and outputs are eliminated, one after the other; every step keeps the signals that stay.")};
  for (ReportPart& part : stages(work, reduction)) parts.push_back(std::move(part));
  parts.push_back(fitting(page(reduction)));
  if (!work.loop()) work.gives({.verb = "reduce", .ends = ReportCommand::Ends::asked});
  const Verification& check = reduction.steps.front().verification;
  work.verified({"Reduction", "", check.method + ", each of " + std::to_string(reduction.steps.size()) + " steps", check.points,
                 check.error_bound});
  return parts;
}

}  // namespace sfg
