#pragma once
#include <string>
#include <utility>
#include <vector>

#include "sfg/plot/panel_frame.hpp"
#include "sfg/plot/room.hpp"

// Not installed: curves, marks and the entries of legends.
namespace sfg {

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
