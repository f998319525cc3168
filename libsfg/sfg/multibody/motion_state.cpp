#include "sfg/multibody/motion_state.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>

#include "sfg/expr/print.hpp"
#include "sfg/multibody/compiled_motion.hpp"
#include "sfg/multibody/state_names.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

struct TapePoint {
  VectorXd q, v, u;
  double t = 0;
};

/// Whether the time occurs by itself.
bool depends_on_time(const MultibodyEquations& equations) {
  std::vector<GiNaC::ex> parts{equations.kinetic, equations.potential};
  const auto add = [&](const auto& more) { parts.insert(parts.end(), more.begin(), more.end()); };
  for (const auto* definitions : {&equations.motion.definitions, &equations.definitions})
    for (const auto& definition : *definitions) parts.push_back(definition.value);
  for (const auto& row : equations.motion.M) add(row);
  add(equations.motion.F);
  for (const auto& constraint : equations.motion.constraints) parts.push_back(constraint.stated());
  for (const auto& reaction : equations.reactions) add(reaction.wrench);
  return std::ranges::any_of(equations.motion.symbols.all(), [&](const Symbol& symbol) {
    return symbol.kind == SymbolKind::time && !symbol.value &&
           std::ranges::any_of(parts, [&](const GiNaC::ex& part) { return part.has(symbol.expr); });
  });
}

/// @param notes  what of the state the equations do not depend on
TapePoint tape_point(const CompiledMotion& motion, const std::map<std::string, double>& state, std::vector<Diagnostic>& notes) {
  const EquationsOfMotion& equations = motion.equations().motion;
  TapePoint point{VectorXd::Zero(motion.coordinates()), VectorXd::Zero(motion.speeds()), VectorXd::Zero(motion.input_values()),
                  0};
  for (const auto& [name, value] : state) {
    const auto place = state_place(equations, name);
    if (!place) {
      const UnknownState unknown = unknown_state(equations, name);
      throw Error(SourceSpan{}, unknown.message, unknown.hint);
    }
    const auto number = static_cast<Index>(place->number);
    switch (place->kind) {
      case StatePlace::Kind::coordinate: point.q[number] = value; break;
      case StatePlace::Kind::speed: point.v[number] = value; break;
      case StatePlace::Kind::time:
        if (!depends_on_time(motion.equations())) notes.push_back(idle_in_state(name));
        point.t = value;
        break;
      case StatePlace::Kind::input:
        if (place->order <= motion.orders())
          point.u[number + static_cast<Index>(place->order) * motion.inputs()] = value;
        else
          notes.push_back(idle_in_state(name));
        break;
    }
  }
  motion.normalize(point.q);
  return point;
}

std::vector<double> list(const VectorXd& values) { return {values.data(), values.data() + values.size()}; }

void add_reactions(const CompiledMotion& motion, const TapePoint& at, const Constrained& solved, MotionState& found) {
  const MultibodyEquations& equations = motion.equations();
  std::vector<GiNaC::ex> asked{equations.kinetic, equations.potential};
  for (const auto& reaction : equations.reactions) asked.insert(asked.end(), reaction.wrench.begin(), reaction.wrench.end());
  const VectorXd values = motion.outputs(asked)(at.q, at.v, at.u, at.t, solved.a, solved.lambda);
  found.kinetic = values[0];
  found.potential = values[1];
  Index next = 2;
  for (const auto& reaction : equations.reactions) {
    found.reactions.emplace_back(reaction.joint, std::array<double, 6>{});
    for (double& component : found.reactions.back().second) component = values[next++];
  }
}

/// Six digits of lengths are enough, be they those of a bridge or of a machine of micrometres.
VectorXd closed_enough(const CompiledMotion& motion, const TapePoint& at) {
  constexpr double digits = 1e-6;
  std::vector<GiNaC::ex> values;
  for (Index i = 0; i < motion.holonomic(); ++i)
    values.push_back(motion.equations().motion.constraints[static_cast<std::size_t>(i)].value);
  VectorXd result = VectorXd::Constant(motion.constraints(), digits);
  if (!values.empty())
    result.head(motion.holonomic()) = digits * motion.outputs(values).sizes(at.q, at.v, at.u, at.t).cwiseMin(1.0);
  return result;
}

void add_notes(const CompiledMotion& motion, const TapePoint& at, const Constrained& solved, MotionState& found) {
  const auto constraints = static_cast<std::size_t>(motion.constraints());
  const VectorXd enough = closed_enough(motion, at);
  std::string open;
  for (std::size_t i = 0; i < constraints; ++i)
    if (std::abs(found.constraint_residual[i]) > enough[static_cast<Index>(i)])
      open += (open.empty() ? "'" : ", '") + motion.constraint_names()[i] + "' by " + print(found.constraint_residual[i]);
  if (!open.empty())
    found.notes.push_back({{},
                           "the state does not meet the constraints: " + open,
                           "give values that meet them: positions that close the loops, rates that the constraints allow",
                           Severity::warning});
  if (solved.rank < motion.constraints())
    found.notes.push_back({{},
                           "here " + std::to_string(motion.constraints() - solved.rank) + " of " + std::to_string(constraints) +
                               " constraints follow from the others: multipliers are those of least norm, and reactions in the "
                               "loops are not unique",
                           {},
                           Severity::warning});
}

}  // namespace

Diagnostic idle_in_state(const std::string& name) {
  return {
      {}, "nothing in the equations depends on '" + name + "': its value makes no difference", "leave it out", Severity::warning};
}

MotionState motion_at(const MultibodyEquations& equations, const std::map<std::string, double>& state) {
  const CompiledMotion motion(equations);
  MotionState found;
  const TapePoint at = tape_point(motion, state, found.notes);
  CompiledMotion::Terms terms;
  motion.terms(at.q, at.v, at.u, at.t, terms);
  if (!terms.M.allFinite() || !terms.F.allFinite() || !terms.phi.allFinite() || !terms.J.allFinite() || !terms.gamma.allFinite())
    throw NoAnswer("the equations have no finite value at this state", "give a state that is not singular");
  Constrained solved;
  try {
    solved = constrained(terms.M, terms.F, terms.J, terms.gamma);
  } catch (const NoInertia& none) {
    throw no_inertia(equations.motion, none);
  }
  if (solved.contradiction > 1e-7 * (1 + terms.gamma.lpNorm<Eigen::Infinity>()))
    throw NoAnswer("the constraints contradict each other at this state: no accelerations meet all of them",
                   "give rates that the constraints allow, or leave the singular position");
  for (Index i = 0; i < motion.speeds(); ++i) {
    const VectorXd row = terms.M.row(i);
    found.M.push_back(list(row));
    found.accelerations.emplace_back(name_of_speed(equations.motion, static_cast<std::size_t>(i)), solved.a[i]);
  }
  found.F = list(terms.F);
  for (Index i = 0; i < motion.constraints(); ++i)
    found.multipliers.emplace_back(motion.constraint_names()[static_cast<std::size_t>(i)], solved.lambda[i]);
  found.velocity_residual = list(terms.J * at.v + terms.drive);
  found.constraint_residual = list(terms.phi);
  for (auto i = static_cast<std::size_t>(motion.holonomic()); i < found.constraint_residual.size(); ++i)
    found.constraint_residual[i] = found.velocity_residual[i];
  found.rank = static_cast<std::size_t>(solved.rank);
  add_reactions(motion, at, solved, found);
  add_notes(motion, at, solved, found);
  return found;
}

}  // namespace sfg
