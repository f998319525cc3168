// A graph made smaller step by step, each step checked; and back, since a step knows its inverse.
#include <iostream>
#include <vector>

#include "sfg/analysis/reduce.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/read/input.hpp"

int main() {
  const sfg::Input input = sfg::read_file("two_stage_amplifier.dot");
  const auto& graph = std::get<sfg::SignalFlowGraph>(input.content);
  using Kind = sfg::ReductionRequest::Kind;
  const std::vector<sfg::ReductionRequest> requests{{Kind::absorb, {"v2"}, {}}, {Kind::keep, {"vs", "vo"}, {}}};
  const sfg::Reduction reduction = sfg::reduce(graph, requests);

  for (const sfg::ReductionStep& step : reduction.steps) {
    std::cout << to_string(step.action.kind);
    for (const std::string& node : step.action.nodes) std::cout << ' ' << node;
    std::cout << ": " << step.removed.size() << " branches go, " << step.added.size() << " come, verified at "
              << step.verification.points << " points" << (step.inverse ? ", can be undone" : "") << '\n';
  }
  for (const sfg::Branch& branch : reduction.after.branches())
    std::cout << reduction.after[branch.from].name << " -> " << reduction.after[branch.to].name << ": "
              << sfg::print(branch.gain(), sfg::Notation::text, "s") << '\n';
}

/* prints
 */
