#pragma once
#include <Eigen/Sparse>
#include <functional>
#include <memory>
#include <optional>

#include "sfg/numeric/dense.hpp"

// Not installed.
namespace sfg {

/// ẋ = f(t, x) by CVODE (Hindmarsh et al. 2005), step by step, with values between the steps and zeros of switching functions.
class Integrator {
 public:
  struct Problem {
    Eigen::Index size = 0;
    /// Fills ẋ; false where there is none (the step is made smaller).
    std::function<bool(double t, const Eigen::VectorXd& x, Eigen::VectorXd& rate)> rate;
    /// ∂f/∂x of a system small enough for it; without it differences are taken, of large systems along a few directions.
    std::function<Eigen::MatrixXd(double t, const Eigen::VectorXd& x)> jacobian = {};
    /// Instead: of the same places at every time, the diagonal among them.
    std::function<Eigen::SparseMatrix<double, Eigen::RowMajor>(double t, const Eigen::VectorXd& x)> sparse_jacobian = {};
    /// Functions whose changes of sign end a step.
    int switches = 0;
    std::function<void(double t, const Eigen::VectorXd& x, double* g)> switching = {};
    bool stiff = false;
    bool functional = false;  ///< of a large system without fast decay: fixed-point iteration, no linear equations
    double rtol = 1e-9, atol = 1e-12;
    Eigen::VectorXd allowed = {};  ///< of every state instead of atol
    std::optional<double> longest_step = {};
  };

  explicit Integrator(Problem);
  ~Integrator();
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;

  /// Begins at (t, x), which need not have anything to do with what was before.
  void start(double t, const Eigen::VectorXd& x);
  /// The next steps are no longer than that; infinite: as long as they like.
  void limit(double longest);
  struct Step {
    double from, to;
    bool switched = false;  ///< a switching function has a zero at `to`
  };
  double now() const;
  /// One step, not beyond `last`. @throws NoAnswer where none is possible; what the problem's functions throw.
  Step step(double last);
  /// The solution at a time within the last step.
  Eigen::VectorXd at(double t) const;
  /// Signs with which the switching functions changed in the last step: −1, 0, 1 each.
  std::vector<int> changes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sfg
