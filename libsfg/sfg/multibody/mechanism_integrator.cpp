#include "sfg/multibody/mechanism_integrator.hpp"

#include <algorithm>

#include "sfg/error.hpp"

namespace sfg {

MechanismIntegrator::MechanismIntegrator(Integrator::Problem problem) : problem_(std::move(problem)) {
  if (problem_.stiff || problem_.switches > 0) {
    steps_.emplace(problem_);
    return;
  }
  Integrator::Problem finer = problem_;
  finer.rtol = DormandPrince::of_step(problem_.rtol);
  finer.atol *= 0.1;
  finer.allowed *= 0.1;
  explicit_.emplace(std::move(finer));
}

const char* MechanismIntegrator::method() const {
  return steps_ ? "integration (CVODE)" : "integration (Dormand and Prince, order 8)";
}

void MechanismIntegrator::start(double t, const Eigen::VectorXd& x) { steps_ ? steps_->start(t, x) : explicit_->start(t, x); }

void MechanismIntegrator::limit(double longest) {
  allowed_ = longest;
  steps_ ? steps_->limit(longest) : explicit_->limit(longest);
}

Integrator::Step MechanismIntegrator::step(double last) {
  constexpr int patience = 100;
  constexpr double stands = 1e-4;
  if (explicit_ && (given_up_ || short_ones_ > patience)) hand_over();
  if (steps_) return steps_->step(last);
  try {
    const Integrator::Step made = explicit_->step(last);
    const double length = made.to - made.from;
    longest_ = std::max(longest_, length);
    short_ones_ = length < stands * longest_ ? short_ones_ + 1 : 0;
    return made;
  } catch (const NoAnswer&) {
    hand_over();
  }
  return steps_->step(last);
}

void MechanismIntegrator::hand_over() {
  steps_.emplace(problem_);
  steps_->start(explicit_->now(), explicit_->state());
  steps_->limit(allowed_);
  explicit_.reset();
}

}  // namespace sfg
