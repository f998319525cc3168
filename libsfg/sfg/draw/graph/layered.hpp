#pragma once
#include "sfg/budget.hpp"
#include "sfg/draw/graph/sketch.hpp"

namespace sfg {

/// Coordinates, courses and places of labels for graphs that are too large or too dense for chains on rows: nodes on layers
/// from left to right, the longest forward path on a straight line, every gain on a layer of its own between them. A picture
/// much longer than high is broken into rows, which lines lead back from. Takes the graph, its flow, the sizes of names and
/// gains, and the spread; costs some 10 µs a node and layer.
/// @returns what labels still cover.
LabelFaults layered(Sketch&, const Budget&);

}  // namespace sfg
