#include "sfg/derive/derive.hpp"

#include "sfg/derive/lagrange.hpp"
#include "sfg/write/derivation.hpp"
#include "tools/load.hpp"

namespace sfg::command {

namespace {

template <class Equations>
void write(const Task& task, const Equations& equations) {
  if (task.arguments.has("json")) return write_json(task.out, equations);
  const Notation notation = notation_of(task.arguments);
  if constexpr (std::is_same_v<Equations, LagrangeEquations>)
    write_text(task.out, equations, notation, task.arguments.has("table") ? TableFormat::table : TableFormat::shortest);
  else
    write_text(task.out, equations, notation);
}

int run(Task& task) {
  const Input input = input_of(task);
  const auto* model = std::get_if<Model>(&input.content);
  if (!model)
    throw UsageError("'" + task.arguments.input() + "' is a graph: its branches are its equations",
                     "give a model, or use 'sfg tf' and 'sfg mason'");
  task.working("deriving the equations");
  if (const auto* lagrangian = std::get_if<Lagrangian>(model)) {
    const LagrangeEquations equations = lagrange_equations(*lagrangian);
    task.notes.insert(task.notes.end(), equations.notes.begin(), equations.notes.end());
    write(task, equations);
  } else {
    write(task, derive(*model));
  }
  return 0;
}

}  // namespace

Verb derive() {
  return {.name = "derive",
          .summary = "the equations of a model",
          .details =
              "The operator polynomials d_ij(p), every equation solved for its own coordinate (Augustaitis et al. 2011, "
              "Eq. 11), the tables Mark, Den and Denc, and the matrices M, C and K.",
          .options = {notation_option(), {"--table", "", "numbers of the tables with five digits, as printed in the paper"}},
          .examples = {"sfg derive examples/vehicle.toml", "sfg derive examples/vehicle.toml --json -o vehicle.json",
                       "sfg derive examples/vehicle.toml --set xs=0 --set ys=0 --notation latex"},
          .run = run,
          .about_input = true};
}

}  // namespace sfg::command
