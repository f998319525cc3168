#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/multibody/part.hpp"

namespace sfg {

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

  /// The equations of all parts and connections as one system: [M, −Dᵀ; D, 0] of accelerations, then wrenches.
  struct WholeSystem {
    struct Entry {
      std::size_t row, column;
      double value;
    };
    std::size_t size = 0;
    std::vector<Entry> entries;  ///< not 0, a place once
    std::vector<double> right;
  };
  WholeSystem whole_system(double t, std::span<const double> state, const Loads& = {}) const;
  /// The same as motion() by sparse LU of the whole system: a second way, for checks.
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
