#include "sfg/multibody/mechanism_jumps.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <limits>
#include <set>

#include "sfg/expr/functions.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/nonlinear/run/run_events.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using GiNaC::ex;

constexpr std::size_t none = static_cast<std::size_t>(-1);

Index index_of(std::size_t i) { return static_cast<Index>(i); }

/// The coordinate in whose equation a jump stands first, also by way of a definition.
std::string place_of(const Jump& jump, const MultibodyEquations& equations) {
  std::vector<ex> carriers{jump.sign};
  const auto carries = [&](const ex& e) {
    return std::ranges::any_of(carriers, [&](const ex& carrier) { return e.has(carrier); });
  };
  for (const auto* definitions : {&equations.motion.definitions, &equations.definitions})
    for (const auto& definition : *definitions)
      if (carries(definition.value)) carriers.push_back(definition.symbol);
  for (std::size_t i = 0; i < equations.motion.F.size() && i < equations.motion.coordinates.size(); ++i)
    if (carries(equations.motion.F[i])) return equations.motion.coordinates[i].name;
  return {};
}

class Search {
 public:
  explicit Search(const CompiledMotion& motion) : motion_(motion) {}

  void operator()(const ex& e) {
    if (!seen_.insert(e).second) return;
    const std::string name = function_name(e);
    if (name == "step" || name == "sign" || name == "abs") add(e.op(0));
    if (name == "min" || name == "max")
      for (std::size_t i = 1; i < e.nops(); ++i) add(e.op(i) - e.op(i - 1));
    for (std::size_t i = 0; i < e.nops(); ++i) (*this)(e.op(i));
  }
  Kinks found;

 private:
  void add(const ex& argument) {
    if (!arguments_.insert(argument).second) return;
    const ex numbers = argument.subs(motion_.values(), GiNaC::subs_options::no_pattern);
    bool in_time_alone = true;
    for (const std::string& name : symbol_names(numbers)) in_time_alone = in_time_alone && name == "t";
    if (!in_time_alone)
      found.of_state.push_back(argument);
    else if (numbers.has(motion_.time()))
      found.of_time.push_back(numbers);
  }

  const CompiledMotion& motion_;
  std::set<ex, GiNaC::ex_is_less> seen_, arguments_;
};

}  // namespace

EquationsWithJumps jumps_as_inputs(const MultibodyEquations& equations) {
  EquationsWithJumps made{equations, {}};
  JumpsReplaced replaced;
  MultibodyEquations& motion = made.equations;
  for (auto* definitions : {&motion.motion.definitions, &motion.definitions})
    for (auto& definition : *definitions) definition.value = replaced.in(definition.value);
  for (auto& row : motion.motion.M)
    for (ex& entry : row) entry = replaced.in(entry);
  for (ex& force : motion.motion.F) force = replaced.in(force);
  for (auto& reaction : motion.reactions)
    for (ex& component : reaction.wrench) component = replaced.in(component);
  // Names that no model can have; tapes know their inputs by them.
  GiNaC::exmap named;
  for (Jump& jump : replaced.jumps) {
    const std::string number = std::to_string(made.jumps.size());
    named[jump.sign] = GiNaC::symbol("sign " + number);
    if (jump.has_level()) named[jump.level] = GiNaC::symbol("level " + number);
    made.jumps.push_back(jump);
  }
  if (named.empty()) return made;
  const auto rename = [&](ex& e) { e = e.subs(named, GiNaC::subs_options::no_pattern); };
  for (auto* definitions : {&motion.motion.definitions, &motion.definitions})
    for (auto& definition : *definitions) rename(definition.value);
  for (auto& row : motion.motion.M)
    for (ex& entry : row) rename(entry);
  for (ex& force : motion.motion.F) rename(force);
  for (auto& reaction : motion.reactions)
    for (ex& component : reaction.wrench) rename(component);
  const auto add = [&](const ex& symbol) {
    motion.motion.inputs.push_back({GiNaC::ex_to<GiNaC::symbol>(symbol).get_name(), SourceKind::input, {symbol}, {}});
  };
  for (Jump& jump : made.jumps) {
    rename(jump.function);
    rename(jump.sign);
    add(jump.sign);
    if (!jump.has_level()) continue;
    rename(jump.level);
    add(jump.level);
  }
  return made;
}

MechanismJumps::MechanismJumps(const CompiledMotion& motion, MovingMechanism& mechanism, const std::vector<Jump>& jumps,
                               double until, double late)
    : motion_(motion),
      mechanism_(mechanism),
      modes_(
          kinds(jumps),
          [this](double t, const VectorXd& x, const VectorXd& s, const VectorXd& levels, SlidingModes::Contact& found) {
            take(s, levels);
            return contact(t, x, found);
          },
          until) {
  modes_.meet_within(late);
  const auto& inputs = motion.equations().motion.inputs;
  std::size_t own = 0;
  for (const Jump& jump : jumps) own += jump.has_level() ? 2 : 1;
  std::size_t next = inputs.size() - own;
  for (const Jump& jump : jumps) {
    signs_.push_back(next++);
    levels_.push_back(jump.has_level() ? next++ : none);
    functions_.push_back(motion.outputs(std::span(&jump.function, 1)));
    names_.push_back(place_of(jump, motion.equations()));
    friction_.push_back(std::ranges::any_of(motion.equations().motion.speeds,
                                            [&](const auto& speed) { return jump.function.has(speed.symbol); }));
    texts_.push_back(print(jump.kind == JumpKind::floor ? jump.function + jump.level : jump.function));
  }
}

void MechanismJumps::take(const VectorXd& s, const VectorXd& levels) {
  for (std::size_t k = 0; k < signs_.size(); ++k) {
    mechanism_.constant_inputs[signs_[k]] = s[index_of(k)];
    if (levels_[k] != none) mechanism_.constant_inputs[levels_[k]] = levels[index_of(k)];
  }
}

bool MechanismJumps::settle(double t, const VectorXd& x) {
  if (modes_.size() == 0) return true;
  if (!modes_.settle(t, x)) return false;
  take(modes_.signs(), modes_.levels());
  return true;
}

/// Accelerations are linear in s: what s does to them is a difference.
bool MechanismJumps::contact(double t, const VectorXd& x, SlidingModes::Contact& found) {
  const MovingMechanism::State here = mechanism_.state(x);
  const Index n = motion_.coordinates(), m = motion_.speeds(), count = modes_.size();
  if (!mechanism_.rate(t, x, found.xdot)) return false;
  const VectorXd u = mechanism_.inputs(t), udot = mechanism_.input_rates(t), a = found.xdot.segment(n, m);
  MatrixXd by_speeds(count, m);
  found.g.resize(count);
  found.rate.resize(count);
  found.rounding.resize(count);
  found.g_by_s = MatrixXd::Zero(count, count);
  VectorXd point(n + m + u.size() + 1);
  point << here.q, here.v, u, t;
  for (Index k = 0; k < count; ++k) {
    const auto& g = functions_[static_cast<std::size_t>(k)];
    const VectorXd slope = g.gradient(here.q, here.v, u, t);
    found.g[k] = g(here.q, here.v, u, t, VectorXd::Zero(m), VectorXd::Zero(motion_.constraints()))[0];
    found.rounding[k] = 4 * std::numeric_limits<double>::epsilon() * slope.head(point.size()).cwiseAbs().dot(point.cwiseAbs());
    by_speeds.row(k) = slope.segment(n, m).transpose();
    found.rate[k] = slope.head(n).dot(found.xdot.head(n)) + slope.segment(n, m).dot(a) +
                    slope.segment(n + m, u.size()).dot(udot) + slope[n + m + u.size()];
    for (Index j = 0; j < count; ++j) found.g_by_s(k, j) = slope[n + m + index_of(signs_[static_cast<std::size_t>(j)])];
  }
  found.own = found.g_by_s.diagonal();
  found.rate_by_s.resize(count, count);
  for (Index j = 0; j < count; ++j) {
    VectorXd beside;
    double& s = mechanism_.constant_inputs[signs_[static_cast<std::size_t>(j)]];
    const double before = s;
    s += 1;
    const bool known = mechanism_.rate(t, x, beside);
    s = before;
    if (!known) return false;
    const VectorXd change = beside.segment(n, m) - a;
    found.rate_by_s.col(j) = by_speeds * change;
    // What only rounding makes of a force that does not act there is nothing.
    for (Index k = 0; k < count; ++k)
      if (std::abs(found.rate_by_s(k, j)) <= 1e-13 * by_speeds.row(k).cwiseAbs().dot(a.cwiseAbs())) found.rate_by_s(k, j) = 0;
  }
  return true;
}

void MechanismJumps::decide(double t, MovingMechanism::State& state, std::span<const int> changes,
                            std::vector<RunEvent>* events) {
  if (modes_.size() == 0) return;
  const ModesBefore before(modes_);
  if (events && !changes.empty()) modes_.settle(t, mechanism_.packed(state));  // else an impact may have torn apart what stuck
  const VectorXd signs = modes_.signs();
  decide_modes(t, state, changes);
  if (!events) return;
  for (const ModeChange& change : changes_of(modes_, before, friction_)) {
    const auto k = static_cast<std::size_t>(change.jump);
    if (events->size() >= most_listed_events) return;
    events->push_back({.time = t,
                       .name = names_[k],
                       .kind = change.kind,
                       .function = texts_[k],
                       .direction = change.direction,
                       .before = signs[change.jump],
                       .after = modes_.signs()[change.jump]});
  }
}

void MechanismJumps::decide_modes(double t, MovingMechanism::State& state, std::span<const int> changes) {
  modes_.decide(t, mechanism_.packed(state), changes);
  const std::vector<Index> sliding = modes_.sliding();
  take(modes_.signs(), modes_.levels());
  if (sliding.empty()) return;
  const Index n = motion_.coordinates(), m = motion_.speeds();
  const VectorXd u = mechanism_.inputs(t);
  MatrixXd slopes(index_of(sliding.size()), m);
  VectorXd g(index_of(sliding.size()));
  for (std::size_t i = 0; i < sliding.size(); ++i) {
    const auto& function = functions_[static_cast<std::size_t>(sliding[i])];
    slopes.row(index_of(i)) = function.gradient(state.q, state.v, u, t).segment(n, m).transpose();
    g[index_of(i)] = function(state.q, state.v, u, t, VectorXd::Zero(m), VectorXd::Zero(motion_.constraints()))[0];
  }
  const VectorXd change = slopes.completeOrthogonalDecomposition().solve(g);
  if (!change.allFinite()) return;
  state.v -= change;
  modes_.decide_resting(t, mechanism_.packed(state));
  take(modes_.signs(), modes_.levels());
}

Kinks kinks(const CompiledMotion& motion) {
  Search search(motion);
  const EquationsOfMotion& equations = motion.equations().motion;
  for (const auto& definition : equations.definitions) search(definition.value);
  for (const auto& row : equations.M)
    for (const ex& entry : row) search(entry);
  for (const ex& force : equations.F) search(force);
  for (const auto& constraint : equations.constraints) search(constraint.stated());
  return std::move(search.found);
}

}  // namespace sfg
