#pragma once
#include <ginac/ginac.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sfg/derive/multibody/multibody_equations.hpp"

namespace sfg::test {

/// Lagrange's equations of a multibody model from the positions of its parts along the joints: T and Pi are differentiated as
/// they stand, nothing is shared with the composite method. Quaternions q move in four coordinates with q̇ = N w; what N projects
/// out is the force that keeps |q| = 1. Cut revolute joints of plane models, constraints and particles are among it; reactions,
/// sensors, gravity fields are not.
MultibodyEquations lagrange_of_bodies(const Multibody&);

/// Values modulo a prime at random points: a symbol has a residue for its name, an angle with its sine and cosine one for half
/// its tangent, a quaternion length 1. Equal expressions are equal at every point; others differ but by a chance of degree/2^61.
class ResiduePoint {
 public:
  ResiduePoint(std::uint64_t prime, std::uint64_t seed) : prime_(prime), seed_(seed) {}
  void set(const std::string& symbol, std::uint64_t residue) { known_[symbol] = residue; }
  /// Residues of four symbols whose squares have the sum 1.
  void set_quaternion(const std::vector<std::string>& symbols);
  /// Values of names in what is evaluated afterwards.
  void define(const std::vector<EquationsOfMotion::Definition>&);
  std::uint64_t operator()(const GiNaC::ex&);

 private:
  std::uint64_t of_text(const std::string&) const;
  std::uint64_t function(const GiNaC::ex&);
  std::pair<std::uint64_t, std::uint64_t> sine_and_cosine(const GiNaC::ex& angle);

  std::uint64_t prime_, seed_;
  std::map<std::string, std::uint64_t> known_;
  std::map<const GiNaC::basic*, std::pair<GiNaC::ex, std::uint64_t>> seen_;  ///< sums and products, kept alive
  GiNaC::exmap angles_;                                                      ///< names of sums, which may be arguments of sines
};

}  // namespace sfg::test
