#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sfg/model/multibody.hpp"

namespace sfg {

/// A multibody model as one draws it, in numbers: what bodies, joints and springs look like, in the axes of their bodies.
struct Mechanism {
  using Point = std::array<double, 3>;
  /// A point of a body; number 0 is the frame.
  struct Place {
    std::size_t body = 0;
    Point at{};
  };
  /// Points of an elastic body with the displacement of each mode.
  struct Elastic {
    std::vector<Point> points;
    std::vector<std::vector<Point>> shapes;  ///< by point, by mode
  };
  struct Body {
    std::string name;
    std::optional<Point> com;  ///< of a body with mass
    std::optional<Elastic> elastic = {};
  };
  struct Joint {
    std::string name;
    Multibody::JointKind kind = Multibody::JointKind::revolute;
    std::array<Place, 2> places;
    Point axis{0, 0, 1};  ///< in the axes of the first body
  };
  struct Spring {
    std::string name;
    std::array<Place, 2> places;
    std::optional<std::size_t> joint = {};  ///< then it acts on its coordinate
    bool stiff = true, damped = false;
    std::string label = {};  ///< beside it
  };
  struct Force {
    std::string name;
    Place on;
    Point direction{};     ///< in the axes of `axes`, with the signs that are written; of a torque its axis
    std::size_t axes = 0;  ///< number of a body
    bool is_torque = false;
    std::string label = {};  ///< beside it
  };
  struct Wheel {
    std::string name;
    Place on;
    Point axis{0, 0, 1};
  };

  std::string title = {};
  bool planar = true;
  Point gravity{};
  std::vector<Body> bodies = {};  ///< without the frame
  std::vector<Joint> joints = {};
  std::vector<Spring> springs = {};
  std::vector<Force> forces = {};
  std::vector<Wheel> wheels = {};
  std::vector<std::string> particles = {};
  std::vector<std::array<std::size_t, 2>> rods = {};  ///< particles that a constraint ties together
};

/// Where the bodies are.
struct MechanismPose {
  struct Frame {
    Mechanism::Point position{};
    std::array<Mechanism::Point, 3> axes{Mechanism::Point{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  ///< columns: axes of the body
    std::vector<double> modal = {};                                                         ///< coordinates of the modes
  };
  std::vector<Frame> frames = {Frame()};  ///< by number: that of the frame first
  std::vector<Mechanism::Point> particles = {};

  /// A point of a body in the inertial frame, undeformed.
  Mechanism::Point at(const Mechanism::Place& place) const { return at(place.body, place.at); }
  Mechanism::Point at(std::size_t body, const Mechanism::Point& point) const;
  Mechanism::Point direction(std::size_t body, const Mechanism::Point& vector) const;
};

}  // namespace sfg
