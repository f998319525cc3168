#include "sfg/ask/ratio.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "sfg/ask/subject.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/graph/input_signal.hpp"
#include "sfg/transfer/ratio_graph.hpp"

namespace sfg {

namespace {

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
