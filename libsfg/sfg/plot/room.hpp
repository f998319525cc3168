#pragma once
#include <optional>
#include <vector>

#include "sfg/plot/outline.hpp"

// Not installed: places for texts among curves.
namespace sfg {

/// What is drawn in a panel already, and where something else finds room.
class Room {
 public:
  explicit Room(Box frame) : frame_(frame) {}

  void add(const std::vector<Stroke>&);
  void add(Point mark, double radius);
  /// A text, which nothing else may cover.
  void take(const Box& box) { taken_.push_back(box); }

  bool taken(const Box&) const;

  /// Where a box of this size covers nothing: in a corner, else anywhere in the frame.
  std::optional<Box> free_place(double width, double height) const;
  /// Where it covers least, anywhere in the frame; it is no larger than that.
  Box least_covered(double width, double height) const;
  /// Beside a place, as near as may be and where it covers least, never over another text and inside the frame.
  /// @param close  at the place itself even where that covers curves
  std::optional<Box> place_beside(Point, double width, double height, bool close) const;

 private:
  double covered(const Box&) const;

  struct Piece {
    Point from, to;
  };
  Box frame_;
  std::vector<Piece> pieces_;
  std::vector<Box> taken_;
};

}  // namespace sfg
