#include <array>
#include <span>

#include "sfg/graph/from_equations.hpp"
#include "sfg/transfer/state_space.hpp"
#include "sfg/write/derivation.hpp"
#include "sfg/write/motion/motion.hpp"
#include "sfg/write/state_space.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/show.hpp"
#include "tools/frame/usage.hpp"
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

void write_polar(Task& task, const PolarDerivation& derivation) {
  const Form form = form_of(task.arguments, models);
  if (form == Form::json) return write_json(task.out, derivation, assignment(derivation.shortest()));
  if (form == Form::toml) return write_toml(task.out, derivation.equations);
  show(task, page(derivation));
}

void write_state_space(Task& task, Subject& subject) {
  SignalFlowGraph graph = subject.graph();
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
void refuse_ends(Task& task, const Subject& subject) {
  refuse_any(task.arguments, {"ratio", "inject"}, " does not matter to the equations of a model");
  for (const char* option : {"from", "to"})
    if (task.arguments.has(option) && !(subject.circuit() && option == std::string("to")))
      task.notes.push_back({{},
                            std::string("--") + option + " does not matter to the equations of a model: all are shown",
                            "add --as state-space for the part between inputs and outputs",
                            Severity::remark});
}

/// Of bodies the equations of motion, and the linear ones on request.
void write_bodies(Task& task, Subject& subject) {
  if (task.arguments.text("as") == "aggregate") return write_aggregate(task, subject);
  if (task.arguments.text("as") == "equations") return write_system(task, subject.equations());
  write_multibody(task, subject);
}

void write_motion(Task& task, Subject& subject) {
  if (subject.bodies()) return write_bodies(task, subject);
  if (!subject.energies())
    throw UsageError("--as motion is of a model of energies or bodies", "leave it out: derive shows the linear equations");
  refuse_ends(task, subject);
  const EquationsOfMotion equations = subject.equations_of_motion();
  task.notes.insert(task.notes.end(), equations.notes.begin(), equations.notes.end());
  if (form_of(task.arguments) == Form::json) return write_json(task.out, equations);
  show(task, page(equations));
}

/// What only equations of motion of bodies have.
void refuse_of_bodies(const Task& task, bool bodies) {
  const std::string form = task.arguments.text("as", "motion");
  if (form == "aggregate" && !bodies) throw UsageError("--as aggregate is of a multibody model", "leave it out");
  if (task.arguments.has("drop-redundant") && !task.arguments.has("state"))
    throw UsageError("--drop-redundant is of accelerations and reactions at a state", "leave it out, or add --state NAME=VALUE");
  if (bodies && (form == "motion" || form == "aggregate")) return;
  refuse_any(task.arguments, {"state", "no-cse", "no-prune", "drop-redundant"},
             " is of the equations of motion of a multibody model");
}

int run_derive(Task& task) {
  const std::string as = task.arguments.text("as");
  if (as == "substitutions" || (as.empty() && names_substitutions(task.arguments.text("output"))))
    return derive_substitutions(task);
  const bool motion = task.arguments.text("as") == "motion";
  form_of(task.arguments, motion ? std::span<const Form>() : models);  // a file that cannot be written is refused before the work
  Subject subject = subject_of(task);
  refuse_of_bodies(task, subject.bodies() != nullptr);
  const bool states = task.arguments.text("as") == "state-space";
  if (task.arguments.has("minimal") && !states) throw UsageError("--minimal is of a state-space form", "add --as state-space");
  if (task.arguments.has("table") && (motion || states || !subject.energies()))
    throw UsageError("--table is of Mark, Den and Denc, the tables of a model of energies", "leave --table out");
  if (states) {
    write_state_space(task, subject);
    return 0;
  }
  task.working("deriving the equations");
  if (motion) {
    write_motion(task, subject);
    return 0;
  }
  if (!subject.model()) {
    auto graph = std::get<SignalFlowGraph>(subject.input().content);
    state_ends(task.arguments, graph);
    if (task.arguments.has("from") && !task.arguments.has("inject"))
      task.notes.push_back({{},
                            "--from does not matter to the equations of a graph: every source is an input",
                            "add --as state-space for the part between inputs and outputs",
                            Severity::remark});
    write_system(task, to_equations(graph));
    return 0;
  }
  refuse_ends(task, subject);
  if (subject.energies())
    write_lagrange(task, subject.lagrange_equations());
  else if (subject.polar())
    write_polar(task, subject.polar_derivation());
  else if (subject.bodies())
    write_bodies(task, subject);
  else
    write_system(task, subject.circuit() ? sfg::derive(*subject.model(), task.budget) : subject.equations());
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
