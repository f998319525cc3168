// A graph made smaller step by step, each step checked; and back, since a step knows its inverse.
#include <iostream>
#include <vector>

#include "sfg/expr/print.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/reduce.hpp"

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
absorb v2: 3 branches go, 2 come, verified at 2 points, can be undone
eliminate i1: 3 branches go, 2 come, verified at 2 points
eliminate v1: 4 branches go, 2 come, verified at 2 points
eliminate i2: 3 branches go, 2 come, verified at 2 points
eliminate v2: 5 branches go, 2 come, verified at 2 points
vs -> vo: A1*A2/((1 + A1*b1)*(1 + A2*b2/((1 - q)*(T*s + 1)))*(1 - q)*(T*s + 1)) + d
vo -> vo: -A1*A2*f/((1 + A1*b1)*(1 + A2*b2/((1 - q)*(T*s + 1)))*(1 - q)*(T*s + 1))
*/
