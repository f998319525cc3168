#include "sfg/study/local/local_study.hpp"

#include "sfg/plot/figures.hpp"
#include "sfg/write/study/sensitivity.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/study.hpp"
#include "tools/verbs/sens.hpp"

namespace sfg::command {

namespace {

/// The system with what --wrt names, in its graph and in that of the open loop.
MeasuredSystem studied_system(const MeasuredSystem& system, const Arguments& arguments, std::vector<StudyParameter>& parameters) {
  StudiedGraph studied = studied_of(arguments, system.graph, StudyParameter::Role::factor);
  parameters = studied.parameters;
  MeasuredSystem result{std::move(studied.graph), system.question, {}};
  result.noisy = system.noisy;
  add_open_loop(arguments, result);
  return result;
}

}  // namespace

int sens_local(Task& task) {
  const Arguments& arguments = task.arguments;
  const Answer answer = answer_of(arguments, pictures);
  refuse_idle_break(arguments);
  const MeasuredSystem stated = measured_system_of(task);
  std::vector<StudyParameter> parameters;
  const MeasuredSystem system = studied_system(stated, arguments, parameters);
  const std::vector<Measure> measures = measures_of(arguments, system.graph.symbols);
  note_subjects(task, system, measures);
  task.working("differentiating");
  LocalStudy study = local_study(system, parameters, measures, task.budget);
  const StudiedGraph studied = studied_of(arguments, stated.graph);
  const auto roots = [&](RootsOf of) { return root_sensitivities(studied, system.question, of, {.budget = task.budget}); };
  if (arguments.has("poles")) study.poles = roots(RootsOf::denominator);
  if (arguments.has("zeros")) study.zeros = roots(RootsOf::numerator);
  if (answer == Answer::json)
    write_json(task.out, study);
  else if (answer == Answer::picture)
    put(task, local_figure(study, numbers_of(parameters, system.graph.symbols), system.graph.op.discrete()));
  else
    show(task, page(study));
  return 0;
}

}  // namespace sfg::command
