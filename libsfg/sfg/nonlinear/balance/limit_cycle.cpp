#include "sfg/nonlinear/balance/periodic_motion.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "sfg/error.hpp"
#include "sfg/exact/rational.hpp"
#include "sfg/nonlinear/balance/balance_starts.hpp"
#include "sfg/nonlinear/balance/balance_transmittances.hpp"
#include "sfg/nonlinear/balance/described_motion.hpp"
#include "sfg/nonlinear/balance/floquet.hpp"
#include "sfg/nonlinear/balance/followed_motion.hpp"
#include "sfg/numeric/dense.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Cycle {
  VectorXd x;
  double frequency;
};

/// The equations of balance with the frequency as a further unknown and the phase of one signal given.
class CycleEquations {
 public:
  CycleEquations(const BalanceEquations& equations, double low, double high)
      : equations_(equations), transmittances_(equations), low_(low), high_(high) {}

  /// By Newton's method, its steps no longer than half of what there is.
  std::optional<Cycle> solve(Cycle cycle, std::size_t unknown) {
    constexpr int most = 40;
    const auto phase = static_cast<Index>(unknown * equations_.width() + 2);
    const Index n = cycle.x.size();
    double last = std::numeric_limits<double>::infinity();
    for (int i = 0; i < most; ++i) {
      const auto values = equations_.values(cycle.x, {cycle.frequency}, *transmittances_.at(cycle.frequency));
      MatrixXd M = MatrixXd::Zero(n + 1, n + 1);
      M.topLeftCorner(n, n) = values.jacobian;
      M.topRightCorner(n, 1) = values.by_frequency;
      M(n, phase) = 1;
      VectorXd right(n + 1);
      right << -values.residual, -cycle.x[phase];
      VectorXd step = M.partialPivLu().solve(right);
      const double size = cycle.x.norm(), relative = std::max(step.head(n).norm() / size, std::abs(step[n]) / cycle.frequency);
      if (!std::isfinite(relative) || size == 0) return {};
      if (relative > 0.5) step *= 0.5 / relative;
      cycle.x += step.head(n);
      cycle.frequency += step[n];
      if (cycle.frequency < low_ || cycle.frequency > high_) return {};
      if (relative < 1e-12 || (relative < 1e-9 && relative > last / 2)) return cycle;
      last = relative;
    }
    return {};
  }

 private:
  const BalanceEquations& equations_;
  BalanceTransmittances transmittances_;
  double low_, high_;
};

Complex fundamental(const BalanceEquations& equations, const VectorXd& x, std::size_t unknown) {
  return harmonic(x.segment(static_cast<Index>(unknown * equations.width()), static_cast<Index>(equations.width())), 1);
}

/// The time begins where the fundamental of the first unknown that has one is largest.
VectorXd with_phase(const BalanceEquations& equations, VectorXd x) {
  std::size_t unknown = 0;
  const std::size_t count = equations.system().unknowns().size();
  while (unknown + 1 < count && std::abs(fundamental(equations, x, unknown)) < 1e-9 * x.norm()) ++unknown;
  const double angle = std::arg(fundamental(equations, x, unknown));
  for (std::size_t u = 0; u < count; ++u)
    for (std::size_t h = 1; h <= equations.harmonics(); ++h) {
      const auto first = static_cast<Index>(u * equations.width());
      const Complex moved =
          harmonic(x.segment(first, static_cast<Index>(equations.width())), h) * std::polar(1.0, -angle * static_cast<double>(h));
      x[first + static_cast<Index>(2 * h - 1)] = moved.real();
      x[first + static_cast<Index>(2 * h)] = moved.imag();
    }
  return x;
}

void add_new_cycle(std::vector<Cycle>& all, const BalanceEquations& equations, Cycle cycle) {
  double size = 0;
  for (std::size_t u = 0; u < equations.system().unknowns().size(); ++u)
    size = std::max(size, std::abs(fundamental(equations, cycle.x, u)));
  if (size < 1e-6 * cycle.x.norm() || cycle.x.norm() < 1e-12) return;  // an equilibrium
  cycle.x = with_phase(equations, cycle.x);
  const bool known = std::ranges::any_of(all, [&](const Cycle& c) {
    return std::abs(c.frequency - cycle.frequency) < 1e-6 * c.frequency && (c.x - cycle.x).norm() < 1e-5 * c.x.norm();
  });
  if (!known) all.push_back(std::move(cycle));
}

/// What one harmonic says, from a grid of frequencies and amplitudes of each unknown.
std::vector<Cycle> described(const BalanceSystem& system, double low, double high) {
  constexpr int frequencies = 24, sizes = 13;
  constexpr double least = 1e-3, ratio = 3.1622776601683795;  // 10^(1/2)
  const BalanceEquations one(system, 1, 1);
  CycleEquations equations(one, low, high);
  std::vector<Cycle> found;
  for (int f = 0; f < frequencies; ++f)
    for (int s = 0; s < sizes; ++s)
      for (std::size_t u = 0; u < system.unknowns().size(); ++u) {
        system.budget().check("the limit cycles");
        Cycle start{VectorXd::Zero(static_cast<Index>(one.size())), low * std::pow(high / low, (f + 0.5) / frequencies)};
        start.x[static_cast<Index>(u * one.width() + 1)] = least * std::pow(ratio, s);
        if (auto cycle = equations.solve(start, u)) add_new_cycle(found, one, std::move(*cycle));
      }
  return found;
}

/// More harmonics, by which a motion is judged.
std::size_t more(std::size_t harmonics) { return harmonics + std::max<std::size_t>(4, harmonics / 2); }

/// The motion with other harmonics, from where it was.
std::optional<Cycle> lifted_cycle(const BalanceEquations& from, const BalanceEquations& to, const Cycle& cycle, double low,
                                  double high) {
  return CycleEquations(to, low, high).solve({lifted(cycle.x, from, to), cycle.frequency}, 0);
}

/// By how much two motions of unlike harmonics differ, each begun where its fundamental is largest.
double difference(const BalanceEquations& from, const BalanceEquations& to, const Cycle& cycle, const Cycle& better) {
  const VectorXd moved = with_phase(to, lifted(cycle.x, from, to)), x = with_phase(to, better.x);
  return std::max(std::abs(better.frequency - cycle.frequency) / better.frequency, (x - moved).norm() / x.norm());
}

/// With more harmonics, a few at a time.
std::optional<Cycle> refined(const BalanceSystem& system, Cycle cycle, std::size_t harmonics, double low, double high) {
  std::size_t order = 1;
  for (std::size_t next = 1;; next = std::min(harmonics, next < 5 ? next + 2 : next + next / 2)) {
    const BalanceEquations from(system, order, 1);
    const BalanceEquations to(system, next, 1);
    const Cycle start{lifted(cycle.x, from, to), cycle.frequency};
    const auto solved = CycleEquations(to, low, high).solve(start, 0);
    if (next == harmonics) return solved;
    if (solved) cycle = *solved, order = next;
  }
}

PeriodicMotion motion_of(const BalanceEquations& equations, const Floquet& floquet, const Cycle& cycle, bool stability) {
  PeriodicMotion motion{.frequency = cycle.frequency};
  const auto all = equations.signals(cycle.x, {cycle.frequency}, *equations.linear(cycle.frequency));
  for (const auto& signal : equations.system().signals()) {
    const auto column = all.col(static_cast<Index>(signal.row));
    motion.harmonics.emplace_back(column.begin(), column.end());
  }
  if (stability) {
    auto verdict = floquet(equations, cycle.x, cycle.frequency, true);
    motion.stable = verdict.stable;
    motion.multipliers = std::move(verdict.multipliers);
  }
  return motion;
}

/// Cycles of one number of harmonics after the other, until more of them say the same.
class CycleSearch {
 public:
  CycleSearch(const BalanceSystem& system, double low, double high, const BalanceOptions& options)
      : system_(system), low_(low), high_(high), options_(options), harmonics_(options.harmonics) {}

  PeriodicMotions operator()(const Floquet& floquet) {
    equations_.emplace(system_, harmonics_, 1);
    for (const Cycle& cycle : described(system_, low_, high_))
      if (auto better = refined(system_, cycle, harmonics_, low_, high_)) add_new_cycle(cycles_, *equations_, std::move(*better));
    judge();
    constexpr std::size_t most = 150;
    constexpr double enough = 1e-6;
    while (options_.converge && !cycles_.empty() && std::ranges::max(errors_) > enough && more(harmonics_) <= most) judge();
    return result(floquet);
  }

 private:
  /// One step further: in `cycles_` what there was, or with `converge` what it becomes.
  void judge() {
    system_.budget().check("the limit cycles");
    BalanceEquations finer(system_, more(harmonics_), 1);
    std::vector<Cycle> kept, next;
    errors_.clear();
    for (const Cycle& cycle : cycles_) {
      std::optional<Cycle> better = lifted_cycle(*equations_, finer, cycle, low_, high_);
      const std::size_t before = next.size();
      if (better) add_new_cycle(next, finer, *better);
      const bool stays = next.size() > before;  // else there is none near by, or it has become another, or rest
      if (!stays && (options_.converge || harmonics_ > 1)) {
        ++left_out_;
        continue;
      }
      errors_.push_back(stays ? difference(*equations_, finer, cycle, *better) : 1);
      kept.push_back(cycle);
    }
    cycles_ = options_.converge ? std::move(next) : std::move(kept);
    if (!options_.converge) return;
    harmonics_ = more(harmonics_);
    equations_.emplace(std::move(finer));
  }

  PeriodicMotions result(const Floquet& floquet) const {
    PeriodicMotions result;
    for (const auto& signal : system_.signals()) result.signals.push_back(signal.name);
    result.harmonics = harmonics_;
    result.laws = system_.law_count();
    std::vector<std::size_t> order(cycles_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return cycles_[i].frequency; });
    for (const std::size_t i : order) {
      result.points.push_back(motion_of(*equations_, floquet, cycles_[i], options_.stability));
      result.points.back().error = errors_[i];
      result.frequency.push_back(cycles_[i].frequency);
      add_notes(result, i);
    }
    if (left_out_ > 0)
      result.notes.push_back("left out: " + std::to_string(left_out_) + " that with more harmonics is no motion of its own");
    if (std::ranges::any_of(cycles_, [&](const Cycle& c) { return jumps(*equations_, c.x, c.frequency); }))
      result.notes.push_back("a law jumps along a motion: stability is not known there");
    if (cycles_.empty()) result.notes.push_back("no limit cycle was found in these frequencies");
    return result;
  }

  /// What is wrong with a motion: harmonics that do not suffice.
  void add_notes(PeriodicMotions& result, std::size_t i) const {
    constexpr double visible = 1e-4, multiplier = 1e-2;
    PeriodicMotion& motion = result.points.back();
    const auto one = std::ranges::min_element(motion.multipliers, {}, [](const Complex& m) { return std::abs(m - 1.0); });
    const bool has_one = motion.multipliers.empty() || std::abs(*one - 1.0) < multiplier;
    if (harmonics_ == 1 || (errors_[i] < visible && has_one)) return;
    result.notes.push_back("not converged: " + std::to_string(harmonics_) + " harmonics do not suffice for the motion of " +
                           exact::decimal(exact::Rational::of(motion.frequency), 4) + " rad/s, which moves by " +
                           exact::decimal(exact::Rational::of(errors_[i]), 2) + " of its size with more");
    if (!has_one) motion.stable = std::nullopt;
  }

  const BalanceSystem& system_;
  double low_, high_;
  const BalanceOptions& options_;
  std::size_t harmonics_;
  std::optional<BalanceEquations> equations_;
  std::vector<Cycle> cycles_;
  std::vector<double> errors_;
  std::size_t left_out_ = 0;
};

/// Without a look at them in time.
PeriodicMotions balanced_cycles(const SignalFlowGraph& graph, std::span<const PeriodicInput> inputs, double low, double high,
                                const BalanceOptions& options) {
  constexpr double around = 10;
  const double typical = low > 0 ? std::sqrt(low * high) : 1;
  const BalanceSystem system(
      graph,
      {.inputs = {inputs.begin(), inputs.end()}, .outputs = options.outputs, .frequency = typical, .budget = options.budget});
  if (system.law_count() == 0)
    throw NoAnswer("the graph has no nonlinear branch with influence on the outputs, so that it has no limit cycle",
                   "state a law, or another output");
  const Floquet floquet(system);
  if (low <= 0) {
    const auto range = floquet.natural_range();
    if (!range) throw NoAnswer("the linear part does not tell where limit cycles are to be sought", Advice::change_frequencies);
    low = range->first / around, high = range->second * around;
  }
  return CycleSearch(system, low, high, options)(floquet);
}

}  // namespace

PeriodicMotions limit_cycles(const SignalFlowGraph& graph, std::span<const PeriodicInput> inputs, double low, double high,
                             const BalanceOptions& options) {
  for (const PeriodicInput& input : inputs)
    if (input.amplitude != 0) throw std::invalid_argument("limit_cycles: an input oscillates");
  PeriodicMotions found = has_memory(graph, options.outputs) ? described_cycles(graph, low, high, options)
                                                             : balanced_cycles(graph, inputs, low, high, options);
  confirm(graph, inputs, found, options);
  return found;
}

}  // namespace sfg
