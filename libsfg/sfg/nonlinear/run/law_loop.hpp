#pragma once
#include <vector>

#include "sfg/nonlinear/compiled_laws.hpp"
#include "sfg/nonlinear/run/dynamics.hpp"
#include "sfg/numeric/dense.hpp"

// Not installed.
namespace sfg {

/// The arguments and outputs of the laws at one moment: a = a_0 + L f(a, t), by Newton's method from the last solution. L is what
/// comes from the laws' outputs to their arguments without delay: 0 wherever a mass or a capacitor lies between.
class LawLoop {
 public:
  /// @param through  arguments × laws
  LawLoop(const CompiledLaws& laws, Eigen::MatrixXd through);

  /// @param known  a_0; `arguments` and `outputs` become the solution, from their last values on
  /// @returns false when Newton's method does not converge
  bool solve(double time, const Eigen::VectorXd& known);
  /// ∂f/∂a_0 at the solution: laws × arguments.
  Eigen::MatrixXd sensitivity(double time);

  Eigen::VectorXd arguments, outputs;
  std::vector<double> memory;      ///< of the laws, kept as it is
  std::vector<double> parameters;  ///< those of the laws that are free

  /// L.
  const Eigen::MatrixXd& through() const { return through_; }
  /// The laws at the solution.
  CompiledLaws::Point point(double time) const;

 private:
  void evaluate(double time);

  const CompiledLaws& laws_;
  Eigen::MatrixXd through_;
  bool direct_;  ///< L = 0
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> slopes_;
};

/// L of a form: from the laws' outputs to their arguments without delay. @param linear  of the form's inputs and outputs
Eigen::MatrixXd through(const PrincipalForm&, const Dynamics& linear);
/// ∂ẋ/∂x with the laws in place. @param sensitivity  of the laws' outputs to their arguments (LawLoop::sensitivity)
Eigen::MatrixXd closed(const PrincipalForm&, const Dynamics& linear, const Eigen::MatrixXd& sensitivity);

}  // namespace sfg
