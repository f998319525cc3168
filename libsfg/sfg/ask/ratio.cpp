#include "sfg/ask/ratio.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sfg/ask/subject.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/graph/input_signal.hpp"
#include "sfg/graph/inspect.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/singular.hpp"

namespace sfg {

namespace {

/// Two nodes that a transfer function leads between: the response at the output to a unit signal at the input.
struct TransferEnds {
  NodeId input, output;
};

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
    Branch copy = branch;
    copy.from = copies[branch.from.index];
    copy.to = copies[branch.to.index];
    graph.add_branch(std::move(copy));
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

/// "OUT/IN", with brackets about sums.
std::string name_of(const SignalFlowGraph& graph, const TransferEnds& ends) {
  return in_brackets(graph[ends.output].name) + "/" + in_brackets(graph[ends.input].name);
}

/// The graph whose only transfer function is T/T', of two of the graph. What T' is driven by takes the value at which T' answers
/// as T does (or, where both have one output, at which the two cancel there), so that Δ of the graph, which the two have in
/// common, is in neither numerator nor denominator; the determinant is the numerator of T'. Where the two share neither input nor
/// output, there are two copies of the graph.
/// Its only input bears the name of T', its only output that of T.
/// @throws NoAnswer where T' vanishes identically; sfg::Error for a nonlinear branch of a graph of which copies are made.
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

/// Where the character stands outside of brackets.
std::vector<std::size_t> places_of(char wanted, const std::string& text) {
  std::vector<std::size_t> places;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && depth > 0) --depth;
    if (depth == 0 && text[i] == wanted) places.push_back(i);
  }
  return places;
}

std::string trimmed(std::string text) {
  text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// Reads words about a graph; what they name beside its nodes is added in the end.
class Ratio {
 public:
  Ratio(SignalFlowGraph graph, std::span<const EquationSystem::Definition> definitions)
      : graph_(std::move(graph)), definitions_(definitions) {}

  SignalFlowGraph graph(const RatioTerms& terms) {
    auto [of, to] = words(terms);
    SignalFlowGraph result = graph_;
    const TransferEnds above = added(result, of), below = added(result, to);
    return ratio_graph(result, above, below);
  }

 private:
  struct Words {
    std::string input, output;
  };

  std::optional<std::string> wrong_input(const std::string& text) const {
    try {
      if (const auto node = graph_.find(text)) {
        if (graph_.entering(*node).empty()) return {};
        return "'" + text + "' has entering branches and is no input";
      }
      if (!is_sum_of_inputs(text)) return graph_.at(text), std::optional<std::string>();
      input_sum(graph_, text);
      return {};
    } catch (const Error& error) {
      return error.diagnostics().front().message;
    }
  }

  std::optional<std::string> wrong_output(const std::string& text) const {
    try {
      SignalFlowGraph trial = graph_;
      output_signal(trial, text, definitions_);
      return {};
    } catch (const Error& error) {
      return error.diagnostics().front().message;
    }
  }

  /// OUT/IN; where that is none, the reason goes to `wrong`.
  std::optional<Words> transfer(const std::string& text, std::string& wrong) const {
    for (const std::size_t slash : places_of('/', text)) {
      Words words{trimmed(text.substr(slash + 1)), trimmed(text.substr(0, slash))};
      auto problem = wrong_output(words.output);
      if (!problem) problem = wrong_input(words.input);
      if (!problem) return words;
      if (wrong.empty()) wrong = *problem;
    }
    if (wrong.empty()) wrong = "'" + text + "' is no transfer function";
    return {};
  }

  /// What is divided by: an input, with the same output; or OUT/IN.
  std::optional<Words> divisor(const std::string& text, const std::string& output, std::string& wrong) const {
    const auto problem = wrong_input(text);
    if (!problem) return Words{text, output};
    if (places_of('/', text).empty()) wrong = *problem;
    return transfer(text, wrong);
  }

  [[noreturn]] static void refuse(const std::string& wrong) {
    throw Error({}, wrong, "write OUT/IN,OUT2/IN2, of the same output OUT/IN,IN2; inputs may be sums of sources: 'V1 - V2'");
  }

  std::pair<Words, Words> words(const RatioTerms& terms) const {
    std::string wrong;
    for (const std::size_t comma : places_of(',', terms.words)) {
      if (!terms.input.empty() || !terms.output.empty())
        refuse("'" + terms.words + "' names two transfer functions, and the input or output stated beside it a third");
      const auto of = transfer(trimmed(terms.words.substr(0, comma)), wrong);
      if (!of) continue;
      if (const auto to = divisor(trimmed(terms.words.substr(comma + 1)), of->output, wrong)) return {*of, *to};
    }
    if (!wrong.empty()) refuse(wrong);
    const Words of{terms.input.empty() ? only(graph_.stated_inputs(), "input") : terms.input,
                   terms.output.empty() ? only(graph_.stated_outputs(), "output") : terms.output};
    for (const auto& problem : {wrong_input(of.input), wrong_output(of.output)})
      if (problem) refuse(*problem);
    if (const auto to = divisor(trimmed(terms.words), of.output, wrong)) return {of, *to};
    refuse(wrong);
  }

  std::string only(const std::vector<NodeId>& nodes, const char* what) const {
    if (nodes.size() == 1) return graph_[nodes.front()].name;
    throw Error(
        {},
        "a ratio is of one transfer function to another, and the graph has " + std::to_string(nodes.size()) + " " + what + "s",
        std::string("name one beside it, or write OUT/IN,OUT2/IN2"));
  }

  NodeId input(SignalFlowGraph& result, const std::string& text) const {
    const auto known = result.find(text);
    return known ? *known : add_input(result, input_sum(graph_, text));
  }

  TransferEnds added(SignalFlowGraph& result, const Words& words) const {
    const NodeId output = output_signal(result, words.output, definitions_);
    return {input(result, words.input), output};
  }

  SignalFlowGraph graph_;
  std::span<const EquationSystem::Definition> definitions_;
};

}  // namespace

SignalFlowGraph ratio_graph(SignalFlowGraph graph, const RatioTerms& terms,
                            std::span<const EquationSystem::Definition> definitions) {
  return Ratio(std::move(graph), definitions).graph(terms);
}

}  // namespace sfg
