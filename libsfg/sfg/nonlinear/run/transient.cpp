// Idea: what is linear is ẋ = A x + B u, y = C x + D u + D' u̇; u are the inputs, the laws' outputs and what dead times bring. At
// every moment the laws' arguments are solved for (law_loop), from one corner of the inputs to the next the integrator goes on.
#include "sfg/nonlinear/run/transient.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <set>

#include "sfg/expr/print.hpp"
#include "sfg/nonlinear/run/chatter.hpp"
#include "sfg/nonlinear/run/checked_run.hpp"
#include "sfg/nonlinear/run/coupled_system.hpp"
#include "sfg/nonlinear/run/laws_with_memory.hpp"
#include "sfg/nonlinear/run/packed_vectors.hpp"
#include "sfg/nonlinear/run/run_events.hpp"
#include "sfg/nonlinear/run/run_keeper.hpp"
#include "sfg/nonlinear/run/switched_steps.hpp"
#include "sfg/nonlinear/run/taylor_run.hpp"
#include "sfg/nonlinear/run/time_constants.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index largest_dense = 300;  ///< states whose Jacobian is found by differences

Index row(std::size_t i) { return static_cast<Index>(i); }

/// The times at which something jumps, and those that dead time carries on: up to the order at which a jump is smooth enough.
std::vector<double> corners(const CoupledSystem& system, double until, const Budget& budget) {
  constexpr int smooth = 6;
  std::set<double> found{until};
  std::vector<double> jumps = system.corners(until, budget);
  if (!system.linear().delays.empty()) jumps.push_back(0);
  for (int order = 0; order < smooth && !jumps.empty(); ++order) {
    std::vector<double> later;
    for (const double t : jumps) {
      if (t > 0) found.insert(t);
      for (const auto& delay : system.linear().delays)
        if (t + delay.time < until && found.size() < 10'000) later.push_back(t + delay.time);
    }
    jumps = std::move(later);
  }
  return {found.begin(), found.end()};
}

/// A large system without decay much faster than its oscillations, by the entries of A: rates decay by what stands on the
/// diagonal, and oscillate by the roots of what stands beside it.
bool only_oscillates(const CoupledSystem& system) {
  if (system.size() <= largest_dense) return false;
  double decay = 0, beside = 0;
  const Dynamics::Matrix& A = system.linear().A;
  for (Index row = 0; row < A.rows(); ++row) {
    double sum = 0;
    for (Dynamics::Matrix::InnerIterator entry(A, row); entry; ++entry)
      if (entry.col() == row)
        decay = std::max(decay, std::abs(entry.value()));
      else
        sum += std::abs(entry.value());
    beside = std::max(beside, sum);
  }
  return decay < 3 * std::sqrt(beside);
}

/// Whether laws are straight lines of their arguments as long as nothing jumps: no step passes over anything in them.
bool straight_between_jumps(const CompiledLaws& laws) {
  if (laws.switches() > 0 || !laws.memories().empty()) return false;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> side(-1, 1), decade(-8, 3);
  std::vector<double> a(laws.arguments()), f(laws.laws()), first, slopes(laws.laws() * laws.arguments());
  const std::vector<double> numbers(laws.parameters(), 0.5);  // no mode of a jump, at which a part might vanish
  for (int i = 0; i < 40; ++i) {
    for (double& value : a) value = side(random) * std::pow(10, decade(random));
    laws.values({a, side(random), numbers}, f, slopes);
    if (std::exchange(first, slopes) != slopes && i > 0) return false;
  }
  return true;
}

constexpr char series = 's', integrated = 'i';  ///< how a kept state was found

class Run {
 public:
  Run(const SignalFlowGraph& graph, CoupledSystem& system, std::span<const double> corners, std::span<const double> times,
      const Fineness& fineness, const Budget& budget, RunKeeper* keeper)
      : system_(system),
        corners_(corners),
        times_(times),
        fineness_(fineness),
        budget_(budget),
        keeper_(keeper),
        chatter_(system.modes(), until()),
        events_(graph, system),
        leg_(std::clamp<std::size_t>(2'000'000 / (1 + static_cast<std::size_t>(system.size())), 200, 4000)),
        timeless_(system.size() == 0 && (system.modes().size() > 0 || system.laws().switches() > 0)) {
    system_.reset();
    system_.modes().meet_within(fineness.late);
    const auto product = [&](const VectorXd& x, VectorXd& into) { into = system_.linear().A * x; };
    integrator_ = steps_by(fast_parts(system_.size(), product).stiff(until()));
  }

  /// @param kept  a state of such a run, from which it goes on; its beginning where it is but the mark
  RunSamples operator()(const std::string& kept) {
    VectorXd x = system_.start();
    double t = 0, begun = 0;
    bool resumed = kept.size() > 1;
    if (resumed) t = unpack(kept, x);
    for (const double corner : corners_) {
      // Corners of several functions at one place lie a rounding apart: between them nothing moves.
      if (corner - t > until() * 0x1p-46) {
        if (std::exchange(resumed, false)) {
          system_.drives().piece(begun, corner);
          begin_leg(t, x);
        } else {
          begin(t, corner, x);
        }
        x = follow(corner);
      }
      t = std::max(t, corner);
      begun = corner;
    }
    system_.drives().piece(t, t);
    x = system_.decided(t, x);
    while (next_ < times_.size()) found_.values.push_back(system_.outputs(times_[next_++], x));
    found_.last = x;
    found_.notes = chatter_.notes();
    for (const std::string& note : notes_of_events(events_.count)) found_.notes.push_back(note);
    found_.events = std::move(events_.found);
    return std::move(found_);
  }

  const char* method() const {
    return integrator_->starts_cheaply() ? "integration (Dormand and Prince, order 8)" : "integration (CVODE)";
  }

 private:
  double until() const { return times_.empty() ? 0 : times_.back(); }

  /// The state at a time within the last step; a system without states has a clock alone.
  VectorXd state_at(double t) const { return timeless_ ? VectorXd() : integrator_->at(t); }

  // ---- legs: what follows depends on nothing but the state that is packed here
  void begin_leg(double t, const VectorXd& x) {
    integrator_ = steps_by(stiff_);
    restart(t, x);
    steps_in_leg_ = 0;
    if (keeper_) keeper_->pass(t, until(), [&] { return packed(t, x); });
  }

  std::string packed(double t, const VectorXd& x) const {
    Packer packer;
    packer.add(integrated);
    packer.add(t);
    pack(packer, x);
    packer.add(stiff_);
    packer.add(static_cast<std::uint64_t>(steps_));
    system_.pack(packer);
    chatter_.pack(packer);
    pack_each(packer, found_.values, [&](const VectorXd& value) { pack(packer, value); });
    packer.add(found_.jumps);
    packer.add(static_cast<std::uint64_t>(events_.count));
    pack(packer, events_.found);
    return std::move(packer).bytes();
  }

  double unpack(const std::string& kept, VectorXd& x) {
    Unpacker from(kept);
    from.take<char>();
    const auto t = from.take<double>();
    x = unpacked_vector(from);
    stiff_ = from.take<bool>();
    steps_ = from.take<std::uint64_t>();
    system_.unpack(from);
    chatter_.unpack(from);
    found_.values = unpacked_each<VectorXd>(from, [&] { return unpacked_vector(from); });
    next_ = found_.values.size();
    found_.jumps = from.list<double>();
    events_.count = from.take<std::uint64_t>();
    events_.found = unpacked_events(from);
    return t;
  }

  std::unique_ptr<SwitchedSteps> steps_by(bool stiff) {
    constexpr Index small = 16;
    const bool simple = !timeless_ && system_.modes().size() > 0 && system_.size() <= small && system_.linear().delays.empty() &&
                        straight_between_jumps(system_.laws());
    return std::make_unique<SwitchedSteps>(problem(stiff), simple);
  }

  Integrator::Problem problem(bool stiff) {
    Integrator::Problem problem;
    problem.size = system_.size();
    problem.rate = [this](double t, const VectorXd& x, VectorXd& rate) { return system_.rate(t, x, rate); };
    if (timeless_) {
      problem.size = 1;
      problem.rate = [](double, const VectorXd&, VectorXd& rate) { return rate = VectorXd::Zero(1), true; };
    }
    constexpr Index small = 16;
    const bool smooth = !timeless_ && system_.modes().size() == 0;
    if (smooth && system_.size() <= small)
      problem.jacobian = [this](double t, const VectorXd& x) { return MatrixXd(system_.jacobian(t, x)); };
    else if (smooth)
      problem.sparse_jacobian = [this](double t, const VectorXd& x) { return system_.jacobian(t, x); };
    problem.stiff = stiff_ = stiff;
    problem.functional = !problem.stiff && only_oscillates(system_);
    const int modes = system_.modes().roots();
    problem.switches = modes + static_cast<int>(system_.laws().switches());
    problem.switching = [this, modes](double t, const VectorXd& state, double* g) {
      const VectorXd x = timeless_ ? VectorXd() : state;
      system_.modes().roots(t, x, g);
      system_.switching(t, x, g + modes);
    };
    problem.rtol = fineness_.rtol;
    problem.atol = fineness_.atol;
    return problem;
  }

  void begin(double t, double corner, VectorXd& x) {
    if (t > 0) events_.before(t, x);
    system_.drives().piece(t, corner);
    x = system_.decided(t, x);
    if (t > 0) events_.after(t, x, {});
    while (next_ < times_.size() && times_[next_] <= t) found_.values.push_back(system_.outputs(times_[next_++], x));
    if (system_.size() > 0 || timeless_) restart(t, x);
  }

  void restart(double t, const VectorXd& x) {
    integrator_->start(t, timeless_ ? VectorXd::Zero(1) : x);
    started_ = t;
  }

  /// A corner that the last start stands on, met again where rounding puts it: the integrator goes on by itself.
  bool met_at_once(double t, const Integrator::Step& step) const {
    return step.switched && t == step.to && t - started_ <= 1e-13 * times_.back();
  }

  VectorXd follow(double corner) {
    if (system_.size() == 0 && !timeless_) return without_states(corner);
    for (double t = -1; t < corner;) {
      budget_.check("the time response");
      const Integrator::Step step = advance(corner);
      t = turning(step);
      const bool event = t < step.to || step.switched;
      while (next_ < times_.size() && times_[next_] < t) {
        found_.values.push_back(system_.outputs(times_[next_], state_at(times_[next_])));
        ++next_;
      }
      if (!system_.linear().delays.empty())
        for (const double part : Past::nodes) remember(step.from + part * (t - step.from));
      VectorXd x = state_at(t);
      const bool switched = step.switched && t == step.to && change_modes(t, x);
      system_.latch(t, event ? beyond(t, x, t - step.from) : x);
      if (t >= corner) return x;
      if (steps_in_leg_ += integrator_->work_of_step(); steps_in_leg_ >= leg_)
        begin_leg(t, x);
      else if (switched || (event && !met_at_once(t, step)))
        restart(t, x);
      else
        look_for_stiffness(t, x, step.to - step.from);
    }
    return state_at(corner);
  }

  Integrator::Step advance(double corner) {
    double longest = fineness_.part * system_.longest_step(integrator_->now());
    for (const auto& delay : system_.linear().delays) longest = std::min(longest, delay.time);
    integrator_->limit(longest);
    return integrator_->step(corner);
  }

  /// New modes where a jump was met. @returns whether there was one
  bool change_modes(double t, VectorXd& x) {
    const std::vector<int> all = integrator_->changes();
    const std::span<const int> changes(all.data(), static_cast<std::size_t>(system_.modes().roots()));
    const std::span<const int> switches(all.data() + changes.size(), system_.laws().switches());
    const std::vector<Index> changed = system_.modes().changed(changes);
    events_.before(t, x);
    for (std::size_t i = 0; i < switches.size(); ++i)
      if (switches[i] != 0 && system_.laws().jumps(i)) found_.jumps.push_back(t);
    if (!changed.empty()) {
      found_.jumps.push_back(t);
      x = system_.decided(t, x, changes);
      chatter_.note(t, changed);
    }
    events_.after(t, x, switches);
    return !changed.empty();
  }

  /// Steps that are as short as a fast decay wants them, not the motion: implicit methods are cheaper from here on.
  void look_for_stiffness(double t, const VectorXd& x, double step) {
    constexpr int often = 500;
    if (stiff_ || timeless_ || ++steps_ % often != 0) return;
    const Dynamics::Matrix J = system_.jacobian(t, x);
    const FastParts parts = fast_parts(system_.size(), [&](const VectorXd& v, VectorXd& into) { into = J * v; });
    if (!(parts.decay * step >= 0.05 && parts.stiff(until() - t))) return;
    integrator_ = steps_by(true);
    restart(t, x);
  }

  /// The end of the step, or where in it the signal of a backlash turns around: its contact ends there.
  double turning(const Integrator::Step& step) {
    double first = step.to;
    const auto memories = system_.laws().memories();
    const double length = step.to - step.from;
    const auto at = [&](double t, std::size_t i) { return system_.followed(t, state_at(t))[i]; };
    for (std::size_t i = 0; i < memories.size(); ++i) {
      if (memories[i].kind != CompiledLaws::Memory::Kind::backlash) continue;
      // Close to the ends, too: a turn beside one of them is met.
      constexpr std::array<double, 7> places{0, 1e-4, 0.25, 0.5, 0.75, 1 - 1e-4, 1};
      std::array<double, places.size()> value{};
      const auto time = [&](std::size_t k) { return std::min(step.to, step.from + length * places[k]); };
      for (std::size_t k = 0; k < places.size(); ++k) value[k] = at(time(k), i);
      for (std::size_t p = 1; p + 1 < places.size(); ++p) {
        if ((value[p] - value[p - 1]) * (value[p + 1] - value[p]) >= 0) continue;
        const double sign = value[p] > value[p - 1] ? 1 : -1;
        const double t = extremum(time(p - 1), time(p + 1), [&](double there) { return sign * at(there, i); });
        if (t > step.from + 1e-6 * length) first = std::min(first, t);
        break;
      }
    }
    return first;
  }

  /// Where a function with one maximum has it (golden section).
  template <class Function>
  static double extremum(double low, double high, Function f) {
    constexpr double part = 0.38196601125010515;
    double a = low + part * (high - low), b = high - part * (high - low), at_a = f(a), at_b = f(b);
    for (int i = 0; i < 60; ++i) {
      if (at_a < at_b) {
        low = std::exchange(a, b);
        at_a = at_b;
        b = high - part * (high - low);
        at_b = f(b);
      } else {
        high = std::exchange(b, a);
        at_b = at_a;
        a = low + part * (high - low);
        at_a = f(a);
      }
    }
    return (low + high) / 2;
  }

  /// The state a moment later, so that what was reached is passed.
  VectorXd beyond(double t, const VectorXd& x, double length) {
    VectorXd rate;
    if (!system_.rate(t, x, rate)) return x;
    return x + rate * std::max(1e-9 * length, 1e-13 * t);
  }

  /// What goes into dead times, at a moment of the last step.
  void remember(double t) {
    const VectorXd y = system_.outputs(t, state_at(t));
    std::vector<double> values;
    for (const auto& delay : system_.linear().delays) values.push_back(y[row(delay.output)]);
    system_.past().add(t, values);
  }

  VectorXd without_states(double corner) {
    while (next_ < times_.size() && times_[next_] < corner) {
      found_.values.push_back(system_.outputs(times_[next_], system_.start()));
      ++next_;
    }
    return system_.start();
  }

  CoupledSystem& system_;
  std::span<const double> corners_, times_;
  Fineness fineness_;
  const Budget& budget_;
  RunKeeper* keeper_;
  Chatter chatter_;
  RunEvents events_;
  std::size_t leg_;  ///< steps from which on a run begins anew
  bool timeless_;    ///< no states, but laws that switch as the inputs go on
  std::unique_ptr<SwitchedSteps> integrator_;
  RunSamples found_;
  std::size_t next_ = 0, steps_ = 0, steps_in_leg_ = 0;
  double started_ = 0;  ///< where the integrator was started last
  bool stiff_ = false;
};

/// A graph of samples: one after the other.
std::vector<VectorXd> stepped(CoupledSystem& system, std::span<const double> times, const Budget& budget) {
  std::vector<VectorXd> found;
  VectorXd x = system.start();
  for (const double t : times) {
    budget.check("the time response");
    system.drives().piece(t, t);
    system.latch(t, x);
    found.push_back(system.outputs(t, x));
    if (!found.back().allFinite())
      throw NoAnswer("the response leaves every bound at t = " + print(t), "ask for times before that");
    x = system.next(t, x);
  }
  return found;
}

}  // namespace

bool depends_on_laws(const SignalFlowGraph& graph, const SimulationQuestion& question) {
  if (graph.linear()) return false;
  return !principal_form(graph, driven_nodes(question), question.outputs).laws.empty();
}

bool remembers(const SignalFlowGraph& graph) {
  return std::ranges::any_of(graph.branches(), [](const Branch& branch) {
    return !branch.linear() && has_memory(std::get<Nonlinearity>(branch.law).law);
  });
}

namespace {

struct Followed {
  std::vector<VectorXd> outputs;  ///< those asked for
  std::string method;
  std::vector<std::string> notes = {};
  std::vector<RunDifference> differences = {};  ///< by output
  RunRecord record = {};
};

/// By its arguments of laws first.
void keep_outputs(std::vector<VectorXd>& values, std::size_t arguments) {
  for (VectorXd& value : values) value = value.tail(value.size() - row(arguments)).eval();
}

Followed followed(const SignalFlowGraph& graph, const SimulationQuestion& question, std::span<const double> times,
                  const ForcedOptions& options, RunKeeper* keeper) {
  const double until = times.empty() ? 0 : times.back();
  CoupledSystem system(graph, principal_form(graph, driven_nodes(question), question.outputs), question, until, options.budget);
  const std::size_t arguments = system.form().arguments.size();
  if (graph.op.discrete()) {
    Followed found{stepped(system, times, options.budget), "difference equation"};
    keep_outputs(found.outputs, arguments);
    return found;
  }
  const std::vector<double> ends = corners(system, until, options.budget);
  bool by_series = true;
  std::string method = "Taylor series";
  const auto run = [&](const Fineness& fineness) {
    std::string kept = keeper ? keeper->take_state() : std::string();
    if (kept.starts_with(integrated)) by_series = false;
    if (by_series) {
      if (keeper && kept.empty()) keeper->starts(std::string(1, series));
      if (auto samples = taylor_run(system, ends, times, fineness, options.budget, keeper, kept)) return std::move(*samples);
      kept.clear();
    }
    by_series = false;
    if (keeper && kept.empty()) keeper->starts(std::string(1, integrated));
    Run one(graph, system, ends, times, fineness, options.budget, keeper);
    RunSamples samples = one(kept);
    method = one.method();
    keep_outputs(samples.values, arguments);
    return samples;
  };
  CheckedRun checked = checked_run(run, times, 0, -1, options, keeper);
  Followed found{std::move(checked.samples.values), method + " of the laws and the linear part", std::move(checked.samples.notes),
                 std::move(checked.differences)};
  if (!system.sees_all_inputs()) found.notes.emplace_back(note_of_too_many_parts);
  for (Index i = 0; i < checked.samples.last.size(); ++i)
    found.record.last_state.push_back({system.plain_state(static_cast<std::size_t>(i)), checked.samples.last[i]});
  found.record.events = std::move(checked.samples.events);
  return found;
}

}  // namespace

std::vector<NamedResponse> transient(const SignalFlowGraph& graph, const SimulationQuestion& question,
                                     std::span<const double> times, const ForcedOptions& options, RunRecord* record,
                                     const KeptRun* kept) {
  std::optional<RunKeeper> keeper;
  if (kept && !graph.op.discrete()) keeper.emplace(*kept, identity_of(graph, question, times, options));
  RunKeeper* const own = keeper ? &*keeper : nullptr;
  Followed found = kept_to_its_end(own, [&] { return followed(graph, question, times, options, own); });
  if (record) *record = std::move(found.record);
  std::vector<NamedResponse> result;
  for (std::size_t k = 0; k < question.outputs.size(); ++k) {
    NamedResponse response{graph[question.outputs[k]].name, {}, {}, {}};
    response.value.time.assign(times.begin(), times.end());
    for (const VectorXd& y : found.outputs) response.value.value.push_back(y[row(k)]);
    response.value.notes = found.notes;
    if (k < found.differences.size()) state(found.differences[k], response.value);
    response.value.method = found.method;
    response.value.final_known = false;
    result.push_back(std::move(response));
  }
  return result;
}

}  // namespace sfg
