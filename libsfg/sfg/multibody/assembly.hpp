#pragma once
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/multibody/compiled_motion.hpp"

// Not installed.
namespace sfg {

/// Values from which a mechanism is put together, and which of them are to stay as they are.
struct AssemblyStart {
  Eigen::VectorXd q, v;
  std::vector<bool> given_coordinates, given_speeds;
  std::vector<bool> deformations;  ///< coordinates that stay as long as the others suffice
  /// Numbers of given coordinates and speeds; of the first as many as the mechanism has freedoms are held, the others may move.
  std::vector<std::size_t> first_coordinates = {}, first_speeds = {};
};

struct Assembly {
  Eigen::VectorXd q, v;
  Eigen::Index rank = 0;                ///< of the constraints
  double gap = 0, velocity_gap = 0;     ///< largest |φ| and |φ̇| of the start values
  std::vector<std::string> moved = {};  ///< "s2 = 0.31 (from 0)"
  std::vector<Diagnostic> notes = {};
};

/// Closes the loops: φ(q, u, t) = 0 by Gauss's and Newton's method in small steps, near the start values, and rates that keep
/// them closed. Tried in turn: with deformations and what is given held, with what is given held, and with everything free.
/// @throws NoAnswer  naming the constraints that stay open.
Assembly assembled(const CompiledMotion&, const AssemblyStart&, const Eigen::VectorXd& u, double t, const Budget& = {});

}  // namespace sfg
