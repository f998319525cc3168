#include "sfg/multibody/moving_mechanism.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include "sfg/nonlinear/run/packed_vectors.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double nearly_singular = 0.01;  ///< a pivot below is worth a look

bool finite(const CompiledMotion::Terms& terms) {
  return terms.rate.allFinite() && terms.M.allFinite() && terms.F.allFinite() && terms.J.allFinite() && terms.phi.allFinite() &&
         terms.gamma.allFinite() && terms.drive.allFinite();
}

double largest(const VectorXd& values) { return values.size() == 0 ? 0 : values.cwiseAbs().maxCoeff(); }

}  // namespace

MovingMechanism::MovingMechanism(const CompiledMotion& motion, const Drives& drives, std::vector<std::size_t> driven)
    : holds(static_cast<std::size_t>(motion.constraints()), true), motion_(motion), drives_(drives), driven_(std::move(driven)) {
  holds.resize(static_cast<std::size_t>(motion.constraints() + motion.stops()), false);
  const std::array<GiNaC::ex, 1> total{motion.equations().kinetic + motion.equations().potential};
  energy_ = motion.outputs(total);
  places_ = VectorXd::Zero(static_cast<Index>(driven_.size()));
}

MovingMechanism::State MovingMechanism::state(const VectorXd& x) const {
  State made{x.head(motion_.coordinates()), x.segment(motion_.coordinates(), motion_.speeds()), 0};
  if (with_work_) made.work = x[x.size() - 1];
  return made;
}

VectorXd MovingMechanism::packed(const State& state) const {
  VectorXd x(size());
  x.head(motion_.coordinates()) = state.q;
  x.segment(motion_.coordinates(), motion_.speeds()) = state.v;
  if (with_work_) x[x.size() - 1] = state.work;
  return x;
}

VectorXd MovingMechanism::inputs(double t) const {
  VectorXd u = VectorXd::Zero(motion_.input_values());
  for (const auto& [number, value] : constant_inputs) u[static_cast<Index>(number)] = value;
  if (driven_.empty()) return u;
  for (std::size_t order = 0; order <= motion_.orders(); ++order) {
    drives_.values(t, order, places_);
    for (std::size_t k = 0; k < driven_.size(); ++k)
      u[static_cast<Index>(order) * motion_.inputs() + static_cast<Index>(driven_[k])] = places_[static_cast<Index>(k)];
  }
  return u;
}

VectorXd MovingMechanism::input_rates(double t) const {
  VectorXd rates = VectorXd::Zero(motion_.input_values());
  if (driven_.empty()) return rates;
  for (std::size_t order = 0; order <= motion_.orders(); ++order) {
    drives_.values(t, order + 1, places_);
    for (std::size_t k = 0; k < driven_.size(); ++k)
      rates[static_cast<Index>(order) * motion_.inputs() + static_cast<Index>(driven_[k])] = places_[static_cast<Index>(k)];
  }
  return rates;
}

double MovingMechanism::power(double t, const VectorXd& x) const {
  const State at = state(x);
  const Constrained found = solved(t, at);
  return power(t, at, terms_.rate, found.a);
}

std::vector<Index> MovingMechanism::holding() const {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < holds.size(); ++i)
    if (holds[i]) rows.push_back(static_cast<Index>(i));
  return rows;
}

MatrixXd MovingMechanism::rows_of(const MatrixXd& J) const {
  if (std::ranges::find(holds, false) == holds.end()) return J;
  return J(holding(), Eigen::all);
}
VectorXd MovingMechanism::rows_of(const VectorXd& values) const {
  if (std::ranges::find(holds, false) == holds.end()) return values;
  return values(holding());
}

Constrained MovingMechanism::solve(const CompiledMotion::Terms& terms, const VectorXd& f, const VectorXd& target) const {
  return solve(terms.M, f, rows_of(terms.J), target);
}
Constrained MovingMechanism::solve(const MatrixXd& M, const VectorXd& f, const MatrixXd& J, const VectorXd& target) const {
  try {
    return constrained(M, f, J, target);
  } catch (const NoInertia& none) {
    throw no_inertia(motion_.equations().motion, none);
  }
}

Constrained MovingMechanism::solved(double t, const State& state) const {
  motion_.terms(state.q, state.v, inputs(t), t, terms_);
  if (!finite(terms_)) {
    Constrained none;
    none.a = VectorXd::Constant(motion_.speeds(), NAN);
    none.lambda = VectorXd::Constant(static_cast<Index>(holds.size()), NAN);
    none.contradiction = INFINITY;
    return none;
  }
  Constrained found = solve(terms_, terms_.F, rows_of(terms_.gamma));
  near_singular_ = near_singular_ || found.pivot < nearly_singular;
  if (found.lambda.size() == static_cast<Index>(holds.size())) return found;
  VectorXd all = VectorXd::Zero(static_cast<Index>(holds.size()));
  Index next = 0;
  for (const Index row : holding()) all[row] = found.lambda[next++];
  found.lambda = all;
  return found;
}

/// Without anything that a small system does not need; none where that is not enough.
std::optional<bool> MovingMechanism::rate_by_elimination(double t, const VectorXd& x, VectorXd& xdot) const {
  const auto n = static_cast<std::size_t>(motion_.coordinates()), m = static_cast<std::size_t>(motion_.speeds()),
             rows = holds.size();
  if (with_work_ || motion_.stops() > 0 || std::max(m, rows) > SmallElimination::largest ||
      std::ranges::find(holds, false) != holds.end())
    return {};
  const std::span<const double> values = motion_.values({x.data(), n + m}, inputs(t), t);
  xdot.resize(static_cast<Index>(n + m));
  std::copy_n(values.begin(), n, xdot.data());
  const double *const M = values.data() + n, *const F = M + m * (m + 1) / 2, *const gamma = F + m + 2;
  if (!elimination_.factorise(m, rows, M, gamma + 1, m + 3)) return {};
  elimination_.solve(F, gamma, m + 3, xdot.data() + n);
  near_singular_ = near_singular_ || elimination_.pivot() < nearly_singular;
  return xdot.allFinite();
}

bool MovingMechanism::rate(double t, const VectorXd& x, VectorXd& xdot) const {
  if (const std::optional<bool> found = rate_by_elimination(t, x, xdot)) return *found;
  const State at = state(x);
  const Constrained found = solved(t, at);
  if (!found.a.allFinite() || found.contradiction > 1e-6 * (1 + largest(terms_.gamma))) return false;
  xdot.resize(size());
  xdot.head(motion_.coordinates()) = terms_.rate;
  xdot.segment(motion_.coordinates(), motion_.speeds()) = found.a;
  if (with_work_) xdot[xdot.size() - 1] = power(t, at, terms_.rate, found.a);
  return true;
}

/// dE/dt along the motion.
double MovingMechanism::power(double t, const State& state, const VectorXd& qdot, const VectorXd& a, double* scale) const {
  const VectorXd u = inputs(t), slope = energy_.gradient(state.q, state.v, u, t);
  const Index n = motion_.coordinates(), m = motion_.speeds(), k = motion_.inputs();
  VectorXd parts(n + m + u.size() + 1);
  parts << slope.head(n).cwiseProduct(qdot), slope.segment(n, m).cwiseProduct(a), VectorXd::Zero(u.size()),
      slope[n + m + u.size()];
  if (u.size() > k) parts.segment(n + m, u.size() - k) = slope.segment(n + m, u.size() - k).cwiseProduct(u.tail(u.size() - k));
  if (scale) *scale = parts.cwiseAbs().sum();
  return parts.sum();
}

void MovingMechanism::follow_work(const State& near, double t) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> offset(-0.3, 0.3);
  with_work_ = !driven_.empty();
  for (int i = 0; i < 4 && !with_work_; ++i) {
    State there = near;
    VectorXd shift(motion_.speeds());
    for (Index j = 0; j < shift.size(); ++j) {
      shift[j] = offset(random);
      there.v[j] += 1 + offset(random);
    }
    there.q += motion_.rate(there.q, shift);
    motion_.normalize(there.q);
    const double later = t + 0.1 * (i + 1);
    Constrained found = solved(later, there);
    if (!found.a.allFinite()) continue;
    if (!holding().empty())
      there.v += solve(terms_, VectorXd::Zero(motion_.speeds()), -(rows_of(terms_.J) * there.v + rows_of(terms_.drive))).a;
    found = solved(later, there);
    double scale = 0;
    const double done = power(later, there, terms_.rate, found.a, &scale);
    with_work_ = !(std::abs(done) <= 1e-9 * scale);
  }
}

std::vector<MovingMechanism::Stop> MovingMechanism::stops(double t, const State& state, const VectorXd& a) const {
  std::vector<Stop> found;
  if (motion_.stops() == 0) return found;
  motion_.terms(state.q, state.v, inputs(t), t, terms_);
  for (Index i = motion_.constraints(); i < static_cast<Index>(holds.size()); ++i) {
    const auto row = terms_.J.row(i);
    found.push_back({terms_.phi[i], row.dot(state.v) + terms_.drive[i], a.size() > 0 ? row.dot(a) - terms_.gamma[i] : 0});
  }
  return found;
}

Constrained MovingMechanism::impact(double t, const State& state, const std::vector<std::optional<double>>& rates_after) const {
  motion_.terms(state.q, state.v, inputs(t), t, terms_);
  MovingMechanism touching = *this;
  for (std::size_t k = 0; k < rates_after.size(); ++k)
    if (rates_after[k]) touching.holds[static_cast<std::size_t>(motion_.constraints()) + k] = true;
  VectorXd wanted = VectorXd::Zero(static_cast<Index>(holds.size()));
  for (std::size_t k = 0; k < rates_after.size(); ++k)
    wanted[motion_.constraints() + static_cast<Index>(k)] = rates_after[k].value_or(0);
  const VectorXd change = wanted - terms_.J * state.v - terms_.drive;
  Constrained found = touching.solve(terms_, VectorXd::Zero(motion_.speeds()), touching.rows_of(change));
  VectorXd all = VectorXd::Zero(static_cast<Index>(holds.size()));
  Index next = 0;
  for (const Index row : touching.holding()) all[row] = found.lambda[next++];
  found.lambda = all;
  return found;
}

/// The least change of positions that takes φ back: what constrains rates alone holds no position.
VectorXd MovingMechanism::closing(const CompiledMotion::Terms& terms) const {
  const VectorXd none = VectorXd::Zero(motion_.speeds());
  if (motion_.holonomic() == motion_.constraints()) return solve(terms, none, -rows_of(terms.phi)).a;
  std::vector<Index> rows = holding();
  std::erase_if(rows, [&](Index row) { return row >= motion_.holonomic() && row < motion_.constraints(); });
  return solve(terms.M, none, terms.J(rows, Eigen::all), -terms.phi(rows)).a;
}

MovingMechanism::Correction MovingMechanism::drift(double t, const State& state) const {
  Correction found;
  for (const auto& quaternion : motion_.equations().quaternions) {
    double square = 0;
    for (const std::size_t i : quaternion) square += state.q[static_cast<Index>(i)] * state.q[static_cast<Index>(i)];
    found.quaternion = std::max(found.quaternion, std::abs(std::sqrt(square) - 1));
  }
  if (holding().empty()) return found;
  motion_.terms(state.q, state.v, inputs(t), t, terms_);
  found.position = found.position_left = largest(rows_of(terms_.phi));
  found.velocity = found.velocity_left = largest(rows_of(terms_.J) * state.v + rows_of(terms_.drive));
  return found;
}

MovingMechanism::Correction MovingMechanism::correct(double t, State& state) const {
  constexpr int most = 8;
  constexpr double enough = 1e-13;
  Correction found = drift(t, state);
  motion_.normalize(state.q);
  if (holding().empty()) return found;
  const VectorXd u = inputs(t), none = VectorXd::Zero(motion_.speeds());
  for (int i = 0; i < most; ++i) {
    motion_.terms(state.q, state.v, u, t, terms_);
    if (!finite(terms_)) return found;
    found.position_left = largest(rows_of(terms_.phi));
    if (found.position_left <= enough) break;
    state.q += motion_.rate(state.q, closing(terms_));
    motion_.normalize(state.q);
  }
  motion_.terms(state.q, state.v, u, t, terms_);
  const Constrained step = solve(terms_, none, -(rows_of(terms_.J) * state.v + rows_of(terms_.drive)));
  state.v += step.a;
  found.rank = step.rank;
  found.velocity_left = largest(rows_of(terms_.J) * state.v + rows_of(terms_.drive));
  return found;
}

MatrixXd MovingMechanism::jacobian(double t, const State& state) const {
  motion_.terms(state.q, state.v, inputs(t), t, terms_);
  return rows_of(terms_.J);
}

double MovingMechanism::energy(double t, const State& state) const {
  return energy_(state.q, state.v, inputs(t), t, VectorXd::Zero(motion_.speeds()), VectorXd::Zero(motion_.constraints()))[0];
}

void MovingMechanism::pack(Packer& packer) const {
  sfg::pack(packer, holds);
  packer.add(static_cast<std::uint64_t>(constant_inputs.size()));
  for (const auto& [input, value] : constant_inputs) {
    packer.add(static_cast<std::uint64_t>(input));
    packer.add(value);
  }
}

void MovingMechanism::unpack(Unpacker& from) {
  holds = unpacked_flags(from);
  for (auto left = from.take<std::uint64_t>(); left > 0; --left) {
    const auto input = static_cast<std::size_t>(from.take<std::uint64_t>());
    constant_inputs[input] = from.take<double>();
  }
}

}  // namespace sfg
