#pragma once
#include <string>

#include "sfg/graph/signal_flow_graph.hpp"

// Not installed.
namespace sfg {

/// Two nodes that a transfer function leads between: the response at the output to a unit signal at the input.
struct TransferEnds {
  NodeId input, output;
};

/// "OUT/IN", with brackets about sums.
std::string name_of(const SignalFlowGraph&, const TransferEnds&);

/// The graph whose only transfer function is T/T', of two of the graph. What T' is driven by takes the value at which T' answers
/// as T does (or, where both have one output, at which the two cancel there), so that Δ of the graph, which the two have in
/// common, is in neither numerator nor denominator; the determinant is the numerator of T'. Where the two share neither input nor
/// output, there are two copies of the graph.
/// Its only input bears the name of T', its only output that of T.
/// @throws NoAnswer where T' vanishes identically; sfg::Error for a nonlinear branch of a graph of which copies are made.
SignalFlowGraph ratio_graph(const SignalFlowGraph&, TransferEnds of, TransferEnds to);

}  // namespace sfg
