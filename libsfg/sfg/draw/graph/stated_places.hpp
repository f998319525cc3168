#pragma once
#include <optional>
#include <vector>

#include "sfg/draw/graph/sketch.hpp"
#include "sfg/graph/places.hpp"

namespace sfg {

/// By node: the place that its attribute `pos` states (of DOT: "x,y" or "x,y!" in points, y upwards), here y downwards.
/// Empty where fewer than two nodes state one: nothing is to be kept then.
/// @throws Error  with the place of the node for a `pos` that is no place, and for two nodes on one.
std::vector<std::optional<Point>> stated_places(const SignalFlowGraph&);

/// What of a picture is given, y downwards.
struct GivenPlaces {
  std::vector<std::optional<Point>> nodes = {};  ///< by node; empty: nothing is given
  std::vector<std::vector<Point>> courses = {};  ///< by branch, from node to node; empty: none
  bool in_pixels = false;                        ///< a picture of ours: gains have room, it is one already

  bool all() const;
};

/// What the file states: `pos` of nodes, and of branches between them as with_positions() writes it.
GivenPlaces stated_picture(const SignalFlowGraph&);
/// What a graph has in common with an earlier picture.
GivenPlaces common_places(const SignalFlowGraph&, const Places&);
/// What the file states as the picture that it is.
Places places_of(const SignalFlowGraph&);

/// The sketch with its nodes at these places and the courses that are given; all by one scale, so large that gains have
/// room. Other branches run straight, bowed or round what lies between. A node without a place keeps the one that it has in the
/// sketch among the others; where a picture of ours is kept, it goes where there is room beside its neighbours.
Sketch place_as_stated(Sketch, const GivenPlaces&);

/// Draws branches anew that do not lie on the side that they state; all others stay.
void turn_to_sides(Sketch&);

/// Left becomes right. The labels are to be placed again.
void mirror(Sketch&);

/// The graph with `pos` at the nodes and branches that the drawing has: in points, y upwards, of branches the points of their
/// curves, as Graphviz has them.
SignalFlowGraph with_positions(const SignalFlowGraph&, const Drawing&);

}  // namespace sfg
