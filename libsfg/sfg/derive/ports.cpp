#include "sfg/derive/circuit.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <stdexcept>

namespace sfg {

namespace {

using GiNaC::ex;
using Kind = Circuit::Kind;
using Element = Circuit::Element;

std::string lower(std::string_view text) {
  std::string result;
  for (const char c : text) result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// Between which nodes an element carries a current, and between which it only senses a voltage.
std::pair<std::string, std::string> conducting(const Element& e) {
  return e.kind == Kind::nullor ? std::pair(e.nodes[2], e.nodes[3]) : std::pair(e.nodes[0], e.nodes[1]);
}
std::optional<std::pair<std::string, std::string>> sensing(const Element& e) {
  if (e.kind == Kind::nullor) return std::pair(e.nodes[0], e.nodes[1]);
  if (e.kind == Kind::vcvs || e.kind == Kind::vccs) return std::pair(e.nodes[2], e.nodes[3]);
  return {};
}

/// Nodes joined by what carries currents.
class Parts {
 public:
  explicit Parts(const Circuit& circuit) {
    part_.emplace(ground, ground);
    for (const Element& element : circuit.elements)
      for (const std::string& node : element.nodes) part_.emplace(node, node);
    for (const Element& element : circuit.elements)
      if (element.kind != Kind::coupling) {
        const auto [from, to] = conducting(element);
        part_[of(from)] = of(to);
      }
  }
  std::string of(const std::string& node) const {
    std::string at = node;
    while (part_.at(at) != at) at = part_.at(at);
    return at;
  }
  const std::map<std::string, std::string>& nodes() const { return part_; }

 private:
  std::map<std::string, std::string> part_;
};

/// Grounds one node of every part that has no way to ground: its currents balance by themselves, so that none flows there. Not
/// where a voltage between two parts is sensed: that has no value then.
void ground_floating_parts(Circuit& circuit) {
  const Parts parts(circuit);
  std::set<std::string> settled{parts.of(ground)};
  for (const Element& element : circuit.elements)
    if (const auto pair = sensing(element); pair && parts.of(pair->first) != parts.of(pair->second))
      settled.insert(parts.of(pair->first)), settled.insert(parts.of(pair->second));
  for (const auto& [node, part] : parts.nodes())
    if (settled.insert(parts.of(node)).second)
      circuit.elements.push_back({"ground of " + node, Kind::voltage_source, {node, ground}, {}, 0, circuit.where});
}

/// Of z0, what the waves of a port are referred to; of the waves, what they are multiplied by beside those of a node. Modes alone
/// are rational to each other.
ex reference_of(const Port& port) {
  switch (port.mode) {
    case Port::Mode::differential: return 2;
    case Port::Mode::common: return ex(1) / 2;
    default: return 1;
  }
}
ex wave_factor(const Port& port, bool modes_alone) {
  return modes_alone ? (port.mode == Port::Mode::differential ? ex(1) : ex(2)) : 1 / GiNaC::sqrt(reference_of(port));
}

/// A pair of ideal transformers makes a port of a mode, a node against ground: E senses the voltage of the mode, F brings its
/// current to the nodes.
std::string add_mode(Circuit& circuit, const Port& port) {
  const std::string node = nodes_of(port), sense = "E of " + node, inner = node + " inner";
  const auto controlled = [&](const std::string& name, Kind kind, std::vector<std::string> nodes,
                              std::vector<std::string> controls, const ex& value) {
    circuit.elements.push_back({name, kind, std::move(nodes), std::move(controls), value, circuit.where});
  };
  const std::string feed = "F of " + node;
  if (port.mode == Port::Mode::differential) {
    controlled(sense, Kind::vcvs, {node, ground, port.plus, port.minus}, {}, 1);
    controlled(feed, Kind::cccs, {port.minus, port.plus}, {sense}, 1);
    return node;
  }
  controlled(sense, Kind::vcvs, {node, inner, port.plus, ground}, {}, ex(1) / 2);
  controlled(sense + ", second", Kind::vcvs, {inner, ground, port.minus, ground}, {}, ex(1) / 2);
  controlled(feed, Kind::cccs, {ground, port.plus}, {sense}, ex(1) / 2);
  controlled(feed + ", second", Kind::cccs, {ground, port.minus}, {sense}, ex(1) / 2);
  return node;
}

/// α V + β I of a port, counted from 0.
struct Quantity {
  std::string name;
  std::size_t port = 0;
  ex alpha, beta;
};

struct Choice {
  std::vector<Quantity> given, answering;
};

Choice choice(PortParameters parameters, std::span<const Port> of, const ex& z0) {
  const std::size_t ports = of.size();
  const bool modes_alone = std::ranges::none_of(of, [](const Port& port) { return port.mode == Port::Mode::single; });
  const auto V = [](std::size_t k) { return Quantity{"V" + std::to_string(k + 1), k, 1, 0}; };
  const auto I = [](std::size_t k) { return Quantity{"I" + std::to_string(k + 1), k, 0, 1}; };
  Choice c;
  switch (parameters) {
    case PortParameters::h: return {{I(0), V(1)}, {V(0), I(1)}};
    case PortParameters::g: return {{V(0), I(1)}, {I(0), V(1)}};
    case PortParameters::abcd: return {{V(1), {"-I2", 1, 0, -1}}, {V(0), I(0)}};
    default: break;
  }
  for (std::size_t k = 0; k < ports; ++k) {
    const std::string number = std::to_string(k + 1);
    if (parameters == PortParameters::s) {
      const ex factor = wave_factor(of[k], modes_alone), reference = z0 * reference_of(of[k]);
      c.given.push_back({"a" + number, k, factor, factor * reference});
      c.answering.push_back({"b" + number, k, factor, -factor * reference});
    } else {
      c.given.push_back(parameters == PortParameters::z ? I(k) : V(k));
      c.answering.push_back(parameters == PortParameters::z ? V(k) : I(k));
    }
  }
  return c;
}

std::size_t index_of(const EquationSystem& system, const std::string& unknown) {
  const auto found = std::ranges::find_if(system.unknowns, [&](const auto& u) { return u.name == unknown; });
  return static_cast<std::size_t>(found - system.unknowns.begin());
}

/// The circuit without its sources, with a branch at every port; `element[k]` is its name, a voltage source whose law is open.
Circuit with_ports(const Circuit& circuit, std::span<Port> ports, const std::vector<std::string>& element) {
  Circuit driven = circuit;
  for (Element& e : driven.elements)
    if (e.kind == Kind::voltage_source || e.kind == Kind::current_source) e.value = 0;
  for (Port& port : ports)
    if (port.mode != Port::Mode::single) port = {add_mode(driven, port)};
  for (std::size_t k = 0; k < ports.size(); ++k)
    driven.elements.push_back({element[k], Kind::voltage_source, {ports[k].plus, ports[k].minus}, {}, 0, circuit.where});
  ground_floating_parts(driven);
  driven.inputs.clear();
  return driven;
}

}  // namespace

Port port_between(std::string_view nodes, const Circuit& circuit) {
  for (const auto& [word, mode] : {std::pair("dm(", Port::Mode::differential), std::pair("cm(", Port::Mode::common)}) {
    if (!nodes.starts_with(word) || !nodes.ends_with(')')) continue;
    Port pair = port_between(nodes.substr(3, nodes.size() - 4), circuit);
    if (pair.minus == ground || pair.plus == ground)
      throw Error(circuit.where, "'" + std::string(nodes) + "' has one node beside ground, and a mode is of a pair",
                  "name two nodes");
    pair.mode = mode;
    return pair;
  }
  std::map<std::string, std::string> spelling{{"0", ground}, {"gnd", ground}};
  std::vector<std::string> known;
  for (const Element& element : circuit.elements)
    for (const std::string& node : element.nodes)
      if (spelling.emplace(lower(node), node).second) known.push_back(node);
  const auto node = [&](std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const std::string name(text.substr(begin, text.find_last_not_of(' ') + 1 - begin));
    if (const auto found = spelling.find(lower(name)); found != spelling.end()) return found->second;
    const std::string near = nearest(name, known);
    throw Error(circuit.where, "the circuit has no node '" + name + "'",
                near.empty() ? "a port is two nodes A,B, or one against ground" : "did you mean '" + near + "'?");
  };
  const std::size_t comma = nodes.find(',');
  const Port port{node(nodes.substr(0, comma)), comma == std::string_view::npos ? ground : node(nodes.substr(comma + 1))};
  if (port.plus == port.minus)
    throw Error(circuit.where, "a port lies between two nodes, not between '" + port.plus + "' and itself", "name two nodes");
  return port;
}

std::optional<Port> read_port(std::string_view text, const Circuit& circuit) {
  if (!text.starts_with("port(") || !text.ends_with(')')) return {};
  return port_between(text.substr(5, text.size() - 6), circuit);
}

std::string nodes_of(const Port& port) {
  const std::string nodes = port.plus + "," + port.minus;
  if (port.mode == Port::Mode::single) return nodes;
  return (port.mode == Port::Mode::differential ? "dm(" : "cm(") + nodes + ")";
}

std::string name_of(const Port& port) { return "port(" + nodes_of(port) + ")"; }

EquationSystem port_equations(const Circuit& circuit, std::span<const Port> stated, PortParameters parameters, const ex& z0) {
  std::vector<Port> ports(stated.begin(), stated.end());
  const bool two = parameters == PortParameters::h || parameters == PortParameters::g || parameters == PortParameters::abcd;
  if (ports.empty() || (two && ports.size() != 2))
    throw std::invalid_argument(two ? "port_equations: h, g and abcd are of two ports" : "port_equations: no port is given");
  std::vector<std::string> element;
  for (std::size_t k = 0; k < ports.size(); ++k) element.push_back("port " + std::to_string(k + 1));
  EquationSystem system = circuit_equations(with_ports(circuit, ports, element));
  const auto add = [&](EquationSystem::Equation& row, const Quantity& q, int sign) {
    const auto add_to = [&](const std::string& unknown, const ex& value) {
      if (!value.is_zero()) row.left[index_of(system, unknown)] += sign * value;
    };
    if (ports[q.port].plus != ground) add_to("v(" + ports[q.port].plus + ")", q.alpha);
    if (ports[q.port].minus != ground) add_to("v(" + ports[q.port].minus + ")", -q.alpha);
    add_to("i(" + element[q.port] + ")", -q.beta);  // out of the circuit, through the source
  };
  const Choice chosen = choice(parameters, stated, z0);
  system.inputs.clear();
  system.outputs.clear();
  for (std::size_t k = 0; k < ports.size(); ++k) {
    const Quantity& given = chosen.given[k];
    EquationSystem::Equation& row = system.equations[index_of(system, "i(" + element[k] + ")")];
    row.left.clear();
    row.right = {{system.sources.size(), 1}};
    add(row, given, 1);
    system.sources.push_back({given.name, SourceKind::input, circuit.where});
    system.inputs.push_back(given.name);
  }
  for (const Quantity& answer : chosen.answering) {
    EquationSystem::Equation row{answer.name, {{system.unknowns.size(), 1}}, {}, circuit.where};
    add(row, answer, -1);
    system.unknowns.push_back({answer.name, circuit.where});
    system.equations.push_back(std::move(row));
    system.outputs.push_back(answer.name);
  }
  return system;
}

EquationSystem port_equations(const Circuit& circuit, const Port& port, PortParameters parameters, const ex& z0) {
  EquationSystem system = port_equations(circuit, std::span(&port, 1), parameters, z0);
  const std::string output = parameters == PortParameters::z ? "z" : parameters == PortParameters::y ? "y" : "s";
  system.sources.back().name = system.inputs.front() = name_of(port);
  system.unknowns.back().name = system.equations.back().name = system.outputs.front() = output;
  return system;
}

}  // namespace sfg
