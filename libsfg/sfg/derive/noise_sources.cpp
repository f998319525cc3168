#include "sfg/derive/circuit.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/model/temperature.hpp"

namespace sfg {

namespace {

using Kind = Circuit::Kind;
using Element = Circuit::Element;

void check_names(const Circuit& circuit) {
  for (const char* name : {noise_frequency, boltzmann, noise_temperature})
    if (const Symbol* symbol = circuit.symbols.find(name); symbol && symbol->value && symbol->text != meaning_of_kelvin)
      throw Error(symbol->where, "the parameter '" + symbol->name + "' has a name that means something else in noise densities",
                  "give it another name");
}

bool is_negative(const GiNaC::ex& resistance, const Circuit& circuit) {
  const GiNaC::ex value = resistance.subs(circuit.symbols.values(), GiNaC::subs_options::no_pattern).evalf();
  return GiNaC::is_exactly_a<GiNaC::numeric>(value) && GiNaC::ex_to<GiNaC::numeric>(value).is_negative();
}

bool is_measured(const Element& element, const Circuit& circuit) {
  return std::ranges::any_of(circuit.outputs, [&](const Circuit::Probe& probe) { return probe.element == element.name; });
}

/// A current source beside the element, in parallel with what conducts there.
void add_current(NoisyCircuit& noisy, std::size_t index, const GiNaC::ex& density) {
  std::vector<Element>& elements = noisy.circuit.elements;
  const Element own = elements[index];
  const std::string source = "noise of " + own.name;
  elements.push_back({source, Kind::current_source, {own.nodes[0], own.nodes[1]}, {}, 1, own.where});
  noisy.sources.push_back({own.name, source, density, own.where});
}

/// A current source beside the resistor; in series a voltage source where its current is asked for, which has the noise in it.
void add_thermal_noise(NoisyCircuit& noisy, std::size_t index, const GiNaC::ex& four_k_T) {
  std::vector<Element>& elements = noisy.circuit.elements;
  const Element resistor = elements[index];
  const std::string source = "noise of " + resistor.name;
  if (!is_measured(resistor, noisy.circuit)) return add_current(noisy, index, four_k_T / resistor.value);
  const std::string inner = resistor.nodes[1] + " of " + resistor.name;
  elements[index].nodes[1] = inner;
  elements.push_back({source, Kind::voltage_source, {inner, resistor.nodes[1]}, {}, 1, resistor.where});
  noisy.sources.push_back({resistor.name, source, four_k_T * resistor.value, resistor.where});
}

}  // namespace

NoisyCircuit noisy(const Circuit& circuit) {
  check_names(circuit);
  NoisyCircuit result{circuit, {}};
  std::vector<Element>& elements = result.circuit.elements;
  SymbolTable& symbols = result.circuit.symbols;
  if (result.circuit.inputs.empty())
    for (const Element& element : elements)
      if ((element.kind == Kind::voltage_source || element.kind == Kind::current_source) && !element.value.is_zero())
        result.circuit.inputs.push_back(element.name);
  const GiNaC::ex four_k_T = 4 * symbols.symbol(boltzmann) * symbols.symbol(noise_temperature);
  symbols.symbol(noise_frequency);
  const std::size_t count = elements.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (elements[i].kind == Kind::resistor) {
      if (is_negative(elements[i].value, circuit))
        throw Error(elements[i].where, "resistor '" + elements[i].name + "' is negative, which has no thermal noise",
                    "write it as a controlled source (G), with a noise source beside it where it has one");
      add_thermal_noise(result, i, four_k_T);
    } else if (elements[i].noise.is_zero()) {
      continue;
    } else if (elements[i].kind == Kind::voltage_source || elements[i].kind == Kind::current_source) {
      elements[i].value = 1;
      result.sources.push_back({elements[i].name, elements[i].name, elements[i].noise, elements[i].where});
    } else {
      add_current(result, i, elements[i].noise);
    }
  }
  return result;
}

std::vector<NoiseSource> at_point(const NoisyCircuit& noisy, const std::map<std::string, exact::Rational>& point,
                                  SymbolTable& symbols) {
  GiNaC::exmap meaning;
  for (const Element& element : noisy.circuit.elements) {
    const Symbol* current = noisy.circuit.symbols.find(current_in_noise(element.name));
    if (current == nullptr) continue;
    GiNaC::exmap there = noisy.circuit.symbols.values();
    for (const Circuit::Argument& argument : element.arguments) {
      const auto known = point.find(argument.signal.name);
      if (known == point.end())
        throw Error(element.where,
                    "the operating point does not say what '" + argument.signal.name + "' is, and '" + element.name +
                        "' has the noise of its current",
                    "state it");
      there[argument.value] = numeric_value(known->second);
      there[argument.rate] = 0;
    }
    constexpr std::size_t digits = 20;
    const auto amperes = rational_value(element.value.subs(there, GiNaC::subs_options::no_pattern), digits);
    if (!amperes) throw missing_values(element.value, noisy.circuit.symbols);
    std::string name = "ID_" + element.name;
    while (symbols.find(name)) name += '_';
    meaning[current->expr] =
        symbols.add({.name = name, .value = GiNaC::ex(numeric_value(amperes->abs())), .where = element.where}).expr;
  }
  std::vector<NoiseSource> sources = noisy.sources;
  for (NoiseSource& source : sources) source.density = source.density.subs(meaning, GiNaC::subs_options::no_pattern);
  return sources;
}

std::string unit_of(const NoisyCircuit& noisy, const std::string& signal) {
  const auto element = std::ranges::find(noisy.circuit.elements, signal, &Circuit::Element::name);
  const bool source = element != noisy.circuit.elements.end() && element->kind == Circuit::Kind::current_source;
  return source || signal.find("i(") != std::string::npos || signal.find("I(") != std::string::npos ? "A" : "V";
}

}  // namespace sfg
