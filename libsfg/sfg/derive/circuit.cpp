#include "sfg/derive/circuit.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/derive/nonlinear_equations.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

using Kind = Circuit::Kind;
using Element = Circuit::Element;

bool has_current_unknown(const Element& element) {
  switch (element.kind) {
    case Kind::inductor:
    case Kind::voltage_source:
    case Kind::vcvs:
    case Kind::ccvs:
    case Kind::law_voltage:
    case Kind::nullor: return true;
    default: return false;
  }
}

bool has_law(const Element& element) { return element.kind == Kind::law_current || element.kind == Kind::law_voltage; }

/// Builds the rows of one circuit.
class NodalAnalysis {
 public:
  explicit NodalAnalysis(const Circuit& circuit) : circuit_(circuit) {
    system_.title = circuit.title;
    system_.op = circuit.op;
    system_.symbols = circuit.symbols;
    s_ = system_.op.declare(system_.symbols);
    for (const Element& element : circuit.elements) elements_.emplace(element.name, &element);
  }

  EquationSystem equations(const Budget& budget) {
    number_unknowns();
    for (const Element& element : circuit_.elements) {
      budget.check("the nodal equations");
      stamp(element);
    }
    for (const Circuit::Probe& probe : circuit_.outputs) measure(probe);
    for (const Element& element : circuit_.elements)
      if (has_law(element)) add_law(element);
    check_nodes();
    if (!problems_.empty()) throw Error(std::move(problems_));
    state_ports();
    return std::move(system_);
  }

 private:
  GiNaC::ex conductance(const Element& element) {
    if (!vanishes(element.value)) return 1 / element.value;
    problem(element.where, "element '" + element.name + "' has the resistance 0",
            "join its nodes, or write a voltage source of 0 V to measure its current");
    return 0;
  }

  void problem(SourceSpan where, std::string message, std::string hint) {
    problems_.push_back({std::move(where), std::move(message), std::move(hint)});
  }

  std::size_t add_unknown(const std::string& name, const std::string& row, const SourceSpan& where) {
    const std::size_t index = system_.unknowns.size();
    system_.unknowns.push_back({name, where});
    system_.equations.push_back({row, {}, {}, where});
    unknown_.emplace(name, index);
    return index;
  }

  void number_unknowns() {
    bool grounded = false;
    for (const Element& element : circuit_.elements)
      for (const std::string& node : element.nodes) {
        if (node == ground) grounded = true;
        if (node != ground && !node_.contains(node))
          node_[node] = add_unknown("v(" + node + ")", "KCL(" + node + ")", element.where);
      }
    if (!grounded) problem(circuit_.where, "the circuit has no ground", "call the reference node 0");
    for (const Element& element : circuit_.elements) {
      if (has_current_unknown(element))
        current_[element.name] = add_unknown("i(" + element.name + ")", element.name, element.where);
      const bool source = element.kind == Kind::voltage_source || element.kind == Kind::current_source;
      if (!has_law(element) && (!source || element.value.is_zero())) continue;
      source_[element.name] = system_.sources.size();
      system_.sources.push_back({element.name, has_law(element) ? SourceKind::law : SourceKind::input, element.where});
    }
  }

  void add(std::size_t row, std::size_t unknown, const GiNaC::ex& value) {
    GiNaC::ex& entry = system_.equations[row].left[unknown];
    entry += value;
  }
  /// value · (v(plus) − v(minus)) added on the left of the row.
  void add_voltage(std::size_t row, const std::string& plus, const std::string& minus, const GiNaC::ex& value) {
    if (plus == minus) return;
    if (plus != ground) add(row, node_.at(plus), value);
    if (minus != ground) add(row, node_.at(minus), -value);
  }

  /// Calls `term` for the two nodes of a current from `from` to `to`: +1 where it leaves, −1 where it arrives.
  template <class Term>
  void for_each_end(const std::string& from, const std::string& to, Term term) {
    if (from == to) return;
    if (from != ground) term(node_.at(from), 1);
    if (to != ground) term(node_.at(to), -1);
  }

  /// i = value · (v(3) − v(4)), out of node 1, into node 2.
  void conduct(const Element& element, const std::string& plus, const std::string& minus, const GiNaC::ex& value) {
    for_each_end(element.nodes[0], element.nodes[1],
                 [&](std::size_t row, int sign) { add_voltage(row, plus, minus, sign * value); });
  }

  std::optional<std::size_t> controlling_current(const Element& element) {
    const std::string& name = element.controls.front();
    if (const auto known = current_.find(name); known != current_.end()) return known->second;
    problem(element.where,
            "element '" + element.name + "' is controlled by the current of '" + name + "', which is no voltage source",
            "put a voltage source of 0 V in series and name it");
    return std::nullopt;
  }

  void stamp(const Element& element) {
    const auto& n = element.nodes;
    switch (element.kind) {
      case Kind::resistor: return conduct(element, n[0], n[1], conductance(element));
      case Kind::capacitor: return conduct(element, n[0], n[1], s_ * element.value);
      case Kind::vccs: return conduct(element, n[2], n[3], element.value);
      case Kind::cccs: return stamp_cccs(element);
      case Kind::coupling: return stamp_coupling(element);
      case Kind::current_source:
      case Kind::law_current: return stamp_current_source(element);
      default: break;
    }
    const std::size_t row = current_.at(element.name);
    const bool nullor = element.kind == Kind::nullor;
    for_each_end(n[nullor ? 2 : 0], n[nullor ? 3 : 1], [&](std::size_t node, int sign) { add(node, row, sign); });
    add_voltage(row, n[0], n[1], 1);
    if (element.kind == Kind::inductor) add(row, row, -s_ * element.value);
    if (element.kind == Kind::vcvs) add_voltage(row, n[2], n[3], -element.value);
    if (element.kind == Kind::ccvs)
      if (const auto control = controlling_current(element)) add(row, *control, -element.value);
    if (element.kind == Kind::law_voltage || (element.kind == Kind::voltage_source && !element.value.is_zero()))
      system_.equations[row].right[source_.at(element.name)] = 1;
  }

  void stamp_cccs(const Element& element) {
    const auto control = controlling_current(element);
    if (!control) return;
    for_each_end(element.nodes[0], element.nodes[1],
                 [&](std::size_t row, int sign) { add(row, *control, sign * element.value); });
  }

  void stamp_current_source(const Element& element) {
    if (!source_.contains(element.name)) return;
    for_each_end(element.nodes[0], element.nodes[1],
                 [&](std::size_t row, int sign) { system_.equations[row].right[source_.at(element.name)] = -sign; });
  }

  void stamp_coupling(const Element& element) {
    std::vector<std::size_t> rows;
    for (const std::string& name : element.controls) {
      const auto known = elements_.find(name);
      if (known == elements_.end() || known->second->kind != Kind::inductor)
        problem(element.where, "element '" + element.name + "' couples '" + name + "', which is no inductor",
                "name two inductors");
      else
        rows.push_back(current_.at(name));
    }
    if (rows.size() != 2) return;
    add(rows[0], rows[1], -s_ * element.value);
    add(rows[1], rows[0], -s_ * element.value);
  }

  void measure(const Circuit::Probe& probe) {
    if (unknown_.contains(probe.name)) return;
    if (probe.element.empty()) {
      const auto missing = std::find_if(probe.nodes.begin(), probe.nodes.end(),
                                        [&](const std::string& node) { return node != ground && !node_.contains(node); });
      if (missing != probe.nodes.end()) {
        problem(probe.where, "there is no node '" + *missing + "'", nearest_of(*missing, node_));
        return;
      }
      const std::size_t row = add_unknown(probe.name, probe.name, probe.where);
      add(row, row, 1);
      add_voltage(row, probe.nodes.front(), probe.nodes.size() > 1 ? probe.nodes[1] : ground, -1);
      return;
    }
    const auto found = elements_.find(probe.element);
    if (found == elements_.end() || found->second->kind == Kind::coupling) {
      problem(probe.where, "there is no element '" + probe.element + "' that has a current",
              nearest_of(probe.element, elements_));
      return;
    }
    measure_current(probe, *found->second);
  }

  /// A current that is no unknown of that name: the law of the element, in a row of its own.
  void measure_current(const Circuit::Probe& probe, const Element& element) {
    const std::size_t row = add_unknown(probe.name, probe.name, probe.where);
    add(row, row, 1);
    const auto& n = element.nodes;
    if (const auto known = current_.find(element.name); known != current_.end()) add(row, known->second, -1);
    if (element.kind == Kind::resistor) add_voltage(row, n[0], n[1], -conductance(element));
    if (element.kind == Kind::capacitor) add_voltage(row, n[0], n[1], -s_ * element.value);
    if (element.kind == Kind::vccs) add_voltage(row, n[2], n[3], -element.value);
    if (element.kind == Kind::cccs)
      if (const auto control = controlling_current(element)) add(row, *control, -element.value);
    if (element.kind == Kind::law_current || (element.kind == Kind::current_source && !element.value.is_zero()))
      system_.equations[row].right[source_.at(element.name)] = 1;
  }

  void add_law(const Element& element) {
    EquationSystem::Law law{source_.at(element.name), element.value, {}, element.where};
    for (const Circuit::Argument& argument : element.arguments) {
      measure(argument.signal);
      law.arguments.push_back({argument.signal.name, argument.value, argument.rate});
    }
    if (law.arguments.empty()) {
      problem(element.where, "the law of '" + element.name + "' depends on no voltage or current", "write an independent source");
      return;
    }
    name_first_argument(system_, law);
    system_.laws.push_back(std::move(law));
  }

  template <class Map>
  static std::string nearest_of(const std::string& name, const Map& map) {
    std::vector<std::string> names;
    for (const auto& [known, value] : map) names.push_back(known);
    const std::string near = nearest(name, names);
    return near.empty() ? "" : "did you mean '" + near + "'?";
  }

  /// Removes entries that cancelled and finds nodes whose current law is empty.
  void check_nodes() {
    for (auto& equation : system_.equations)
      std::erase_if(equation.left, [](const auto& entry) { return entry.second.is_zero(); });
    for (const auto& [node, row] : node_)
      if (system_.equations[row].left.empty())
        problem(system_.unknowns[row].where, "no element determines the voltage of node '" + node + "'",
                circuit_has_laws() ? "connect a resistor, a large one, to it: what is nonlinear does not count"
                                   : "connect it to ground by an element that conducts");
  }

  bool circuit_has_laws() const { return std::ranges::any_of(circuit_.elements, has_law); }

  void state_ports() {
    for (const std::string& name : circuit_.inputs) system_.inputs.push_back(name);
    if (system_.inputs.empty())
      for (const auto& source : system_.sources)
        if (source.kind != SourceKind::law) system_.inputs.push_back(source.name);
    for (const Circuit::Probe& probe : circuit_.outputs) system_.outputs.push_back(probe.name);
  }

  const Circuit& circuit_;
  EquationSystem system_;
  GiNaC::ex s_;
  std::map<std::string, const Element*> elements_;
  std::map<std::string, std::size_t> node_, current_, source_, unknown_;
  std::vector<Diagnostic> problems_;
};

}  // namespace

EquationSystem circuit_equations(const Circuit& circuit, const Budget& budget) {
  return NodalAnalysis(circuit).equations(budget);
}

}  // namespace sfg
