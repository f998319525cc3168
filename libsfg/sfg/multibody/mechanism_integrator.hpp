#pragma once
#include <optional>
#include <vector>

#include "sfg/nonlinear/dormand_prince.hpp"
#include "sfg/nonlinear/integrator.hpp"

// Not installed.
namespace sfg {

/// The method that suits the equations of a motion: what decays fast or has switching functions goes to CVODE, all else to the
/// explicit method of high order, which is faster and keeps invariants better at the same tolerance.
class MechanismIntegrator {
 public:
  explicit MechanismIntegrator(Integrator::Problem problem) {
    if (problem.stiff || problem.switches > 0)
      steps_.emplace(std::move(problem));
    else
      explicit_.emplace(std::move(problem));
  }

  void start(double t, const Eigen::VectorXd& x) { steps_ ? steps_->start(t, x) : explicit_->start(t, x); }
  void limit(double longest) { steps_ ? steps_->limit(longest) : explicit_->limit(longest); }
  Integrator::Step step(double last) { return steps_ ? steps_->step(last) : explicit_->step(last); }
  Eigen::VectorXd at(double t) { return steps_ ? steps_->at(t) : explicit_->at(t); }
  std::vector<int> changes() const { return steps_ ? steps_->changes() : std::vector<int>(); }

 private:
  std::optional<Integrator> steps_;
  std::optional<DormandPrince> explicit_;
};

}  // namespace sfg
