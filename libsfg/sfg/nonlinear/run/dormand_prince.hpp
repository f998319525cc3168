#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>

#include "sfg/nonlinear/run/integrator.hpp"
#include "sfg/numeric/dense.hpp"

// Not installed.
namespace sfg {

/// ẋ = f(t, x) of a small smooth system without fast decay, to nearly all digits of a double: the explicit method of order 8 by
/// Dormand and Prince (1981) with Hairer's estimate of the error and values of order 7 within a step. A step knows nothing of
/// those before, so that a start anew costs nothing.
class DormandPrince {
 public:
  using Problem = Integrator::Problem;  ///< switching functions and what implicit methods need is not looked at
  using Step = Integrator::Step;

  /// What a step may be off, so that the errors of many add up to a tolerance.
  static double of_step(double rtol) { return std::max(0.1 * rtol, 1e-14); }

  /// Tolerances are of the largest value of each state so far.
  explicit DormandPrince(Problem);

  void start(double t, const Eigen::VectorXd& x);
  /// The next steps are no longer than that.
  void limit(double longest) { longest_ = longest; }
  double now() const { return t_; }
  const Eigen::VectorXd& state() const { return x_; }
  /// One step, not beyond `last`. @throws NoAnswer where none is possible; what the problem's functions throw.
  Step step(double last);
  /// The solution at a time within the last step.
  Eigen::VectorXd at(double t);

 private:
  double allowed(Eigen::Index state) const;
  bool evaluate(std::size_t stage, double t, const Eigen::VectorXd& x);
  void combine(std::size_t stage, double h);
  double attempt(double h);
  double first_step(double longest) const;
  Step take(double h, double to);
  void prepare();

  Problem problem_;
  double t_ = 0, from_ = 0, length_ = 0, h_ = 0, longest_ = std::numeric_limits<double>::infinity();
  bool known_ = false, dense_ = false;
  Eigen::VectorXd x_, before_, here_, rate_, largest_;
  Eigen::VectorXd slopes_;  ///< of a state all stages, one after the other
  Eigen::MatrixXd polynomial_;
};

}  // namespace sfg
