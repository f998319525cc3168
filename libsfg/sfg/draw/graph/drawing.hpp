#pragma once
#include <string>
#include <vector>

#include "sfg/draw/formula.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// A place in a picture, in pixels; y downwards.
struct Point {
  double x = 0;
  double y = 0;
};

/// A formula at its place: as its parts for writers that set type themselves, and set already for those that do not.
struct Label {
  Math math = Math::word("");
  Formula formula;  ///< placed
  Point centre;
  bool backed = false;  ///< a course passes under it: paper goes behind it
};

struct DrawnNode {
  NodeId id;
  Point at;
  Label name;
  std::string title = {};  ///< the name as it is written
};

struct DrawnBranch {
  BranchId id;
  std::vector<Point> curve = {};  ///< Bézier curve of third order from tail to head: 3k + 1 points
  Point arrow;                    ///< tip of the arrow head, midway
  Point direction;                ///< of the arrow, a unit vector
  Label gain;
  bool feedback = false;  ///< against the left-to-right order, or to and from a node that only carries signals back
  bool nonlinear = false;
  std::string from = {}, to = {};  ///< the names of its ends
  std::string title = {};          ///< "C → e: −1"
};

/// L1: the number of a loop, within what its branches enclose where that has room.
struct DrawnNumber {
  std::size_t loop = 0;  ///< from 1
  Label label;
};

/// A signal-flow graph as positions and curves: what the writers of pictures need and nothing else.
struct Drawing {
  std::string title = {};
  std::string description = {};  ///< the graph in words, for those who do not see the picture
  std::string left_out = {};     ///< in words: "3 nodes that no output depends on: a, b, c"; "" when all is shown
  double width = 0;
  double height = 0;
  double node_radius = 4.6;
  double text_size = 17;  ///< of gains and names
  std::vector<DrawnNode> nodes = {};
  std::vector<DrawnBranch> branches = {};
  std::vector<DrawnNumber> numbers = {};
  std::vector<Label> legend = {};  ///< g1 = …: the gains too long to stand beside a branch
};

}  // namespace sfg
