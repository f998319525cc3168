#include "sfg/export/motion_reach.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "sfg/error.hpp"
#include "sfg/export/exported_parameters.hpp"
#include "sfg/nonlinear/run/integrator.hpp"

namespace sfg {

namespace {

using Eigen::VectorXd;

/// ẋ by the tapes of the motion.
class Rates {
 public:
  Rates(const ExportedMotion& motion, const std::vector<double>& parameters) : motion_(motion), point_(parameters) {
    time_ = point_.size();
  }

  bool operator()(double t, const VectorXd& x, VectorXd& rate) {
    point_.resize(time_ + 1);
    point_[time_] = t;
    const std::vector<double> drives = motion_.drives.values(std::span<const double>(point_));
    point_.insert(point_.end(), x.begin(), x.end());
    point_.insert(point_.end(), drives.begin(), drives.end());
    const std::vector<double> found = motion_.rates.values(std::span<const double>(point_));
    rate = Eigen::Map<const VectorXd>(found.data(), x.size());
    return rate.allFinite();
  }

 private:
  const ExportedMotion& motion_;
  std::vector<double> point_;
  std::size_t time_;
};

}  // namespace

std::vector<double> reach_of_states(const ExportSubject& subject, const ExportedMotion& motion,
                                    const std::vector<ExportedParameter>& parameters, const Budget& budget) {
  if (subject.graph.op.discrete() || subject.times.empty()) return {};
  constexpr int most_steps = 20'000;
  const auto n = static_cast<Eigen::Index>(motion.states.size());
  VectorXd x = Eigen::Map<const VectorXd>(motion.start.data(), n), reach = x.cwiseAbs();
  if (n > 0) {
    std::vector<double> ends = motion.switches;
    ends.push_back(subject.times.back());
    Integrator integrator({.size = n, .rate = Rates(motion, values_of(parameters)), .stiff = true, .rtol = 1e-4, .atol = 1e-12});
    double t = 0;
    int steps = 0;
    try {
      for (const double end : ends) {
        if (end <= t) continue;
        for (integrator.start(t, x); t < end && steps < most_steps; ++steps) {
          budget.check("the reach of the states");
          t = integrator.step(end).to;
          x = integrator.at(t);
          reach = reach.cwiseMax(x.cwiseAbs());
        }
      }
    } catch (const NoAnswer&) {  // so far it came
    }
  }
  std::vector<double> found;
  for (const double value : reach)
    found.push_back(value > 0 && std::isfinite(value) ? std::stod(fmt::format("{:.1e}", value)) : 1);
  return found;
}

}  // namespace sfg
