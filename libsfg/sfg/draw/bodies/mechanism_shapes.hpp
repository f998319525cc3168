#pragma once
#include <span>
#include <string>
#include <vector>

#include "sfg/draw/scene.hpp"
#include "sfg/model/mechanism.hpp"

// Not installed: a mechanism as lines and names on paper.
namespace sfg {

/// From the inertial frame to pixels: the plane as it is, space in an axonometric view with the vertical upright.
class MechanismView {
 public:
  static constexpr double widest = 640;
  /// So that all poses fit in that width, pixels, and what belongs to it in height, names apart.
  MechanismView(const Mechanism&, std::span<const MechanismPose> poses, double width = widest);

  Point operator()(const Mechanism::Point&) const;
  /// A direction of the model as a unit vector on paper; of one along the line of sight (0, 0).
  Point direction(const Mechanism::Point&) const;
  double pixels(double length) const { return length * scale_; }
  double width() const { return width_; }
  double height() const { return height_; }

 private:
  Point flat(const Mechanism::Point&) const;
  bool planar_;
  std::size_t up_ = 1;  ///< the axis that is vertical on paper
  bool hangs_ = false;  ///< it points downwards, as gravity does
  double scale_ = 1, width_ = 0, height_ = 0;
  Point origin_;
};

/// The styles of names that are words: of bodies and particles, of joints.
inline constexpr const char* body_name = "body";
inline constexpr const char* joint_name = "joint";

/// A name and what it belongs to.
struct MechanismLabel {
  std::string text, style;
  Point anchor;
  double distance = 14;  ///< of the nearest place for it
};

struct MechanismDrawing {
  std::vector<SceneGroup> parts;  ///< in the order of drawing
  std::vector<MechanismLabel> labels;
  std::vector<Point> covered;  ///< points of what is solid: loads and gravity keep off it
};

/// The mechanism in a pose. @param all  poses that the view is for: guides are as long as they need
MechanismDrawing mechanism_drawing(const Mechanism&, const MechanismPose&, const MechanismView&,
                                   std::span<const MechanismPose> all);
/// Its bodies alone.
std::vector<SceneGroup> mechanism_ghost(const Mechanism&, const MechanismPose&, const MechanismView&);

}  // namespace sfg
