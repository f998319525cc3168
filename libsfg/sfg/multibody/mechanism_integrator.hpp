#pragma once
#include <optional>
#include <vector>

#include "sfg/nonlinear/run/dormand_prince.hpp"
#include "sfg/nonlinear/run/integrator.hpp"

// Not installed.
namespace sfg {

/// The method that suits the equations of a motion: what decays fast or has switching functions goes to CVODE, all else to the
/// explicit method of high order, which is faster and keeps invariants better at the same tolerance; where that comes to a stand
/// (decay that began on the way, a position where constraints lose rank) CVODE goes on.
class MechanismIntegrator {
 public:
  explicit MechanismIntegrator(Integrator::Problem);

  const char* method() const;
  void start(double t, const Eigen::VectorXd& x);
  void limit(double longest);
  Integrator::Step step(double last);
  Eigen::VectorXd at(double t) { return steps_ ? steps_->at(t) : explicit_->at(t); }
  bool starts_cheaply() const { return explicit_.has_value(); }
  /// CVODE goes on from here: a method that resolves everything falls into the singular position ahead, which one of many steps
  /// passes.
  void pass_over() { given_up_ = true; }
  std::vector<int> changes() const { return steps_ ? steps_->changes() : std::vector<int>(); }

 private:
  void hand_over();

  Integrator::Problem problem_;
  std::optional<Integrator> steps_;
  std::optional<DormandPrince> explicit_;
  double allowed_ = 0, longest_ = 0;
  int short_ones_ = 0;  ///< in a row
  bool given_up_ = false;
};

}  // namespace sfg
