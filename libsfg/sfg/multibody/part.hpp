#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sfg {

/// Where a place of a part is, how it is turned and how it moves; inertial components.
struct MovingPlace {
  std::array<double, 3> position{};
  std::array<double, 9> axes{1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< by rows; its columns are the axes of the place
  std::array<double, 6> twist{};                          ///< velocity of the point and angular velocity
};

/// A part of an aggregate (Ivankov 2018): M q̈ + h = τ + Σ D_jᵀ W_j with wrenches W_j = (force, moment) at its places, whose
/// accelerations are (a, ε) = C_j + D_j q̈. Wrenches and accelerations have inertial components. Derive from it to add a kind of
/// part; most are a FramedPart. Matrices are by rows. A part is immutable: its state is the caller's.
class Part {
 public:
  struct Size {
    std::size_t states = 0;  ///< in its state
    std::size_t speeds = 0;  ///< rows of M
    std::size_t inputs = 0;  ///< forces inside that something else knows: torques of motors
    std::size_t places = 0;  ///< where it may be connected or loaded
  };
  virtual ~Part() = default;
  virtual Size size() const = 0;
  /// M (speeds × speeds, symmetric, not negative) and force = τ − h.
  /// @param gravity  the acceleration of a uniform field, which acts on every mass
  virtual void equations(double t, std::span<const double> state, std::span<const double> inputs,
                         const std::array<double, 3>& gravity, std::span<double> M, std::span<double> force) const = 0;
  /// The motion of a place, and D (6 × speeds) and C (6) of its acceleration.
  virtual void place(std::size_t place, std::span<const double> state, MovingPlace& motion, std::span<double> D,
                     std::span<double> C) const = 0;
  /// Rate of the state.
  virtual void rate(double t, std::span<const double> state, std::span<const double> accelerations,
                    std::span<double> rate) const = 0;
  virtual void speeds(std::span<const double> state, std::span<double> speeds) const = 0;
  /// Moves by a small displacement, that is a speed for a unit of time, and changes the speeds, as drift is removed.
  virtual void displace(std::span<const double> displacement, std::span<double> state) const = 0;
  virtual void add_speeds(std::span<const double> change, std::span<double> state) const = 0;
  /// Moves the whole so that a place has that motion; what is inside stays.
  virtual void put(std::size_t place, const MovingPlace& motion, std::span<double> state) const = 0;
  /// Removes drift inside: the length of a quaternion.
  virtual void normalise(std::span<double>) const {}
  /// Energy of deformation.
  virtual double potential(std::span<const double>) const { return 0; }
  /// Mass, and first moment of mass about the origin of the inertial frame.
  virtual std::array<double, 4> mass(std::span<const double> state) const = 0;
  /// Momentum, and angular momentum about the origin of the inertial frame.
  virtual std::array<double, 6> momentum(std::span<const double> state) const = 0;
};

/// A part with a frame that moves freely and coordinates x inside of it. Its state is
/// [r (3), quaternion (4), x, v (3), w (3), ẋ, further states], its speeds are [v, w, ẋ]: r and v of the origin of the frame
/// in inertial components, w its angular velocity in its own axes. What a class that derives from it states: sizes, equations(),
/// where places are in the frame, mass() and what is beyond that.
class FramedPart : public Part {
 public:
  /// A place in the frame. Its displacement and the angles of its small rotation, about z, then y, then x, are linear in x.
  struct Place {
    std::array<double, 3> at{};                                    ///< where x = 0
    std::array<double, 4> orientation{1, 0, 0, 0};                 ///< of its axes in the frame, where x = 0
    std::vector<std::array<double, 3>> shape = {}, rotation = {};  ///< by coordinate of x; empty: none moves it
  };

  Size size() const override;
  void place(std::size_t place, std::span<const double> state, MovingPlace& motion, std::span<double> D,
             std::span<double> C) const override;
  void rate(double t, std::span<const double> state, std::span<const double> accelerations,
            std::span<double> rate) const override;
  void speeds(std::span<const double> state, std::span<double> speeds) const override;
  void displace(std::span<const double> displacement, std::span<double> state) const override;
  void add_speeds(std::span<const double> change, std::span<double> state) const override;
  void put(std::size_t place, const MovingPlace& motion, std::span<double> state) const override;
  void normalise(std::span<double> state) const override;
  std::array<double, 4> mass(std::span<const double> state) const override;
  std::array<double, 6> momentum(std::span<const double> state) const override;

  /// The state of a part at rest: origin at 0, x = 0.
  std::vector<double> rest() const;

 protected:
  /// @param inside   number of coordinates x
  /// @param further  number of states of first order, whose rates further_rates() gives
  FramedPart(std::vector<Place> places, std::size_t inside, std::size_t inputs = 0, std::size_t further = 0);
  std::size_t inside() const noexcept { return inside_; }
  /// Rates of the further states.
  virtual void further_rates(double, std::span<const double>, std::span<double>) const {}

 private:
  std::vector<Place> places_;
  std::size_t inside_, inputs_, further_;
};

/// The inertial frame with places: nothing of it moves.
class Ground final : public Part {
 public:
  explicit Ground(std::vector<FramedPart::Place> places) : places_(std::move(places)) {}
  Size size() const override { return {0, 0, 0, places_.size()}; }
  void equations(double, std::span<const double>, std::span<const double>, const std::array<double, 3>&, std::span<double>,
                 std::span<double>) const override {}
  void place(std::size_t place, std::span<const double> state, MovingPlace& motion, std::span<double> D,
             std::span<double> C) const override;
  void rate(double, std::span<const double>, std::span<const double>, std::span<double>) const override {}
  void speeds(std::span<const double>, std::span<double>) const override {}
  void displace(std::span<const double>, std::span<double>) const override {}
  void add_speeds(std::span<const double>, std::span<double>) const override {}
  void put(std::size_t, const MovingPlace&, std::span<double>) const override {}
  std::array<double, 4> mass(std::span<const double>) const override { return {}; }
  std::array<double, 6> momentum(std::span<const double>) const override { return {}; }

 private:
  std::vector<FramedPart::Place> places_;
};

/// Ivankov's mass-normalised letters of a part at a state: q̈ = A + Q0 + Σ B_j W_j, (a, ε)_j = C_j + D_j q̈.
struct IvankovLetters {
  std::vector<double> A;               ///< −M⁻¹ h, without inputs and gravity
  std::vector<double> Q0;              ///< M⁻¹ τ: what inputs and gravity add
  std::vector<std::vector<double>> B;  ///< by place: M⁻¹ D_jᵀ, speeds × 6
  std::vector<std::array<double, 6>> C;
  std::vector<std::vector<double>> D;  ///< 6 × speeds
};
/// @throws NoAnswer  where M has no inverse.
IvankovLetters letters(const Part&, double t, std::span<const double> state, std::span<const double> inputs = {},
                       const std::array<double, 3>& gravity = {});

}  // namespace sfg
