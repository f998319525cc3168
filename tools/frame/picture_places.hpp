#pragma once
#include <vector>

#include "sfg/draw/picture.hpp"
#include "tools/frame/arguments.hpp"

namespace sfg::command {

/// --like, --mirror, --number-loops, --positions.
std::vector<Option> place_options();
/// --positions alone, of verbs that write a graph.
Option positions_option();

/// What --like, --mirror and --number-loops say, in the options of the picture. What --like has in common with the graph stays;
/// a remark says so where that is nothing.
/// @throws UsageError for a file that is neither DOT with `pos` nor an SVG of ours.
void state_places(Task&, const SignalFlowGraph&, PictureOptions&);

/// The graph with the places that its picture has.
SignalFlowGraph positioned(Task&, const SignalFlowGraph&, const PictureOptions& = {});

}  // namespace sfg::command
