#pragma once
#include "sfg/numeric/dense.hpp"

// Not installed.
namespace sfg {

/// What solves M a = f + Jᵀ λ, J a = γ: accelerations and multipliers; with f = 0 the least change a, in the sense of M, that
/// J maps to γ: corrections of drift, and impacts with λ as impulses.
struct Constrained {
  Eigen::VectorXd a;
  Eigen::VectorXd lambda;    ///< of least norm where rows of J depend on each other
  Eigen::Index rank = 0;     ///< of J
  double pivot = 0;          ///< least part of a row of J that the others do not have, to the largest row, squared
  double contradiction = 0;  ///< largest |J a − γ|: above rounding where the rows contradict each other
};

/// No inertia for a motion that the constraints allow.
struct NoInertia {
  Eigen::Index row;  ///< that moves most in it
};

/// @param M  symmetric, positive definite for all motions that J allows
/// @throws NoInertia  where it is not
Constrained constrained(const Eigen::MatrixXd& M, const Eigen::VectorXd& f, const Eigen::MatrixXd& J,
                        const Eigen::VectorXd& gamma);

}  // namespace sfg
