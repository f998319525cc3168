#pragma once
#include <vector>

#include "sfg/nonlinear/balance/balance_equations.hpp"
#include "sfg/numeric/dense.hpp"

// Not installed: harmonics of laws with corners and jumps.
namespace sfg {

/// Angles and weights for the harmonics of the laws along a motion: evenly where the laws are smooth; else Gauss's points between
/// the angles at which a law switches (an argument of abs, sign, step passes 0, those of min and max each other).
struct BalanceQuadrature {
  Eigen::MatrixXd E, slopes, P;  ///< as of BalanceEquations: samples × width twice, width × samples
  /// Where laws switch, and how the angle moves with the motion.
  struct Event {
    Eigen::RowVectorXd by_x;          ///< dθ/dx
    double by_frequency;              ///< dθ/dω
    Eigen::RowVectorXd by_parameter;  ///< dθ/dp
    Eigen::VectorXd leaps;            ///< what each law has before it more than after it
    Eigen::VectorXd projection;       ///< of a unit pulse at θ on the real numbers of a signal
  };
  std::vector<Event> events;  ///< where a law leaps
  std::vector<double> ends;   ///< angles between which the laws are smooth, over one turn; empty where they are smooth everywhere
};

BalanceQuadrature quadrature(const BalanceEquations&, const Eigen::VectorXd& x, double frequency);

}  // namespace sfg
