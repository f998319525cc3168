#pragma once
// Not installed.
#include <ginac/ex.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "sfg/multibody/aggregate_run.hpp"
#include "sfg/multibody/joint_motion.hpp"
#include "sfg/numeric/dense.hpp"

namespace sfg {

/// Numbers of a model's expressions over parameters.
class ModelNumbers {
 public:
  explicit ModelNumbers(const SymbolTable&);
  /// @throws sfg::Error for parameters without values.
  double operator()(const GiNaC::ex&, const SourceSpan&) const;
  std::array<double, 3> operator()(const Multibody::Vector&, const SourceSpan&) const;
  std::array<double, 4> operator()(const Multibody::Quaternion&, const SourceSpan&) const;
  std::array<double, 9> operator()(const Multibody::Matrix3&, const SourceSpan&) const;
  const GiNaC::exmap& values() const noexcept { return values_; }

 private:
  const SymbolTable& symbols_;
  GiNaC::exmap values_;
};

/// Mass, centre of mass and inertia about it, inertial components, of a part with a frame.
struct PartMass {
  double mass = 0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
};
PartMass part_mass(const Part&, std::span<const double> state);

/// The parts and connections of a model, and where in them its things are. Body b is part b − 1, its place 0 the origin; then
/// come the flywheels with a case, then the frame, where something is connected with it.
struct AggregateParts {
  explicit AggregateParts(const Multibody&);
  AggregateParts(const AggregateParts&) = delete;
  AggregateParts& operator=(const AggregateParts&) = delete;

  using End = Aggregate::End;
  /// A coordinate inside of a part.
  struct Inside {
    std::size_t part, number;
  };
  struct JointEnds {
    Multibody::JointKind kind;
    End first, second;                      ///< with z along the axis
    std::size_t coordinate = 0, speed = 0;  ///< numbers of its first ones
    std::size_t connection = 0;             ///< not of a free one
  };
  /// Bodies that are welded together, undeformed: what an orbit's gravity gradient turns as one.
  struct Welded {
    std::size_t part;
    std::array<std::array<double, 3>, 3> inertia;  ///< about the common centre of mass, axes of that part
  };

  const Multibody model;
  ModelNumbers numbers;
  Aggregate aggregate;
  std::vector<JointEnds> joints;
  std::vector<Inside> wheels, modes;
  std::vector<End> force_places;                  ///< by force
  std::vector<std::array<End, 2>> spring_places;  ///< by spring
  std::vector<Welded> welded;                     ///< where the model has an orbit and a field
  std::vector<std::string> coordinates, speeds;

  std::vector<double> state(const std::map<std::string, double>& values) const;
  std::vector<double> values(std::span<const double> state, std::span<const double> before) const;

 private:
  class Building;
};

/// What acts on the parts of a model. @throws sfg::Error for parameters without values.
AggregateLaw law_of(std::shared_ptr<const AggregateParts>, AggregateModel::Inputs, std::vector<double> before);

}  // namespace sfg
