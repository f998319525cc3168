#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"

// Not installed.
namespace sfg {

/// w₁·u₁ + w₂·u₂ + … of sources of a graph, with numbers or parameters as weights.
struct InputSum {
  std::string name;  ///< as it was written
  std::vector<std::pair<NodeId, GiNaC::ex>> weights = {};
};

/// Whether that is an expression rather than a name: "V1 - V2", not "port(1,0)".
bool is_sum_of_inputs(std::string_view text);

/// @throws sfg::Error for what is no such expression, names what is no source, or is 0
InputSum input_sum(const SignalFlowGraph&, std::string_view expression);

/// A new source of the name of the sum: all that drives its sources while every sum orthogonal to it is 0. The branch to each uₖ
/// is wₖ/Σw², so that the sum of them is the source itself: "V1 - V2" drives V1 by a half and V2 by minus a half of it,
/// "(V1 + V2)/2" drives both by the whole. What is called a source has entering branches then.
NodeId add_input(SignalFlowGraph&, const InputSum&);

}  // namespace sfg
