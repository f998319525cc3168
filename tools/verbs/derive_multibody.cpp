#include "tools/verbs/derive_multibody.hpp"

#include <map>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/multibody/constraint_check.hpp"
#include "sfg/write/motion/motion.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/show.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

namespace {

/// About the point that is stated, or the rest at 0 of a small model that has one; a larger one is linearised on request.
std::optional<MultibodyLinearization> small_motions(Task& task, const auto& model, const MultibodyEquations& equations) {
  constexpr std::size_t small_model = 12;
  if (!model.equilibrium && equations.motion.speeds.size() > small_model) return {};
  try {
    auto small = linearized(model, equations, task.budget);
    task.notes.insert(task.notes.end(), small.notes.begin(), small.notes.end());
    return small;
  } catch (const Failure&) {
    if (model.equilibrium) throw;
    task.budget.check("the equations of small motions");
    return {};  // the state of 0 need not be one of rest
  }
}

}  // namespace

std::map<std::string, double> state_of(const Arguments& arguments) {
  std::map<std::string, double> state;
  for (const std::string& word : arguments.list("state")) {
    const auto [name, text] = named_text("--state", word, "s1=0.3");
    std::optional<double> value;
    try {
      SymbolTable none;
      value = double_value(parse(text, none));
    } catch (const Error&) {
    }
    if (!value) throw UsageError("option '--state " + word + "': that is no number", "write a number: 0.1, 1/3 or pi/4");
    state.emplace(name, *value);
  }
  return state;
}

void write_aggregate(Task& task, const Subject& subject) {
  refuse_any(task.arguments, {"no-cse", "no-prune"}, " is of substitutions, and an aggregate has numbers");
  std::optional<std::map<std::string, double>> state;
  if (task.arguments.has("state")) state = state_of(task.arguments);
  const AggregateDescription aggregate =
      as_usage_without_place([&] { return aggregate_description(*subject.bodies(), state); });  // a name of --state
  task.notes.insert(task.notes.end(), aggregate.notes.begin(), aggregate.notes.end());
  if (form_of(task.arguments) == Form::json) return write_json(task.out, aggregate);
  show(task, page(aggregate));
}

void write_multibody(Task& task, const Subject& subject) {
  const Arguments& arguments = task.arguments;
  const MultibodyEquations equations = subject.body_equations({!arguments.has("no-cse"), !arguments.has("no-prune")});
  MultibodyAnswer answer{equations, small_motions(task, *subject.bodies(), equations)};
  if (arguments.has("state")) {
    const std::map<std::string, double> state = state_of(arguments);
    answer.at = motion_at(equations, state);
    if (answer.at->rank < answer.at->constraint_residual.size() && !arguments.has("drop-redundant"))
      require_independent(*subject.bodies(), equations,
                          {.how_to_drop = "pass --drop-redundant", .start = state, .budget = task.budget});
    task.notes.insert(task.notes.end(), answer.at->notes.begin(), answer.at->notes.end());
  }
  task.notes.insert(task.notes.end(), equations.notes.begin(), equations.notes.end());
  if (form_of(arguments) == Form::json) return write_json(task.out, answer);
  show(task, page(answer));
}

}  // namespace sfg::command
