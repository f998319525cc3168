#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sfg/plot/panel_series.hpp"

// Not installed: one panel of a figure as a group of its scene.
namespace sfg {

class PanelPicture {
 public:
  /// @param inks  classes of its series
  /// @param moving  see Figure::moving
  /// @param legend  where it is to be
  PanelPicture(const Panel&, const PanelFrame&, const std::vector<std::string>& inks, Figure::LegendPlace legend,
               bool moving = false);

  /// A legend that finds no place among the curves; empty when it has found one or there is none.
  const std::optional<Legend>& homeless_legend() const noexcept { return homeless_; }
  /// Texts of notes for which there is no room.
  const std::vector<std::string>& left_out() const noexcept { return left_out_; }

  /// The panel, for a picture of that width in pixels.
  SceneGroup group(double picture_width) const;
  double end() const noexcept;  ///< below axis and remarks

 private:
  void place_legend(const Panel&, const std::vector<std::string>& inks, Figure::LegendPlace);
  bool placed(const Legend&, std::size_t columns, double most_part);
  void force(const Legend&);
  void place_note(const Note&, bool in_key = false);
  std::optional<Box> at_the_edge(const Note&, double width, double height) const;

  const PanelFrame& frame_;
  bool moving_;
  Room room_;
  std::vector<SceneGroup> curves_, legend_;
  std::vector<SceneWords> notes_;
  std::vector<Caption> remarks_;
  std::optional<Legend> homeless_;
  std::vector<std::string> left_out_;
};

}  // namespace sfg
