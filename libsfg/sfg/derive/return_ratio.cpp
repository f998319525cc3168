#include "sfg/derive/circuit.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cctype>

namespace sfg {

namespace {

using Kind = Circuit::Kind;
using Element = Circuit::Element;

bool is_controlled(const Element& element) {
  return element.kind == Kind::vcvs || element.kind == Kind::vccs || element.kind == Kind::cccs || element.kind == Kind::ccvs;
}

bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

Element& controlled_source(Circuit& circuit, std::string_view name) {
  const auto found = std::ranges::find_if(circuit.elements, [&](const Element& e) { return same_name(e.name, name); });
  if (found != circuit.elements.end() && is_controlled(*found)) return *found;
  if (found != circuit.elements.end() && found->kind == Kind::nullor)
    throw Error(found->where, "the ideal amplifier '" + found->name + "' has an infinite loop gain",
                "write it as a controlled source of a finite gain (E)");
  std::string known;
  for (const Element& element : circuit.elements)
    if (is_controlled(element)) known += (known.empty() ? "they are " : " ") + element.name;
  throw Error(found != circuit.elements.end() ? found->where : circuit.where,
              "element '" + std::string(name) + "' is no controlled source, where a loop of a circuit is opened",
              known.empty() ? "the circuit has none: it has no loop gain" : known);
}

}  // namespace

std::string return_signal(std::string_view element) { return "loop gain of " + std::string(element); }

std::string element_named(const Circuit& circuit, std::string_view name) {
  const auto found = std::ranges::find_if(circuit.elements, [&](const Element& e) { return same_name(e.name, name); });
  return found == circuit.elements.end() ? "" : found->name;
}

EquationSystem freed(const Circuit& circuit, std::span<const std::string> elements) {
  Circuit open = circuit;
  std::vector<Element> before;
  for (const std::string& name : elements) {
    Element& source = controlled_source(open, name);
    const Element& element = before.emplace_back(source);
    const bool voltage = element.kind == Kind::vcvs || element.kind == Kind::ccvs;
    const bool by_voltage = element.kind == Kind::vcvs || element.kind == Kind::vccs;
    source = {element.name, voltage ? Kind::voltage_source : Kind::current_source, {element.nodes[0], element.nodes[1]}, {}, 1,
              element.where};
    const std::string control = "control of " + element.name;
    open.outputs.push_back(by_voltage ? Circuit::Probe{control, {element.nodes[2], element.nodes[3]}, {}, element.where}
                                      : Circuit::Probe{control, {}, element.controls.front(), element.where});
  }
  EquationSystem system = circuit_equations(open);
  system.outputs.resize(circuit.outputs.size());
  for (const Element& element : before) {
    std::erase(system.inputs, element.name);
    const std::string control = "control of " + element.name;
    const auto sensed = std::ranges::find_if(system.unknowns, [&](const auto& u) { return u.name == control; });
    const auto column = static_cast<std::size_t>(sensed - system.unknowns.begin());
    const std::string signal = return_signal(element.name);
    system.equations.push_back({signal, {{column, element.value}, {system.unknowns.size(), 1}}, {}, element.where});
    system.unknowns.push_back({signal, element.where});
  }
  return system;
}

EquationSystem opened_at(const Circuit& circuit, std::string_view name) {
  Circuit silent = circuit;
  for (Element& element : silent.elements)
    if (element.kind == Kind::voltage_source || element.kind == Kind::current_source) element.value = 0;
  const std::string element = controlled_source(silent, name).name;
  EquationSystem system = freed(silent, std::span(&element, 1));
  system.inputs = {element};
  system.outputs = {return_signal(element)};
  return system;
}

}  // namespace sfg
