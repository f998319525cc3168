#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "sfg/draw/blocks/box_grid.hpp"
#include "sfg/draw/graph/sketch.hpp"
#include "sfg/draw/ink.hpp"

namespace sfg {

/// The corners of the arrow head at a sample of a course, its tip first.
std::array<Point, 3> arrow_head(const Sketch::Course&, std::size_t sample);
Box arrow_box(const Sketch::Course&, std::size_t sample);

/// Nodes, courses and arrow heads of a sketch, and how badly a label lies among them.
class Surroundings {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// What is wrong with a label at a place; costs of what a reader minds add up.
  struct Finding {
    double cost = 0;
    bool on_node = false;
    bool on_course = false;  ///< of another branch, or on its head
    bool doubtful = false;   ///< on its own branch or head, far from it, or nearer to another
  };

  explicit Surroundings(const Sketch&);

  /// Of the gain of a branch, by the boxes of its ink.
  Finding gain(const std::vector<Box>& ink, std::size_t branch);
  /// Of the name of a node.
  Finding name(const std::vector<Box>& ink, std::size_t node);
  const Box& area() const { return area_; }

 private:
  struct Segment {
    Point a, b;
    std::size_t branch;
  };

  /// Distances to the branches around: `near_` holds their numbers, `gap_` how far each stays.
  void measure(const std::vector<Box>& ink, const Box& all);
  void add_nodes(Finding&, const std::vector<Box>& ink, const Box& all, std::size_t own);
  void add_heads(Finding&, const std::vector<Box>& ink, const Box& all, std::size_t own);
  void add_other(Finding&, std::size_t other, double gap) const;
  void add_own(Finding&, double gap) const;
  void add_doubt(Finding&, std::size_t own, std::size_t other, double own_gap, double gap) const;

  const Sketch& sketch_;
  Box area_;
  std::vector<Segment> segments_;
  std::vector<Box> heads_;
  std::vector<int> look_;  ///< by branch: the colour it is drawn in
  BoxGrid course_grid_, node_grid_, head_grid_;
  std::vector<std::size_t> near_;
  std::vector<double> gap_;
};

}  // namespace sfg
