#include "sfg/read/check.hpp"

#include <algorithm>
#include <vector>

#include "sfg/graph/components.hpp"

namespace sfg {

namespace {

void check_graph(const SignalFlowGraph& graph, std::vector<Diagnostic>& found) {
  const auto warn = [&](const SourceSpan& where, std::string message, std::string hint) {
    found.push_back({where, std::move(message), std::move(hint), Severity::warning});
  };
  if (graph.branches().empty()) return warn(graph.where, "the graph has no branches", "write a -> b [gain=\"K\"]");
  const std::vector<NodeId> inputs = graph.stated_inputs();
  const std::vector<NodeId> outputs = graph.stated_outputs();
  if (inputs.empty()) warn(graph.where, "the graph has no source and states no input", "state one: input=\"…\"");
  if (outputs.empty()) warn(graph.where, "the graph has no sink and states no output", "state one: output=\"…\"");
  std::vector<bool> reached(graph.nodes().size());
  for (const NodeId input : inputs) {
    const std::vector<bool> from_here = reached_from(graph, input);
    for (std::size_t i = 0; i < reached.size(); ++i) reached[i] = reached[i] || from_here[i];
  }
  for (const NodeId output : outputs)
    if (!reached[output.index] && !inputs.empty())
      warn(graph[output].where, "no way leads from an input to the output '" + graph[output].name + "'",
           "the answer is 0; add the missing branch if it should not be");
}

}  // namespace

std::vector<Diagnostic> problems(std::string_view text, InputFormat format, std::string file) {
  std::vector<Diagnostic> found;
  try {
    const Input input = read(text, format, std::move(file));
    found = input.notes;
    found.insert(found.end(), input.dimensions.conflicts.begin(), input.dimensions.conflicts.end());
    if (const auto* graph = std::get_if<SignalFlowGraph>(&input.content)) check_graph(*graph, found);
  } catch (const Error& error) {
    found.assign(error.diagnostics().begin(), error.diagnostics().end());
  }
  std::ranges::stable_sort(found, {}, [](const Diagnostic& d) { return std::pair(d.where.line, d.where.column); });
  return found;
}

}  // namespace sfg
