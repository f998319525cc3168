#include "sfg/derive/return_ratio.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cctype>

#include "sfg/derive/circuit.hpp"

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

bool has_element(const Circuit& circuit, std::string_view name) {
  return std::ranges::any_of(circuit.elements, [&](const Element& element) { return same_name(element.name, name); });
}

EquationSystem opened_at(const Circuit& circuit, std::string_view name) {
  Circuit open = circuit;
  for (Element& element : open.elements)
    if (element.kind == Kind::voltage_source || element.kind == Kind::current_source) element.value = 0;
  Element& source = controlled_source(open, name);
  const Element before = source;
  const bool voltage = before.kind == Kind::vcvs || before.kind == Kind::ccvs;
  const bool by_voltage = before.kind == Kind::vcvs || before.kind == Kind::vccs;
  source = {before.name, voltage ? Kind::voltage_source : Kind::current_source, {before.nodes[0], before.nodes[1]}, {}, 1,
            before.where};
  const std::string control = "control of " + before.name;
  open.outputs.push_back(by_voltage ? Circuit::Probe{control, {before.nodes[2], before.nodes[3]}, {}, before.where}
                                    : Circuit::Probe{control, {}, before.controls.front(), before.where});
  open.inputs = {before.name};
  EquationSystem system = circuit_equations(open);
  const std::string output = "loop gain of " + before.name;
  const auto sensed = std::ranges::find_if(system.unknowns, [&](const auto& u) { return u.name == control; });
  const auto column = static_cast<std::size_t>(sensed - system.unknowns.begin());
  system.equations.push_back({output, {{column, before.value}, {system.unknowns.size(), 1}}, {}, before.where});
  system.unknowns.push_back({output, before.where});
  system.outputs = {output};
  return system;
}

}  // namespace sfg
