#pragma once
#include <string>

#include "sfg/draw/picture.hpp"
#include "sfg/graph/polar_graph.hpp"

namespace sfg {

enum class PolarStage {
  graph,  ///< all edges alike
  tree,   ///< the Lagrange tree bold, its chords thin
};

/// The polar graph as the bytes of a file: vertices in a row, the reference as the ground under them, every edge with an arrow
/// for its orientation and the name of its element; sources and nonlinear elements marked.
/// @throws LimitReached beyond 80 vertices or 400 edges; NoAnswer when the program for PNG or PDF is missing or fails.
std::string polar_picture(const PolarGraph&, PolarStage, PictureFormat, const PictureOptions& = {});

}  // namespace sfg
