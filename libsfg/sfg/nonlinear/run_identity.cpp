#include "sfg/nonlinear/run_identity.hpp"

#include <ginac/ginac.h>

#include "sfg/expr/print.hpp"
#include "sfg/numeric/packed.hpp"

namespace sfg {

namespace {

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

std::string text_of(const std::variant<GiNaC::ex, SampledSignal>& signal) {
  if (const auto* expression = std::get_if<GiNaC::ex>(&signal)) return print(*expression);
  const auto& points = std::get<SampledSignal>(signal);
  Packer packer;
  packer.add(points.time);
  packer.add(points.value);
  return "points " + fingerprint(std::move(packer).bytes());
}

std::string stated(const std::string& list) { return list.empty() ? "none" : list; }

void add_times(Identity& identity, std::span<const double> times, double rtol, double atol) {
  Packer packer;
  for (const double t : times) packer.add(t);
  identity.insert(identity.end(), {{"the last time", print(times.empty() ? 0 : times.back())},
                                   {"the number of times", std::to_string(times.size())},
                                   {"the mark of the times", fingerprint(std::move(packer).bytes())},
                                   {"rtol", print(rtol)},
                                   {"atol", print(atol)}});
}

Identity identity_of(const SignalFlowGraph& graph, const SimulationQuestion& question, std::span<const double> times,
                     const ForcedOptions& options) {
  std::string inputs, initial, outputs;
  for (const Drive& drive : question.drives)
    inputs += (inputs.empty() ? "" : ", ") + graph[drive.node].name + " = " + text_of(drive.signal);
  for (const InitialValue& each : question.initial)
    initial += (initial.empty() ? "" : ", ") + each.name + " = " + print(each.value);
  for (const NodeId node : question.outputs) outputs += (outputs.empty() ? "" : ", ") + graph[node].name;
  Identity identity{{"the model", fingerprint(text_of(graph))},
                    {"the list of inputs", stated(inputs)},
                    {"the list of initial values", stated(initial)},
                    {"the list of outputs", stated(outputs)}};
  add_times(identity, times, options.rtol, options.atol);
  return identity;
}

}  // namespace sfg
