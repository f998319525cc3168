#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sfg/error.hpp"

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

/// A place of a part, by their numbers.
struct PartPlace {
  std::size_t part = 0, place = 0;
};

/// What acts on an aggregate beside what its parts do themselves.
struct AggregateLoads {
  /// Force and moment on a place, inertial components.
  struct Load {
    PartPlace on;
    std::array<double, 6> wrench{};
  };
  /// What a spring or a motor inside of a connection does to its second part, and the opposite to its first: force, and moment
  /// about the place of the first, inertial components. It is part of the connection's wrench.
  struct Inside {
    std::size_t connection = 0;
    std::array<double, 6> wrench{};
  };
  std::array<double, 3> gravity{};                     ///< acceleration of a uniform field
  std::vector<std::array<double, 3>> gravity_of = {};  ///< what is added to it, by part; none: 0
  std::vector<double> inputs = {};                     ///< of all parts, one after the other; none: 0
  std::vector<Load> wrenches = {};
  std::vector<Inside> inside = {};
  double potential = 0;  ///< energy of what acts, springs and gravity
};

/// Parts and their connections without a loop: a forest (Ivankov 2018). The state of an aggregate is that of its parts one after
/// the other, its speeds likewise.
class Aggregate {
 public:
  using End = PartPlace;
  /// Which relative motions of the second place a connection leaves free, in the axes of the first: displacement along x, y, z
  /// and rotation about them. None: a weld.
  using Freedom = std::array<bool, 6>;
  struct Connection {
    std::string name;
    End first, second;
    Freedom free{};
    SourceSpan where = {};
  };
  using Loads = AggregateLoads;
  /// Accelerations of all parts, and the wrenches W: force and moment that the first part exerts on the second, at the place of
  /// the first, inertial components; of what the connection blocks and of what acts inside of it.
  struct Motion {
    std::vector<double> accelerations;
    std::vector<std::array<double, 6>> wrenches;
  };

  /// @returns the number of the part
  std::size_t add(std::string name, std::shared_ptr<const Part> part);
  /// @throws sfg::Error  when the two are connected already, through others or not: a loop, which is a matter of constraints
  /// @throws std::out_of_range  for a part or place that is none.
  std::size_t connect(std::string name, End first, End second, const Freedom& free = {}, SourceSpan where = {});

  std::span<const Connection> connections() const noexcept { return connections_; }
  std::size_t part_count() const noexcept { return parts_.size(); }
  const Part& part(std::size_t number) const { return *parts_.at(number).part; }
  const std::string& name(std::size_t part) const { return parts_.at(part).name; }
  Part::Size size() const noexcept { return total_; }
  /// Accelerations and components of wrenches.
  std::size_t unknowns() const noexcept;
  /// Where the states, speeds and inputs of a part begin.
  std::size_t state_offset(std::size_t part) const { return parts_.at(part).state; }
  std::size_t speed_offset(std::size_t part) const { return parts_.at(part).speed; }
  std::size_t input_offset(std::size_t part) const { return parts_.at(part).input; }
  std::span<const double> state_of(std::size_t part, std::span<const double> state) const;
  std::span<double> state_of(std::size_t part, std::span<double> state) const;
  MovingPlace motion_of(const End&, std::span<const double> state) const;

  /// By elimination from the leaves to the roots and back: time and memory grow linearly with the parts.
  /// @throws NoAnswer  naming the part whose inertia is not positive, or that cannot follow its connection
  Motion motion(double t, std::span<const double> state, const Loads& = {}) const;
  std::vector<double> rate(double t, std::span<const double> state, const Loads& = {}) const;

  /// The same by sparse LU of the equations of all parts and connections as one system: a second way, for checks.
  Motion motion_of_whole_system(double t, std::span<const double> state, const Loads& = {}) const;

  double kinetic_energy(double t, std::span<const double> state) const;
  double potential_energy(std::span<const double> state) const;  ///< of deformation
  /// Mass, and first moment of mass about the origin.
  std::array<double, 4> mass(std::span<const double> state) const;
  /// Momentum, and angular momentum about the origin.
  std::array<double, 6> momentum(std::span<const double> state) const;

  /// Parts from the roots to the leaves, with the connection to the one nearer to the root.
  struct Visit {
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::size_t part, connection = none, parent = none;
  };
  /// The root of a tree is the inertial frame where it is in it, else the first part added.
  std::vector<Visit> outwards() const;

 private:
  struct Member {
    std::string name;
    std::shared_ptr<const Part> part;
    std::size_t state, speed, input;
  };
  std::size_t tree_of(std::size_t part) const;

  std::vector<Member> parts_;
  std::vector<Connection> connections_;
  mutable std::vector<std::size_t> trees_;  // union-find: the part next nearer to the one that stands for the tree
  Part::Size total_;
};

}  // namespace sfg
