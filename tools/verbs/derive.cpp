#include "sfg/derive/derive.hpp"

#include <array>
#include <span>

#include "sfg/derive/lagrange.hpp"
#include "sfg/derive/motion.hpp"
#include "sfg/derive/polar/polar_derivation.hpp"
#include "sfg/graph/to_equations.hpp"
#include "sfg/transfer/state_space.hpp"
#include "sfg/write/derivation.hpp"
#include "sfg/write/motion.hpp"
#include "sfg/write/polar.hpp"
#include "sfg/write/state_space.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/show.hpp"
#include "tools/verbs/derive_multibody.hpp"
#include "tools/verbs/export.hpp"

namespace sfg::command {

namespace {

constexpr std::array models{Form::toml};  ///< what is written beside text, LaTeX and JSON

void write_system(Task& task, const EquationSystem& system) {
  const Form form = form_of(task.arguments, models);
  if (form == Form::toml) return write_toml(task.out, system);
  const Assignment chosen = assignment(system);
  if (form == Form::json) return write_json(task.out, system, chosen);
  show(task, page(system, chosen));
}

void write_lagrange(Task& task, const LagrangeEquations& equations) {
  task.notes.insert(task.notes.end(), equations.notes.begin(), equations.notes.end());
  const Form form = form_of(task.arguments, models);
  if (form == Form::json) return write_json(task.out, equations);
  if (form == Form::toml) return write_toml(task.out, equations.equations());
  show(task, page(equations, task.arguments.has("table") ? TableFormat::table : TableFormat::shortest));
}

void write_polar(Task& task, const PolarNetwork& network) {
  const PolarDerivation derivation = polar_derivation(network, task.budget);
  const Form form = form_of(task.arguments, models);
  if (form == Form::json) return write_json(task.out, derivation, assignment(derivation.shortest()));
  if (form == Form::toml) return write_toml(task.out, derivation.equations);
  show(task, page(derivation));
}

void write_state_space(Task& task, Input input) {
  SignalFlowGraph graph = graph_of(task, std::move(input));
  state_ends(task.arguments, graph);
  task.working("finding the state-space form");
  StateSpace found = state_space(graph, {.inputs = {}, .outputs = {}, .minimal = false, .budget = task.budget});
  if (task.arguments.has("minimal")) {
    const std::size_t states = found.states.size();
    found = minimal(found);
    if (found.states.size() == states)
      task.notes.push_back(
          {{}, "--minimal makes no difference: inputs move every state, and outputs show it", "leave it out", Severity::remark});
  }
  const Form form = form_of(task.arguments, models);
  if (form != Form::json && task.arguments.has("variable"))
    task.notes.push_back(
        {{}, "--variable makes no difference: the operator does not stand in A, B, C, D", "leave it out", Severity::remark});
  if (form == Form::json) return write_json(task.out, found);
  if (form == Form::toml) return write_toml(task.out, found);
  show(task, page(found));
}

/// The equations of a model have all its coordinates and inputs; of a circuit --to adds an output.
void refuse_ends(Task& task, const Model& model) {
  for (const char* option : {"ratio", "inject"})
    if (task.arguments.has(option))
      throw UsageError(std::string("--") + option + " does not matter to the equations of a model", "leave it out");
  for (const char* option : {"from", "to"})
    if (task.arguments.has(option) && !(std::holds_alternative<Circuit>(model) && option == std::string("to")))
      task.notes.push_back({{},
                            std::string("--") + option + " does not matter to the equations of a model: all are shown",
                            "add --as state-space for the part between inputs and outputs",
                            Severity::remark});
}

/// Of bodies the equations of motion, and the linear ones on request.
void write_bodies(Task& task, const Model& model) {
  if (task.arguments.text("as") == "aggregate") return write_aggregate(task, std::get<Multibody>(model));
  if (task.arguments.text("as") == "equations") return write_system(task, equations_of(task, model));
  write_multibody(task, std::get<Multibody>(model));
}

void write_motion(Task& task, const Input& input) {
  const auto* model = std::get_if<Model>(&input.content);
  if (model != nullptr && std::holds_alternative<Multibody>(*model)) return write_bodies(task, *model);
  const auto* lagrangian = model == nullptr ? nullptr : std::get_if<Lagrangian>(model);
  if (lagrangian == nullptr)
    throw UsageError("--as motion is of a model of energies or bodies", "leave it out: derive shows the linear equations");
  refuse_ends(task, *model);
  const EquationsOfMotion equations = equations_of_motion(*lagrangian, task.budget);
  task.notes.insert(task.notes.end(), equations.notes.begin(), equations.notes.end());
  if (form_of(task.arguments) == Form::json) return write_json(task.out, equations);
  show(task, page(equations));
}

bool of_bodies(const Input& input) {
  const auto* model = std::get_if<Model>(&input.content);
  return model != nullptr && std::holds_alternative<Multibody>(*model);
}

/// What only equations of motion of bodies have.
void refuse_of_bodies(const Task& task, const Input& input) {
  const std::string form = task.arguments.text("as", "motion");
  const bool bodies = of_bodies(input);
  if (form == "aggregate" && !bodies) throw UsageError("--as aggregate is of a multibody model", "leave it out");
  if (task.arguments.has("drop-redundant") && !task.arguments.has("state"))
    throw UsageError("--drop-redundant is of accelerations and reactions at a state", "leave it out, or add --state NAME=VALUE");
  if (bodies && (form == "motion" || form == "aggregate")) return;
  for (const char* option : {"state", "no-cse", "no-prune", "drop-redundant"})
    if (task.arguments.has(option))
      throw UsageError(std::string("--") + option + " is of the equations of motion of a multibody model", "leave it out");
}

int run_derive(Task& task) {
  const std::string as = task.arguments.text("as");
  if (as == "substitutions" || (as.empty() && names_substitutions(task.arguments.text("output"))))
    return derive_substitutions(task);
  const bool motion = task.arguments.text("as") == "motion";
  form_of(task.arguments, motion ? std::span<const Form>() : models);  // a file that cannot be written is refused before the work
  Input input = input_of(task);
  refuse_of_bodies(task, input);
  const bool states = task.arguments.text("as") == "state-space";
  if (task.arguments.has("minimal") && !states) throw UsageError("--minimal is of a state-space form", "add --as state-space");
  const auto* model = std::get_if<Model>(&input.content);
  if (task.arguments.has("table") && (motion || states || model == nullptr || !std::holds_alternative<Lagrangian>(*model)))
    throw UsageError("--table is of Mark, Den and Denc, the tables of a model of energies", "leave --table out");
  if (states) {
    write_state_space(task, std::move(input));
    return 0;
  }
  task.working("deriving the equations");
  if (motion) {
    write_motion(task, input);
    return 0;
  }
  if (auto* graph = std::get_if<SignalFlowGraph>(&input.content)) {
    state_ends(task.arguments, *graph);
    if (task.arguments.has("from") && !task.arguments.has("inject"))
      task.notes.push_back({{},
                            "--from does not matter to the equations of a graph: every source is an input",
                            "add --as state-space for the part between inputs and outputs",
                            Severity::remark});
    write_system(task, to_equations(*graph));
    return 0;
  }
  refuse_ends(task, *model);
  if (const auto* lagrangian = std::get_if<Lagrangian>(model))
    write_lagrange(task, lagrange_equations(*lagrangian, task.budget));
  else if (const auto* network = std::get_if<PolarNetwork>(model))
    write_polar(task, *network);
  else if (std::holds_alternative<Multibody>(*model))
    write_bodies(task, *model);
  else
    write_system(task, std::holds_alternative<Joined>(*model) ? equations_of(task, *model) : derive(*model, task.budget));
  return 0;
}

}  // namespace

Verb derive() {
  return {
      .name = "derive",
      .summary = "the equations of any input, or its state-space form",
      .details =
          "The operator polynomials d_ij(p), every equation solved for its own coordinate (Augustaitis et al. 2011, "
          "Eq. 11), the matrices M, C and K where the equations are of second order; of a Lagrange model the tables Mark, Den "
          "and "
          "Denc too; of a polar graph its Lagrange tree, chords, skeleton and closing branches. A graph is cleared of its "
          "summing nodes and denominators. -o x.toml writes a model that every verb reads "
          "back, -o x.tex LaTeX.",
      .options =
          {{"--as",
            "FORM",
            "equations: D(p) x = B u (default but of bodies); motion: M(q) q'' = f of energies or bodies, nonlinear; "
            "state-space: A, B, C, D from the inputs to the outputs; aggregate: of bodies the parts, connections and wrenches; "
            "substitutions: M and F of bodies as a list of intermediate results, also by -o x.sub (names) or x.idx (indexed)",
            Option::Kind::choice,
            {"equations", "motion", "state-space", "aggregate", "substitutions"}},
           {"--minimal", "", "state-space without the states that no input moves or no output shows"},
           notation_option(),
           width_option(),
           {"--state",
            "NAME=VALUE",
            "multibody: accelerations and reactions at this state: coordinates, rates Dname, inputs; others 0",
            Option::Kind::text,
            {},
            true},
           {"--no-cse", "", "multibody: equal intermediate results get names of their own"},
           {"--no-prune", "", "multibody: intermediate results that M and F do not need are shown too"},
           {"--drop-redundant", "", "multibody, with --state: constraints that follow from others are no error"},
           {"--table", "", "numbers of the tables with five digits, as printed in the paper"}},
      .examples = {"sfg derive examples/vehicle.toml", "sfg derive examples/vehicle.toml --json -o vehicle.json",
                   "sfg derive examples/vehicle.toml --set xs=0 --set ys=0 --notation latex",
                   "sfg derive examples/servo.dot --as state-space -o servo.toml",
                   "sfg derive examples/cart_pendulum.toml --as motion"},
      .run = run_derive,
      .about_input = true};
}

}  // namespace sfg::command
