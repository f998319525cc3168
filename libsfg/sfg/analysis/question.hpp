#pragma once
#include <optional>

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
  std::optional<NodeId> reference;  ///< of a ratio
};

/// @throws std::invalid_argument when mode is `source` and the input has entering branches, or a ratio has no reference.
void check_question(const SignalFlowGraph&, const Question&);

}  // namespace sfg
