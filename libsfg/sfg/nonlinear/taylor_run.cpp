// Idea: a system that is linear but for a few laws gives one more term of its Taylor series for one sparse product, so that many
// terms and long steps are cheap (Jorba and Zou, Experimental Mathematics 14, 2005): the step is chosen so that the number of
// terms is the one that the tolerance makes the cheapest.
#include "sfg/nonlinear/taylor_run.hpp"

#include <algorithm>
#include <cmath>

#include "sfg/nonlinear/taylor_expansion.hpp"
#include "sfg/nonlinear/time_constants.hpp"

namespace sfg {

namespace {

class TaylorRun {
 public:
  TaylorRun(CoupledSystem& system, std::span<const double> times, const Fineness& fineness, const Budget& budget)
      : system_(system),
        times_(times),
        fineness_(fineness),
        budget_(budget),
        wanted_(static_cast<std::size_t>(22 - 0.35 * std::log(fineness.rtol))),
        expansion_(system, {fineness.rtol, fineness.atol, wanted_ + 16}) {}

  std::optional<RunSamples> operator()(std::span<const double> corners) {
    system_.reset();
    Eigen::VectorXd x = system_.start();
    expansion_.start(x);
    step_ = first_step();
    double t = 0;
    for (const double corner : corners) {
      if (corner <= t) continue;
      if (!follow(t, corner)) return {};
      t = corner;
    }
    system_.drives().piece(t, t);
    std::ranges::copy(expansion_.state(), x.begin());
    const Eigen::VectorXd all = system_.outputs(t, x);
    while (next_ < times_.size()) {
      found_.values.emplace_back(all.tail(static_cast<Eigen::Index>(expansion_.outputs())));
      ++next_;
    }
    found_.last = x;
    return std::move(found_);
  }

 private:
  double first_step() const {
    const Dynamics::Matrix& A = system_.linear().A;
    double largest = 0;
    for (Eigen::Index row = 0; row < A.rows(); ++row) {
      double sum = 0;
      for (Dynamics::Matrix::InnerIterator entry(A, row); entry; ++entry) sum += std::abs(entry.value());
      largest = std::max(largest, sum);
    }
    return std::min(times_.back(), 1 / std::max(std::sqrt(largest), 1e-300));
  }

  /// A part of the input is a polynomial of degree 6 but for 1e-8: so many of them are one of 30 terms. Another number in
  /// another run.
  double parts() const { return 4 * std::pow(fineness_.part / 0.3, 0.25); }

  /// From t to a corner, before which everything is smooth.
  bool follow(double t, double corner) {
    while (t < corner) {
      if (++steps_ % 64 == 0) budget_.check("the time response");
      const double longest = std::min(corner - t, system_.longest_step(t, parts()));
      const bool last = step_ > 0.999 * (corner - t) && longest >= corner - t;
      const double step = last ? corner - t : std::min(step_, longest);
      if (t + step == t && !last) return false;
      const auto terms = expansion_.expand(t, step);
      if (!terms || !expansion_.holds_at_the_end()) {
        step_ = step * (terms ? 0.5 : shrunk());
        if (step_ < 1e-12 * times_.back()) return false;
        continue;
      }
      const double end = last ? corner : t + step;
      emit(t, step, end);
      expansion_.accept();
      const double ratio = static_cast<double>(wanted_) / static_cast<double>(*terms);
      if (step >= 0.99 * step_ || ratio < 1) step_ = step * std::clamp(ratio, 0.5, 2.0);
      t = end;
      if (steps_ % 64 == 0 && is_stiff(t)) return false;
    }
    return true;
  }

  /// Many steps that a fast decay asks for: implicit methods are cheaper.
  bool is_stiff(double t) {
    constexpr double many = 1000;
    const double left = times_.back() - t;
    if (left < many * step_ || steps_ < next_look_) return false;
    next_look_ = 4 * steps_;
    system_.drives().piece(t, t);
    const Dynamics::Matrix J = system_.jacobian(t, Eigen::Map<const Eigen::VectorXd>(expansion_.state().data(), system_.size()));
    return fast_parts(system_.size(), [&](const Eigen::VectorXd& v, Eigen::VectorXd& into) { into = J * v; }).stiff(left);
  }

  /// The part of a step after which so many terms are enough, by the size of the last one.
  double shrunk() const {
    const double size = expansion_.last_term();
    if (!std::isfinite(size) || size <= 0) return 0.25;
    return std::clamp(0.8 * std::pow(size, -1 / static_cast<double>(wanted_)), 0.1, 0.8);
  }

  void emit(double t, double step, double end) {
    while (next_ < times_.size() && times_[next_] < end) {
      const double theta = (times_[next_++] - t) / step;
      Eigen::VectorXd values(static_cast<Eigen::Index>(expansion_.outputs()));
      for (std::size_t i = 0; i < expansion_.outputs(); ++i) values[static_cast<Eigen::Index>(i)] = expansion_.output(i, theta);
      found_.values.push_back(std::move(values));
    }
  }

  CoupledSystem& system_;
  std::span<const double> times_;
  Fineness fineness_;
  const Budget& budget_;
  std::size_t wanted_;  ///< number of terms
  TaylorExpansion expansion_;
  RunSamples found_;
  std::size_t next_ = 0, steps_ = 0, next_look_ = 0;
  double step_ = 0;
};

}  // namespace

std::optional<RunSamples> taylor_run(CoupledSystem& system, std::span<const double> corners, std::span<const double> times,
                                     const Fineness& fineness, const Budget& budget) {
  if (!TaylorExpansion::applies(system) || times.empty() || !(times.back() > 0)) return {};
  return TaylorRun(system, times, fineness, budget)(corners);
}

}  // namespace sfg
