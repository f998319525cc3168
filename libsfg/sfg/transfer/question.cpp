#include "sfg/transfer/question.hpp"

#include <stdexcept>
#include <string>

#include "sfg/graph/components.hpp"

namespace sfg {

namespace {

std::string some_source(const SignalFlowGraph& graph) {
  for (const NodeId id : graph.sources())
    if (!graph.leaving(id).empty()) return graph[id].name;
  return "SOURCE";
}

}  // namespace

Question question(const SignalFlowGraph& graph, std::string_view input, std::string_view output, Question::Mode mode,
                  std::string_view reference) {
  Question asked{.input = graph.at(input), .output = graph.at(output), .mode = mode};
  if (!reference.empty()) asked.reference = graph.at(reference);
  check_question(graph, asked);
  return asked;
}

NodeId driver(const Question& question) { return question.reference.value_or(question.input); }

void check_question(const SignalFlowGraph& graph, const Question& question) {
  const std::string& input = graph[question.input].name;
  const std::string& output = graph[question.output].name;
  if (question.mode == Question::Mode::ratio) {
    if (!question.reference)
      throw std::invalid_argument("the ratio '" + output + "'/'" + input + "' needs the source that drives both");
    static_cast<void>(graph[*question.reference]);
    return;
  }
  if (question.mode == Question::Mode::source && !graph.entering(question.input).empty())
    throw std::invalid_argument("node '" + input + "' has entering branches, so that the gain from '" + input + "' to '" +
                                output + "' has two meanings: ask for the ratio of the two signals under a source (" +
                                some_source(graph) + "), or for the response to a unit signal injected at '" + input + "'");
}

std::vector<Question> questions(const SignalFlowGraph& graph, std::span<const NodeId> inputs, std::span<const NodeId> outputs,
                                Question::Mode mode, std::optional<NodeId> reference) {
  const std::vector<NodeId> from = inputs.empty() ? graph.stated_inputs() : std::vector<NodeId>(inputs.begin(), inputs.end());
  const std::vector<NodeId> to = outputs.empty() ? graph.stated_outputs() : std::vector<NodeId>(outputs.begin(), outputs.end());
  std::vector<Question> asked;
  for (const NodeId input : from)
    for (const NodeId output : to) asked.push_back({input, output, mode, reference});
  return asked;
}

std::vector<bool> relevant_nodes(const SignalFlowGraph& graph, const Question& question) {
  std::vector<bool> nodes = reached_from(graph, driver(question));
  const std::vector<bool> to_output = reaching(graph, question.output);
  const std::vector<bool> to_input = question.mode == Question::Mode::ratio ? reaching(graph, question.input) : to_output;
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = nodes[i] && (to_output[i] || to_input[i]);
  return nodes;
}

std::vector<bool> relevant_nodes(const SignalFlowGraph& graph, std::span<const Question> questions) {
  std::vector<bool> nodes(graph.nodes().size(), false);
  for (const Question& question : questions) {
    const std::vector<bool> relevant = relevant_nodes(graph, question);
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = nodes[i] || relevant[i];
  }
  return nodes;
}

}  // namespace sfg
