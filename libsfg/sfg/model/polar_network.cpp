#include "sfg/model/polar_network.hpp"

#include <algorithm>
#include <set>

#include "sfg/text/words.hpp"

namespace sfg {

namespace {

using Role = ElementKind::Role;

constexpr unsigned bit(Domain domain) { return 1U << static_cast<unsigned>(domain); }
constexpr unsigned m = bit(Domain::translation), r = bit(Domain::rotation), e = bit(Domain::electrical),
                   h = bit(Domain::hydraulic), t = bit(Domain::thermal);

constexpr ElementKind one_port(std::string_view name, unsigned domains, int power, std::string_view unit,
                               std::string_view of_shaft = {}) {
  return {name, Role::passive, {domains, 0}, power, false, false, {unit, of_shaft}};
}
constexpr ElementKind with_law(ElementKind kind) {
  kind.lawful = true;
  return kind;
}
constexpr ElementKind dividing(ElementKind kind) {
  kind.divides = true;
  return kind;
}
constexpr ElementKind inertia(std::string_view name, unsigned domain, std::string_view unit) {
  return {name, Role::inertia, {domain, 0}, 1, false, false, {unit, unit}};
}
constexpr ElementKind through(std::string_view name, unsigned domain, std::string_view unit) {
  return {name, Role::through_source, {domain, 0}, 0, false, false, {unit, unit}};
}
constexpr ElementKind across(std::string_view name, unsigned domain, int power, std::string_view unit) {
  return {name, Role::across_source, {domain, 0}, power, false, false, {unit, unit}};
}
constexpr ElementKind two_port(std::string_view name, Role role, unsigned first, unsigned second) {
  return {name, role, {first, second}, 0, false, false, {}};
}

constexpr auto kinds = std::to_array<ElementKind>({
    inertia("mass", m, "kg"),
    with_law(one_port("spring", m | r, -1, "N/m", "N*m")),
    with_law(one_port("damper", m | r, 0, "N*s/m", "N*m*s")),
    one_port("inerter", m | r, 1, "kg", "kg*m^2"),
    through("force", m, "N"),
    across("motion", m, 1, "m"),
    across("velocity", m, 0, "m/s"),
    across("acceleration", m, -1, "m/s^2"),
    two_port("lever", Role::transformer, m, m),
    inertia("inertia", r, "kg*m^2"),
    with_law(one_port("torsion", r, -1, "N*m", "N*m")),
    with_law(one_port("torsional_damper", r, 0, "N*m*s", "N*m*s")),
    through("torque", r, "N*m"),
    across("rotation", r, 1, "1"),
    across("angular_velocity", r, 0, "1/s"),
    across("angular_acceleration", r, -1, "1/s^2"),
    two_port("gear", Role::transformer, r, r),
    two_port("rack", Role::transformer, m, r),
    with_law(one_port("capacitor", e, 1, "F")),
    with_law(dividing(one_port("resistor", e, 0, "Ohm"))),
    with_law(one_port("conductance", e, 0, "S")),
    dividing(one_port("inductor", e, -1, "H")),
    across("voltage_source", e, 0, "V"),
    through("current_source", e, "A"),
    two_port("motor", Role::transformer, e, r),
    with_law(one_port("tank", h, 1, "m^3/Pa")),
    with_law(dividing(one_port("hydraulic_resistance", h, 0, "Pa*s/m^3"))),
    dividing(one_port("inertance", h, -1, "Pa*s^2/m^3")),
    across("pressure_source", h, 0, "Pa"),
    through("flow_source", h, "m^3/s"),
    two_port("piston", Role::piston, h, m),
    with_law(one_port("heat_capacity", t, 1, "J/K")),
    with_law(dividing(one_port("thermal_resistance", t, 0, "K/W"))),
    across("temperature_source", t, 0, "K"),
    through("heat_source", t, "W"),
    two_port("transformer", Role::transformer, m | r | e | h, m | r | e | h),
    two_port("gyrator", Role::gyrator, m | r | e | h, m | r | e | h),
});

/// Numbers of the elements at every vertex.
std::map<std::string_view, std::vector<std::size_t>> elements_at_nodes(const PolarNetwork& network) {
  std::map<std::string_view, std::vector<std::size_t>> at;
  for (std::size_t i = 0; i < network.elements.size(); ++i)
    for (const std::string& node : network.elements[i].nodes) at[node].push_back(i);
  return at;
}

/// The domains that are possible at every vertex, narrowed by its elements until nothing changes: in rounds through all elements,
/// of which those are left out whose vertices are as they were.
std::map<std::string, unsigned> possible_domains(const PolarNetwork& network) {
  const auto at = elements_at_nodes(network);
  std::map<std::string, unsigned> possible;
  for (const auto& [node, elements] : at)
    if (node != reference_node) possible.emplace(node, m | r | e | h | t);
  std::set<std::pair<std::size_t, std::size_t>> open;  // round and element
  for (std::size_t i = 0; i < network.elements.size(); ++i) open.emplace_hint(open.end(), 0, i);
  while (!open.empty()) {
    const auto [round, i] = open.extract(open.begin()).value();
    const PolarNetwork::Element& element = network.elements[i];
    for (std::size_t port = 0; 2 * port + 1 < element.nodes.size(); ++port) {
      unsigned common = element.kind.domains[port];
      const auto ends = std::span(element.nodes).subspan(2 * port, 2);
      for (const std::string& node : ends)
        if (node != reference_node && (common & possible[node]) != 0) common &= possible[node];
      for (const std::string& node : ends)
        if (node != reference_node && (common & possible[node]) != possible[node] && (common & possible[node]) != 0) {
          possible[node] &= common;
          for (const std::size_t other : at.at(node)) open.emplace(other > i ? round : round + 1, other);
        }
    }
  }
  return possible;
}

Domain first_of(unsigned domains) {
  for (const Domain domain : {Domain::translation, Domain::rotation, Domain::electrical, Domain::hydraulic})
    if ((domains & bit(domain)) != 0) return domain;
  return Domain::thermal;
}

class PolarInspection {
 public:
  explicit PolarInspection(const PolarNetwork& network) : network_(network), possible_(possible_domains(network)) {}

  std::vector<Diagnostic> problems() {
    look_at_names();
    for (const PolarNetwork::Element& element : network_.elements) look_at(element);
    if (found_.empty()) look_at_parts();
    return std::move(found_);
  }

 private:
  void problem(const SourceSpan& where, std::string message, std::string hint) {
    found_.push_back({where, std::move(message), std::move(hint)});
  }

  /// What stands in the parentheses of x(…).
  void look_at_spelling(const std::string& name, const SourceSpan& where, const char* what) {
    if (name.empty()) problem(where, std::string("a ") + what + " without a name", "write letters or digits");
    if (std::ranges::any_of(name, [](unsigned char c) { return c <= 0x20 || c == 0x7F || c == '(' || c == ')' || c == ','; }))
      problem(where, std::string("the name ") + quoted(name) + " of a " + what + " has a blank, a comma or a parenthesis in it",
              "write letters and digits");
  }

  void look_at_names() {
    std::set<std::string> seen;
    for (const PolarNetwork::Element& element : network_.elements) {
      look_at_spelling(element.name, element.where, "element");
      for (const std::string& node : element.nodes)
        if (seen.insert(node).second) look_at_spelling(node, element.where, "node");
    }
    std::map<std::string, SourceSpan> names;
    for (const PolarNetwork::Element& element : network_.elements)
      for (const std::size_t port : {0U, 1U})
        if (element.kind.two_port()) names.emplace(port_name(element.name, port), element.where);
    for (const PolarNetwork::Element& element : network_.elements) {
      if (const auto [same, is_new] = names.emplace(element.name, element.where); !is_new)
        problem(element.where, "element " + quoted(element.name) + " is stated twice, first at " + to_string(same->second),
                "give every element a name of its own");
      else if (possible_.contains(element.name))
        problem(
            element.where,
            "name " + quoted(element.name) + " is that of an element and of a node: x(" + element.name + ") would be two signals",
            "give one of them another name");
      else if (const Symbol* symbol = network_.symbols.find(element.name);
               element.kind.source() && symbol && (symbol->value || symbol->kind != SymbolKind::parameter))
        problem(element.where,
                "name " + quoted(element.name) + " of a source, which is an input, is that of a parameter or of the operator",
                "give one of them another name");
    }
  }

  void look_at(const PolarNetwork::Element& element) {
    const std::string what = std::string(element.kind.name) + " " + quoted(element.name);
    for (std::size_t port = 0; 2 * port + 1 < element.nodes.size(); ++port) {
      const std::string &from = element.nodes[2 * port], &to = element.nodes[2 * port + 1];
      if (from == to) problem(element.where, what + " lies between the node " + quoted(from) + " and itself", "name two nodes");
      unsigned common = element.kind.domains[port];
      for (const std::string& node : {from, to})
        if (node != reference_node) common &= possible_.at(node);
      if (common == 0)
        problem(element.where, what + " cannot join " + kinds_of(from, to),
                "an element has one kind of variables; join domains by a two-port, such as a motor, a rack or a piston");
    }
    if (element.kind.role == Role::inertia && std::ranges::find(element.nodes, reference_node) == element.nodes.end())
      problem(element.where,
              what + " lies between the nodes " + quoted(element.nodes[0]) + " and " + quoted(element.nodes[1]) +
                  ", but the force of inertia refers to the reference",
              "write the node 0 for one of them, or type = \"inerter\"");
  }

  /// "the rotational node '2' and the translational node '1'"
  std::string kinds_of(const std::string& from, const std::string& to) const {
    std::string text;
    for (const std::string& node : {from, to})
      if (node != reference_node)
        text += (text.empty() ? "the " : " and the ") + std::string(to_string(first_of(possible_.at(node)))) + " node " +
                quoted(node);
    return text;
  }

  /// What no chain of elements joins with the reference.
  void look_at_parts() {
    const auto at = elements_at_nodes(network_);
    std::set<std::string_view> joined{reference_node};
    std::vector<std::string_view> open{reference_node};
    while (!open.empty()) {
      const auto here = at.find(open.back());
      open.pop_back();
      if (here == at.end()) continue;  // a network without a reference
      for (const std::size_t i : here->second)
        for (const std::string& node : network_.elements[i].nodes)
          if (joined.insert(node).second) open.push_back(node);
    }
    for (const PolarNetwork::Element& element : network_.elements)
      for (const std::string& node : element.nodes)
        if (joined.insert(node).second)
          problem(element.where, "nothing joins the node " + quoted(node) + " with the reference, the node 0",
                  "hold it by an element, or write 0 for the node that does not move");
  }

  const PolarNetwork& network_;
  std::map<std::string, unsigned> possible_;
  std::vector<Diagnostic> found_;
};

}  // namespace

const char* to_string(Domain domain) {
  static constexpr const char* names[] = {"translational", "rotational", "electrical", "hydraulic", "thermal"};
  return names[static_cast<unsigned>(domain)];
}

bool is_mechanical(Domain domain) { return domain == Domain::translation || domain == Domain::rotation; }

const char* rate_unit(Domain domain) {
  static constexpr const char* units[] = {"m/s", "rad/s", "V", "Pa", "K"};
  return units[static_cast<unsigned>(domain)];
}

const char* through_unit(Domain domain) {
  static constexpr const char* units[] = {"N", "N*m", "A", "m^3/s", "W"};
  return units[static_cast<unsigned>(domain)];
}

std::span<const ElementKind> element_kinds() { return kinds; }

std::vector<const PolarNetwork::Element*> PolarNetwork::sources() const {
  std::vector<const Element*> found;
  for (const Element& element : elements)
    if (element.kind.source()) found.push_back(&element);
  return found;
}

std::vector<std::string> PolarNetwork::nodes() const {
  std::vector<std::string> found;
  std::set<std::string> seen{std::string(reference_node)};
  for (const Element& element : elements)
    for (const std::string& node : element.nodes)
      if (seen.insert(node).second) found.push_back(node);
  return found;
}

std::map<std::string, Domain> PolarNetwork::domains() const {
  std::map<std::string, Domain> found;
  for (const auto& [node, domains] : possible_domains(*this)) found.emplace(node, first_of(domains));
  return found;
}

std::string signal_name(char variable, const std::string& of) { return std::string(1, variable) + "(" + of + ")"; }

std::string port_name(const std::string& element, std::size_t port) { return element + "." + std::to_string(port + 1); }

std::vector<std::string> signal_names(const PolarNetwork& network) {
  std::vector<std::string> names;
  for (const std::string& node : network.nodes())
    for (const char variable : {'x', 'v', 'a'}) names.push_back(signal_name(variable, node));
  for (const PolarNetwork::Element& element : network.elements)
    for (std::size_t port = 0; 2 * port < element.nodes.size(); ++port)
      for (const char variable : {'x', 'v', 'a', 'f'})
        names.push_back(signal_name(variable, element.kind.two_port() ? port_name(element.name, port) : element.name));
  return names;
}

std::vector<Diagnostic> problems(const PolarNetwork& network) { return PolarInspection(network).problems(); }

}  // namespace sfg
