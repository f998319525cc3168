#include "sfg/report/sections.hpp"

#include <algorithm>
#include <cmath>

#include "sfg/ask/statements.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/multibody/mechanism_motion.hpp"
#include "sfg/nonlinear/principal.hpp"
#include "sfg/nonlinear/rest/operating_points.hpp"
#include "sfg/nonlinear/run/transient.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/response/simulation.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/write/motion/motion.hpp"
#include "sfg/write/operating_points.hpp"

namespace sfg {

namespace {

constexpr std::size_t points = 1001;

/// What the input states of its simulation, read.
struct StatedSimulation {
  struct Input {
    std::string name;
    std::string text;  ///< as written
    std::variant<GiNaC::ex, SampledSignal> signal;
  };
  std::vector<Input> inputs = {};
  std::vector<InitialValue> initial = {};
  std::optional<double> until = {};
  GiNaC::ex time;  ///< t of the expressions
  bool empty() const { return inputs.empty() && initial.empty(); }
};

GiNaC::ex expression_of(const SimulationSettings::Entry& entry, const SymbolTable& symbols) {
  GiNaC::ex result = stated_expression(entry, symbols);
  for (const std::string& name : symbol_names(result))
    if (name != "t") throw missing_values({name}, symbols);
  return result;
}

/// Inputs as expressions of t with the values of the parameters, or the points of a file beside the input.
/// @throws sfg::Error at the place of what is wrong.
StatedSimulation stated_simulation(const ReportWork& work) {
  const SimulationSettings& stated = work.subject().input().simulation;
  const SymbolTable symbols = symbols_in_time(work.symbols());
  StatedSimulation read;
  read.time = symbols.at("t").expr;
  for (const SimulationSettings::Entry& entry : stated.inputs)
    if (entry.text.starts_with('@'))
      read.inputs.push_back({entry.name, entry.text, stated_samples(entry, work.subject().file)});
    else
      read.inputs.push_back({entry.name, entry.text, expression_of(entry, symbols)});
  for (const SimulationSettings::Entry& entry : stated.initial) {
    const auto value = double_value(expression_of(entry, symbols));
    if (!value) throw Error(entry.where, "the initial value of '" + entry.name + "' is no number", "write a number: 0.1, 1/3");
    read.initial.push_back({entry.name, *value});
  }
  read.until = stated_end(work.subject().input());
  return read;
}

/// "F = sin(t), x = 0.1 at t = 0"
Prose in_words(const StatedSimulation& simulation) {
  std::vector<Prose> parts;
  for (const StatedSimulation::Input& input : simulation.inputs) {
    Prose text{Math::signal(input.name), " = "};
    if (const auto* value = std::get_if<GiNaC::ex>(&input.signal))
      text.push_back(math(*value));
    else
      text.emplace_back("the points of " + input.text.substr(1));
    parts.push_back(std::move(text));
  }
  for (const InitialValue& initial : simulation.initial)
    parts.push_back({Math::signal(initial.name), " = " + print(initial.value) + " at the start"});
  return joined(parts, ", ");
}

std::vector<double> times_to(double until, const Operator& op) {
  if (op.discrete()) return sample_times(until, op.period());
  std::vector<double> times(points);
  for (std::size_t i = 0; i < points; ++i) times[i] = until * static_cast<double>(i) / (points - 1);
  return times;
}

/// The words of the command that simulates the same.
std::vector<std::string> words_of(const StatedSimulation& simulation, double until, bool is_stated) {
  std::vector<std::string> words;
  if (!is_stated) {
    for (const StatedSimulation::Input& input : simulation.inputs)
      words.insert(words.end(), {"--input", input.name + "=" + input.text});
    for (const InitialValue& initial : simulation.initial)
      words.insert(words.end(), {"--initial", initial.name + "=" + print(initial.value)});
  }
  if (!is_stated || !simulation.until) words.insert(words.end(), {"--until", print(until)});
  return words;
}

/// How long a graph with laws is worth following: as its small motions about 0 take to settle.
double usual_time(const ReportWork& work) {
  constexpr double otherwise = 20;
  try {
    LinearizationPoint rest;
    for (const auto& argument : principal_form(work.graph()).arguments)
      if (!argument.rate) rest[argument.signal] = 0;
    const SignalFlowGraph small = linearized(work.graph(), rest);
    double until = 0;
    for (const ExactTransfer& transfer : exact_transfers(small, questions(small), {.budget = work.share(2)}))
      until = std::max(until, settling_range(transfer));
    if (until > 0) return until;
  } catch (const Failure&) {
    work.budget().check("the simulation");  // laws with corners at 0 have no small motions
  }
  return otherwise;
}

SimulationQuestion question_of(const ReportWork& work, const StatedSimulation& simulation) {
  SimulationQuestion question;
  question.time = simulation.time;
  for (const StatedSimulation::Input& input : simulation.inputs)
    question.drives.push_back({work.graph().at(input.name), input.signal});
  question.initial = simulation.initial;
  question.outputs = work.graph().stated_outputs();
  for (const Question& asked : work.subject().questions) {
    if (&asked == &work.subject().questions.front()) question.outputs.clear();
    if (std::ranges::find(question.outputs, asked.output) == question.outputs.end()) question.outputs.push_back(asked.output);
  }
  return question;
}

/// A unit step at the first input; of a graph without inputs its first output a little off.
StatedSimulation usual_simulation(const ReportWork& work, StatedSimulation simulation) {
  const SignalFlowGraph& graph = work.graph();
  const auto asked = work.subject().questions;
  const std::vector<NodeId> inputs = asked.empty() ? graph.stated_inputs() : std::vector{asked.front().input};
  if (!inputs.empty())
    simulation.inputs.push_back({graph[inputs.front()].name, "1", GiNaC::ex(1)});
  else if (!graph.stated_outputs().empty())
    simulation.initial.push_back({graph[graph.stated_outputs().front()].name, 0.1});
  return simulation;
}

std::vector<NamedResponse> with_units(const ReportWork& work, std::vector<NamedResponse> responses) {
  for (NamedResponse& response : responses) response.unit = work.unit(response.name);
  return responses;
}

/// The states in which nothing moves.
std::vector<ReportPart> rest_of(ReportWork& work) {
  try {
    StaticCase rest;
    rest.found = operating_points(work.graph(), {.budget = work.share(2)});
    std::vector<ReportPart> parts{heading(words("States of rest"))};
    parts.push_back({{}, page(std::span<const StaticCase>(&rest, 1))});
    work.gives({.verb = "balance", .options = {"--static"}, .values = ReportCommand::Values::numbers});
    if (rest.found.complete)
      work.verified({"States of rest", "",
                     std::string("intervals prove that there is no other") + (rest.found.box.empty() ? "" : " in the box") +
                         " (Krawczyk's operator)"});
    return parts;
  } catch (const Failure& failure) {
    work.budget().check("the states of rest");
    return {remark(std::string("No states of rest are shown: ") + failure.what() + ".")};
  }
}

/// The first output and its rate, where it has one.
std::vector<ReportPart> portrait_of(ReportWork& work, SimulationQuestion question, const std::vector<double>& times,
                                    const std::vector<std::string>& words) {
  if (question.outputs.empty() || work.graph().op.discrete()) return {};
  SignalFlowGraph graph = work.graph();
  const std::string name = graph[question.outputs.front()].name, rate = graph.op.name_of_rate(name);
  try {
    question.outputs = {question.outputs.front(), output_signal(graph, rate)};
    const PhasePortrait portrait = phase_portrait(graph, {.motion = question}, times, {.budget = work.share(3)});
    ReportCommand command{.verb = "simulate",
                          .options = {"--phase", name + "," + rate},
                          .values = ReportCommand::Values::numbers,
                          .picture = "phase"};
    command.options.insert(command.options.end(), words.begin(), words.end());
    work.gives(std::move(command));
    return {{{}, phase_figure(portrait, {work.unit(name), work.unit(rate)})}};
  } catch (const Failure&) {
    work.budget().check("the phase portrait");
    return {};  // an output that jumps has no rate
  }
}

std::vector<ReportPart> motion_of_bodies(ReportWork& work, const Multibody& model, const StatedSimulation& simulation) {
  MechanismQuestion question;
  for (const StatedSimulation::Input& input : simulation.inputs) question.inputs.push_back({input.name, input.signal});
  question.time = simulation.time;
  question.initial = simulation.initial;
  MechanismRun run = mechanism_run(model, question, times_to(*simulation.until, "p"), {.budget = work.share(4)});
  for (NamedResponse& signal : run.signals) signal.unit = work.unit(signal.name);
  std::vector<ReportPart> parts{heading(words("The stated motion")), remark([&] {
                                  Prose text{"Simulated with nothing linearised"};
                                  if (!simulation.empty()) {
                                    text.emplace_back(": ");
                                    const Prose said = in_words(simulation);
                                    text.insert(text.end(), said.begin(), said.end());
                                  }
                                  text.emplace_back(".");
                                  return text;
                                }())};
  parts.push_back({{}, response_figure(run.signals, "Motion")});
  Page account = page(run);
  std::erase_if(account.blocks, [](const Block& block) {
    const auto* table = std::get_if<Table>(&block);
    return table != nullptr && table->headed;  // the samples, which the figure shows
  });
  parts.push_back({{}, std::move(account)});
  work.gives({.verb = "simulate", .values = ReportCommand::Values::numbers, .picture = "motion"});
  return parts;
}

Prose introduction(const ReportWork& work, const StatedSimulation& simulation, bool is_stated, double until) {
  Prose text{is_stated ? "As the file states: " : "Nothing is stated to be simulated; shown is the response to "};
  const Prose said = in_words(simulation);
  text.insert(text.end(), said.begin(), said.end());
  text.emplace_back(", up to " + print(until) + " s");
  text.emplace_back(work.linear() ? "." : ", with all laws as they are, nothing linearised.");
  return text;
}

}  // namespace

std::vector<ReportPart> nonlinear_time(ReportWork& work) {
  StatedSimulation simulation = stated_simulation(work);
  const bool is_stated = !simulation.empty();
  if (!is_stated) simulation = usual_simulation(work, std::move(simulation));
  constexpr double five_digits = 1e5;
  double until = simulation.until ? *simulation.until : usual_time(work);
  if (!simulation.until && until < five_digits) until = std::stod(print(std::round(until * 1000) / 1000));
  const SimulationQuestion question = question_of(work, simulation);
  const std::vector<double> times = times_to(until, work.graph().op);
  const std::vector<std::string> words = words_of(simulation, until, is_stated);
  std::vector<ReportPart> parts{remark(introduction(work, simulation, is_stated, until))};
  const auto responses = with_units(
      work, depends_on_laws(work.graph(), question)
                ? transient(work.graph(), question, times, {.budget = work.share(4)})
                : sfg::responses(sfg::simulation(work.graph(), question, work.share(4)), times, {.budget = work.share(4)}));
  parts.push_back({{}, response_figure(responses, "Response", {.samples = work.graph().op.discrete()})});
  std::vector<std::string> options = words;
  for (const NodeId output : question.outputs) options.insert(options.end(), {"--to", work.graph()[output].name});
  work.gives(
      {.verb = "simulate", .options = std::move(options), .values = ReportCommand::Values::numbers, .picture = "response"});
  for (ReportPart& part : portrait_of(work, question, times, words)) parts.push_back(std::move(part));
  for (ReportPart& part : rest_of(work)) parts.push_back(std::move(part));
  return parts;
}

std::vector<ReportPart> stated_motion(ReportWork& work) {
  const SimulationSettings& settings = work.subject().input().simulation;
  if (!work.known() || (settings.inputs.empty() && settings.initial.empty() && !settings.until)) return {};
  const StatedSimulation simulation = stated_simulation(work);
  const auto* model = work.subject().subject.bodies();
  if (model != nullptr && simulation.until) return motion_of_bodies(work, *model, simulation);
  if (model != nullptr || simulation.empty()) return {};
  const SimulationQuestion question = question_of(work, simulation);
  const Simulation ready = sfg::simulation(work.graph(), question, work.share(3));
  const double until = simulation.until ? *simulation.until : settling_range(ready);
  const auto responses = with_units(work, sfg::responses(ready, times_to(until, work.graph().op), {.budget = work.share(3)}));
  std::vector<ReportPart> parts{heading(words("The stated simulation")), remark(introduction(work, simulation, true, until))};
  parts.push_back({{}, response_figure(responses, "Response", {.samples = work.graph().op.discrete()})});
  std::vector<std::string> options;
  for (const NodeId output : question.outputs) options.insert(options.end(), {"--to", work.graph()[output].name});
  work.gives(
      {.verb = "simulate", .options = std::move(options), .values = ReportCommand::Values::numbers, .picture = "simulation"});
  return parts;
}

}  // namespace sfg
