#include "sfg/transfer/ratio_graph.hpp"

#include <ginac/ginac.h>

#include <utility>
#include <vector>

#include "sfg/graph/inspect.hpp"
#include "sfg/transfer/singular.hpp"

namespace sfg {

namespace {

std::string in_brackets(const std::string& signal) {
  std::size_t depth = 0;
  for (const char c : signal) {
    if (c == '(') ++depth;
    if (c == ')' && depth > 0) --depth;
    if (depth == 0 && std::string_view("+-*/ ").find(c) != std::string_view::npos) return "(" + signal + ")";
  }
  return signal;
}

/// The name, or the name with "_" behind where a node has it.
NodeId add_named(SignalFlowGraph& graph, std::string name) {
  while (graph.find(name)) name += '_';
  return graph.add_node({std::move(name), graph.where, {}});
}

/// The nodes and branches of the graph once more.
TransferEnds add_copy(SignalFlowGraph& graph, const SignalFlowGraph& original, TransferEnds ends) {
  std::vector<NodeId> copies;
  for (const Node& node : original.nodes()) copies.push_back(add_named(graph, node.name + "'"));
  for (const Branch& branch : original.branches()) {
    if (!branch.linear())
      throw Error(nonlinear(original, branch, " and is in no transfer function",
                            "take the graph linearised, or two that share their input or output"));
    graph.add_branch(copies[branch.from.index], copies[branch.to.index], branch.gain(), branch.where);
  }
  return {copies[ends.input.index], copies[ends.output.index]};
}

/// Whether T vanishes identically.
bool is_silent(const SignalFlowGraph& graph, TransferEnds ends) {
  require_regular(graph);
  try {
    require_driven(graph, {ends.output, ends.output, Question::Mode::ratio, ends.input});
    return false;
  } catch (const NoAnswer&) {
    return true;
  }
}

}  // namespace

std::string name_of(const SignalFlowGraph& graph, const TransferEnds& ends) {
  return in_brackets(graph[ends.output].name) + "/" + in_brackets(graph[ends.input].name);
}

SignalFlowGraph ratio_graph(const SignalFlowGraph& graph, TransferEnds of, TransferEnds to) {
  const std::string above = name_of(graph, of), below = name_of(graph, to);
  if (graph.linear() && is_silent(graph, to))
    throw NoAnswer("the transfer function " + below + " is identically zero: " +
                       (is_silent(graph, of) ? "so is " + above + ", and their ratio means nothing"
                                             : "the ratio of " + above + " to it is infinite"),
                   "where elements match exactly, give those of the two sides names of their own", graph.where);
  SignalFlowGraph result = graph;
  const bool twice = of.output != to.output && of.input != to.input;
  if (twice) to = add_copy(result, graph, to);
  const NodeId input = add_named(result, below), output = add_named(result, above);
  // Its own value and what has to vanish: that is then 0.
  const NodeId found = add_named(result, graph[twice ? of.output : to.input].name + " in balance");
  result.add_branch(found, found, 1);
  result.add_branch(found, to.input, 1);
  if (of.output == to.output) {  // T·x + T'·u = 0
    result.add_branch(input, of.input, 1);
    result.add_branch(of.output, found, 1);
    result.add_branch(found, output, -1);
  } else if (twice) {  // T·x − T'·u = 0
    result.add_branch(input, of.input, 1);
    result.add_branch(of.output, found, 1);
    result.add_branch(to.output, found, -1);
    result.add_branch(found, output, 1);
  } else {  // x − T'·u = 0, y = T·u
    result.add_branch(input, found, 1);
    result.add_branch(to.output, found, -1);
    result.add_branch(of.output, output, 1);
  }
  result.inputs = {input};
  result.outputs = {output};
  return result;
}

}  // namespace sfg
