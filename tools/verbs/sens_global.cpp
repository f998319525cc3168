#include "sfg/plot/figures.hpp"

#include "sfg/study/samples/global_sensitivity.hpp"
#include "sfg/study/samples/monte_carlo.hpp"
#include "sfg/write/study/monte_carlo.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/study.hpp"
#include "tools/verbs/sens.hpp"

namespace sfg::command {

namespace {

std::size_t points_of(const Arguments& arguments, const std::string& option) {
  const std::uint64_t count = arguments.count(option, 0);
  constexpr std::uint64_t most = 1'000'000'000;
  if (count < 2 || count > most)
    throw UsageError("--" + option + " " + arguments.text(option) + ": not a number from 2 to " + std::to_string(most),
                     "write --" + option + (option == "sobol" ? " 4096" : " 20"));
  return count;
}

/// What --morris and --tornado make of correlations.
void check_correlated(Task& task, const Study& study, const std::string& option) {
  if (!study.variation.correlated() || option == "sobol") return;
  if (option == "morris")
    throw UsageError("--morris: the parameters are correlated, and do not move one at a time",
                     "ask for --sobol, whose Shapley effects are of correlated parameters, or for --tornado");
  task.notes.push_back(
      {{}, "correlations are not used: each parameter moves alone, the others keep their stated values", "", Severity::warning});
}

Figure figure_of(const SobolStudy& found, const Study&, const FigureOptions& options) { return sobol_figure(found, options); }
Figure figure_of(const MorrisStudy& found, const Study&, const FigureOptions& options) { return morris_figure(found, options); }
Figure figure_of(const TornadoStudy& found, const Study& study, const FigureOptions& options) {
  return tornado_figure(found, study.variation, options);
}

template <class Result>
void answer_with(Task& task, const Study& study, Answer answer, const Result& result) {
  const SignalFlowGraph& graph = study.system.graph;
  const std::string& input = graph[study.system.question.input].name;
  const std::string& output = graph[study.system.question.output].name;
  if (answer == Answer::json)
    write_json(task.out, result, input, output);
  else if (answer == Answer::picture)
    put(task, figure_of(result, study, figure_options(task, study)));
  else
    show(task, page(result, input, output));
}

}  // namespace

int sens_global(Task& task) {
  const Arguments& arguments = task.arguments;
  const Answer answer = answer_of(arguments, pictures);
  const std::string asked = arguments.has("sobol") ? "sobol" : arguments.has("morris") ? "morris" : "tornado";
  if (arguments.has("until") && !arguments.has("nonlinear"))
    throw UsageError("--until does not go with --" + asked, "leave it out, or add --nonlinear");
  const std::size_t samples = asked == "tornado" ? 0 : points_of(arguments, asked);
  const Study study = study_of(task);
  if (study.measures.empty()) throw UsageError("--" + asked + " is of measures", "add --measure peak, say");
  require_variation(study);
  check_correlated(task, study, asked);
  const GlobalOptions options{arguments.count("seed", 1), static_cast<unsigned>(arguments.count("threads", 0)), task.budget};
  task.working("finding the transfer function");
  const MeasureProgram program(study.system, study.measures, study.variation.names(), task.budget);
  task.working("evaluating the measures");
  if (asked == "sobol")
    answer_with(task, study, answer, sobol_indices(program, study.variation, samples, options));
  else if (asked == "morris")
    answer_with(task, study, answer, morris_effects(program, study.variation, samples, options));
  else
    answer_with(task, study, answer, tornado(program, study.variation, options));
  return 0;
}

std::vector<Option> global_options() {
  std::vector<Option> all{
      {"--sobol", "N", "Sobol indices from N base samples; Shapley effects, too, where parameters are correlated",
       Option::Kind::count},
      {"--morris", "R", "Morris' elementary effects along R trajectories", Option::Kind::count},
      {"--tornado", "", "each parameter alone at both ends of its tolerance"}};
  for (Option& option : all) option.of = {option.name};
  return all;
}

}  // namespace sfg::command
