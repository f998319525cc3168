#pragma once
#include <vector>

#include "sfg/draw/scene.hpp"
#include "sfg/plot/axis_ticks.hpp"
#include "sfg/plot/outline.hpp"
#include "sfg/plot/plot.hpp"

// Not installed: where a panel lies in the picture, and where its values lie in it.
namespace sfg {

class PanelFrame {
 public:
  /// @param left, right  of the frame
  /// @param top          of the panel: its title lies above the frame
  /// @param over      the panel below has the same abscissa, which states its numbers
  PanelFrame(const Panel&, double left, double right, double top, int height, bool over = false);

  const Box& box() const noexcept { return box_; }
  /// Room on the left for numbers, names and the label of the axis.
  double wanted_left() const;
  /// Below the label of the axis.
  double end() const noexcept { return box_.bottom + (over_ ? 2 : 48); }
  /// Whether a panel of another frame has the same values at the same places of the abscissa.
  bool shares_abscissa(const PanelFrame& other) const;

  Point at(double x, double y) const;
  double at_x(double) const;
  double at_y(double) const;
  bool drawable(double x, double y) const;

  /// What of a line lies in the frame, without points that nobody sees; all of them where `every` is asked for.
  std::vector<Stroke> strokes(const Series&, bool every = false) const;
  /// The same of closed polygons.
  std::vector<Stroke> outlines(const Series&) const;

  /// Grid, numbers, names, frame, labels and title; what belongs to the ordinate is grouped, for scripts that change it.
  std::vector<SceneGroup> axes(double picture_width) const;
  /// Where the frame lies and which values it holds.
  SceneData data() const;

 private:
  void fit_ranges();
  void make_room_for_notes();
  void equalise();
  std::vector<SceneShape> grid(const AxisTicks&, bool horizontal) const;
  std::vector<SceneWords> numbers(const AxisTicks&, bool horizontal, double picture_width) const;
  void add_names(SceneGroup&) const;
  void add_labels(std::vector<SceneWords>&) const;
  double name_width() const;

  const Panel& panel_;
  std::vector<Caption> title_;
  Box box_;
  Range x_, y_;
  AxisTicks x_ticks_, y_ticks_;
  bool over_;
};

inline constexpr double text_size = 13, label_size = 13, head_size = 17;  ///< of letters, pixels

}  // namespace sfg
