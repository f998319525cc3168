#include "sfg/analysis/open_loop.hpp"

#include <ginac/ginac.h>

#include "sfg/error.hpp"

namespace sfg {

OpenLoop open_loop(const SignalFlowGraph& graph, NodeId from, NodeId to) {
  OpenLoop result;
  SignalFlowGraph& open = result.graph;
  open.title = graph.title;
  open.variable = graph.variable;
  open.symbols = graph.symbols;
  open.attributes = graph.attributes;
  open.where = graph.where;
  for (const Node& node : graph.nodes()) open.add_node(node);
  GiNaC::ex gain = 0;
  SourceSpan where;
  bool found = false;
  for (const Branch& branch : graph.branches()) {
    if (branch.from != from || branch.to != to) {
      open.add_branch(branch);
      continue;
    }
    if (!branch.linear()) throw Error(branch.where, "the branch to be cut is nonlinear", "cut the loop at a branch with a gain");
    gain += branch.gain();
    where = branch.where;
    found = true;
  }
  if (!found)
    throw Error(graph.where, "there is no branch '" + graph[from].name + "' -> '" + graph[to].name + "'",
                "'sfg mason' lists the loops");
  std::string name = "loop at " + graph[to].name;
  while (open.find(name)) name += "_";
  const NodeId source = open.add_node({name, where, {}});
  open.add_branch(source, to, -gain, where);
  open.inputs = {source};
  open.outputs = {from};
  result.question = {source, from, Question::Mode::source, {}};
  return result;
}

}  // namespace sfg
