#pragma once
#include <string>

#include "sfg/draw/picture.hpp"
#include "sfg/graph/polar_graph.hpp"

namespace sfg {

enum class PolarStage {
  graph,  ///< all edges alike
  tree,   ///< the Lagrange tree bold, its chords thin
};

/// The polar graph: vertices in a row, the reference as the ground under them, every edge with an arrow for its orientation and
/// the name of its element; sources and nonlinear elements marked.
///
/// Classes of the scene: "vertex" (data vertex), "edge" (data element).
/// @throws LimitReached beyond 80 vertices or 400 edges.
Scene polar_picture(const PolarGraph&, PolarStage);
/// The same graph as DOT, whose reader places it. @throws as above.
std::string polar_dot(const PolarGraph&, PolarStage);

}  // namespace sfg
