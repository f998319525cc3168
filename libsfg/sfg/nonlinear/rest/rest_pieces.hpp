#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "sfg/nonlinear/rest/rest_system.hpp"
#include "sfg/numeric/dense.hpp"

// Not installed: states of rest that are not alone.
namespace sfg {

/// States of rest that fill a polytope: dead zones, gaps, dry friction that sticks. A law that jumps takes every value between
/// its one-sided ones there (Filippov, Differential Equations with Discontinuous Righthand Sides, 1988).
struct RestPiece {
  std::size_t dimension = 0;             ///< 0: one state, at a jump
  std::vector<Eigen::VectorXd> corners;  ///< of the polytope: arguments, then outputs of the laws
  std::vector<std::size_t> jumping;      ///< laws
  RestBox box;                           ///< that of the search it lies in

  Eigen::VectorXd centre() const;
  /// Of an argument, or of the output of a law behind them.
  ring::Bounds range(Eigen::Index) const;
};

struct RestPieces {
  bool straight = false;  ///< the laws are straight lines within the box but for jumps: the piece, or its absence, counts
  std::optional<RestPiece> piece = {};
};

/// The states of rest within a box where laws are straight and either jump or leave the equations without a single solution.
RestPieces rest_pieces(const RestSystem&, const CompiledLaws&, const RestBox& box, const RestSystem::Values&);

/// Pieces that touch, joined: of each set its pieces.
std::vector<std::vector<RestPiece>> joined(std::vector<RestPiece>);

/// Whether all sides are as narrow as doubles tell.
bool is_point(const RestBox&);

}  // namespace sfg
