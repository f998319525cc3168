#include "tools/verbs/balance_static.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sfg/graph/rest_inputs.hpp"
#include "sfg/nonlinear/rest/operating_points.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/read/spice/netlist.hpp"
#include "sfg/write/operating_points.hpp"
#include "tools/frame/linearize.hpp"
#include "tools/frame/operating_point.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

namespace {

/// Constants of the inputs; at most one is a range LO:HI:N.
struct Constants {
  std::map<std::string, double> fixed;
  std::optional<std::pair<std::string, std::vector<double>>> range;
};

std::vector<double> range_of(const std::string& word, const std::string& text) {
  const std::size_t first = text.find(':'), second = text.find(':', first + 1);
  if (second == std::string::npos) throw UsageError("option '--input " + word + "' is no range", "write NAME=LO:HI:N");
  const double low = value_of("--input", text.substr(0, first)),
               high = value_of("--input", text.substr(first + 1, second - first - 1));
  const double count = value_of("--input", text.substr(second + 1));
  if (!(count >= 2 && count <= 100'000) || count != static_cast<double>(static_cast<int>(count)))
    throw UsageError("option '--input " + word + "': the number of values is not from 2 to 100000", "write NAME=LO:HI:N");
  std::vector<double> values;
  const int n = static_cast<int>(count);
  for (int i = 0; i < n; ++i) values.push_back(low + (high - low) * i / (n - 1));
  return values;
}

Constants constants_of(Task& task, const SignalFlowGraph& graph, const std::vector<NodeId>& freed) {
  const Arguments& arguments = task.arguments;
  Constants constants;
  const std::vector<NodeId> inputs = graph.stated_inputs(), sources = graph.sources();
  for (const auto& [source, rest] : rest_inputs(graph)) constants.fixed[graph[source].name] = rest.value.to_double();
  for (const std::string& word : arguments.list("input")) {
    const auto [name, text] = named_text("--input", word, "NAME=VALUE");
    const NodeId input = node_named(graph, "--input", name);
    if (std::ranges::find(inputs, input) == inputs.end() && std::ranges::find(sources, input) == sources.end())
      throw UsageError("option '--input " + word + "': '" + name + "' is no input", "name an input of the model");
    if (std::ranges::find(freed, input) != freed.end())
      throw UsageError("option '--input " + word + "': '" + name + "' is freed by --free", "leave one of the two out");
    if (text.find(':') == std::string::npos)
      constants.fixed[name] = value_of("--input", text);
    else if (constants.range)
      throw UsageError("option '--input " + word + "': one input is varied already", "give the others a value");
    else
      constants.range.emplace(name, range_of(word, text));
  }
  if (constants.range) constants.fixed.erase(constants.range->first);
  for (const NodeId input : freed) constants.fixed.erase(graph[input].name);
  std::set<NodeId> stated(freed.begin(), freed.end());
  for (const auto& [name, value] : constants.fixed) stated.insert(*graph.find(name));
  if (constants.range) stated.insert(*graph.find(constants.range->first));
  note_unstated_inputs(task, graph, stated, "--input");
  return constants;
}

/// A case for every value of the range; one where there is none.
std::vector<StaticCase> cases_of(const SignalFlowGraph& graph, const Constants& constants, const RestQuestion& question) {
  std::vector<StaticCase> cases(constants.range ? constants.range->second.size() : 1, {constants.fixed, {}});
  if (constants.range)
    for (std::size_t i = 0; i < cases.size(); ++i) cases[i].inputs[constants.range->first] = constants.range->second[i];
  std::vector<std::map<NodeId, double>> inputs;
  for (const StaticCase& each : cases) {
    inputs.emplace_back();
    for (const auto& [name, value] : each.inputs) inputs.back()[*graph.find(name)] = value;
  }
  std::vector<OperatingPoints> found = operating_points(graph, question, inputs);
  for (std::size_t i = 0; i < cases.size(); ++i) cases[i].found = std::move(found[i]);
  return cases;
}

Figure static_figure(const Constants& constants, const std::vector<StaticCase>& cases) {
  std::vector<std::pair<double, OperatingPoints>> curve;
  const std::string name = constants.range                ? constants.range->first
                           : cases.front().inputs.empty() ? ""
                                                          : cases.front().inputs.begin()->first;
  for (const StaticCase& each : cases) curve.emplace_back(name.empty() ? 0 : each.inputs.at(name), each.found);
  return static_figure(name, curve);
}

/// The voltages that --to names, v(out) or v(a,b); all where it names none.
SpiceRest asked_voltages(const Arguments& arguments, SpiceRest rest) {
  if (!arguments.has("to")) return rest;
  const std::map<std::string, double> all = std::exchange(rest.voltages, {});
  const auto at = [&](const std::string& node, const std::string& word) {
    if (node == "0") return 0.0;
    const auto found = std::ranges::find(all, lower_case(node), [](const auto& each) { return lower_case(each.first); });
    if (found == all.end())
      throw UsageError("option '--to " + word + "': there is no node '" + node + "'", "name voltages: v(out), v(a,b)");
    return found->second;
  };
  for (const std::string& word : arguments.list("to")) {
    const std::string lower = lower_case(word);
    if (!lower.starts_with("v(") || !lower.ends_with(')'))
      throw UsageError("option '--to " + word + "': an operating point has voltages", "name them: v(out), v(a,b)");
    const std::string inner = word.substr(2, word.size() - 3);
    const std::size_t comma = inner.find(',');
    const double minus = comma == std::string::npos ? 0 : at(inner.substr(comma + 1), word);
    rest.voltages[inner] = at(inner.substr(0, comma), word) - minus;
  }
  return rest;
}

/// The operating point of a netlist with transistors.
int run_netlist_rest(Task& task, SpiceRest found, Answer answer) {
  const Arguments& arguments = task.arguments;
  for (const char* option : {"input", "want", "free", "box", "derivatives"})
    if (arguments.has(option))
      throw UsageError(std::string("--") + option + " has no place where the operating point of transistors is solved for",
                       "state DC values in the netlist; sfg tf --linearize is of laws");
  if (answer == Answer::picture) throw UsageError("one operating point is no curve", "write -o x.csv, or --json");
  for (const char* option : {"temperature", "set"}) arguments.has(option);
  const SpiceRest rest = asked_voltages(arguments, std::move(found));
  if (answer == Answer::json)
    write_json(task.out, rest);
  else if (answer == Answer::csv)
    write_csv(task.out, rest);
  else
    show(task, page(rest));
  return 0;
}

}  // namespace

int run_static(Task& task) {
  const Arguments& arguments = task.arguments;
  const Answer answer = answer_of(arguments, curves);
  for (const char* option : {"amplitude", "freq", "harmonics", "subharmonic", "limit-cycles", "backbone", "sweep", "hz"})
    if (arguments.has(option))
      throw UsageError(std::string("--") + option + " is of periodic motion, not of states of rest",
                       std::string("leave --") + option + " out, or --static");
  if (const auto rest = solved_rest(task, stated_input(task))) return run_netlist_rest(task, *rest, answer);
  const SignalFlowGraph graph = graph_of(task);
  Trim trim = trim_of(arguments, graph);
  const Constants constants = constants_of(task, graph, trim.freed);
  const RestQuestion question{.inputs = {},
                              .box = boxes_of(arguments, graph),
                              .outputs = outputs_of(arguments, graph),
                              .wanted = std::move(trim.wanted),
                              .freed = std::move(trim.freed),
                              .sensitivities = arguments.has("derivatives"),
                              .budget = task.budget};
  if (question.sensitivities && answer != Answer::json && answer != Answer::text)
    throw UsageError("derivatives are written as text and as JSON", "leave --derivatives out, or add --json");
  task.working("searching states of rest");
  const std::vector<StaticCase> cases = cases_of(graph, constants, question);
  for (const StaticCase& each : cases)
    for (const auto& point : each.found.points)
      if (!point.set.empty() && cases.size() == 1)
        task.notes.push_back({{}, "states of rest fill a set: " + described(point, each.found.shown()), {}, Severity::remark});
  switch (answer) {
    case Answer::json: write_json(task.out, cases); break;
    case Answer::csv: write_csv(task.out, cases); break;
    case Answer::picture: put(task, static_figure(constants, cases)); break;
    case Answer::text: show(task, page(std::span<const StaticCase>(cases))); break;
  }
  if (std::ranges::any_of(cases, [](const StaticCase& each) { return !each.found.points.empty(); })) return 0;
  const bool proven = std::ranges::all_of(cases, [](const StaticCase& each) { return each.found.complete; });
  const bool in_box = std::ranges::any_of(cases, [](const StaticCase& each) { return !each.found.box.empty(); });
  task.notes.push_back({{},
                        !proven  ? "no state of rest was found"
                        : in_box ? "there is no state of rest in the box"
                                 : "there is no state of rest",
                        !question.wanted.empty() ? "want other values, or free other inputs; --box NAME=LO:HI searches elsewhere"
                        : !proven || in_box      ? "search another box: --box NAME=LO:HI"
                                                 : "other constants may have some: --input NAME=VALUE",
                        Severity::warning});
  return 1;
}

}  // namespace sfg::command
