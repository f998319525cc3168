// noise: what the elements of a circuit bring to one of its signals.
#include "sfg/response/noise.hpp"

#include <algorithm>

#include "sfg/exact/rational.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/transfer/singular.hpp"
#include "sfg/write/noise.hpp"
#include "tools/frame/pictures.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/show.hpp"

namespace sfg::command {

namespace {

/// What the noise is referred to: --from, or the only input.
std::optional<NodeId> input_node(const Arguments& arguments, const SignalFlowGraph& graph, const NoisyCircuit& noisy) {
  std::vector<std::string> names = arguments.list("from");
  if (names.size() > 1) throw UsageError("noise is referred to one input", "give one --from");
  if (names.empty() && noisy.circuit.inputs.size() == 1) names = noisy.circuit.inputs;
  if (names.empty()) return {};
  const NodeId node = node_named(graph, "--from", names.front());
  if (!graph.entering(node).empty())
    throw UsageError("'" + names.front() + "' is no independent source, to which noise could be referred", "name a source");
  return node;
}

NoiseOptions noise_options(const Task& task) {
  NoiseOptions options{
      .referred_mean_squares = task.arguments.has("budget"), .budget = task.budget, .seed = task.arguments.count("seed", 1)};
  if (!task.arguments.has("freq")) return options;
  options.frequency = frequencies_of(task.arguments);
  const auto [least, greatest] = std::ranges::minmax(options.frequency);
  options.band = NoiseOptions::Band{least, greatest};
  return options;
}

/// Z and Y may be what makes thermal noise or not: nobody knows but who states it.
void note_silent(Task& task, const Circuit& circuit) {
  std::string names;
  SourceSpan first;
  for (const Circuit::Element& element : circuit.elements) {
    if (std::string_view("ZzYy").find(element.name.front()) == std::string_view::npos || !element.noise.is_zero()) continue;
    if (names.empty()) first = element.where;
    names += (names.empty() ? "'" : ", '") + element.name + "'";
  }
  if (!names.empty())
    task.notes.push_back({first, "no noise is taken of " + names, "state it: noise=\"density\"", Severity::remark});
}

int run_noise(Task& task) {
  const Arguments& arguments = task.arguments;
  const Answer answer = answer_of(arguments, curves);
  const bool budgeted = arguments.has("budget");
  if (budgeted && (answer == Answer::csv || answer == Answer::picture))
    throw UsageError("--budget is a table of text and JSON", "leave -o out, or end its name in .md, .tex, .html or .json");
  const NoiseOptions options = noise_options(task);
  const Subject subject = subject_of(task);
  if (!subject.circuit()) throw UsageError("noise is that of a circuit", "give a netlist (.cir)");
  note_silent(task, *subject.circuit());
  const NoisyCircuit noisy = subject.noisy_circuit();
  Subject asked = subject.with(noisy.circuit);
  SignalFlowGraph graph = asked.graph();
  const std::vector<NoiseSource> sources = asked.point().empty() ? noisy.sources : at_point(noisy, asked.point(), graph.symbols);
  if (singular_with_values(graph, task.budget))
    throw NoAnswer("with the stated values the equations have no unique solution", "change a value", graph.where);
  const std::vector<NodeId> outputs = outputs_of(arguments, graph);
  if (outputs.size() != 1) throw UsageError("noise is that of one signal", "name it by --to");
  const bool drawn = answer == Answer::picture;  // the output alone, in numbers
  const std::optional<NodeId> referred = input_node(arguments, graph, noisy);
  if (drawn && arguments.has("from"))
    task.notes.push_back({{}, "--from makes no difference: the picture is of the output", "leave it out", Severity::remark});
  if ((drawn || answer == Answer::csv) && arguments.has("numbers"))
    task.notes.push_back(
        {{}, "--numbers makes no difference: the densities have the stated values anyway", "leave it out", Severity::remark});
  task.working("finding the noise");
  const NoiseAnalysis result = sfg::noise(graph, sources, outputs.front(), referred, options);
  const NoiseUnits units{unit_of(noisy, result.output), unit_of(noisy, result.input)};
  const bool hertz = arguments.has("hz");
  const NoiseBudget budget = budgeted ? noise_budget(result, sources) : NoiseBudget();
  switch (answer) {
    case Answer::json: write_json(task.out, result, units, budgeted ? &budget : nullptr); break;
    case Answer::csv: write_csv(task.out, result, hertz); break;
    case Answer::picture: put(task, noise_figure(result, units.output, {.hertz = hertz})); break;
    case Answer::text:
      show(task, budgeted ? page(budget, result, units, arguments.has("freq"), hertz) : page(result, units, hertz));
      break;
  }
  return 0;
}

}  // namespace

Verb noise() {
  return {
      .name = "noise",
      .summary = "noise of a signal of a circuit: densities, variance, rms",
      .details =
          "Every resistor makes thermal noise 4 k_B T_K/R (but with noisy=0), transistors and diodes shot noise 2 q_e I, the "
          "channel of a MOS transistor 4 k_B T_K 2/3 gm, and flicker noise by KF and AF; a source may state its own: "
          "noise=\"1e-17*(1 + 1000/w)\" at the end of a V, I or G line is a one-sided density in V^2/Hz or A^2/Hz over w in "
          "rad/s. Densities are closed forms; the rms value over the frequencies of --freq, or over 0…∞ without it, is "
          "certified. With a line (T) there are the densities at the frequencies alone.",
      .options = {{"--freq", "LO:HI:N|W1,W2", "frequencies, rad/s; the first and the last are the band of the rms value"},
                  {"--hz", "", "frequencies in Hz"},
                  {"--budget", "",
                   "the share of every element in the power of the output and of the input-referred noise, over the band and at "
                   "frequencies: all that a transistor makes together"},
                  notation_option(),
                  width_option(),
                  theme_option(),
                  dark_option()},
      .examples = {"sfg noise examples/gain_stage.cir --to 'v(out)'",
                   "sfg noise examples/sallen_key.cir --to 'v(out)' --freq 10:1e5:200 --hz -o noise.svg"},
      .run = run_noise,
      .refuses = {{"--ratio", "noise is referred to an input by --from"},
                  {"--inject", "noise is referred to an input by --from"}}};
}

}  // namespace sfg::command
