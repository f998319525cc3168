#include "sfg/multibody/constraint_check.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>
#include <set>

#include "sfg/model/structure_matrix.hpp"
#include "sfg/multibody/assembly.hpp"
#include "sfg/multibody/compiled_motion.hpp"
#include "sfg/multibody/independent_rows.hpp"
#include "sfg/multibody/state_names.hpp"
#include "sfg/text/words.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string four_digits(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.4g", value);
  return digits;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + quoted(name);
  return text;
}

/// Where the constraints were looked at.
struct Place {
  VectorXd q;
  MatrixXd J;
  VectorXd phi, drive;
};

class Check {
 public:
  Check(const Multibody& model, const MultibodyEquations& equations, const ConstraintCheckOptions& options)
      : model_(model), equations_(equations), options_(options) {}

  ConstraintCheck operator()() {
    count();
    try {
      const CompiledMotion motion(equations_);
      motion_ = &motion;
      calculate();
    } catch (const Error& missing) {  // of values
      note(model_.where, "constraints are counted, not calculated: " + std::string(missing.diagnostics().front().message),
           missing.diagnostics().front().hint);
    }
    found_.free_bodies.rank = tree_rows_ + found_.rank;
    freedoms();
    return std::move(found_);
  }

 private:
  void problem(const SourceSpan& where, std::string message, Remedy hint, Severity severity = Severity::error) {
    found_.problems.push_back({where.line > 0 ? where : model_.where, std::move(message), std::move(hint), severity});
  }
  void note(const SourceSpan& where, std::string message, Remedy hint = {}) {
    problem(where, std::move(message), std::move(hint), Severity::note);
  }
  const EquationsOfMotion::Constraint& constraint(Index row) const {
    return equations_.motion.constraints[static_cast<std::size_t>(row)];
  }
  const std::string& name(Index row) const { return constraint(row).name; }

  void count() {
    found_.bodies = model_.bodies.size();
    found_.particles = model_.particles.size();
    found_.joints = model_.joints.size();
    found_.speeds = equations_.motion.speeds.size();
    found_.constraints = found_.rank = found_.rank_at_start = equations_.motion.constraints.size();
    const std::size_t free = model_.planar ? 3 : 6;
    std::size_t tree = 0, missing = 0;
    for (const Multibody::Joint& joint : model_.joints) {
      const std::size_t speeds = speed_count(joint.kind, model_.planar);
      const std::size_t freedoms = speeds > 0 ? speeds : coordinate_count(joint.kind, model_.planar);
      if (joint.cut) {
        ++found_.loops;
        missing += missing_rows(joint, free - freedoms);
      } else {
        tree += freedoms;
        tree_rows_ += free - freedoms;
      }
    }
    found_.free_bodies.rows = tree_rows_ + found_.constraints + missing;
    found_.free_bodies.coordinates = free * found_.bodies + (found_.speeds - std::min(tree, found_.speeds));
  }

  /// Rows of a cut joint that the equations do not have, since nothing moves in them: in the plane these are left out.
  std::size_t missing_rows(const Multibody::Joint& joint, std::size_t expected) {
    const auto of_joint = [&](const auto& row) { return row.name.starts_with(joint.name + "."); };
    const auto rows = static_cast<std::size_t>(std::ranges::count_if(equations_.motion.constraints, of_joint));
    if (rows >= expected) return 0;
    problem(joint.where,
            counted(expected - rows, "row") + " of the " + std::to_string(expected) + " of joint " + quoted(joint.name) +
                (expected - rows == 1 ? " holds" : " hold") +
                " whatever moves: the points of its loop lie in one place or direction",
            "look at the points of the joints", Severity::warning);
    return expected - rows;
  }

  void calculate() {
    if (motion_->constraints() == 0) {
      found_.calculated = true;
      return inertia(start());
    }
    VectorXd q = start();
    if (!assemble(q, true)) return contradiction(q);
    found_.calculated = true;
    const Place here = at(q);
    const IndependentRows rows = independent_rows(here.J);
    found_.rank_at_start = static_cast<std::size_t>(rows.rank());
    const auto [general, general_rows] = in_general(q, here, rows);
    found_.rank = static_cast<std::size_t>(general_rows.rank());
    if (found_.rank_at_start < found_.rank) singular(q);
    redundant(general, general_rows);
    immobile(general);
    idle_turns();
    inertia(q);
  }

  double value_of(const GiNaC::ex& value) const {
    const GiNaC::ex result = value.subs(motion_->values(), GiNaC::subs_options::no_pattern).evalf();
    return GiNaC::is_a<GiNaC::numeric>(result) ? GiNaC::ex_to<GiNaC::numeric>(result).to_double() : 0;
  }

  /// Values of `assembly`, else of the equilibrium, else 0.
  VectorXd start() const {
    VectorXd q = VectorXd::Zero(motion_->coordinates());
    const auto put = [&](const std::map<std::string, GiNaC::ex>& values) {
      for (const auto& [coordinate, value] : values)
        if (const auto place = state_place(equations_.motion, coordinate); place && place->kind == StatePlace::Kind::coordinate)
          q[static_cast<Index>(place->number)] = value_of(value);
    };
    if (model_.equilibrium) put(model_.equilibrium->values);
    put(model_.assembly);
    for (const auto& [coordinate, value] : options_.start)
      if (const auto place = state_place(equations_.motion, coordinate); place && place->kind == StatePlace::Kind::coordinate)
        q[static_cast<Index>(place->number)] = value;
    motion_->normalize(q);
    return q;
  }

  /// Closes the loops near q; false where they do not close.
  bool assemble(VectorXd& q, bool first) {
    AssemblyStart start{q, VectorXd::Zero(motion_->speeds()), std::vector<bool>(static_cast<std::size_t>(q.size()), false),
                        std::vector<bool>(static_cast<std::size_t>(motion_->speeds()), false),
                        std::vector<bool>(static_cast<std::size_t>(q.size()), false)};
    // speeds are no matter here: prescribed rates may contradict each other, which is found by the rows
    try {
      q = assembled(*motion_, start, VectorXd::Zero(motion_->input_values()), 0, options_.budget).q;
      settle(q);
      return true;
    } catch (const NoAnswer& failure) {
      if (first) reason_ = failure;
      return false;
    }
  }

  /// Where rows depend on each other they do so on the closed loops alone: near them Newton's method creeps, and what is left of
  /// the gap looks like rank. Steps that leave out the weakest directions close it wholly.
  void settle(VectorXd& q) {
    constexpr double weak = 1e-3, closed = 1e-14;
    VectorXd settled = q;
    if (motion_->holonomic() == 0) return;
    double gap = at(q).phi.norm();
    for (int step = 0; step < 50 && gap > closed; ++step) {
      const Place here = at(settled);
      Eigen::JacobiSVD<MatrixXd> J(of_positions(here.J), Eigen::ComputeThinU | Eigen::ComputeThinV);
      J.setThreshold(weak);
      VectorXd next = settled + motion_->rate(settled, -J.solve(here.phi.head(motion_->holonomic())));
      motion_->normalize(next);
      const double there = at(next).phi.norm();
      if (!(there < gap)) break;
      settled = next;
      gap = there;
    }
    constexpr double exact = 1e-11;
    if (gap <= exact) q = settled;
  }

  Place at(const VectorXd& q) {
    CompiledMotion::Terms terms;
    motion_->terms(q, VectorXd::Zero(motion_->speeds()), VectorXd::Zero(motion_->input_values()), 0, terms);
    return {q, terms.J.topRows(motion_->constraints()), terms.phi.head(motion_->constraints()),
            terms.drive.head(motion_->constraints())};
  }

  MatrixXd of_positions(const MatrixXd& J) const { return J.topRows(motion_->holonomic()); }

  /// The place of the greatest rank among the start and some that are moved from there along what the constraints allow and
  /// assembled anew.
  std::pair<Place, IndependentRows> in_general(const VectorXd& q, const Place& here, const IndependentRows& rows) {
    std::pair<Place, IndependentRows> best{here, rows};
    Eigen::FullPivLU<MatrixXd> factors(of_positions(here.J));
    factors.setThreshold(1e-9);
    const MatrixXd allowed =
        motion_->holonomic() > 0 ? MatrixXd(factors.kernel()) : MatrixXd::Identity(motion_->speeds(), motion_->speeds());
    if (rows.dependent.empty() || allowed.norm() == 0) return best;
    std::mt19937 random(5489);
    for (const double size : {0.05, 0.1, 0.2, 0.3, 0.05, 0.1}) {
      options_.budget.check("the rank of the constraints");
      VectorXd shift = VectorXd::Zero(motion_->speeds());
      for (Index j = 0; j < allowed.cols(); ++j)
        shift += std::uniform_real_distribution(-1.0, 1.0)(random) * allowed.col(j).normalized();
      VectorXd moved = q + motion_->rate(q, size * shift.normalized());
      motion_->normalize(moved);
      const VectorXd aim = moved;
      if (!assemble(moved, false) || (moved - aim).norm() > size) continue;  // an assembly of another kind
      const Place there = at(moved);
      const IndependentRows of = independent_rows(there.J);
      // of equal ranks the moved place: what holds at the start may be an accident of it
      if (of.rank() >= best.second.rank()) best = {there, of};
    }
    return best;
  }

  std::string position(const VectorXd& q) const {
    constexpr std::size_t few = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(few, equations_.motion.coordinates.size()); ++i)
      text += (text.empty() ? "" : ", ") + equations_.motion.coordinates[i].name + " = " + four_digits(q[static_cast<Index>(i)]);
    return text + (equations_.motion.coordinates.size() > few ? ", …" : "");
  }

  void singular(const VectorXd& q) {
    problem(equations_.motion.constraints.front().where,
            "a singular position: the rank of the constraints drops from " + std::to_string(tree_rows_ + found_.rank) + " to " +
                std::to_string(tree_rows_ + found_.rank_at_start) + " at " + position(q) + ", a branching point",
            "begin beside it: state other values in assembly", Severity::warning);
  }

  void redundant(const Place& at, const IndependentRows& rows) {
    bool contradict = false;
    for (const auto& [row, combination] : rows.dependent) {
      ConstraintCheck::Redundant entry{name(row), {}};
      double drive = at.drive[row], size = std::abs(drive);
      for (const auto& [of, factor] : combination) {
        entry.of.push_back(name(of));
        drive -= factor * at.drive[of];
        size += std::abs(factor * at.drive[of]);
      }
      if (std::abs(drive) > 1e-9 * size) {
        contradict = true;
        problem(constraint(row).where,
                "constraints contradict each other: " + quoted(name(row)) + " prescribes another motion than " + listed(entry.of),
                "prescribe as many motions as there are degrees of freedom");
      }
      found_.redundant.push_back(std::move(entry));
    }
    if (!contradict)
      for (const auto& entry : found_.redundant) report(entry);
  }

  /// Velocities that constraints of positions allow; what those of rates hold here they may leave elsewhere.
  MatrixXd allowed_at(const Place& at) const {
    Eigen::FullPivLU<MatrixXd> factors(of_positions(at.J));
    factors.setThreshold(1e-9);
    return factors.kernel();
  }

  std::set<Index> held_at(const Place& at) const {
    constexpr double nothing = 1e-9;
    const MatrixXd allowed = allowed_at(at);
    std::set<Index> held;
    for (Index j = 0; j < allowed.rows(); ++j)
      if (allowed.row(j).norm() <= nothing * allowed.norm()) held.insert(j);
    return held;
  }

  /// Moved as the constraints allow, and assembled anew.
  std::optional<Place> elsewhere(const Place& from, double size) {
    const MatrixXd allowed = allowed_at(from);
    VectorXd shift = VectorXd::Zero(motion_->speeds());
    for (Index j = 0; j < allowed.cols(); ++j) shift += (j % 2 == 0 ? 1 : 0.7) * allowed.col(j).normalized();
    if (shift.norm() == 0) return {};
    VectorXd moved = from.q + motion_->rate(from.q, size * shift.normalized());
    motion_->normalize(moved);
    const VectorXd aim = moved;
    if (!assemble(moved, false) || (moved - aim).norm() > size) return {};
    return at(moved);
  }

  /// Bodies that hang between two spherical joints alone turn about the line through these, whatever else moves.
  void idle_turns() {
    if (!model_.rate_constraints.empty()) return;
    const auto is_held = [&](const Multibody::Joint& joint) {
      return std::ranges::any_of(model_.constraints, [&](const auto& constraint) {
        return std::ranges::any_of(joint.coordinates, [&](const std::string& name) {
          const Symbol* symbol = model_.symbols.find(name);
          return symbol && constraint.value.has(symbol->expr);
        });
      });
    };
    std::vector<std::size_t> group(model_.bodies.size() + 1);
    std::iota(group.begin(), group.end(), std::size_t{0});
    const auto spherical = [](const auto& joint) { return joint.kind == Multibody::JointKind::spherical; };
    for (const auto& joint : model_.joints) {
      const std::size_t first = group[joint.places[0].body], second = group[joint.places[1].body];
      if (!spherical(joint)) std::ranges::replace(group, second, first);
    }
    for (std::size_t own = 1; own < group.size(); ++own) {
      std::vector<std::string> bodies, joints;
      bool held = false;
      for (std::size_t body = 1; body < group.size(); ++body)
        if (group[body] == own) bodies.push_back(model_.name_of(body));
      for (const auto& joint : model_.joints)
        if (spherical(joint) && (group[joint.places[0].body] == own) != (group[joint.places[1].body] == own)) {
          joints.push_back(joint.name);
          held = held || is_held(joint);
        }
      if (bodies.empty() || group[Multibody::frame] == own || joints.size() != 2 || held) continue;
      note(model_.where, listed(bodies) + (bodies.size() == 1 ? " turns" : " turn") +
                             " freely about the line through the joints " + listed(joints) +
                             ", which moves nothing else: one of the degrees of freedom");
    }
  }

  /// Coordinates that the constraints hold although others move.
  void immobile(const Place& at) {
    if (found_.freedoms() == 0 || prescribed() || motion_->holonomic() == 0) return;
    std::set<Index> held = held_at(at);
    for (const double size : {0.2, 0.05})  // a dead centre holds what moves elsewhere
      if (const auto there = held.empty() ? std::nullopt : elsewhere(at, size)) {
        const std::set<Index> still = held_at(*there);
        std::erase_if(held, [&](Index speed) { return !still.contains(speed); });
      }
    std::vector<std::string> names;
    for (const Index speed : held) names.push_back(name_of_speed(equations_.motion, static_cast<std::size_t>(speed)));
    if (!names.empty())
      note(model_.where, listed(names) + (names.size() == 1 ? " is" : " are") + " held by the constraints and cannot move");
  }

  void report(const ConstraintCheck::Redundant& entry) {
    const auto found = std::ranges::find(equations_.motion.constraints, entry.row, &EquationsOfMotion::Constraint::name);
    const std::string rank =
        " (rank " + std::to_string(tree_rows_ + found_.rank) + " of " + std::to_string(found_.free_bodies.rows) + ")";
    const std::string message = "constraint " + quoted(entry.row) +
                                (entry.of.empty() ? " holds whatever moves" : " is a combination of " + listed(entry.of)) + rank;
    if (options_.drop_redundant)
      problem(found->where, message + ": it is dropped, and reactions in the loop are not unique", {}, Severity::remark);
    else
      problem(found->where, message, Remedy("remove it") | Remedy(options_.how_to_drop));
  }

  /// Loops that do not close: by rows that depend on each other wherever the mechanism is, or by lengths.
  void contradiction(const VectorXd& from) {
    found_.assembled = false;
    std::mt19937 random(1);
    std::optional<Place> place;
    IndependentRows rows;
    for (int trial = 0; trial < 3; ++trial) {
      VectorXd shift(motion_->speeds());
      for (Index j = 0; j < shift.size(); ++j) shift[j] = std::uniform_real_distribution(-1.0, 1.0)(random);
      VectorXd q = from + motion_->rate(from, shift);
      motion_->normalize(q);
      const Place there = at(q);
      const IndependentRows of = independent_rows(there.J);
      if (place && of.rank() <= rows.rank()) continue;
      place = there;
      rows = of;
    }
    const std::size_t before = found_.problems.size();
    for (const auto& [row, combination] : rows.dependent) {
      std::vector<std::string> names{name(row)};
      double phi = place->phi[row], drive = place->drive[row];
      for (const auto& [of, factor] : combination) {
        names.push_back(name(of));
        phi -= factor * place->phi[of];
        drive -= factor * place->drive[of];
      }
      constexpr double rounding = 1e-9;
      if (std::abs(phi) > rounding || std::abs(drive) > rounding)
        problem(constraint(row).where, "constraints contradict each other: " + listed(names),
                "remove one of them, or mend its values");
    }
    if (found_.problems.size() == before)
      problem(reason_->where(),
              std::string(reason_->what()) + "; as far as positions were searched the constraints contradict each other",
              reason_->remedy());
  }

  /// Motions that the constraints allow and that nothing resists.
  void inertia(const VectorXd& q) {
    CompiledMotion::Terms terms;
    motion_->terms(q, VectorXd::Zero(motion_->speeds()), VectorXd::Zero(motion_->input_values()), 0, terms);
    if (!terms.M.allFinite() || !terms.F.allFinite())
      return problem(model_.where, "the equations have no finite value at the start (" + position(q) + ")",
                     "state other values in assembly");
    try {
      constrained(terms.M, terms.F, terms.J, terms.gamma);
    } catch (const NoInertia& none) {
      const NoAnswer failure = no_inertia(equations_.motion, none);
      problem(failure.where(), failure.what(), failure.remedy());
    }
  }

  bool prescribed() const {
    return std::ranges::any_of(equations_.motion.constraints, [](const auto& each) { return !each.rate.is_zero(); });
  }

  void freedoms() {
    const auto& free = found_.free_bodies;
    std::string text = found_.bodies > 0 ? (found_.bodies == 1 ? "1 body" : std::to_string(found_.bodies) + " bodies") : "";
    if (found_.particles > 0) text += (text.empty() ? "" : ", ") + counted(found_.particles, "particle");
    if (found_.joints > 0) text += ", " + counted(found_.joints, "joint");
    text += ", " + counted(found_.loops, "loop") + "; " + counted(found_.speeds, "coordinate");
    if (found_.constraints > 0)
      text += " and " + counted(found_.constraints, "constraint") +
              (found_.calculated ? " of rank " + std::to_string(found_.rank) : std::string());
    if (found_.assembled)
      text += ": " + (found_.freedoms() == 1 ? std::string("1 degree") : std::to_string(found_.freedoms()) + " degrees") +
              " of freedom";
    if (found_.loops > 0 && found_.calculated)
      text += " (bodies free: " + std::to_string(free.rank) + " of " + counted(free.rows, "row") + " independent in " +
              counted(free.coordinates, "coordinate") + ")";
    note(model_.where, text);
    if (!found_.assembled || !found_.calculated || found_.freedoms() > 0 || found_.speeds == 0) return;
    if (prescribed())
      note(model_.where, "nothing is left to move freely: the motion is prescribed");
    else
      problem(model_.where,
              "the mechanism cannot move: 0 degrees of freedom (" + counted(free.coordinates, "coordinate") + ", " +
                  std::to_string(free.rank) + " independent of " + counted(free.rows, "row") + ")",
              "free a joint, or take a constraint out", Severity::error);
  }

  const Multibody& model_;
  const MultibodyEquations& equations_;
  const ConstraintCheckOptions& options_;
  const CompiledMotion* motion_ = nullptr;
  ConstraintCheck found_;
  std::size_t tree_rows_ = 0;  ///< of joints that are not cut, were their bodies free
  std::optional<NoAnswer> reason_;
};

}  // namespace

ConstraintCheck constraint_check(const Multibody& model, const MultibodyEquations& equations,
                                 const ConstraintCheckOptions& options) {
  return Check(model, equations, options)();
}

void require_independent(const Multibody& model, const MultibodyEquations& equations, const ConstraintCheckOptions& options) {
  if (equations.motion.constraints.empty()) return;
  const ConstraintCheck found = constraint_check(model, equations, options);
  if (found.redundant.empty()) return;
  std::vector<Diagnostic> errors;
  for (const Diagnostic& problem : found.problems)
    if (problem.severity == Severity::error) errors.push_back(problem);
  if (!errors.empty()) throw Error(std::move(errors));
}

}  // namespace sfg
