#include "sfg/multibody/mechanism_start.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>

#include "sfg/derive/multibody/motion_point.hpp"
#include "sfg/exact/rational.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/multibody/state_names.hpp"

namespace sfg {

using Eigen::Index;
using Eigen::VectorXd;
using GiNaC::ex;

double number_of(const CompiledMotion& motion, const ex& value, const std::string& what, const SourceSpan& where) {
  const ex number = value.subs(motion.values(), GiNaC::subs_options::no_pattern).evalf();
  if (!GiNaC::is_a<GiNaC::numeric>(number) || !GiNaC::ex_to<GiNaC::numeric>(number).is_real())
    throw Error(where, "the " + what + " is no number: " + print(value), "state a number, or values for its parameters");
  return GiNaC::ex_to<GiNaC::numeric>(number).to_double();
}

std::string holding(const std::string& spring) { return "holds(" + spring + ")"; }

Multibody releasable(const Multibody& model) {
  Multibody made = model;
  for (const auto& event : model.events)
    for (auto& spring : made.springs) {
      const std::string name = holding(spring.name);
      if (std::ranges::find(event.releases, spring.name) == event.releases.end() || made.symbols.find(name)) continue;
      made.symbols.add({.name = name, .kind = SymbolKind::input});
      made.input_names.push_back(name);
      spring.stiffness *= made.symbols.at(name).expr;
      spring.damping *= made.symbols.at(name).expr;
    }
  return made;
}

namespace {

/// Given values in the order in which they are held: what the model calls independent, what has a given rate, then as given.
void order_start(const Multibody& model, const CompiledMotion& motion, const MechanismQuestion& question, AssemblyStart& start) {
  const EquationsOfMotion& equations = motion.equations().motion;
  const auto add = [&](const std::string& name) {
    const auto place = state_place(equations, name);
    if (!place || place->kind == StatePlace::Kind::input || place->kind == StatePlace::Kind::time) return;
    const bool coordinate = place->kind == StatePlace::Kind::coordinate;
    if (!(coordinate ? start.given_coordinates : start.given_speeds)[place->number]) return;
    auto& order = coordinate ? start.first_coordinates : start.first_speeds;
    if (std::ranges::find(order, place->number) == order.end()) order.push_back(place->number);
  };
  for (const std::string& name : model.independent) {
    add(name);
    add("D" + name);
  }
  for (const InitialValue& initial : question.initial)
    if (initial.name.starts_with("D")) add(initial.name.substr(1));
  for (const InitialValue& initial : question.initial) add(initial.name);
}

/// What of a state the question leaves open.
class LeftOpen {
 public:
  LeftOpen(const Multibody& model, const MultibodyEquations& equations, const MechanismQuestion& question)
      : model_(model),
        motion_(equations.motion),
        coordinates_(motion_.coordinates.size(), true),
        speeds_(motion_.speeds.size(), true) {
    for (const InitialValue& initial : question.initial)
      if (const auto place = state_place(motion_, initial.name)) {
        if (place->kind == StatePlace::Kind::coordinate) coordinates_[place->number] = false, given_ = true;
        if (place->kind == StatePlace::Kind::speed) speeds_[place->number] = false;
      }
    for (const auto& quaternion : equations.quaternions)
      if (std::ranges::any_of(quaternion, [&](std::size_t i) { return !coordinates_[i]; }))
        for (const std::size_t i : quaternion) coordinates_[i] = false;
    const bool closed_from_given = given_ && !motion_.constraints.empty();
    for (std::size_t i = 0; i < coordinates_.size(); ++i)
      if (closed_from_given && model.assembly.contains(motion_.coordinates[i].name)) coordinates_[i] = false;
  }

  bool coordinate(std::size_t i) const { return coordinates_[i]; }
  bool speed(std::size_t i) const { return speeds_[i]; }
  bool anything() const {
    const auto& stated = model_.equilibrium->values;
    return std::ranges::find(coordinates_, true) != coordinates_.end() || std::ranges::any_of(stated, [&](const auto& entry) {
             const auto place = state_place(motion_, entry.first);
             return !place || place->kind == StatePlace::Kind::input ||
                    (place->kind == StatePlace::Kind::speed && speeds_[place->number]);
           });
  }

 private:
  const Multibody& model_;
  const EquationsOfMotion& motion_;
  std::vector<bool> coordinates_, speeds_;
  bool given_ = false;
};

/// The model with springs that an event releases holding, where its equilibrium is sought.
Multibody with_springs_held(const Multibody& model) {
  Multibody held = model;
  for (const auto& event : model.events)
    for (const std::string& name : event.releases)
      if (model.symbols.find(holding(name))) held.equilibrium->values[holding(name)] = 1;
  return held;
}

}  // namespace

EquilibriumStart equilibrium_start(const Multibody& model, const MultibodyEquations& equations, const MechanismQuestion& question,
                                   const Budget& budget) {
  EquilibriumStart found;
  if (!model.equilibrium) return found;
  const LeftOpen open(model, equations, question);
  if (!open.anything()) return found;
  const EquationsOfMotion& motion = equations.motion;
  std::string text;
  try {
    const Multibody held = with_springs_held(model);
    const MotionPoint point = motion_point(SmallMotion(held, equations), budget);
    const GiNaC::exmap parameters = motion.symbols.values();
    const auto number = [&](const ex& symbol) -> double {
      const auto at = point.values.find(symbol);
      return at == point.values.end() ? 0
                                      : double_value(at->second.subs(parameters, GiNaC::subs_options::no_pattern)).value_or(0);
    };
    const auto say = [&](const std::string& name, double value) {
      if (value != 0) text += (text.empty() ? "" : ", ") + name + " = " + exact::decimal(exact::Rational::of(value), 6);
    };
    for (std::size_t i = 0; i < motion.coordinates.size(); ++i) {
      if (!open.coordinate(i)) continue;
      const std::string& name = motion.coordinates[i].name;
      found.values.push_back({name, number(motion.coordinates[i].q)});
      if (std::ranges::none_of(equations.quaternions, [&](const auto& four) { return std::ranges::find(four, i) != four.end(); }))
        say(name, found.values.back().value);
    }
    for (std::size_t i = 0; i < motion.speeds.size(); ++i)
      if (const double value = number(motion.speeds[i].symbol); value != 0 && open.speed(i)) {
        found.values.push_back({motion.speeds[i].name, value});
        say(motion.speeds[i].name, value);
      }
    for (const auto& input : motion.inputs) {
      const double value = number(input.derivatives.front());
      const bool driven = std::ranges::any_of(question.inputs, [&](const auto& each) { return each.name == input.name; });
      if (value == 0 || driven || input.name.starts_with("holds(")) continue;
      found.inputs.push_back({input.name, ex(value)});
      say(input.name, value);
    }
  } catch (const Failure& failure) {
    budget.check("the equilibrium");
    found = {};
    found.notes.push_back({model.equilibrium->where,
                           "the motion does not start at the equilibrium of the model: " + std::string(failure.what()),
                           "give initial values of the coordinates", Severity::warning});
    return found;
  }
  if (!text.empty())
    found.notes.push_back(
        {{}, "the motion starts at the equilibrium of the model: " + text, "give other initial values", Severity::warning});
  return found;
}

void note_unstated_inputs(const Multibody& model, const MechanismQuestion& question, std::vector<Diagnostic>& notes) {
  std::string names;
  for (const std::string& name : model.input_names) {
    const bool given = std::ranges::any_of(question.inputs, [&](const auto& input) { return input.name == name; });
    const bool stated = model.control.contains(name) || (model.equilibrium && model.equilibrium->values.contains(name));
    if (!given && !stated && !name.starts_with("holds(")) names += (names.empty() ? "'" : ", '") + name + "'";
  }
  if (names.empty()) return;
  notes.push_back({{},
                   "nothing states the signal of " + names + ": 0 is taken",
                   "give it a signal, or state one in the model",
                   Severity::remark});
}

AssemblyStart start_of(const Multibody& model, const CompiledMotion& motion, const MechanismQuestion& question,
                       const EquilibriumStart& rest) {
  const EquationsOfMotion& equations = motion.equations().motion;
  AssemblyStart start{VectorXd::Zero(motion.coordinates()), VectorXd::Zero(motion.speeds()),
                      std::vector<bool>(equations.coordinates.size(), false), std::vector<bool>(equations.speeds.size(), false),
                      std::vector<bool>(equations.coordinates.size(), false)};
  const auto put = [&](const std::string& name, double value, bool given, const SourceSpan& where) {
    const auto place = state_place(equations, name);
    if (!place || place->kind == StatePlace::Kind::input || place->kind == StatePlace::Kind::time) {
      const UnknownState unknown = unknown_state(equations, name);
      throw Error(where, place ? "'" + name + "' is no coordinate, rate or speed" : unknown.message, unknown.hint);
    }
    if (!std::isfinite(value)) throw Error(where, "the start value of '" + name + "' is not finite", "state a number");
    const bool coordinate = place->kind == StatePlace::Kind::coordinate;
    (coordinate ? start.q : start.v)[static_cast<Index>(place->number)] = value;
    (coordinate ? start.given_coordinates : start.given_speeds)[place->number] = given;
  };
  for (const auto& [name, value] : model.assembly)
    put(name, number_of(motion, value, "start value of '" + name + "'", model.where), false, model.where);
  for (const InitialValue& initial : rest.values) put(initial.name, initial.value, false, {});
  for (const InitialValue& initial : question.initial) put(initial.name, initial.value, true, {});
  order_start(model, motion, question, start);
  for (const auto& elastic : model.elastic)
    for (const std::string& name : elastic.coordinates)
      if (const auto place = state_place(equations, name); place && place->kind == StatePlace::Kind::coordinate)
        start.deformations[place->number] = true;
  return start;
}

void add_constraint_notes(const MovingMechanism& mechanism, const MovingMechanism::State& at, Index rank,
                          std::vector<Diagnostic>& notes) {
  const CompiledMotion& motion = mechanism.motion();
  if (motion.constraints() == 0) return;
  MovingMechanism::State near = at;
  VectorXd shift = VectorXd::Zero(motion.speeds());
  for (Index j = 0; j < shift.size(); ++j) shift[j] = 0.02 * std::sin(1.0 + 2.3 * static_cast<double>(j));
  near.q += motion.rate(near.q, shift);
  const Index generic = mechanism.correct(0, near).rank;
  const auto text = [](Index n) { return std::to_string(n); };
  const auto warn = [&](std::string message, std::string hint, Severity severity) {
    notes.push_back({{}, std::move(message), std::move(hint), severity});
  };
  if (generic > rank)
    warn("the start is a singular position: the rank of the constraints drops from " + text(generic) + " to " + text(rank) +
             ", where motions branch; the motion shown is one of them",
         "start beside it", Severity::warning);
  else if (rank < motion.constraints())
    warn(text(motion.constraints() - rank) + " of " + text(motion.constraints()) + " constraints follow from the others (rank " +
             text(rank) + "): the motion is unique, reactions in the loops are not",
         "", Severity::remark);
  CompiledMotion::Terms terms;
  constexpr double later = 0.123;
  motion.terms(at.q, at.v, mechanism.inputs(0), later, terms);
  const auto& constraints = motion.equations().motion.constraints;
  const bool prescribed = terms.drive.cwiseAbs().maxCoeff() > 0 ||
                          std::ranges::any_of(constraints, [](const auto& each) { return !each.rate.is_zero(); });
  if (std::max(rank, generic) == motion.speeds() && !prescribed)
    warn("no freedom is left (" + text(motion.speeds()) + " speeds, " + text(rank) +
             " independent constraints): a dead mechanism, nothing moves",
         "", Severity::warning);
}

void add_quaternion_notes(const CompiledMotion& motion, const AssemblyStart& start, std::vector<Diagnostic>& notes) {
  constexpr double rounded = 1e-6;
  for (const auto& quaternion : motion.equations().quaternions) {
    double square = 0;
    for (const std::size_t i : quaternion) square += start.q[static_cast<Index>(i)] * start.q[static_cast<Index>(i)];
    if (square == 0 || std::abs(std::sqrt(square) - 1) <= rounded) continue;
    std::string names;
    for (const std::size_t i : quaternion) names += (names.empty() ? "" : ", ") + motion.equations().motion.coordinates[i].name;
    notes.push_back({{},
                     "the start values of the quaternion " + names + " have the length " + print(std::sqrt(square)) +
                         " and are divided by it",
                     "give all four of them, of length 1",
                     Severity::warning});
  }
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

Diagnostic note_of_singular_position(double from, double to, bool told) {
  constexpr std::size_t digits = 6;
  const auto text = [](double t) { return exact::decimal(exact::Rational::of(t), digits); };
  if (!told) return {{}, "there are more singular positions after t = " + text(to), {}, Severity::warning};
  return {{},
          "between t = " + text(from) + " and " + text(to) +
              " the mechanism passes a singular position, where its constraints lose rank and motions branch: "
              "which branch it follows is not determined by its equations",
          "ask for times before that, or add what decides (a stop, a spring, a constraint)",
          Severity::warning};
}

}  // namespace sfg
