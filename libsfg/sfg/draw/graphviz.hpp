#pragma once
#include <iosfwd>
#include <string>

#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

enum class PictureFormat { svg, png, pdf, dot };

struct PictureOptions {
  bool dark = false;
  double time_limit = 20;   ///< seconds for the layout
};

/// The graph for Graphviz: inputs left, outputs right, gains as mathematics (fractions with a bar, sub- and superscripts,
/// Greek letters), feedback branches routed against the forward line, nonlinear branches marked.
std::string graphviz_text(const SignalFlowGraph&, const PictureOptions& = {});

/// The picture, laid out by Graphviz' `dot` in a child process with limits (Graphviz is not trusted with hostile sizes).
/// @throws NoAnswer when `dot` is missing or fails; LimitReached when it takes too long.
std::string picture(const SignalFlowGraph&, PictureFormat, const PictureOptions& = {});

}  // namespace sfg
