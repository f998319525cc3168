#include "sfg/multibody/mechanism_motion.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "sfg/expr/functions.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/model/prescribed.hpp"
#include "sfg/multibody/followed_mechanism.hpp"
#include "sfg/multibody/independent_rows.hpp"
#include "sfg/multibody/mechanism_integrator.hpp"
#include "sfg/multibody/mechanism_record.hpp"
#include "sfg/multibody/mechanism_start.hpp"
#include "sfg/multibody/moving_mechanism.hpp"
#include "sfg/multibody/state_names.hpp"
#include "sfg/multibody/stops.hpp"
#include "sfg/nonlinear/run/chatter.hpp"
#include "sfg/nonlinear/run/checked_run.hpp"
#include "sfg/nonlinear/run/packed_vectors.hpp"
#include "sfg/nonlinear/run/time_constants.hpp"
#include "sfg/response/time_scales.hpp"

namespace sfg {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using GiNaC::ex;
using State = MovingMechanism::State;

class Run {
 public:
  Run(FollowedMechanism& followed, const MechanismQuestion& question, std::span<const double> times, const Fineness& fineness,
      const MechanismOptions& options, RunKeeper* keeper)
      : followed_(followed),
        keeper_(keeper),
        model_(followed.model),
        fineness_(fineness),
        options_(options),
        times_(times),
        distances_(followed.distances),
        motion_(followed.motion),
        drives_(followed.drives),
        mechanism_(motion_, drives_, followed.driven_inputs),
        jumps_(motion_, mechanism_, followed.jumping.jumps, last(), fineness.late),
        chatter_(jumps_.modes(), last()),
        record_(mechanism_, question.outputs.empty() ? stated_signals(model_, found_.notes) : question.outputs, found_),
        stops_(mechanism_, restitutions(model_, motion_), std::min(1e-6 * last(), 1e-4)) {
    name_switches();
    hold_springs();
    state_ = start(question);
  }

  /// @param kept  a state of such a run, from which it goes on; "" where it begins
  MechanismRun operator()(const std::string& kept) {
    double t = 0, begun = 0;
    jumps_.decide(0, state_);
    begin_account();
    note_events(0, stops_.meet(0, state_));
    note_early_events();
    if (!kept.empty()) t = unpack(kept);
    bool resumed = t > 0;
    for (const double corner : followed_.corners) {
      if (corner > t && !ended_) {
        drives_.piece(resumed ? begun : t, corner);
        if (std::exchange(resumed, false))
          begin_leg(t);
        else
          begin(t);
        follow(t, corner);
        t = corner;
      }
      begun = corner;
    }
    if (!ended_) {
      drives_.piece(t, t);
      while (next_ < times_.size()) see(times_[next_++], state_);
    }
    finish();
    return std::move(found_);
  }
  const std::vector<double>& jumps() const { return jumped_; }

 private:
  double last() const { return times_.empty() ? 0 : times_.back(); }
  // ---- legs: what follows depends on nothing but the state that is packed here
  void begin_leg(double t) {
    steps_in_leg_ = 0;
    integrator_ = std::make_unique<MechanismIntegrator>(problem());
    restart_at(t);
    if (keeper_) keeper_->pass(t, last(), [&] { return packed(t); });
  }
  std::string packed(double t) const {
    Packer packer;
    packer.add(t);
    pack(packer, mechanism_.packed(state_));
    packer.add(state_.work);
    packer.add(work_);
    packer.add(jumped_);
    for (const std::size_t count : {switchings_, next_, passages_}) packer.add(static_cast<std::uint64_t>(count));
    mechanism_.pack(packer);
    jumps_.modes().pack(packer);
    chatter_.pack(packer);
    record_.pack(packer);
    pack(packer, found_);
    return std::move(packer).bytes();
  }
  double unpack(const std::string& kept) {
    Unpacker from(kept);
    const auto t = from.take<double>();
    state_ = mechanism_.state(unpacked_vector(from));
    state_.work = from.take<double>();
    work_ = from.take<double>();
    jumped_ = from.list<double>();
    for (std::size_t* count : {&switchings_, &next_, &passages_}) *count = from.take<std::uint64_t>();
    mechanism_.unpack(from);
    jumps_.modes().unpack(from);
    chatter_.unpack(from);
    record_.unpack(from);
    sfg::unpack(from, found_);
    return t;
  }
  // ---- begin
  void name_switches() {
    std::vector<ex> whens;
    for (const auto& event : model_.events)
      if (event.kind != Multibody::Event::Kind::stop) whens.push_back(event.when);
    whens.insert(whens.end(), followed_.kinks.of_state.begin(), followed_.kinks.of_state.end());
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
    const AssemblyStart given = start_of(model_, motion_, question, followed_.rest);
    found_.notes.insert(found_.notes.end(), followed_.rest.notes.begin(), followed_.rest.notes.end());
    add_quaternion_notes(motion_, given, found_.notes);
    const Assembly put_together = assembled(motion_, given, mechanism_.inputs(0), 0, options_.budget);
    found_.assembly = put_together.moved;
    found_.notes.insert(found_.notes.end(), put_together.notes.begin(), put_together.notes.end());
    found_.constraints = static_cast<std::size_t>(motion_.constraints());
    found_.rate_constraints = static_cast<std::size_t>(motion_.constraints() - motion_.holonomic());
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

  void restart_at(double t) {
    integrator_->start(t, mechanism_.packed(state_));
    watched_ = state_;
  }
  void begin(double t) {
    decide(t);
    if (t > 0 && !distances_.empty()) {  // an input that jumps may pull off what a stop holds
      const double before = mechanism_.energy(t, state_);
      note_events(t, stops_.meet(t, state_));
      decide(t);
      found_.energy.events += mechanism_.energy(t, state_) - before;
    }
    seen_until(t, true);
    restart_at(t);
  }

  void begin_account() {
    mechanism_.follow_work(state_, 0);
    found_.energy.start = found_.energy.end = mechanism_.energy(0, state_);
    stiff_ = is_stiff([this](const VectorXd& x, VectorXd& xdot) { return rate(0, x, xdot); }, mechanism_.packed(state_), last());
    integrator_ = std::make_unique<MechanismIntegrator>(problem());
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

  Integrator::Problem problem() {
    Integrator::Problem problem;
    problem.size = mechanism_.size();
    problem.rate = [this](double t, const VectorXd& x, VectorXd& xdot) { return rate(t, x, xdot); };
    problem.switches = static_cast<int>(distances_.size() + switch_count_) + jumps_.modes().roots();
    problem.switching = [this](double t, const VectorXd& x, double* g) {
      const State at = mechanism_.state(x);
      jumps_.modes().roots(t, x, g + distances_.size() + switch_count_);
      jumps_.settle(t, x);
      stops_.switching(t, at, g);
      const VectorXd values = switching_values(t, at);
      std::copy_n(values.data(), values.size(), g + distances_.size());
    };
    problem.rtol = fineness_.rtol;
    problem.atol = fineness_.atol;
    problem.allowed = VectorXd::Constant(problem.size, problem.atol);
    if (mechanism_.with_work())
      problem.allowed[problem.size - 1] = std::max(problem.atol, problem.rtol * (1 + std::abs(found_.energy.start)));
    problem.stiff = stiff_;
    return problem;
  }

  bool rate(double t, const VectorXd& x, VectorXd& xdot) { return jumps_.settle(t, x) && mechanism_.rate(t, x, xdot); }

  VectorXd switching_values(double t, const State& at) const {
    if (switch_count_ == 0) return {};
    return switches_(at.q, at.v, mechanism_.inputs(t), t, VectorXd::Zero(motion_.speeds()),
                     VectorXd::Zero(motion_.constraints()));
  }

  // ---- on the way
  void follow(double t, double corner) {
    while (t < corner && !ended_) {
      options_.budget.check("the motion");
      integrator_->limit(fineness_.part * followed_.scales.longest_step(t));
      const Integrator::Step step = integrator_->step(corner);
      ++found_.steps;
      t = step.to;
      add_work(step);
      for (; next_ < times_.size() && times_[next_] < t; ++next_)
        see(times_[next_], mechanism_.state(integrator_->at(times_[next_])));
      state_ = mechanism_.state(integrator_->at(t));
      check_work(t);
      watch_singular(step.from, t);
      const bool restart = happened(t, step.switched) || drifted(t);
      if (t >= corner || ended_) continue;
      if (++steps_in_leg_ >= leg)
        begin_leg(t);
      else if (restart)
        restart_at(t);
    }
  }

  /// The work of a step once more, by a quadrature with nodes of its own (Gauss and Legendre's with four of them).
  void add_work(const Integrator::Step& step) {
    if (!mechanism_.with_work()) return;
    constexpr std::array<double, 2> nodes{0.33998104358485626, 0.86113631159405258},
        weights{0.65214515486254614, 0.34785484513745386};
    const double half = (step.to - step.from) / 2, middle = step.from + half;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (const double node : {-nodes[i], nodes[i]}) {
        const double t = middle + half * node;
        const VectorXd x = integrator_->at(t);
        jumps_.settle(t, x);
        work_ += weights[i] * half * mechanism_.power(t, x);
      }
  }
  void check_work(double t) {
    if (!mechanism_.with_work()) return;
    jumps_.settle(t, mechanism_.packed(state_));
    const double off = mechanism_.energy(t, state_) - found_.energy.start - work_ - found_.energy.events;
    found_.energy.unaccounted = std::max(found_.energy.unaccounted, std::abs(off));
  }

  void watch_singular(double from, double t) {
    if (motion_.constraints() == 0) return;
    const State before = std::exchange(watched_, state_);
    if (!mechanism_.was_near_singular()) return;
    integrator_->pass_over();
    singular_.begin(mechanism_.jacobian(from, before));
    const Eigen::MatrixXd J = mechanism_.jacobian(t, state_);
    if (!J.allFinite() || !singular_.passed(J)) return;
    constexpr std::size_t most = 3;
    if (++passages_ <= most + 1) found_.notes.push_back(note_of_singular_position(from, t, passages_ <= most));
  }

  bool projects() const { return model_.normalization != Multibody::Normalization::off; }

  /// Whether the constraints are left so far that the motion goes on from a projected state.
  bool drifted(double t) {
    if (!projects()) return note_drift(mechanism_.drift(t, state_)), false;
    if (motion_.constraints() == 0 && distances_.empty() && motion_.equations().quaternions.empty()) return false;
    const MovingMechanism::Correction off = mechanism_.drift(t, state_);
    note_drift(off);
    // Of a method of many steps a start anew costs; of the other drift is taken back before it does anything.
    const double allowed = integrator_->starts_cheaply() ? 1e-13 : std::max({options_.rtol, 10 * options_.atol, 1e-11});
    const double speed = 1 + (state_.v.size() > 0 ? state_.v.cwiseAbs().maxCoeff() : 0);
    if (off.position <= allowed && off.velocity <= allowed * speed && off.quaternion <= allowed) return false;
    const MovingMechanism::Correction made = mechanism_.correct(t, state_);
    ++found_.drift.projections;
    note_projected(t, made);
    decide(t);  // what stands at a jump may have been moved off it
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
    const bool jumped = switched && change_modes(t, changes);
    bool changed = !switched || jumped;
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
    const std::size_t kinks_end = distances_.size() + switch_count_;
    for (; number < kinks_end && number < changes.size(); ++number) changed = changed || changes[number] != 0;
    if (changed && !jumped) decide(t);
    if (changed) jumped_.push_back(t);
    found_.energy.events += mechanism_.energy(t, state_) - before;
    return changed;
  }

  void decide(double t, std::span<const int> changes = {}) {
    jumps_.decide(t, state_, changes, t > 0 ? &found_.events : nullptr);
  }

  /// What sticks lets go, or begins to stick.
  bool change_modes(double t, const std::vector<int>& changes) {
    const std::span<const int> own = std::span(changes).subspan(distances_.size() + switch_count_);
    const std::vector<Index> changed = jumps_.modes().changed(own);
    if (changed.empty()) return false;
    decide(t, own);
    chatter_.note(t, changed);
    return true;
  }

  bool apply(double t, const Multibody::Event& event) {
    if (event.kind == Multibody::Event::Kind::end) {
      found_.events.push_back({t, event.name, "end"});
      ended_ = true;
      return see(t, state_), true;
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
    if (any) found_.events.push_back({t, event.name, "release"});
    return any;
  }

  void note_events(double t, const StopChanges& changes) {
    std::vector<std::string> names;
    for (const auto& event : model_.events)
      if (event.kind == Multibody::Event::Kind::stop) names.push_back(event.name);
    const auto stops = changes.hits.empty() ? std::vector<MovingMechanism::Stop>() : mechanism_.stops(t, state_, {});
    for (const auto& hit : changes.hits)
      found_.events.push_back({t, names[hit.stop], "impact", hit.speed, {}, 0, hit.speed, stops[hit.stop].rate});
    for (const std::size_t stop : changes.closed) found_.events.push_back({t, names[stop], "contact"});
    for (const std::size_t stop : changes.opened) found_.events.push_back({t, names[stop], "separation"});
  }

  // ---- what is seen
  void seen_until(double t, bool included) {
    while (next_ < times_.size() && (times_[next_] < t || (included && times_[next_] == t))) see(times_[next_++], state_);
  }
  /// On the constraints.
  void see(double t, State at) {
    jumps_.settle(t, mechanism_.packed(at));
    if (!projects()) return note_drift(mechanism_.drift(t, at)), record_.see(t, at);
    const MovingMechanism::Correction made = mechanism_.correct(t, at);
    note_drift(made);
    found_.drift.position_after = std::max(found_.drift.position_after, made.position_left);
    found_.drift.velocity_after = std::max(found_.drift.velocity_after, made.velocity_left);
    record_.see(t, at);
  }
  void finish() {
    if (const RunEvent* end = ended_ ? &found_.events.back() : nullptr)
      found_.notes.push_back({{}, "the motion ends at t = " + print(end->time) + " by '" + end->name + "'", {}, Severity::note});
    for (const std::string& note : chatter_.notes()) found_.notes.push_back({{}, note, {}, Severity::warning});
    for (NamedResponse& signal : found_.signals) {
      signal.value.time = found_.time;
      signal.value.method = integrator_->method();
      if (motion_.constraints() > 0) signal.value.method += " with projection onto the constraints";
    }
    const EquationsOfMotion& equations = motion_.equations().motion;
    for (std::size_t i = 0; i < equations.coordinates.size(); ++i)
      found_.last_state.push_back({equations.coordinates[i].name, state_.q[static_cast<Index>(i)]});
    for (std::size_t i = 0; i < equations.speeds.size(); ++i)
      found_.last_state.push_back({equations.speeds[i].name, state_.v[static_cast<Index>(i)]});
  }

  static constexpr std::size_t leg = 1000;  ///< steps from which on a run begins anew
  FollowedMechanism& followed_;
  RunKeeper* keeper_;
  const Multibody& model_;
  Fineness fineness_;
  const MechanismOptions& options_;
  std::span<const double> times_;
  const std::vector<ex>& distances_;
  const CompiledMotion& motion_;
  Drives& drives_;
  MovingMechanism mechanism_;
  MechanismJumps jumps_;
  Chatter chatter_;
  MechanismRun found_;
  MechanismRecord record_;
  SingularPositions singular_;
  State watched_;  ///< one step before
  Stops stops_;
  std::unique_ptr<MechanismIntegrator> integrator_;
  State state_;
  double work_ = 0;             ///< by the quadrature
  std::vector<double> jumped_;  ///< when something jumped
  CompiledMotion::Outputs switches_;
  std::size_t switch_count_ = 0, switchings_ = 0, next_ = 0, passages_ = 0, steps_in_leg_ = 0;
  std::map<std::string, std::size_t> springs_;  ///< that can be released: their inputs
  bool ended_ = false, stiff_ = false;
};

}  // namespace

MechanismRun mechanism_run(const Multibody& model, const MultibodyEquations& equations, const MechanismQuestion& question,
                           std::span<const double> times, const MechanismOptions& options, const KeptRun* kept) {
  const EquilibriumStart rest = equilibrium_start(model, equations, question, options.budget);
  MechanismQuestion whole = question;
  whole.inputs.insert(whole.inputs.end(), rest.inputs.begin(), rest.inputs.end());
  std::optional<RunKeeper> keeper;
  if (kept) keeper.emplace(*kept, identity_of(equations, model, whole, times, options));
  RunKeeper* const own = keeper ? &*keeper : nullptr;
  FollowedMechanism followed(model, equations, whole, times.empty() ? 0 : times.back(), rest, options.budget);
  MechanismRun found;
  const auto run = [&](const Fineness& fineness) {
    Run made(followed, whole, times, fineness, options, own);
    found = made(own ? own->take_state() : std::string());
    return samples_of_run(found, made.jumps(), times.size());
  };
  const CheckedRun checked = kept_to_its_end(own, [&] {
    return checked_run(run, times, 0, -1, {options.rtol, options.atol, 0, options.budget}, own);
  });
  for (std::size_t k = 0; k < checked.differences.size(); ++k) state(checked.differences[k], found.signals[k].value);
  found.notes.insert(found.notes.end(), followed.notes.begin(), followed.notes.end());
  if (!followed.scales.complete()) found.notes.push_back({{}, note_of_too_many_parts, {}, Severity::warning});
  return found;
}

MechanismRun mechanism_run(const Multibody& model, const MechanismQuestion& question, std::span<const double> times,
                           const MechanismOptions& options, const KeptRun* kept) {
  Multibody whole = releasable(model);
  for (const auto& input : question.inputs) prescribe(whole, input.name);
  const MultibodyEquations equations = multibody_equations(whole, {}, options.budget);
  MechanismRun run = mechanism_run(whole, equations, question, times, options, kept);
  run.notes.insert(run.notes.begin(), equations.notes.begin(), equations.notes.end());
  return run;
}

}  // namespace sfg
