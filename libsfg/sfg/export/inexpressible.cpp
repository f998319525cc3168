#include "sfg/export/inexpressible.hpp"

#include <ginac/ginac.h>

#include "sfg/error.hpp"
#include "sfg/graph/realization.hpp"

namespace sfg {

namespace {

bool rational_in(const GiNaC::ex& gain, const SignalFlowGraph& graph) {
  try {
    rational_transfer(gain, graph.op, graph.symbols);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

void refuse_branch(const SignalFlowGraph& graph, const Branch& branch, const std::string& what, const std::string& hint) {
  throw NoAnswer("the branch '" + graph[branch.from].name + "' -> '" + graph[branch.to].name + "' " + what, hint, branch.where);
}

void refuse_laws(const ExportSubject& subject) {
  for (const Branch& branch : subject.graph.branches())
    if (!branch.linear())
      refuse_branch(subject.graph, branch, "is nonlinear, which this target does not know",
                    "the targets octave, python and c simulate it; json, csv, graphml and latex write it as it stands");
}

void refuse_gains(const ExportSubject& subject) {
  for (const Branch& branch : subject.graph.branches())
    if (branch.linear() && !rational_in(branch.gain(), subject.graph))
      refuse_branch(subject.graph, branch,
                    "has a gain that is no fraction of polynomials (dead time, a root), which this target does not know",
                    "the targets json, csv, graphml, latex and html-snippet write it as it stands");
}

}  // namespace sfg
