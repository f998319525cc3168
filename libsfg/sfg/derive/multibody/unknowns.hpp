#pragma once
#include <array>
#include <string>
#include <vector>

#include "sfg/derive/multibody/joint_forest.hpp"
#include "sfg/model/motion.hpp"

// Not installed.
namespace sfg {

/// Coordinates and speeds of a model and where they stand: joints in their order, wheels, modes by body, particles (Mráz: S, then
/// E).
struct Unknowns {
  std::vector<EquationsOfMotion::Coordinate> coordinates;
  std::vector<EquationsOfMotion::Speed> speeds;
  std::vector<std::array<std::size_t, 4>> quaternions;  ///< numbers of coordinates
  std::vector<std::size_t> joint_coordinate;            ///< by joint: the number of its first one
  std::vector<std::size_t> joint_speed;                 ///< by joint
  std::vector<std::vector<std::size_t>> modes;          ///< by body number: speeds of its modes, then of its wheels
  std::vector<std::vector<std::size_t>> mode_coordinates;
  std::vector<std::size_t> particle;  ///< by particle: the number of its first speed, where it has them
  std::size_t generalized = 0;        ///< the first speed of generalised coordinates

  const GiNaC::ex& q(std::size_t coordinate) const { return coordinates[coordinate].q; }
  const GiNaC::ex& v(std::size_t speed) const { return speeds[speed].symbol; }
};

/// @param symbols  gets those that are not there
Unknowns unknowns(const Multibody&, const JointForest&, SymbolTable& symbols);
/// The symbol of that name, added as of that kind where it is not there.
GiNaC::ex moving_symbol(SymbolTable&, const std::string& name, SymbolKind, const SourceSpan&);

}  // namespace sfg
