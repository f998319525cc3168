#include "sfg/export/inexpressible.hpp"

#include <ginac/ginac.h>

#include "sfg/error.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

bool rational_in(const GiNaC::ex& gain, const GiNaC::ex& s) {
  const PolynomialSpace space(std::span(&gain, 1), s);
  for (std::size_t k = 0; k < space.size(); ++k)
    if (space.generator(k) != s && space.generator(k).has(s)) return false;
  return true;
}

bool improper_in(const GiNaC::ex& gain, const GiNaC::ex& s) {
  if (!rational_in(gain, s)) return false;
  const auto [above, below] = fraction(gain, s);
  return above.degree(s) > below.degree(s);
}

}  // namespace

void refuse_branch(const SignalFlowGraph& graph, const Branch& branch, const std::string& what, const std::string& hint) {
  throw NoAnswer("the branch '" + graph[branch.from].name + "' -> '" + graph[branch.to].name + "' " + what, hint, branch.where);
}

void refuse_laws(const ExportSubject& subject) {
  for (const Branch& branch : subject.graph.branches())
    if (!branch.linear())
      refuse_branch(subject.graph, branch, "is nonlinear, which this target does not know",
                    "the targets octave, python and c simulate it; json, graphml and latex write it as it stands");
}

void refuse_gains(const ExportSubject& subject) {
  const GiNaC::ex s = subject.graph.op.in(subject.graph.symbols);
  for (const Branch& branch : subject.graph.branches())
    if (branch.linear() && !rational_in(branch.gain(), s))
      refuse_branch(subject.graph, branch,
                    "has a gain that is no fraction of polynomials (dead time, a root), which this target does not know",
                    "the targets json, csv, graphml, latex and html-snippet write it as it stands");
}

void refuse_improper(const ExportSubject& subject, const std::string& label) {
  const GiNaC::ex s = subject.graph.op.in(subject.graph.symbols);
  constexpr const char* others =
      "the targets octave, python and scilab have the frequency response; json, csv and latex write it as it stands";
  for (const Branch& branch : subject.graph.branches())
    if (branch.linear() && improper_in(branch.gain(), s))
      refuse_branch(subject.graph, branch, "makes the response '" + label + "' improper, which this target does not know",
                    others);
  throw NoAnswer("the response '" + label + "' is improper, which this target does not know", others);
}

}  // namespace sfg
