#pragma once
#include <optional>
#include <vector>

#include "sfg/plot/outline.hpp"

// Not installed: places for texts among curves.
namespace sfg {

/// What is drawn in a panel already, and where something else finds room.
class Room {
 public:
  explicit Room(PixelBox frame) : frame_(frame) {}

  void add(const std::vector<Stroke>&);
  void add(Pixel mark, double radius);
  /// A text, which nothing else may cover.
  void take(const PixelBox& box) { taken_.push_back(box); }

  /// Where a box of this size covers nothing: in a corner, else anywhere in the frame.
  std::optional<PixelBox> free_place(double width, double height) const;
  /// Beside a place, as near as may be and where it covers least, never over another text and inside the frame.
  /// @param close  at the place itself even where that covers curves
  std::optional<PixelBox> place_beside(Pixel, double width, double height, bool close) const;

 private:
  double covered(const PixelBox&) const;
  bool taken(const PixelBox&) const;

  struct Piece {
    Pixel from, to;
  };
  PixelBox frame_;
  std::vector<Piece> pieces_;
  std::vector<PixelBox> taken_;
};

}  // namespace sfg
