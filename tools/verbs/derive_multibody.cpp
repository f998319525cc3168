#include "tools/verbs/derive_multibody.hpp"

#include <map>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/write/multibody.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/show.hpp"

namespace sfg::command {

namespace {

/// --state NAME=VALUE, each of them.
std::map<std::string, double> state_of(const Arguments& arguments) {
  std::map<std::string, double> state;
  for (const std::string& word : arguments.list("state")) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size())
      throw UsageError("option '--state " + word + "' lacks a name or a value", "write --state s1=0.3");
    std::optional<double> value;
    try {
      SymbolTable none;
      value = double_value(parse(word.substr(equals + 1), none));
    } catch (const Error&) {
    }
    if (!value) throw UsageError("option '--state " + word + "': that is no number", "write a number: 0.1, 1/3 or pi/4");
    if (!state.emplace(word.substr(0, equals), *value).second)
      throw UsageError("option '--state " + word + "' states the value of '" + word.substr(0, equals) + "' a second time",
                       "leave one of them out");
  }
  return state;
}

}  // namespace

void write_multibody(Task& task, const Multibody& model) {
  const Arguments& arguments = task.arguments;
  const SubstitutionOptions options{!arguments.has("no-cse"), !arguments.has("no-prune")};
  const MultibodyEquations equations = multibody_equations(model, options, task.budget);
  std::optional<MotionState> at;
  if (arguments.has("state")) {
    at = motion_at(equations, state_of(arguments));
    task.notes.insert(task.notes.end(), at->notes.begin(), at->notes.end());
  }
  task.notes.insert(task.notes.end(), equations.notes.begin(), equations.notes.end());
  if (form_of(arguments) == Form::json) return write_json(task.out, equations, at);
  show(task, page(equations, at));
}

}  // namespace sfg::command
