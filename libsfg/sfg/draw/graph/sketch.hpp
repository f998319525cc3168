#pragma once
#include <vector>

#include "sfg/draw/curve.hpp"
#include "sfg/draw/graph/arrange.hpp"
#include "sfg/draw/graph/flow.hpp"

namespace sfg {

/// Of a label: the room that its lines take, and the boxes of its ink about the centre of that.
struct Size {
  double width = 0;
  double height = 0;
  std::vector<Box> ink = {};
};

/// A drawing in the making: the steps of the layout fill it one after the other.
struct Sketch {
  enum class Shape {
    line,  ///< straight along a row
    arc,   ///< over or under a row
    self_loop,
    free,  ///< between rows
  };
  struct Course {
    Shape shape = Shape::line;
    double height = 0;  ///< of an arc or self-loop; negative: below the row
    std::vector<Point> curve;
    std::vector<Point> samples;
    bool kept = false;  ///< it stays as an earlier picture has it
  };

  const SignalFlowGraph& graph;
  Flow flow;
  Arrangement arrangement;
  double spread = 1;        ///< factor of the distances between columns and rows
  std::size_t rows = 0;     ///< into which it is broken; 0: a long one only
  std::vector<Size> gains;  ///< by branch
  std::vector<Size> names;  ///< by node
  std::vector<Point> nodes;
  std::vector<Course> courses;        ///< by branch
  std::vector<double> track_heights;  ///< by branch: the ordinate of its track
  std::vector<Point> gain_centres;    ///< by branch
  std::vector<Point> name_centres;    ///< by node
  std::vector<std::size_t> arrows;    ///< by branch: the sample where the arrow stands
  bool detours = false;               ///< no rows and tracks lead the branches round each other: they may go a long way round

  bool feedback(BranchId branch) const { return flow.feedback(graph, branch); }
  void set_curve(BranchId branch, std::vector<Point> curve) {
    courses[branch.index].samples = sampled(curve);
    courses[branch.index].curve = std::move(curve);
  }
};

/// Coordinates of nodes and tracks, with room for names, gains and self-loops.
void place_nodes(Sketch&);
/// The courses of all branches: of a few curves each, the one that meets the least.
void shape_courses(Sketch&);

/// Samples where the arrow heads stand: where they are wanted (`arrows` so far; 0: midway), or beside that where nothing crosses
/// them.
void place_arrows(Sketch&);

/// What labels still cover when the best places are taken.
struct LabelFaults {
  std::size_t on_labels = 0;
  std::size_t on_nodes = 0;
  std::size_t on_courses = 0;  ///< of other branches, or on their arrow heads
  std::size_t doubtful = 0;    ///< on the own branch or its head, far from it, or nearer to another one
};
/// Places for arrow heads, names and gains where they cover nothing, or little, and where it is seen whose they are.
LabelFaults place_labels(Sketch&);

}  // namespace sfg
