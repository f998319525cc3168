#include "sfg/read/signal_names.hpp"

#include "sfg/graph/graph_names.hpp"
#include "sfg/read/input.hpp"

namespace sfg {

namespace {

/// Elements of circuits and polar networks, and the voltages and currents that a circuit may be asked for.
std::vector<std::string> element_names(const Model& model) {
  std::vector<std::string> names;
  if (const auto* network = std::get_if<PolarNetwork>(&model))
    for (const PolarNetwork::Element& element : network->elements) names.push_back(element.name);
  if (const auto* circuit = std::get_if<Circuit>(&model))
    for (const Circuit::Element& element : circuit->elements) {
      names.push_back(element.name);
      names.push_back("i(" + element.name + ")");
      for (const std::string& node : element.nodes) names.push_back("v(" + node + ")");
    }
  return names;
}

/// What signals of a model are of: "x(bob)", "fx(hinge)", "f(gear.2)".
std::vector<std::string> places_in(const Model& model) {
  std::vector<std::string> names;
  const auto add = [&](const auto& things) {
    for (const auto& thing : things) names.push_back(thing.name);
  };
  if (const auto* network = std::get_if<PolarNetwork>(&model))
    for (const std::string& signal : signal_names(*network)) names.emplace_back(place_in_name(signal));
  if (const auto* bodies = std::get_if<Multibody>(&model)) {
    add(bodies->bodies);
    add(bodies->joints);
    add(bodies->flywheels);
    add(bodies->constraints);
  }
  return names;
}

}  // namespace

std::vector<std::string> signal_names(const std::variant<SignalFlowGraph, Model>& content) {
  std::vector<std::string> names;
  if (const auto* graph = std::get_if<SignalFlowGraph>(&content)) {
    for (const Node& node : graph->nodes()) names.push_back(node.name);
    return names;
  }
  const Model& model = std::get<Model>(content);
  if (const auto* system = std::get_if<EquationSystem>(&model)) {
    for (const auto& unknown : system->unknowns) names.push_back(unknown.name);
    for (const auto& source : system->sources) names.push_back(source.name);
  } else {
    names = std::visit([](const auto& any) { return any.symbols.names(); }, model);
  }
  if (const auto* network = std::get_if<PolarNetwork>(&model)) {
    names = signal_names(*network);
    for (const PolarNetwork::Element* source : network->sources()) names.push_back(source->name);
  }
  if (const auto* joined = std::get_if<Joined>(&model)) {
    for (const Joined::Part& part : joined->parts)
      for (const PartSignal& signal : signals(part)) names.push_back(signal.name);
    for (const std::string& name : driven(*joined)) names.push_back(name);
    for (const Joined::Node& node : joined->nodes) names.push_back(node.name);
  }
  return names;
}

NameTable names_of(const Input& input) {
  if (const auto* graph = std::get_if<SignalFlowGraph>(&input.content)) return names_of(*graph);
  const Model& model = std::get<Model>(input.content);
  NameTable names;
  std::visit([&](const auto& any) { add_names(names, any.symbols); }, model);
  for (const std::string& name : signal_names(input.content)) names.add(name);
  for (const std::string& name : element_names(model)) names.add(name);
  for (const std::string& name : places_in(model)) names.add_place(name);
  add_stated(names, input.latex);
  return names;
}

}  // namespace sfg
