#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sfg/plot/outline.hpp"
#include "sfg/plot/panel_frame.hpp"

// Not installed: curves, marks and the entries of legends.
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
  /// The length of curves inside a box, in pixels.
  double covered(const Box&) const;

 private:
  struct Piece {
    Point from, to;
  };
  Box frame_;
  std::vector<Piece> pieces_;
  std::vector<Box> taken_;
};

/// A series as a group that other tools find by its data; what it covers is added to the room.
/// @param ink     its class
/// @param moving  of a curve that a script moves: see Figure::moving
SceneGroup series_group(const Series&, const PanelFrame&, const std::string& ink, Room&, bool moving = false);

/// Of single places, not of a curve.
bool has_marks(Series::Style);

/// What the legend of a panel says, in columns.
class Legend {
 public:
  /// @param inks  classes of all series of the panel
  Legend(const Panel&, std::vector<std::string> inks);

  bool empty() const noexcept { return entries_.empty(); }
  std::size_t size() const noexcept { return entries_.size(); }
  /// Of the box, no wider than `most`.
  std::pair<double, double> extent(std::size_t columns, double most) const;
  /// As many columns as that width holds.
  std::size_t columns_in(double width) const;
  SceneGroup at(const Box&, std::size_t columns) const;

 private:
  double column_width(double most) const;

  struct Entry {
    const Series* series;
    std::string ink;
  };
  std::vector<Entry> entries_;
};

}  // namespace sfg
