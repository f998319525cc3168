// balance: periodic motion of a graph with nonlinear branches.
#include "sfg/nonlinear/balance/periodic_motion.hpp"

#include <algorithm>
#include <numbers>

#include "sfg/graph/rest_inputs.hpp"
#include "sfg/nonlinear/balance/describing_plane.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/write/balance.hpp"
#include "sfg/write/study/sweep.hpp"
#include "tools/frame/pictures.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/sweep.hpp"
#include "tools/verbs/balance_static.hpp"

namespace sfg::command {

namespace {

/// NAME=VALUE of an option, as a node and a number.
void add_drives(std::vector<PeriodicInput>& drives, const Arguments& arguments, const SignalFlowGraph& graph,
                const std::string& option, double PeriodicInput::*part) {
  for (const std::string& word : arguments.list(option)) {
    const std::size_t equals = word.find('=');
    std::string name, value = word;
    if (equals != std::string::npos) name = word.substr(0, equals), value = word.substr(equals + 1);
    const std::vector<NodeId> inputs = graph.stated_inputs();
    if (name.empty() && inputs.size() == 1) name = graph[inputs.front()].name;
    if (name.empty() || value.empty())
      throw UsageError("option '--" + option + " " + word + "' lacks a name or a value", "write --" + option + " NAME=VALUE");
    const NodeId node = node_named(graph, "--" + option, name);
    if (std::ranges::find(inputs, node) == inputs.end() && !graph.entering(node).empty())
      throw UsageError("option '--" + option + " " + word + "': '" + name + "' is no input", "name an input of the model");
    PeriodicInput drive{node};
    drive.*part = value_of("--" + option, value);
    drives.push_back(drive);
  }
}

/// The constants that the model states, where --input does not state others.
void add_constant_drives(std::vector<PeriodicInput>& drives, const SignalFlowGraph& graph) {
  const auto stated = static_cast<std::ptrdiff_t>(drives.size());
  for (const auto& [source, rest] : rest_inputs(graph)) {
    const auto same = [&source = source](const PeriodicInput& drive) { return drive.input == source && drive.amplitude == 0; };
    if (rest.lasts && std::none_of(drives.begin(), drives.begin() + stated, same))
      drives.push_back({source, 0, rest.value.to_double()});
  }
}

BalanceOptions balance_options(const Task& task, const SignalFlowGraph& graph) {
  const Arguments& arguments = task.arguments;
  BalanceOptions options{.outputs = outputs_of(arguments, graph),
                         .harmonics = arguments.count("harmonics", 7),
                         .converge = !arguments.has("harmonics"),
                         .subharmonic = arguments.count("subharmonic", 1),
                         .backbone = arguments.has("backbone"),
                         .sensitivities = arguments.has("derivatives"),
                         .confirm = arguments.has("confirm"),
                         .seed = arguments.count("seed", 1),
                         .budget = task.budget};
  if (options.harmonics == 0 || options.harmonics > 500)
    throw UsageError("option --harmonics needs a number from 1 to 500", "7 are enough for smooth laws");
  if (options.subharmonic == 0 || options.subharmonic > 20)
    throw UsageError("option --subharmonic needs a number from 1 to 20", "3 finds motions of three periods");
  return options;
}

/// Where --freq LO:HI says, or where the library chooses.
PeriodicMotions cycles_of(const Arguments& arguments, const SignalFlowGraph& graph, const std::vector<PeriodicInput>& drives,
                          const BalanceOptions& options) {
  for (const char* option : {"amplitude", "backbone", "subharmonic", "derivatives"})
    if (arguments.has(option))
      throw UsageError(std::string("--") + option + " is of motions that inputs drive; a limit cycle has no such input",
                       std::string("leave --") + option + " out, or --limit-cycles");
  const auto [low, high] = range_of(arguments).value_or(std::pair(0.0, 0.0));
  return limit_cycles(graph, drives, low, high, options);
}

PeriodicMotions motions_of(Task& task, SweptInput& input, std::size_t set) {
  const Arguments& arguments = task.arguments;
  const SignalFlowGraph graph = input.graph(set);
  std::vector<PeriodicInput> drives;
  add_drives(drives, arguments, graph, "amplitude", &PeriodicInput::amplitude);
  add_drives(drives, arguments, graph, "input", &PeriodicInput::constant);
  add_constant_drives(drives, graph);
  const BalanceOptions options = balance_options(task, graph);
  if (arguments.has("limit-cycles")) return cycles_of(arguments, graph, drives, options);
  if (std::ranges::none_of(drives, [](const PeriodicInput& d) { return d.amplitude != 0; }))
    throw UsageError("periodic motion needs an input that oscillates",
                     "add --amplitude NAME=VALUE, or --limit-cycles for motions that need none");
  return periodic_motions(graph, drives, frequencies_of(arguments), options);
}

/// The plane of L(jω) and −1/N(A).
int run_describing(Task& task) {
  const Arguments& arguments = task.arguments;
  const Answer answer = answer_of(arguments, std::array{Answer::picture});
  double low = 0, high = 0;
  if (arguments.has("freq")) {
    const std::vector<double> stated = frequencies_of(arguments);
    low = *std::ranges::min_element(stated), high = *std::ranges::max_element(stated);
    if (!(low < high)) throw UsageError("--describing needs a range of frequencies", "write --freq LO:HI:N");
  }
  task.working("seeking where one harmonic balances");
  const DescribingPlane plane = describing_plane(graph_of(task), low, high, task.budget);
  if (answer == Answer::picture)
    put(task, describing_figure(plane));
  else if (answer == Answer::json)
    write_json(task.out, plane);
  else
    show(task, page(plane, arguments.has("hz")));
  return 0;
}

/// Derivatives by parameters, and sweeps of them, are of those that --numbers leaves.
void note_numbers(Task& task) {
  if (task.arguments.has("numbers") && !task.arguments.has("derivatives") && !task.arguments.has("sweep"))
    task.notes.push_back(
        {{}, "--numbers makes no difference: the stated values are taken anyway", "leave it out", Severity::remark});
}

void note_no_backbone(Task& task, const std::vector<PeriodicMotions>& found) {
  if (task.arguments.has("backbone") && std::ranges::all_of(found, [](const auto& each) { return each.backbones.empty(); }))
    task.notes.push_back({{},
                          "--backbone: no motion a quarter behind the inputs was found, and so no backbone curve",
                          "state other frequencies, or another output by --to",
                          Severity::remark});
}

void note_confirm(Task& task, SweptInput& input) {
  if (!task.arguments.has("confirm")) return;
  if (task.arguments.has("limit-cycles") || input.graph(0).nodes().size() <= BalanceOptions::followed_unasked)
    task.notes.push_back({{},
                          "--confirm makes no difference: limit cycles, and motions of so small a graph, are followed anyway",
                          "leave it out",
                          Severity::remark});
}

int run_balance(Task& task) {
  const Arguments& arguments = task.arguments;
  note_numbers(task);
  if (arguments.has("describing")) return run_describing(task);
  if (arguments.has("static")) return run_static(task);
  for (const char* option : {"want", "free"})
    if (arguments.has(option))
      throw UsageError(std::string("--") + option + " is of states of rest",
                       std::string("add --static, or leave --") + option + " out");
  const Answer answer = answer_of(arguments, curves);
  if (!arguments.has("freq") && !arguments.has("limit-cycles"))
    throw UsageError("periodic motion needs frequencies", "add --freq LO:HI:N or a list --freq W1,W2");
  SweptInput input(task);
  task.working("finding periodic motions");
  const std::vector<PeriodicMotions> found = input.each([&](std::size_t set) { return motions_of(task, input, set); });
  note_no_backbone(task, found);
  note_confirm(task, input);
  const bool hertz = arguments.has("hz");
  switch (answer) {
    case Answer::json:
      write_json(task.out, input.sweep(), [&](std::ostream& out, std::size_t set) { write_json(out, found[set]); });
      break;
    case Answer::csv:
      write_csv(task.out, input.sweep(), [&](std::ostream& out, std::size_t set) { write_csv(out, found[set], hertz); });
      break;
    case Answer::picture: put(task, balance_figure(found.front(), {.hertz = hertz})); break;
    case Answer::text: show(task, page(input.sweep(), [&](std::size_t set) { return page(found[set], hertz); })); break;
  }
  return 0;
}

}  // namespace

Verb balance() {
  return {
      .name = "balance",
      .summary = "periodic motion of a nonlinear graph, with stability",
      .details =
          "Harmonic balance on the graph cut at its nonlinear branches; curves of motions are followed through folds, over and "
          "beyond the frequencies. Amplitudes are those at the frequency of the inputs; with one harmonic they are those of "
          "describing functions. Motions are stable where all Floquet multipliers lie in the unit circle.",
      .options = {{"--amplitude", "NAME=A", "the input NAME is A cos(wt); repeatable", Option::Kind::text, {}, true},
                  {"--input", "NAME=VALUE", "a constant part of an input; repeatable", Option::Kind::text, {}, true},
                  {"--freq", "LO:HI:N|W1,W2", "frequencies, logarithmic or a list, rad/s"},
                  {"--hz", "", "frequencies in Hz, in --freq, text, CSV and pictures; JSON keeps rad/s"},
                  {"--harmonics", "N",
                   "harmonics of every signal (default 7, of limit cycles as many as they need; 1: describing functions)",
                   Option::Kind::count},
                  {"--subharmonic", "M", "motions of M periods of the inputs", Option::Kind::count},
                  {"--limit-cycles", "", "motions without oscillating inputs, of frequencies in --freq LO:HI"},
                  {"--backbone", "", "curves of phase resonance too, which free motion without damping follows"},
                  formerly("--sens", {"--derivatives", "", "of the amplitudes by every parameter"}),
                  {"--describing", "", "where L(jw) and -1/N(A) of the one law cross; -o x.svg draws them"},
                  {"--confirm", "",
                   "motions of graphs of more than 60 nodes are followed in time, too, as those of smaller ones are"},
                  {"--static", "", "states of rest instead, all in the box; of an input a range NAME=LO:HI:N too"},
                  sweep_option(),
                  notation_option(),
                  width_option(),
                  theme_option(),
                  dark_option()},
      .examples = {"sfg balance examples/duffing.dot --amplitude F=0.5 --freq 0.5:2:60 -o duffing.svg",
                   "sfg balance examples/duffing.dot --amplitude F=0.5 --freq 1.2 --harmonics 15 --derivatives --json",
                   "sfg balance examples/van_der_pol.dot --limit-cycles --harmonics 25"},
      .run = run_balance,
      .refuses = {{"--from", "name the inputs: --amplitude NAME=A"},
                  {"--ratio", "periodic motion has amplitudes for its inputs"},
                  {"--inject", "name an input: --amplitude NAME=A"}},
      .keeps_laws = true};
}

}  // namespace sfg::command
