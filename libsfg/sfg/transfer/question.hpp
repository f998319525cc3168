#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// What is asked of a graph: the response at `output` to `input`.
struct Question {
  enum class Mode {
    source,  ///< input is a source: x_output / x_input
    inject,  ///< unit signal added at the input, which has entering branches
    ratio,   ///< x_output / x_input, both driven by the source `reference`
  };
  NodeId input;
  NodeId output;
  Mode mode = Mode::source;
  std::optional<NodeId> reference = {};  ///< of a ratio
};

/// The question by the names of its nodes; `reference` of a ratio.
/// @throws sfg::Error for a name that the graph does not have, with the nearest one, and as check_question().
Question question(const SignalFlowGraph&, std::string_view input, std::string_view output,
                  Question::Mode mode = Question::Mode::source, std::string_view reference = {});

/// The node that drives the graph: the reference of a ratio, else the input.
NodeId driver(const Question&);

/// @throws std::invalid_argument when mode is `source` and the input has entering branches, or a ratio has no reference.
/// @throws std::out_of_range when a node is not one of the graph.
void check_question(const SignalFlowGraph&, const Question&);

/// One question for every output of every input, in this order: input by input. Empty lists stand for the stated inputs
/// and outputs of the graph (its sources and sinks when it states none).
std::vector<Question> questions(const SignalFlowGraph&, std::span<const NodeId> inputs = {}, std::span<const NodeId> outputs = {},
                                Question::Mode mode = Question::Mode::source, std::optional<NodeId> reference = {});

/// The nodes that matter to a question, by index: reached from its driver, and reaching its output (or its input, for a ratio).
std::vector<bool> relevant_nodes(const SignalFlowGraph&, const Question&);
/// Those of any of the questions.
std::vector<bool> relevant_nodes(const SignalFlowGraph&, std::span<const Question>);

}  // namespace sfg
