#pragma once
#include <string>

#include "sfg/draw/picture.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// The graph for Graphviz: inputs left, outputs right, gains as mathematics (fractions with a bar, sub- and superscripts,
/// Greek letters), feedback branches routed against the forward line, nonlinear branches marked.
/// @throws LimitReached beyond 2000 nodes or 10 000 branches.
std::string graphviz_text(const SignalFlowGraph&, const PictureOptions& = {});

}  // namespace sfg
