#include "sfg/multibody/mechanism_run.hpp"

#include <ginac/ginac.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "sfg/expr/functions.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/multibody/kinks.hpp"
#include "sfg/multibody/mechanism_record.hpp"
#include "sfg/multibody/mechanism_start.hpp"
#include "sfg/multibody/moving_mechanism.hpp"
#include "sfg/multibody/singular_positions.hpp"
#include "sfg/multibody/state_names.hpp"
#include "sfg/multibody/stops.hpp"
#include "sfg/nonlinear/integrator.hpp"
#include "sfg/response/switching_times.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using GiNaC::ex;
using State = MovingMechanism::State;

std::size_t input_named(const EquationsOfMotion& motion, const std::string& name) {
  std::vector<std::string> names;
  std::string list;
  for (std::size_t i = 0; i < motion.inputs.size(); ++i) {
    if (motion.inputs[i].name == name) return i;
    if (motion.inputs[i].name.starts_with("holds(")) continue;
    names.push_back(motion.inputs[i].name);
    list += (list.empty() ? "the inputs are " : ", ") + motion.inputs[i].name;
  }
  const std::string near = nearest(name, names);
  throw Error(SourceSpan{}, "there is no input '" + name + "'",
              !near.empty()  ? "did you mean '" + near + "'?"
              : list.empty() ? "the model has no inputs"
                             : list);
}

/// Inputs as the drives of a graph whose nodes are their numbers.
SimulationQuestion driven(const EquationsOfMotion& motion, const MechanismQuestion& question, std::vector<std::size_t>& numbers) {
  SimulationQuestion made;
  made.time = question.time;
  for (const auto& input : question.inputs) {
    const std::size_t number = input_named(motion, input.name);
    if (std::ranges::find(numbers, number) == numbers.end()) numbers.push_back(number);
    made.drives.push_back({NodeId{static_cast<std::uint32_t>(number)}, input.signal});
  }
  return made;
}

std::vector<ex> stop_distances(const Multibody& model) {
  std::vector<ex> found;
  for (const auto& event : model.events)
    if (event.kind == Multibody::Event::Kind::stop) found.push_back(event.when);
  return found;
}

std::vector<double> restitutions(const Multibody& model, const CompiledMotion& motion) {
  std::vector<double> found;
  for (const auto& event : model.events) {
    if (event.kind != Multibody::Event::Kind::stop) continue;
    const double value = number_of(motion, event.restitution, "restitution of '" + event.name + "'", event.where);
    if (!(value >= 0 && value <= 1))
      throw Error(event.where, "the restitution of '" + event.name + "' is " + print(value), "state a number from 0 to 1");
    found.push_back(value);
  }
  return found;
}

std::string short_text(double t) {
  constexpr std::size_t digits = 6;
  return exact::decimal(exact::Rational::of(t), digits);
}

class Run {
 public:
  /// Ends a run whose jumps are met again and again at once.
  struct Sticking {};

  Run(const Multibody& model, const MultibodyEquations& equations, const MechanismQuestion& question,
      std::span<const double> times, const MechanismOptions& options, bool stiff = false)
      : model_(model),
        stiff_(stiff),
        options_(options),
        times_(times),
        distances_(stop_distances(model)),
        motion_(equations, distances_),
        drives_(driven(equations.motion, question, driven_), Operator("s"), motion_.orders()),
        mechanism_(motion_, drives_, driven_),
        record_(mechanism_, question.outputs.empty() ? stated_signals(model, found_.notes) : question.outputs, found_),
        kinks_(kinks(motion_)),
        stops_(mechanism_, restitutions(model, motion_), shortest_rebound()) {
    name_switches();
    hold_springs();
    state_ = start(question);
  }

  MechanismRun operator()() {
    double t = 0;
    begin_account();
    note_events(0, stops_.meet(0, state_));
    note_early_events();
    for (const double corner : corners()) {
      if (corner <= t || ended_) continue;
      drives_.piece(t, corner);
      seen_until(t, true);
      watched_ = state_;
      integrator_->start(t, mechanism_.packed(state_));
      follow(t, corner);
      t = corner;
    }
    if (!ended_) {
      drives_.piece(t, t);
      while (next_ < times_.size()) see(times_[next_++], state_);
    }
    finish();
    return std::move(found_);
  }

 private:
  double last() const { return times_.empty() ? 0 : times_.back(); }
  double shortest_rebound() const { return std::min(1e-6 * last(), 1e-4); }

  // ---- begin
  void name_switches() {
    std::vector<ex> whens;
    for (const auto& event : model_.events)
      if (event.kind != Multibody::Event::Kind::stop) whens.push_back(event.when);
    whens.insert(whens.end(), kinks_.of_state.begin(), kinks_.of_state.end());
    switches_ = motion_.outputs(whens);
    switch_count_ = whens.size();
  }

  void hold_springs() {
    const auto& inputs = motion_.equations().motion.inputs;
    for (const auto& spring : model_.springs)
      for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i].name == holding(spring.name)) {
          springs_[spring.name] = i;
          mechanism_.constant_inputs[i] = 1;
        }
  }

  State start(const MechanismQuestion& question) {
    drives_.piece(0, 0);
    const AssemblyStart given = start_of(model_, motion_, question);
    add_quaternion_notes(motion_, given, found_.notes);
    const Assembly put_together = assembled(motion_, given, mechanism_.inputs(0), 0, options_.budget);
    found_.assembly = put_together.moved;
    found_.notes.insert(found_.notes.end(), put_together.notes.begin(), put_together.notes.end());
    found_.constraints = static_cast<std::size_t>(motion_.constraints());
    found_.rank = static_cast<std::size_t>(put_together.rank);
    found_.freedoms = static_cast<std::size_t>(motion_.speeds()) - found_.rank;
    State made{put_together.q, put_together.v, 0};
    add_constraint_notes(mechanism_, made, put_together.rank, found_.notes);
    const auto stops = mechanism_.stops(0, made, {});
    std::size_t k = 0;
    for (const auto& event : model_.events) {
      if (event.kind != Multibody::Event::Kind::stop) continue;
      if (stops[k].distance > 1e-8)
        throw NoAnswer("the start lies beyond the stop '" + event.name + "' by " + print(stops[k].distance),
                       "start on its open side, where '" + print(event.when) + "' is negative", event.where);
      ++k;
    }
    return made;
  }

  void begin_account() {
    mechanism_.follow_work(state_, 0);
    integrator_ = std::make_unique<Integrator>(problem());
    found_.energy.start = found_.energy.end = mechanism_.energy(0, state_);
    found_.energy.conserved = !mechanism_.with_work();
  }

  /// Conditions that hold from the start on never become true.
  void note_early_events() {
    const VectorXd values = switching_values(0, state_);
    Index next = 0;
    for (const auto& event : model_.events) {
      if (event.kind == Multibody::Event::Kind::stop) continue;
      if (values[next++] > 0)
        found_.notes.push_back(
            {event.where,
             "the condition of '" + event.name + "' holds at the start already: it is no event until it becomes true anew",
             "state what turns positive later", Severity::warning});
    }
  }

  std::vector<double> corners() {
    std::set<double> found{last()};
    for (const double t : drives_.corners(last(), options_.budget)) found.insert(t);
    for (const ex& kink : kinks_.of_time) {
      const ex call = function_rule("step")->apply({kink});
      for (const double t : switching_times(call, motion_.time(), last(), options_.budget).times) found.insert(t);
    }
    return {found.begin(), found.end()};
  }

  Integrator::Problem problem() {
    Integrator::Problem problem;
    problem.size = mechanism_.size();
    problem.rate = [this](double t, const VectorXd& x, VectorXd& rate) { return mechanism_.rate(t, x, rate); };
    problem.switches = static_cast<int>(distances_.size() + switch_count_);
    problem.switching = [this](double t, const VectorXd& x, double* g) {
      const State at = mechanism_.state(x);
      stops_.switching(t, at, g);
      const VectorXd values = switching_values(t, at);
      std::copy_n(values.data(), values.size(), g + distances_.size());
    };
    problem.rtol = std::clamp(options_.rtol / 100, 1e-12, 1e-3);
    problem.atol = std::max(options_.atol / 100, 1e-15);
    problem.allowed = VectorXd::Constant(problem.size, problem.atol);
    if (mechanism_.with_work())
      problem.allowed[problem.size - 1] = std::max(problem.atol, problem.rtol * (1 + std::abs(mechanism_.energy(0, state_))));
    problem.stiff = stiff_ || is_stiff();
    return problem;
  }

  VectorXd switching_values(double t, const State& at) const {
    if (switch_count_ == 0) return {};
    return switches_(at.q, at.v, mechanism_.inputs(t), t, VectorXd::Zero(motion_.speeds()),
                     VectorXd::Zero(motion_.constraints()));
  }

  /// Fast decay beside a long range, by differences at the start: implicit methods are cheaper there.
  bool is_stiff() const {
    constexpr Index largest = 120;
    const VectorXd x = mechanism_.packed(state_);
    VectorXd here, there;
    if (x.size() > largest || !mechanism_.rate(0, x, here)) return false;
    MatrixXd A(x.size(), x.size());
    for (Index j = 0; j < x.size(); ++j) {
      const double h = 1e-7 * std::max(1.0, std::abs(x[j]));
      VectorXd beside = x;
      beside[j] += h;
      if (!mechanism_.rate(0, beside, there)) return false;
      A.col(j) = (there - here) / h;
    }
    double fastest = 0, turning = 0;
    for (const auto& root : Eigen::VectorXcd(A.eigenvalues())) {
      fastest = std::max(fastest, -root.real());
      turning = std::max(turning, std::abs(root.imag()));
    }
    return fastest * last() > 1000 && fastest > 20 * turning;
  }

  // ---- on the way
  void follow(double t, double corner) {
    while (t < corner && !ended_) {
      options_.budget.check("the motion");
      const Integrator::Step step = advance(corner);
      ++found_.steps;
      t = step.to;
      while (next_ < times_.size() && times_[next_] < t) see_between_steps(times_[next_++]);
      state_ = mechanism_.state(integrator_->at(t));
      watch_singular(step.from, t);
      const bool restart = happened(t, step.switched) || drifted(t);
      if (!restart || t >= corner || ended_) continue;
      integrator_->start(t, mechanism_.packed(state_));
      watched_ = state_;
    }
  }

  /// Where a jump stands in the way no step is small enough.
  Integrator::Step advance(double corner) {
    try {
      return integrator_->step(corner);
    } catch (const NoAnswer&) {
      if (!kinks_.of_state.empty() && !stiff_) throw Sticking{};
      throw;
    }
  }

  void watch_singular(double from, double t) {
    if (motion_.constraints() == 0) return;
    const State before = std::exchange(watched_, state_);
    if (!mechanism_.was_near_singular()) return;
    singular_.begin(mechanism_.jacobian(from, before));
    const MatrixXd J = mechanism_.jacobian(t, state_);
    if (!J.allFinite() || !singular_.passed(J)) return;
    constexpr std::size_t most = 3;
    if (++passages_ <= most)
      found_.notes.push_back(
          {{},
           "between t = " + short_text(from) + " and " + short_text(t) +
               " the mechanism passes a singular position, where its constraints lose rank and motions branch: "
               "which branch it follows is not determined by its equations",
           "ask for times before that, or add what decides (a stop, a spring, a constraint)",
           Severity::warning});
    if (passages_ == most + 1)
      found_.notes.push_back({{}, "there are more singular positions after t = " + short_text(t), {}, Severity::warning});
  }

  bool projects() const { return model_.normalization != Multibody::Normalization::off; }

  /// Whether the constraints are left so far that the motion goes on from a projected state.
  bool drifted(double t) {
    if (!projects()) return note_drift(mechanism_.drift(t, state_)), false;
    if (motion_.constraints() == 0 && distances_.empty() && motion_.equations().quaternions.empty()) return false;
    const MovingMechanism::Correction off = mechanism_.drift(t, state_);
    note_drift(off);
    const double allowed = std::max({options_.rtol, 10 * options_.atol, 1e-11});
    const double speed = 1 + (state_.v.size() > 0 ? state_.v.cwiseAbs().maxCoeff() : 0);
    if (off.position <= allowed && off.velocity <= allowed * speed && off.quaternion <= allowed) return false;
    const MovingMechanism::Correction made = mechanism_.correct(t, state_);
    ++found_.drift.projections;
    note_projected(t, made);
    return true;
  }

  void note_drift(const MovingMechanism::Correction& off) {
    auto& drift = found_.drift;
    drift.position_before = std::max(drift.position_before, off.position);
    drift.velocity_before = std::max(drift.velocity_before, off.velocity);
    drift.quaternion_before = std::max(drift.quaternion_before, off.quaternion);
  }
  void note_projected(double t, const MovingMechanism::Correction& made) {
    found_.drift.position_after = std::max(found_.drift.position_after, made.position_left);
    found_.drift.velocity_after = std::max(found_.drift.velocity_after, made.velocity_left);
    if (!(made.position_left <= 1e-6))
      throw NoAnswer("the loops cannot be kept closed beyond t = " + print(t) + ": open by " + print(made.position_left),
                     "the mechanism reaches a position that it cannot pass: ask for times before that");
  }

  bool happened(double t, bool switched) {
    if (!switched && (distances_.empty() || !stops_.passed(t, state_))) return false;
    constexpr std::size_t most = 100'000;
    if (++switchings_ > most)
      throw LimitReached("the motion has more than 100000 events up to t = " + print(t),
                         "smooth what jumps (tanh for sign), or ask for times before that");
    const std::vector<int> changes = switched ? integrator_->changes() : std::vector<int>();
    const double before = mechanism_.energy(t, state_);
    bool changed = !switched;
    for (std::size_t k = 0; k < distances_.size() && k < changes.size(); ++k) changed = changed || changes[k] != 0;
    if (changed) {
      mechanism_.correct(t, state_);
      note_events(t, stops_.meet(t, state_));
    }
    std::size_t number = distances_.size();
    for (const auto& event : model_.events) {
      if (event.kind == Multibody::Event::Kind::stop) continue;
      if (number < changes.size() && changes[number] > 0) changed = apply(t, event) || changed;
      ++number;
    }
    bool kinked = false;
    for (; number < changes.size(); ++number) kinked = kinked || changes[number] != 0;
    if (kinked) note_kink(t);
    changed = changed || kinked;
    found_.energy.events += mechanism_.energy(t, state_) - before;
    return changed;
  }

  void note_kink(double t) {
    constexpr std::size_t most = 12;
    recent_.push_back(t);
    if (recent_.size() > most) recent_.pop_front();
    if (recent_.size() == most && t - recent_.front() < 1e-7 * last()) throw Sticking{};
  }

  bool apply(double t, const Multibody::Event& event) {
    if (event.kind == Multibody::Event::Kind::end) {
      found_.events.push_back({t, event.name, "end", 0});
      ended_ = true;
      see(t, state_);
      return true;
    }
    bool any = false;
    for (const std::string& name : event.releases) {
      if (const auto spring = springs_.find(name); spring != springs_.end())
        any = std::exchange(mechanism_.constant_inputs[spring->second], 0) != 0 || any;
      for (std::size_t i = 0; i < motion_.constraint_names().size(); ++i)
        if (mechanism_.holds[i] &&
            (motion_.constraint_names()[i] == name || motion_.constraint_names()[i].starts_with(name + ".")))
          mechanism_.holds[i] = false, any = true;
    }
    if (any) found_.events.push_back({t, event.name, "release", 0});
    return any;
  }

  void note_events(double t, const StopChanges& changes) {
    std::vector<std::string> names;
    for (const auto& event : model_.events)
      if (event.kind == Multibody::Event::Kind::stop) names.push_back(event.name);
    for (const auto& hit : changes.hits) found_.events.push_back({t, names[hit.stop], "impact", hit.speed});
    for (const std::size_t stop : changes.closed) found_.events.push_back({t, names[stop], "contact", 0});
    for (const std::size_t stop : changes.opened) found_.events.push_back({t, names[stop], "separation", 0});
  }

  // ---- what is seen
  void seen_until(double t, bool included) {
    while (next_ < times_.size() && (times_[next_] < t || (included && times_[next_] == t))) see(times_[next_++], state_);
  }
  void see_between_steps(double t) { see(t, mechanism_.state(integrator_->at(t))); }
  /// On the constraints.
  void see(double t, State at) {
    note_drift(mechanism_.drift(t, at));
    if (!projects()) return record_.see(t, at);
    const MovingMechanism::Correction made = mechanism_.correct(t, at);
    found_.drift.position_after = std::max(found_.drift.position_after, made.position_left);
    found_.drift.velocity_after = std::max(found_.drift.velocity_after, made.velocity_left);
    record_.see(t, at);
  }
  void finish() {
    if (ended_) {
      const double t = found_.events.back().time;
      found_.notes.push_back(
          {{}, "the motion ends at t = " + print(t) + " by '" + found_.events.back().name + "'", {}, Severity::note});
    }
    for (NamedResponse& signal : found_.signals) signal.value.time = found_.time;
  }

  const Multibody& model_;
  bool stiff_;
  const MechanismOptions& options_;
  std::span<const double> times_;
  std::vector<ex> distances_;
  CompiledMotion motion_;
  std::vector<std::size_t> driven_;
  Drives drives_;
  MovingMechanism mechanism_;
  MechanismRun found_;
  MechanismRecord record_;
  Kinks kinks_;
  SingularPositions singular_;
  State watched_;  ///< one step before
  Stops stops_;
  std::unique_ptr<Integrator> integrator_;
  State state_;
  std::deque<double> recent_;  ///< times of the last kinks
  CompiledMotion::Outputs switches_;
  std::size_t switch_count_ = 0, switchings_ = 0, next_ = 0, passages_ = 0;
  std::map<std::string, std::size_t> springs_;  ///< that can be released: their inputs
  bool ended_ = false;
};

}  // namespace

MechanismRun mechanism_run(const Multibody& model, const MultibodyEquations& equations, const MechanismQuestion& question,
                           std::span<const double> times, const MechanismOptions& options) {
  try {
    return Run(model, equations, question, times, options)();
  } catch (const Run::Sticking&) {
    const GiNaC::ex width = GiNaC::numeric(1, 1'000'000);
    MechanismRun run = Run(model, smoothed(equations, width), question, times, options, true)();
    run.notes.push_back({{}, "a force sticks at a jump: jumps are smoothed by tanh over 1e-6", {}, Severity::warning});
    return run;
  }
}

MechanismRun mechanism_run(const Multibody& model, const MechanismQuestion& question, std::span<const double> times,
                           const MechanismOptions& options) {
  const Multibody whole = releasable(model);
  const MultibodyEquations equations = multibody_equations(whole, {}, options.budget);
  MechanismRun run = mechanism_run(whole, equations, question, times, options);
  run.notes.insert(run.notes.begin(), equations.notes.begin(), equations.notes.end());
  return run;
}

}  // namespace sfg
