#include "sfg/multibody/followed_mechanism.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <variant>

#include "sfg/expr/compile.hpp"
#include "sfg/expr/functions.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/model/prescribed.hpp"
#include "sfg/multibody/constraint_check.hpp"
#include "sfg/response/switching_times.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

std::size_t input_named(const EquationsOfMotion& motion, const std::string& name) {
  std::vector<std::string> names;
  std::string list;
  for (std::size_t i = 0; i < motion.inputs.size(); ++i) {
    if (motion.inputs[i].name == name) return i;
    const std::string& known = motion.inputs[i].name;
    if (known.starts_with("holds(") || known.find(' ') != std::string::npos) continue;  // ours
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
SimulationQuestion driven_question(const EquationsOfMotion& motion, const MechanismQuestion& question,
                                   std::vector<std::size_t>& numbers) {
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

}  // namespace

FollowedMechanism::FollowedMechanism(const Multibody& stated, const MultibodyEquations& equations,
                                     const MechanismQuestion& question, double until, const EquilibriumStart& at_rest,
                                     const Budget& budget)
    : model(stated),
      rest(at_rest),
      distances(stop_distances(stated)),
      jumping(jumps_as_inputs(equations)),
      motion(jumping.equations, distances),
      drives(driven_question(equations.motion, question, driven_inputs), Operator("s"), motion.orders() + 1),
      kinks(sfg::kinks(motion)),
      scales(functions_of_time(question), own_time, until, budget) {
  require_possible(stated);
  if (until > 0) note_unstated_inputs(model, question, notes);
  check_prescribed(question, until, budget);
  for (const double t : drives.corners(until, budget)) corners.insert(t);
  for (const ex& function : of_time)
    for (const double t : switching_times(function, own_time, until, budget).times) corners.insert(t);
  corners.insert(until);
}

void FollowedMechanism::check_prescribed(const MechanismQuestion& question, double until, const Budget& budget) {
  const double near = 1e-9 * until;
  for (const auto& input : question.inputs) {
    const Symbol* symbol = model.symbols.find(input.name);
    if (!symbol || !is_constrained(model, symbol->expr)) continue;
    const bool of_position =
        std::ranges::any_of(model.constraints, [&](const auto& each) { return each.value.has(symbol->expr); });
    const auto* signal = std::get_if<ex>(&input.signal);
    if (!signal && of_position)
      throw Error(SourceSpan{}, "the input '" + input.name + "' moves a constraint, and samples of it have no acceleration",
                  "give it as an expression of t");
    if (!signal) continue;
    const ex& t = question.time;
    const auto compiled = [&](const ex& of) { return compile(std::span(&of, 1), std::span(&t, 1)); };
    const numeric::Tape values = compiled(*signal);
    std::optional<numeric::Tape> rates;
    for (const double at : switching_times(*signal, t, until, budget).times) {
      const auto jump = [&](const numeric::Tape& tape) {
        const auto value = [&](double when) { return tape.values<double>(std::span<const double>(&when, 1)).front(); };
        const double behind = value(at + near);
        return std::abs(behind - value(at - near)) > 1e-6 * (1 + std::abs(behind));
      };
      const std::string when = " at t = " + print(at);
      if (jump(values) && of_position)
        throw Error(SourceSpan{}, "the input '" + input.name + "' moves a constraint and jumps" + when,
                    "nothing moves so; let it go over in time");
      if (of_position && !rates) rates = compiled(signal->diff(GiNaC::ex_to<GiNaC::symbol>(t)));
      if (jump(rates ? *rates : values))
        notes.push_back(
            {{},
             (of_position ? "the rate of the input '" : "the input '") + input.name + "' jumps" + when +
                 ": velocities jump there as an impulse of the constraint has it, which the account of energy does not have",
             "let it go over in time",
             Severity::warning});
    }
  }
}

const std::vector<ex>& FollowedMechanism::functions_of_time(const MechanismQuestion& question) {
  own_time = motion.time();
  for (const auto& input : question.inputs)
    if (const auto* signal = std::get_if<ex>(&input.signal))
      add_parts_of_time(signal->subs(question.time == own_time, GiNaC::subs_options::no_pattern), own_time, of_time);
  const auto add = [&](const ex& e) {
    add_parts_of_time(e.subs(motion.values(), GiNaC::subs_options::no_pattern), own_time, of_time);
  };
  const EquationsOfMotion& equations = jumping.equations.motion;
  for (const auto& definition : equations.definitions) add(definition.value);
  for (const ex& force : equations.F) add(force);
  for (const auto& constraint : equations.constraints) add(constraint.stated());
  for (const Jump& jump : jumping.jumps) add(function_rule("step")->apply({jump.function}));
  return of_time;
}

}  // namespace sfg
