#pragma once
#include <array>
#include <span>
#include <vector>

#include "sfg/multibody/aggregate.hpp"

namespace sfg {

/// Mass, centre of mass and inertia about it, in the axes of a body.
struct RigidMass {
  double mass = 0;
  std::array<double, 3> com{};
  std::array<double, 9> inertia{};  ///< by rows, kg m²
};

/// A rigid body, with wheels without imbalance in it or without (Ivankov's flywheel). The coordinates inside are the angles of
/// the wheels relative to the body, the inputs the torques of their motors; the body gets the opposite. The inertia of the body
/// includes the wheels, locked.
class RigidPart final : public FramedPart {
 public:
  struct Wheel {
    std::array<double, 3> axis{0, 0, 1};  ///< in body axes, of length 1
    double inertia = 0;                   ///< about the axis
    double friction = 0;                  ///< torque −friction·Ω
  };
  RigidPart(const RigidMass&, std::vector<Place> places, std::vector<Wheel> wheels = {});
  void equations(double t, std::span<const double> state, std::span<const double> inputs, const std::array<double, 3>& gravity,
                 std::span<double> M, std::span<double> force) const override;

 private:
  double mass_;
  std::array<double, 3> first_moment_;  // of mass, about the origin
  std::array<double, 9> inertia_;       // about the origin
  std::vector<Wheel> wheels_;
};

/// A case with a wheel, its frame with the origin on the wheel's axis: mass and inertia of both, the wheel locked.
RigidPart flywheel(const RigidMass& case_and_wheel, const RigidPart::Wheel& wheel, std::vector<FramedPart::Place> places);

/// A body whose points are displaced by Σ shape_j x_j in its frame, of mass points or of points of a quadrature (Ivankov's
/// elastic vibrations body; Mráz's integrals). The coordinates inside are the modal ones, the inputs forces on them. Linear in x:
/// neither foreshortening nor stiffening by rotation.
class ElasticPart final : public FramedPart {
 public:
  struct MassPoint {
    double mass = 0;
    std::array<double, 3> at{};
    std::vector<std::array<double, 3>> shape;  ///< by mode
  };
  /// @param rigid      mass in it that does not deform
  /// @param stiffness  modal, modes × modes by rows; @param damping likewise
  ElasticPart(std::span<const MassPoint> points, std::vector<double> stiffness, std::vector<double> damping,
              std::vector<Place> places, const RigidMass& rigid = {});
  void equations(double t, std::span<const double> state, std::span<const double> inputs, const std::array<double, 3>& gravity,
                 std::span<double> M, std::span<double> force) const override;
  double potential(std::span<const double> state) const override;

 private:
  void add(const MassPoint&);
  // ∫dm, ∫ρ dm, ∫ρ~ᵀρ~ dm, and by mode (pair): ∫t dm, ∫ρ~ᵀt~ dm, ∫t~ᵀt~ dm, ∫ρ×t dm, ∫t×t dm, ∫t·t dm.
  double mass_ = 0;
  std::array<double, 3> N1_{};
  std::array<double, 9> N3_{};
  std::vector<std::array<double, 3>> N2_, N6_, N7_;
  std::vector<std::array<double, 9>> N4_, N5_;
  std::vector<double> N8_, stiffness_, damping_;
};

}  // namespace sfg
