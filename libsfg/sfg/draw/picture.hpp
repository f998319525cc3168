#pragma once
#include <string>

#include "sfg/budget.hpp"
#include "sfg/draw/highlight.hpp"
#include "sfg/draw/theme.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

enum class PictureFormat { svg, png, pdf, dot };

struct PictureOptions {
  Theme theme = Theme::automatic;
  Highlight highlight = {};
  double time_limit = 20;  ///< seconds for a program of another package
  Budget budget = {};
};

/// The picture as the bytes of a file, drawn by layout(); PNG and PDF are made of that SVG by `rsvg-convert`, which runs as a
/// child process with limits on time and memory.
/// @throws NoAnswer when the program is missing or fails; LimitReached when it takes too long.
std::string picture(const SignalFlowGraph&, PictureFormat, const PictureOptions& = {});

}  // namespace sfg
