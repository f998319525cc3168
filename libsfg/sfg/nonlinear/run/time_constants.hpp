#pragma once
#include <functional>

#include "sfg/numeric/dense.hpp"

// Not installed.
namespace sfg {

/// The outside of the spectrum of a matrix: which parts of a motion are fast.
struct FastParts {
  double decay;    ///< rate of the fastest decay
  double turning;  ///< the fastest oscillation, rad/s
  /// Decay so fast beside the rest and the time that is left that implicit methods are cheaper.
  bool stiff(double time) const { return decay * time > 1000 && decay > 20 * turning; }
};

/// By all eigenvalues of a small matrix; by those of its projection on a Krylov space (Arnoldi 1951) of a large one, of which
/// the fastest parts are the first to be right.
/// @param product  of the matrix with the first, into the second
FastParts fast_parts(Eigen::Index size, const std::function<void(const Eigen::VectorXd&, Eigen::VectorXd&)>& product);

/// Whether a motion ẋ = f(x) is stiff near a state for so long a time, by differences; of a large one it is not known: false.
bool is_stiff(const std::function<bool(const Eigen::VectorXd& x, Eigen::VectorXd& rate)>&, const Eigen::VectorXd& x, double time);

}  // namespace sfg
