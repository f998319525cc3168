// A small graph goes through every format that is written and read: the same graph where that is promised, else the same
// transfer functions.
#include <array>
#include <sstream>

#include "fuzz/drawn_graph.hpp"
#include "fuzz/targets.hpp"
#include "response_modulo.hpp"
#include "same_graph.hpp"
#include "sfg/export/targets.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/random_point.hpp"
#include "sfg/read/csv.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/read/graphml.hpp"
#include "sfg/read/input.hpp"
#include "sfg/read/json.hpp"
#include "sfg/read/typed_diagram.hpp"
#include "sfg/transfer/verify.hpp"
#include "sfg/write/graph.hpp"

namespace sfg::fuzz {

namespace {

/// Names as people give them, in place of r, x, w, v, u, t, s.
constexpr std::array<std::array<const char*, 7>, 4> names{{{"r", "x", "w", "v", "u", "t", "s"},
                                                           {"r 1", "x-2", "w'", "v\\v", "ü", "1", "s"},
                                                           {"\"r\"", "x, y", "a;b", "w -> v", "#u", "input", "=2"},
                                                           {" r", "[x]", "{w}", "v|u", "y:1", "digraph", "<t>"}}};

SignalFlowGraph renamed(const SignalFlowGraph& graph, const std::array<const char*, 7>& with) {
  SignalFlowGraph result = SignalFlowGraph::like(graph);
  for (const Node& node : graph.nodes())
    result.node(with[static_cast<std::size_t>(node.name == "r" ? 0 : 1 + 'x' - node.name.front())]);
  for (const Branch& branch : graph.branches()) result.add_branch(branch.from, branch.to, branch.gain());
  result.inputs = graph.inputs;
  result.outputs = graph.outputs;
  return result;
}

template <class Write, class Read>
SignalFlowGraph there_and_back(const SignalFlowGraph& graph, const char* format, Write write, Read read) {
  std::ostringstream text;
  write(text, graph);
  try {
    return read(text.str(), std::string("again.") + format);
  } catch (const Failure& failure) {
    throw Broken(std::string("what is written as ") + format + " is refused: " + failure.what() + "\n" + text.str());
  }
}

template <class Write, class Read>
void same_graph(const SignalFlowGraph& graph, const char* format, Write write, Read read) {
  const std::string before = test::description(graph), after = test::description(there_and_back(graph, format, write, read));
  require(before == after, std::string("what is written as ") + format + " is another graph:\n" + before + "\nthen\n" + after);
}

template <class Write, class Read>
void same_response(const SignalFlowGraph& graph, const Question& question, const char* format, Write write, Read read) {
  const SignalFlowGraph again = there_and_back(graph, format, write, read);
  const auto lost = [&](NodeId node) { return !again.find(graph[node].name); };  // where no branch has it
  if (lost(question.input) || lost(question.output)) return;
  const auto there = [&](NodeId node) { return again.at(graph[node].name); };
  Question same{there(question.input), there(question.output), question.mode, {}};
  if (question.reference) same.reference = there(*question.reference);
  const ModularPoint point = random_point(11);
  const auto before = test::response_modulo(graph, question, point), after = test::response_modulo(again, same, point);
  require(!before || !after || *before == *after, std::string("the transfer function is another one behind ") + format);
}

}  // namespace

int try_exchange(std::string_view bytes) {
  const unsigned first = bytes.empty() ? 0 : static_cast<unsigned char>(bytes.front());
  const DrawnGraph drawn(bytes.substr(std::min<std::size_t>(1, bytes.size())),
                         first % 2 == 0 ? DrawnGraph::Letters::free : DrawnGraph::Letters::with_values);
  if (!drawn.question) return 0;
  const SignalFlowGraph graph = renamed(drawn.graph, names[first / 2 % names.size()]);
  const auto dot = [](const std::string& text, const std::string& file) { return read_dot(text, file); };
  const auto json = [](const std::string& text, const std::string& file) { return read_json(text, file); };
  const auto graphml = [](const std::string& text, const std::string& file) { return read_graphml(text, file); };
  const auto toml = [](const std::string& text, const std::string& file) {
    return std::get<SignalFlowGraph>(read(text, InputFormat::toml, file).content);
  };
  same_graph(graph, "dot", write_dot, dot);
  same_graph(
      graph, "json", [](std::ostream& out, const SignalFlowGraph& g) { write_json(out, g); }, json);
  same_graph(
      graph, "toml", [](std::ostream& out, const SignalFlowGraph& g) { write_toml(out, g); }, toml);
  same_graph(
      graph, "graphml", [](std::ostream& out, const SignalFlowGraph& g) { write_graphml(out, g); }, graphml);
  same_response(graph, *drawn.question, "sfg", write_typed_diagram,
                [](const std::string& text, const std::string& file) { return read_typed_diagram(text, file); });
  const auto exported = [&](auto write) {
    return [&, write](std::ostream& out, const SignalFlowGraph& g) {
      write(out, {.graph = g, .questions = {*drawn.question}}, Budget());
    };
  };
  same_response(graph, *drawn.question, "csv", exported(write_branch_list), [](const std::string& text, const std::string& file) {
    return std::get<SignalFlowGraph>(read(text, InputFormat::csv, file).content);
  });
  same_response(graph, *drawn.question, "graphml", exported(write_graphml_file), graphml);
  return 0;
}

}  // namespace sfg::fuzz
