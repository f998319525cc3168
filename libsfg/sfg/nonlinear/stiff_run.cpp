#include "sfg/nonlinear/stiff_run.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/nonlinear/integrator.hpp"

namespace sfg {

namespace {

constexpr std::size_t most_steps = 2'000'000;

}  // namespace

struct StiffRun::Impl {
  Impl(const Rates& r, const RungeKuttaOptions& o, double t, std::span<const double> x, std::span<const double> largest)
      : rates(r), options(o), time(t), state(x.begin(), x.end()), integrator(problem(largest)) {
    restart();
  }

  Integrator::Problem problem(std::span<const double> largest) {
    Integrator::Problem made;
    made.size = static_cast<Eigen::Index>(state.size());
    made.stiff = true;
    made.rtol = options.rtol;
    made.allowed.resize(made.size);
    for (std::size_t i = 0; i < state.size(); ++i)
      made.allowed[static_cast<Eigen::Index>(i)] = options.atol + options.rtol * largest[i];
    made.rate = [this](double t, const Eigen::VectorXd& x, Eigen::VectorXd& rate) {
      rate.resize(x.size());
      rates(std::min(t, last), {x.data(), state.size()}, {rate.data(), state.size()});
      return true;
    };
    return made;
  }

  void restart() {
    integrator.start(time, Eigen::Map<const Eigen::VectorXd>(state.data(), static_cast<Eigen::Index>(state.size())));
  }

  const Rates& rates;
  const RungeKuttaOptions& options;
  double time, last = HUGE_VAL;
  std::vector<double> state;
  std::size_t steps = 0;
  Integrator integrator;
};

StiffRun::StiffRun(const Rates& rates, const RungeKuttaOptions& options, double t, std::span<const double> x,
                   std::span<const double> largest)
    : impl_(std::make_unique<Impl>(rates, options, t, x, largest)) {}

StiffRun::~StiffRun() = default;
double StiffRun::time() const { return impl_->time; }
std::span<const double> StiffRun::state() const { return impl_->state; }
void StiffRun::restart() { impl_->restart(); }

void StiffRun::advance(double end, double last, const Seen& step) {
  Impl& run = *impl_;
  run.last = last;
  while (run.time < end) {
    if (++run.steps % 64 == 0) run.options.budget.check("running the analog program");
    if (run.steps > most_steps)
      throw LimitReached("the run needs more than " + std::to_string(most_steps) + " steps, though it is taken for stiff",
                         Advice::shorten_time);
    run.time = run.integrator.step(end).to;
    const Eigen::VectorXd x = run.integrator.at(run.time);
    std::ranges::copy(x, run.state.begin());
    step(run.time, state());
  }
}

}  // namespace sfg
