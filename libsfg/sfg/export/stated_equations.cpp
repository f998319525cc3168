#include "sfg/export/stated_equations.hpp"

#include "sfg/export/inexpressible.hpp"
#include "sfg/export/linear_motion.hpp"
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

}  // namespace sfg
