#include "sfg/multibody/aggregate_run.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sfg/multibody/elimination.hpp"
#include "sfg/nonlinear/run/dormand_prince.hpp"
#include "sfg/nonlinear/run/integrator.hpp"
#include "sfg/numeric/dense.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// Goes along the motion; holds the memory of the rate.
class Traveller {
 public:
  Traveller(const Aggregate& aggregate, const AggregateLaw& law, const AggregateRunOptions& options, AggregateRun& run)
      : aggregate_(aggregate), law_(law), options_(options), run_(run), elimination_(aggregate) {}

  void go(std::vector<double> initial, std::span<const double> times) {
    state_ = std::move(initial);
    if (options_.normalization != Normalization::off) normalise(aggregate_, state_, options_.normalization, times.front());
    record(times.front());
    if (options_.step)
      by_runge_kutta(times);
    else if (run_.stiff = is_stiff(times.front(), times.back() - times.front()); run_.stiff)
      by_cvode(times);
    else
      by_explicit_steps(times);
    run_.last_gap = largest_gap(aggregate_, state_);
  }

 private:
  void solve(double t, std::span<const double> state) {
    loads_.gravity = {};
    loads_.gravity_of.clear();
    loads_.wrenches.clear();
    loads_.inside.clear();
    loads_.potential = 0;
    loads_.inputs.assign(aggregate_.size().inputs, 0.0);
    if (law_) law_(t, state, loads_);
    elimination_.evaluate(t, state, loads_);
    elimination_.solve();
  }

  void rate(double t, std::span<const double> state, std::span<double> result) {
    options_.budget.check("the simulation of an aggregate");
    solve(t, state);
    for (std::size_t part = 0; part < aggregate_.part_count(); ++part) {
      const VectorXd& acceleration = elimination_.node(part).acceleration;
      aggregate_.part(part).rate(t, aggregate_.state_of(part, state), {acceleration.data(), std::size_t(acceleration.size())},
                                 aggregate_.state_of(part, result));
    }
  }

  void record(double t) {
    solve(t, state_);
    run_.times.push_back(t);
    run_.states.push_back(state_);
    run_.wrenches.push_back(elimination_.motion().wrenches);
    run_.energy.push_back(aggregate_.kinetic_energy(t, state_) + aggregate_.potential_energy(state_) + loads_.potential);
    run_.momentum.push_back(aggregate_.momentum(state_));
    if (options_.follow) run_.followed.push_back(options_.follow(state_));
  }

  void step(double t, double h) {
    const std::size_t n = state_.size();
    std::array<std::vector<double>, 4> k;
    std::vector<double> at = state_;
    constexpr std::array<double, 4> where{0, 0.5, 0.5, 1};
    for (std::size_t stage = 0; stage < 4; ++stage) {
      if (stage > 0)
        for (std::size_t i = 0; i < n; ++i) at[i] = state_[i] + where[stage] * h * k[stage - 1][i];
      k[stage].resize(n);
      rate(t + where[stage] * h, at, k[stage]);
    }
    for (std::size_t i = 0; i < n; ++i) state_[i] += h / 6 * (k[0][i] + 2 * (k[1][i] + k[2][i]) + k[3][i]);
    run_.largest_gap.widen(normalise(aggregate_, state_, options_.normalization, t + h));
    ++run_.steps;
    if (options_.follow) options_.follow(state_);
  }

  void by_runge_kutta(std::span<const double> times) {
    for (std::size_t k = 1; k < times.size(); ++k) {
      const double length = times[k] - times[k - 1];
      const double count = std::max(1.0, std::ceil(length / *options_.step - 1e-9));
      for (double i = 0; i < count; ++i) step(times[k - 1] + i * length / count, length / count);
      record(times[k]);
    }
  }

  bool rate_of(double t, const VectorXd& x, VectorXd& result) {
    result.resize(x.size());
    rate(t, {x.data(), std::size_t(x.size())}, {result.data(), std::size_t(x.size())});
    return result.allFinite();
  }

  /// Fast decay beside a long range, by differences at the start: implicit methods are cheaper there.
  bool is_stiff(double t, double range) {
    constexpr Index largest = 200;
    const Index n = Index(state_.size());
    if (n > largest) return false;
    VectorXd here, there, x = VectorXd::Map(state_.data(), n);
    if (!rate_of(t, x, here)) return false;
    Eigen::MatrixXd A(n, n);
    for (Index j = 0; j < n; ++j) {
      VectorXd beside = x;
      const double h = 1e-7 * std::max(1.0, std::abs(x[j]));
      beside[j] += h;
      if (!rate_of(t, beside, there)) return false;
      A.col(j) = (there - here) / h;
    }
    double fastest = 0, turning = 0;
    for (const auto& root : Eigen::VectorXcd(A.eigenvalues())) {
      fastest = std::max(fastest, -root.real());
      turning = std::max(turning, std::abs(root.imag()));
    }
    return fastest * range > 1000 && fastest > 20 * turning;
  }

  /// In steps that know nothing of those before: the state may be put back onto the connections after every one of them.
  void by_explicit_steps(std::span<const double> times) {
    DormandPrince method({.size = Index(state_.size()),
                          .rate = [this](double t, const VectorXd& x, VectorXd& result) { return rate_of(t, x, result); },
                          .rtol = options_.rtol,
                          .atol = options_.atol});
    method.start(times.front(), VectorXd::Map(state_.data(), Index(state_.size())));
    std::size_t next = 1;
    for (; next < times.size() && times[next] == times.front(); ++next) record(times[next]);
    while (next < times.size()) {
      if (options_.longest_step) method.limit(options_.longest_step(method.now()));
      const double to = method.step(times.back()).to;
      ++run_.steps;
      for (; next < times.size() && times[next] <= to; ++next) {
        take(method.at(times[next]));
        run_.largest_gap.widen(normalise(aggregate_, state_, options_.normalization, times[next]));
        record(times[next]);
      }
      if (next == times.size()) continue;
      take(method.state());
      if (options_.follow) options_.follow(state_);
      if (options_.normalization == Normalization::off) continue;
      const ConnectionGap gap = largest_gap(aggregate_, state_);
      run_.largest_gap.widen(gap);
      if (!is_open(gap)) continue;
      normalise(aggregate_, state_, options_.normalization, to);
      method.start(to, VectorXd::Map(state_.data(), Index(state_.size())));
    }
  }

  bool is_open(const ConnectionGap& gap) const {
    // Below rounding of the places nothing is gained, however little is allowed.
    const double rounding = 1e-14 * std::max(1.0, VectorXd::Map(state_.data(), Index(state_.size())).cwiseAbs().maxCoeff());
    return std::max({gap.distance, gap.angle, gap.velocity, gap.angular_velocity}) >= std::max(options_.allowed_gap, rounding);
  }

  void by_cvode(std::span<const double> times) {
    const Index n = Index(state_.size());
    Integrator integrator({.size = n,
                           .rate = [this](double t, const VectorXd& x, VectorXd& result) { return rate_of(t, x, result); },
                           .stiff = true,
                           .rtol = options_.rtol,
                           .atol = options_.atol});
    integrator.start(times.front(), VectorXd::Map(state_.data(), n));
    std::size_t next = 1;
    for (; next < times.size() && times[next] == times.front(); ++next) record(times[next]);
    while (next < times.size()) {
      if (options_.longest_step) integrator.limit(options_.longest_step(integrator.now()));
      const auto [from, to, switched] = integrator.step(times.back());
      ++run_.steps;
      for (; next < times.size() && times[next] <= to; ++next) {
        take(integrator.at(times[next]));
        run_.largest_gap.widen(normalise(aggregate_, state_, options_.normalization, times[next]));
        record(times[next]);
      }
      if (next == times.size()) continue;
      take(integrator.at(to));
      if (options_.follow) options_.follow(state_);
      if (options_.normalization == Normalization::off) continue;
      const ConnectionGap gap = largest_gap(aggregate_, state_);
      run_.largest_gap.widen(gap);
      if (!is_open(gap)) continue;
      normalise(aggregate_, state_, options_.normalization, to);
      integrator.start(to, VectorXd::Map(state_.data(), n));
    }
  }

  void take(const VectorXd& x) { std::copy(x.begin(), x.end(), state_.begin()); }

  const Aggregate& aggregate_;
  const AggregateLaw& law_;
  const AggregateRunOptions& options_;
  AggregateRun& run_;
  Elimination elimination_;
  AggregateLoads loads_;
  std::vector<double> state_;
};

}  // namespace

AggregateRun run(const Aggregate& aggregate, std::vector<double> initial, std::span<const double> times, const AggregateLaw& law,
                 const AggregateRunOptions& options) {
  if (initial.size() != aggregate.size().states) throw std::invalid_argument("run: not a state of the aggregate");
  if (times.empty() || !std::is_sorted(times.begin(), times.end())) throw std::invalid_argument("run: times do not ascend");
  if (options.step && !(*options.step > 0)) throw std::invalid_argument("run: the step is not positive");
  AggregateRun result;
  Traveller(aggregate, law, options, result).go(std::move(initial), times);
  return result;
}

}  // namespace sfg
