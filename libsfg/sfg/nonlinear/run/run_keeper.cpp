#include "sfg/nonlinear/run/run_keeper.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sfg/expr/print.hpp"
#include "sfg/numeric/packed.hpp"

namespace sfg {

namespace {

constexpr std::string_view run = "simulation run";

std::string law_in_words(const SignalFlowGraph& graph, const Branch& branch) {
  if (branch.linear()) return print(branch.gain());
  const auto& law = std::get<Nonlinearity>(branch.law);
  std::string text = print(law.law);
  for (const auto& argument : law.arguments) text += ", " + graph[argument.node].name;
  return text;
}

std::string text_of(const SignalFlowGraph& graph) {
  std::string text = graph.op.symbol();
  for (const Branch& branch : graph.branches())
    text += "\n" + graph[branch.from].name + ">" + graph[branch.to].name + ":" + law_in_words(graph, branch);
  for (const Symbol& symbol : graph.symbols.all())
    if (symbol.value) text += "\n" + symbol.name + "=" + print(*symbol.value);
  return text;
}

}  // namespace

RunKeeper::RunKeeper(const KeptRun& kept, const Identity& identity) : kept_(kept), identity_(identity) {
  if (kept.resume.empty()) return;
  const std::string bytes = state_of(kept.resume, run, identity_);
  try {
    Unpacker from(bytes);
    before_resumed_ = from.text();
    resumed_ = from.text();
  } catch (const std::out_of_range&) {
    throw Error({}, "the checkpoint is damaged", "begin the run anew");
  }
}

std::string RunKeeper::take_state() { return std::exchange(resumed_, {}); }

void RunKeeper::begin(std::string before) {
  before_ = std::move(before);
  state_ = resumed_;
  written_is_last_ = false;
}

void RunKeeper::pass(double t, double until, const std::function<std::string()>& state) {
  if (kept_.progress) kept_.progress(t, until);
  if (!kept_.keep || since(noted_) < std::min(1.0, kept_.seconds_between)) return;
  state_ = state();
  written_is_last_ = false;
  noted_ = Clock::now();
  if (since(written_) >= kept_.seconds_between) keep();
}

void RunKeeper::keep() {
  if (!kept_.keep) return;
  Packer packer;
  packer.add(std::string_view(before_));
  packer.add(std::string_view(state_));
  kept_.keep(kept_state(run, identity_, std::move(packer).bytes()));
  written_ = Clock::now();
  written_is_last_ = true;
}

void RunKeeper::finish() {
  if (!written_is_last_) keep();
}

std::string text_of(const std::variant<GiNaC::ex, SampledSignal>& signal) {
  if (const auto* expression = std::get_if<GiNaC::ex>(&signal)) return print(*expression);
  const auto& points = std::get<SampledSignal>(signal);
  Packer packer;
  packer.add(points.time);
  packer.add(points.value);
  return "points " + fingerprint(std::move(packer).bytes());
}

Identity identity_of(const std::string& model, const std::vector<std::string>& inputs, const std::vector<InitialValue>& initial,
                     const std::vector<std::string>& outputs, std::span<const double> times, double rtol, double atol) {
  const auto listed = [](const std::vector<std::string>& entries) {
    std::string list;
    for (const std::string& entry : entries) list += (list.empty() ? "" : ", ") + entry;
    return list.empty() ? std::string("none") : list;
  };
  std::vector<std::string> values;
  for (const InitialValue& each : initial) values.push_back(each.name + " = " + print(each.value));
  Packer packer;
  for (const double t : times) packer.add(t);
  return {{"the model", fingerprint(model)},
          {"the list of inputs", listed(inputs)},
          {"the list of initial values", listed(values)},
          {"the list of outputs", listed(outputs)},
          {"the last time", print(times.empty() ? 0 : times.back())},
          {"the number of times", std::to_string(times.size())},
          {"the mark of the times", fingerprint(std::move(packer).bytes())},
          {"rtol", print(rtol)},
          {"atol", print(atol)}};
}

Identity identity_of(const SignalFlowGraph& graph, const SimulationQuestion& question, std::span<const double> times,
                     const ForcedOptions& options) {
  std::vector<std::string> inputs, outputs;
  for (const Drive& drive : question.drives) inputs.push_back(graph[drive.node].name + " = " + text_of(drive.signal));
  for (const NodeId node : question.outputs) outputs.push_back(graph[node].name);
  return identity_of(text_of(graph), inputs, question.initial, outputs, times, options.rtol, options.atol);
}

}  // namespace sfg
