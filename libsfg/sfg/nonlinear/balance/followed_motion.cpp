#include "sfg/nonlinear/balance/followed_motion.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/exact/rational.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/nonlinear/run/coupled_system.hpp"
#include "sfg/nonlinear/run/transient.hpp"
#include "sfg/numeric/dense.hpp"
#include "sfg/numeric/sparse_lu.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr double full_turn = 2 * std::numbers::pi;
constexpr Index few = 20;                ///< states
constexpr Index largest_followed = 300;  ///< states

Index row_of(std::size_t i) { return static_cast<Index>(i); }

/// What is driven, and where the run is checked.
SimulationQuestion question_of(const SignalFlowGraph& graph, std::span<const PeriodicInput> inputs,
                               const BalanceOptions& options) {
  SimulationQuestion question;
  question.time = GiNaC::symbol("t");
  question.outputs = options.outputs.empty() ? graph.stated_outputs() : options.outputs;
  for (const PeriodicInput& input : inputs)
    if (input.amplitude != 0 || input.constant != 0) question.drives.push_back({input.input, GiNaC::ex(0)});
  return question;
}

/// Upwards, to one digit where it is large, else to a power of ten: what a difference of two computations can say.
double rounded_up_error(double value) {
  constexpr double large = 1e-3, least = 1e-8;
  if (!(value > 0)) return 0;
  value = std::max(value, least * (1 - 1e-9));
  const double power = std::pow(10, value > large ? std::floor(std::log10(value)) : std::ceil(std::log10(value)));
  return value > large ? std::ceil(value / power * (1 - 1e-9)) * power : power;
}

class MotionFollower {
 public:
  MotionFollower(const SignalFlowGraph& graph, std::span<const PeriodicInput> inputs, const PeriodicMotions& all,
                 const BalanceOptions& options)
      : graph_(graph),
        inputs_(inputs),
        all_(all),
        options_(options),
        question_(question_of(graph, inputs, options)),
        form_(principal_form(graph, driven_nodes(question_), question_.outputs)),
        laws_(form_, graph.parameter_values()),
        linear_(dynamics(form_.linear, form_.inputs(), form_.outputs(), options.budget)) {
    for (const auto& argument : form_.arguments) {
      const auto signal = std::ranges::find(all.signals, form_.linear[argument.node].name);
      if (signal == all.signals.end()) throw NoAnswer("what the laws depend on is not among the signals of the motion");
      rows_.push_back(static_cast<std::size_t>(signal - all.signals.begin()));
    }
  }

  Index states() const { return linear_.A.rows(); }

  MotionConfirmation operator()(const PeriodicMotion& motion) {
    if (!linear_.delays.empty()) return {{}, 0, 0, "dead time needs what was before the start"};
    for (const std::size_t row : rows_)
      if (!std::isfinite(std::abs(motion.harmonics[row].front()))) return {{}, 0, 0, "what a law depends on has no mean"};
    const double allowed = one_harmonic() ? 0.25 : 0.01, most = one_harmonic() ? 1 : 3;
    MotionConfirmation result;
    const double growth = growth_of(motion);
    result.periods = most;
    if (growth > 1)
      result.periods = std::min(most, std::floor(4 * std::log(0.1 * allowed / tail(motion)) / std::log(growth)) / 4);
    if (growth > 1 && !(result.periods > 0))
      return {
          {},
          0,
          0,
          "unstable: deviations grow by " + print(rounded_up_error(growth)) + " in a period, at most, which no run could show"};
    if (motion.stable == false && motion.multipliers.empty()) result.periods = 1;
    state_of(motion);
    if (!states_.allFinite()) return {{}, 0, 0, "its state was not found"};
    const std::optional<double> deviation = deviation_after(motion, result.periods);
    if (!deviation || !std::isfinite(*deviation + mismatch_)) return {{}, 0, 0, "the integration failed: " + failure_};
    result.deviation = rounded_up_error(std::max(*deviation, mismatch_));
    result.confirmed = std::max(*deviation, mismatch_) <= allowed;
    if (!*result.confirmed && (!motion.stable || (motion.stable == false && motion.multipliers.empty()))) {
      result.confirmed.reset();
      result.reason = "it was left, as motions are that may be unstable";
    }
    return result;
  }

 private:
  /// Describing functions: of laws with memory they are all there is.
  bool one_harmonic() const { return all_.harmonics == 1 || !laws_.memories().empty(); }
  bool free() const { return all_.inputs.empty(); }
  double base(const PeriodicMotion& motion) const { return motion.frequency / static_cast<double>(all_.subharmonic); }

  /// By how much the deviations of an unstable motion grow in a period of it; 1 of others.
  double growth_of(const PeriodicMotion& motion) const {
    std::vector<Complex> counted = motion.multipliers;
    if (free() && !counted.empty())
      counted.erase(std::ranges::min_element(counted, {}, [](const Complex& m) { return std::abs(m - 1.0); }));
    double most = 1 + 1e-6;
    for (const Complex& m : counted) most = std::max(most, std::abs(m));
    return most > 1 + 1e-6 ? most : 1;
  }

  /// What the motion itself may be off: its error, else the last harmonics.
  double tail(const PeriodicMotion& motion) const {
    double all = 0, last = 0;
    for (const std::size_t row : rows_) {
      const auto& X = motion.harmonics[row];
      for (std::size_t h = 1; h < X.size(); ++h) {
        all += std::norm(X[h]);
        if (h + 2 >= X.size() && X.size() > 3) last += std::norm(X[h]);
      }
    }
    return std::max({1e-6, motion.error.value_or(0), all > 0 ? std::sqrt(last / all) : 0});
  }

  /// The arguments over a period of the motion and what the laws make of them, memories having settled.
  MatrixXd laws_over_period(const PeriodicMotion& motion, Index samples) {
    arguments_.resize(samples, row_of(rows_.size()));
    for (std::size_t j = 0; j < rows_.size(); ++j) {
      const auto& X = motion.harmonics[rows_[j]];
      for (Index n = 0; n < samples; ++n) {
        double sum = 0;
        for (std::size_t h = 0; h < X.size(); ++h) sum += (X[h] * wave(row_of(h) * n, samples)).real();
        arguments_(n, row_of(j)) = sum;
      }
    }
    MatrixXd f(samples, row_of(laws_.laws()));
    std::vector<double> memory = laws_.initial_memory(), point(rows_.size()), values(laws_.laws()), next(memory.size());
    for (Index n = memory.empty() ? samples : 0; n < 2 * samples; ++n) {
      for (std::size_t j = 0; j < point.size(); ++j) point[j] = arguments_(n % samples, row_of(j));
      laws_.values({point, 0, {}, memory}, values);
      for (std::size_t i = 0; i < values.size(); ++i) f(n % samples, row_of(i)) = values[i];
      if (memory.empty()) continue;
      laws_.remember({point, 0, {}, memory}, next);
      memory = next;
    }
    return f;
  }

  Complex wave(Index angle, Index samples) {
    if (static_cast<Index>(waves_.size()) != samples) {
      waves_.clear();
      for (Index n = 0; n < samples; ++n)
        waves_.push_back(std::polar(1.0, full_turn * static_cast<double>(n) / static_cast<double>(samples)));
    }
    return waves_[static_cast<std::size_t>(angle % samples)];
  }

  /// The harmonics of the states of the linear part under what the laws make of the motion, and the angle at which it begins.
  void state_of(const PeriodicMotion& motion) {
    const bool smooth = laws_.switches() == 0 && laws_.memories().empty();
    const Index samples = smooth ? 512 : 4096, own = row_of(motion.harmonics.front().size());
    const Index count = std::min(std::max<Index>(own * (states() <= few ? 4 : 2), 16), samples / 8);
    const MatrixXd f = laws_over_period(motion, samples);
    Index least = 0;  // off and at one end of its play, a memory is what it is at the start of a run
    if (!laws_.memories().empty()) arguments_.col(0).minCoeff(&least);
    start_ = full_turn * static_cast<double>(least) / static_cast<double>(samples);
    states_.resize(states(), count + 1);
    VectorXd off = VectorXd::Zero(arguments_.cols()), size = off;
    for (Index h = 0; h <= count; ++h) {
      VectorXcd u = VectorXcd::Zero(linear_.B.cols());
      for (const PeriodicInput& input : inputs_) {
        const auto place = std::ranges::find(form_.sources, input.input) - form_.sources.begin();
        if (place == static_cast<std::ptrdiff_t>(form_.sources.size())) continue;
        if (h == 0) u[place] += input.constant;
        if (h == row_of(all_.subharmonic)) u[place] += input.amplitude;
      }
      for (Index i = 0; i < f.cols(); ++i) {
        Complex sum = 0;
        for (Index n = 0; n < samples; ++n) sum += f(n, i) * std::conj(wave(h * n, samples));
        u[row_of(form_.sources.size()) + i] += sum * (h == 0 ? 1.0 : 2.0) / static_cast<double>(samples);
      }
      const Complex at_harmonic(0, static_cast<double>(h) * base(motion));
      states_.col(h) = h == 0 ? means(u.real()).cast<Complex>().eval() : solved(at_harmonic, u);
      if (h >= own) continue;
      const VectorXcd found = arguments_of(states_.col(h), u, at_harmonic);
      for (Index a = 0; a < off.size(); ++a) {
        const Complex stated = motion.harmonics[rows_[static_cast<std::size_t>(a)]][static_cast<std::size_t>(h)];
        off[a] += std::norm(found[a] - stated);
        size[a] += std::norm(stated);
      }
    }
    const double nothing = off.size() == 0 ? 0 : 1e-12 * size.maxCoeff() + 1e-300;
    mismatch_ = off.size() == 0 ? 0 : std::sqrt((off.array() / (size.array() + nothing)).maxCoeff());
  }

  /// What the laws depend on in that state of one harmonic.
  VectorXcd arguments_of(const VectorXcd& x, const VectorXcd& u, Complex s) const {
    const Index count = arguments_.cols();
    VectorXcd y = MatrixXd(linear_.C.topRows(count)).cast<Complex>() * x;
    Complex power = 1;
    for (const Dynamics::Matrix& D : linear_.D) {
      y += power * (MatrixXd(D.topRows(count)).cast<Complex>() * u);
      power *= s;
    }
    return y;
  }

  VectorXcd solved(Complex s, const VectorXcd& u) const {
    if (states() == 0) return {};
    const VectorXcd right = linear_.B.cast<Complex>() * u;
    if (states() <= largest_followed) {
      MatrixXcd M = -MatrixXd(linear_.A).cast<Complex>();
      M.diagonal().array() += s;
      return M.partialPivLu().solve(right);
    }
    Eigen::SparseMatrix<Complex> M = -linear_.A.cast<Complex>(), one(states(), states());
    one.setIdentity();
    M += s * one;
    Eigen::SparseLU<Eigen::SparseMatrix<Complex>> lu(M);
    if (lu.info() != Eigen::Success) return VectorXcd::Constant(states(), NAN);
    return lu.solve(right);
  }

  /// Where the linear part has no mean of its own (an integrator), the motion says it.
  VectorXd means(const VectorXd& u) const {
    if (states() == 0) return {};
    const VectorXd right = -(linear_.B * u);
    if (states() > largest_followed) {
      Eigen::SparseLU<Eigen::SparseMatrix<double>> lu{Eigen::SparseMatrix<double>(linear_.A)};
      if (lu.info() != Eigen::Success) return VectorXd::Constant(states(), NAN);
      return lu.solve(right);
    }
    const Index arguments = row_of(rows_.size());
    MatrixXd M(states() + arguments, states());
    M << MatrixXd(linear_.A), MatrixXd(linear_.C).topRows(arguments);
    VectorXd both(states() + arguments);
    both << right, arguments_.colwise().mean().transpose() - linear_.D.front().topRows(arguments) * u;
    return M.completeOrthogonalDecomposition().solve(both);
  }

  /// The state at an angle of the motion, and its slope by the angle.
  std::pair<VectorXd, VectorXd> state_at(double angle) const {
    VectorXd x = VectorXd::Zero(states()), slope = x;
    for (Index h = 0; h < states_.cols(); ++h) {
      const VectorXcd turned = states_.col(h) * std::polar(1.0, static_cast<double>(h) * angle);
      x += turned.real();
      slope -= static_cast<double>(h) * turned.imag();
    }
    return {x, slope};
  }

  VectorXd sizes() const {
    constexpr int places = 64;
    VectorXd low = state_at(0).first, high = low;
    for (int i = 1; i < places; ++i) {
      const VectorXd x = state_at(full_turn * i / places).first;
      low = low.cwiseMin(x), high = high.cwiseMax(x);
    }
    const VectorXd size = (high - low) / 2;
    return size.array() + 1e-6 * size.maxCoeff() + 1e-300;
  }

  std::optional<double> deviation_after(const PeriodicMotion& motion, double periods) {
    if (states() == 0) return 0;
    const double w = base(motion), until = periods * full_turn / w;
    SimulationQuestion question = question_;
    question.drives.clear();
    for (const PeriodicInput& input : inputs_) {
      const GiNaC::ex angle = motion.frequency * question.time + static_cast<double>(all_.subharmonic) * start_;
      if (input.amplitude != 0 || input.constant != 0)
        question.drives.push_back({input.input, input.constant + input.amplitude * GiNaC::cos(angle)});
    }
    const VectorXd begin = state_at(start_).first;
    for (std::size_t i = 0; i < linear_.states.size(); ++i) question.initial.push_back({linear_.states[i], begin[row_of(i)]});
    const std::vector<double> times{0, until};
    RunRecord record;
    try {
      transient(graph_, question, times,
                {.rtol = 1e-7, .atol = 1e-7 * begin.cwiseAbs().maxCoeff() + 1e-15, .budget = options_.budget}, &record);
    } catch (const Failure& failure) {
      options_.budget.check("the confirmation of the periodic motions");
      failure_ = failure.what();
      return {};
    }
    const std::vector<InitialValue>& last = record.last_state;
    if (last.size() != linear_.states.size()) return {};
    const auto [expected, slope] = state_at(start_ + periods * full_turn);
    const VectorXd size = sizes();
    VectorXd off(states()), along = slope.cwiseQuotient(size);
    for (std::size_t i = 0; i < last.size(); ++i) off[row_of(i)] = (last[i].value - expected[row_of(i)]) / size[row_of(i)];
    if (free() && along.norm() > 0) off -= off.dot(along) / along.squaredNorm() * along;
    return off.norm() / std::sqrt(static_cast<double>(states()));
  }

  const SignalFlowGraph& graph_;
  std::span<const PeriodicInput> inputs_;
  const PeriodicMotions& all_;
  const BalanceOptions& options_;
  SimulationQuestion question_;
  PrincipalForm form_;
  CompiledLaws laws_;
  Dynamics linear_;
  std::vector<std::size_t> rows_;  ///< signal of each argument
  MatrixXd arguments_;             ///< over a period
  std::vector<Complex> waves_;
  MatrixXcd states_;     ///< × harmonics
  double start_ = 0;     ///< angle
  double mismatch_ = 0;  ///< of the motion as stated and that of the state, of its size
  std::string failure_;
};

std::string periods_of(double count) { return print(count) + (count == 1 ? " period" : " periods"); }

/// What was found, of all motions together.
void add_notes(PeriodicMotions& all) {
  constexpr std::size_t most = 5;
  double largest = 0, periods = HUGE_VAL;
  std::size_t confirmed = 0, left = 0;
  std::map<std::string, std::size_t> reasons;
  for (const PeriodicMotion& motion : all.points) {
    const MotionConfirmation& c = motion.confirmation;
    if (c.confirmed == true) {
      ++confirmed;
      largest = std::max(largest, c.deviation), periods = std::min(periods, c.periods);
    } else if (c.confirmed == false) {
      if (++left <= most)
        all.notes.push_back("not confirmed: the motion of " + exact::decimal(exact::Rational::of(motion.frequency), 4) +
                            " rad/s, followed from its state for " + periods_of(c.periods) + ", is left by up to " +
                            print(c.deviation) + " of its size");
    } else {
      ++reasons[c.reason];
    }
  }
  const auto counted = [&](std::size_t n) {
    return n == all.points.size() ? std::string("all motions") : std::to_string(n) + " motions";
  };
  if (left > most) all.notes.push_back("not confirmed: " + std::to_string(left - most) + " more, which are left, too");
  if (confirmed > 0)
    all.notes.push_back("confirmed by integration: " + counted(confirmed) + ", to within " + print(largest) +
                        " of their size after " + periods_of(periods));
  for (const auto& [reason, count] : reasons)
    all.notes.push_back("not confirmed by integration: " + counted(count) + ": " + reason);
}

}  // namespace

void confirm(const SignalFlowGraph& graph, std::span<const PeriodicInput> inputs, PeriodicMotions& all,
             const BalanceOptions& options) {
  if (all.points.empty()) return;
  const bool asked = options.confirm || all.inputs.empty() || graph.nodes().size() <= BalanceOptions::followed_unasked;
  try {
    if (!asked)
      throw NoAnswer("graphs of more than " + std::to_string(BalanceOptions::followed_unasked) +
                     " nodes are followed when asked for");
    MotionFollower follower(graph, inputs, all, options);
    for (PeriodicMotion& motion : all.points) {
      options.budget.check("the confirmation of the periodic motions");
      motion.confirmation = follower(motion);
    }
  } catch (const Failure& failure) {
    options.budget.check("the confirmation of the periodic motions");
    for (PeriodicMotion& motion : all.points) motion.confirmation = {{}, 0, 0, failure.what()};
  }
  add_notes(all);
}

}  // namespace sfg
