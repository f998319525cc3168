#pragma once
#include <optional>
#include <vector>

#include "sfg/derive/multibody/body_integrals.hpp"
#include "sfg/derive/multibody/unknowns.hpp"

// Not installed.
namespace sfg {

/// A rotation as a product whose last factor turns about a known axis, so that turns about one axis are added.
struct Orientation {
  spatial::Matrix axes = spatial::unit();  ///< its columns: the axes of the body
  spatial::Matrix base = spatial::unit();
  std::optional<spatial::Vector> axis = {};
  GiNaC::ex angle = 0;
};

/// What one unit of a speed moves: translation of a point and rotation.
struct Column {
  std::size_t speed = 0;
  spatial::Vector translation{0, 0, 0}, rotation{0, 0, 0};
};

/// Motion of a point with axes in inertial components; accelerations without the rates of the speeds, those of points with −g
/// added, so that gravity acts by itself.
struct PointMotion {
  Orientation orientation;
  spatial::Vector position{0, 0, 0}, velocity{0, 0, 0}, angular_velocity{0, 0, 0};
  spatial::Vector bias{0, 0, 0}, angular_bias{0, 0, 0};
};

/// The origin of a body and its axes.
struct BodyMotion : PointMotion {
  std::size_t parent = Multibody::frame;
  spatial::Vector arm{0, 0, 0};   ///< from the origin of the parent
  spatial::Matrix turning{};      ///< α~ + ω~ω~
  std::vector<Column> own;        ///< of the joint that carries it, and of its modes where the joint is not at its origin
  std::vector<Column> of_parent;  ///< of the modes of the parent, in their order
};

/// A place of a body.
struct PlaceMotion : PointMotion {
  std::size_t body = Multibody::frame;
  spatial::Vector arm{0, 0, 0};  ///< from the origin of the body
  std::vector<Column> modes;     ///< of the body
};

/// Positions, velocities and accelerations along a tree of bodies (Mráz: the matrices L1 … L5, column by column).
class TreeMotion {
 public:
  TreeMotion(const Multibody&, const JointForest&, const Unknowns&, Substitutions&);

  const BodyMotion& body(std::size_t number) const { return bodies_[number]; }
  /// @throws sfg::Error where an elastic body has no shapes at the place.
  PlaceMotion at(const Multibody::Place&);

 private:
  struct JointMotion;
  void attach(const JointForest::Edge&);
  void turn(PointMotion&, const spatial::Vector& axis, const GiNaC::ex& angle, const GiNaC::ex& rate,
            const std::vector<std::pair<std::size_t, GiNaC::ex>>& of_speeds, std::vector<Column>& columns);
  void turn_fixed(Orientation&, const Multibody::Quaternion&, bool back);
  void turn_by_shape(PointMotion&, std::size_t body, const ShapeAt&, bool back, std::vector<Column>& columns);
  void move(PointMotion&, const JointForest::Edge&, std::vector<Column>& columns, spatial::Vector& displacement);
  void turn_by_quaternion(PointMotion&, std::size_t coordinate, std::size_t speed, bool back, std::vector<Column>& columns);
  spatial::Matrix turning(const PointMotion&);
  spatial::Vector deflection(const std::vector<spatial::Vector>& shapes, std::size_t body, bool rate) const;

  const Multibody& model_;
  const Unknowns& unknowns_;
  Substitutions& names_;
  std::vector<BodyMotion> bodies_;  ///< the frame first
};

}  // namespace sfg
