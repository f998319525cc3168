// Idea: a system that is linear but for a few laws gives one more term of its Taylor series for one sparse product, so that many
// terms and long steps are cheap (Jorba and Zou, Experimental Mathematics 14, 2005): the step is chosen so that the number of
// terms is the one that the tolerance makes the cheapest.
#include "sfg/nonlinear/run/taylor_run.hpp"

#include <algorithm>
#include <cmath>

#include "sfg/nonlinear/run/packed_vectors.hpp"
#include "sfg/nonlinear/run/taylor_expansion.hpp"
#include "sfg/nonlinear/run/time_constants.hpp"

namespace sfg {

namespace {

class TaylorRun {
 public:
  TaylorRun(CoupledSystem& system, std::span<const double> times, const Fineness& fineness, const Budget& budget,
            RunKeeper* keeper)
      : system_(system),
        keeper_(keeper),
        times_(times),
        fineness_(fineness),
        budget_(budget),
        wanted_(static_cast<std::size_t>(22 - 0.35 * std::log(fineness.rtol))),
        expansion_(system, {fineness.rtol, fineness.atol, wanted_ + 16}) {}

  std::optional<RunSamples> operator()(std::span<const double> corners, const std::string& kept) {
    system_.reset();
    Eigen::VectorXd x = system_.start();
    double t = 0;
    if (kept.size() > 1) {
      t = unpack(kept);
    } else {
      expansion_.start(x);
      step_ = first_step();
    }
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
  static constexpr std::size_t leg = 256;  ///< steps from which on a run begins anew, by nothing but the state that is packed

  void begin_leg(double t) {
    steps_in_leg_ = 0;
    const std::vector<double> x(expansion_.state().begin(), expansion_.state().end());
    expansion_.start(Eigen::Map<const Eigen::VectorXd>(x.data(), system_.size()), expansion_.peaks());
    if (keeper_) keeper_->pass(t, times_.back(), [&] { return packed(t, x); });
  }

  std::string packed(double t, const std::vector<double>& x) const {
    Packer packer;
    packer.add('s');
    packer.add(t);
    packer.add(x);
    packer.add(expansion_.peaks());
    packer.add(step_);
    for (const std::size_t count : {steps_, next_look_}) packer.add(static_cast<std::uint64_t>(count));
    pack_each(packer, found_.values, [&](const Eigen::VectorXd& value) { pack(packer, value); });
    return std::move(packer).bytes();
  }

  double unpack(const std::string& kept) {
    Unpacker from(kept);
    from.take<char>();
    const auto t = from.take<double>();
    const Eigen::VectorXd x = unpacked_vector(from);
    expansion_.start(x, from.list<double>());
    step_ = from.take<double>();
    for (std::size_t* count : {&steps_, &next_look_}) *count = from.take<std::uint64_t>();
    found_.values = unpacked_each<Eigen::VectorXd>(from, [&] { return unpacked_vector(from); });
    next_ = found_.values.size();
    return t;
  }

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
      if (++steps_in_leg_ >= leg && t < corner) begin_leg(t);
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
  RunKeeper* keeper_;
  std::span<const double> times_;
  Fineness fineness_;
  const Budget& budget_;
  std::size_t wanted_;  ///< number of terms
  TaylorExpansion expansion_;
  RunSamples found_;
  std::size_t next_ = 0, steps_ = 0, next_look_ = 0, steps_in_leg_ = 0;
  double step_ = 0;
};

}  // namespace

std::optional<RunSamples> taylor_run(CoupledSystem& system, std::span<const double> corners, std::span<const double> times,
                                     const Fineness& fineness, const Budget& budget, RunKeeper* keeper, const std::string& kept) {
  if (!TaylorExpansion::applies(system) || times.empty() || !(times.back() > 0)) return {};
  return TaylorRun(system, times, fineness, budget, keeper)(corners, kept);
}

}  // namespace sfg
