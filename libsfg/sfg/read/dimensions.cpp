#include "sfg/read/toml.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/model/joint_coordinates.hpp"
#include "sfg/model/model.hpp"
#include "sfg/model/quantities.hpp"
#include "sfg/read/source_text.hpp"

namespace sfg {

namespace {

/// Signals of graphs and equations have names of their own: a node k is not the parameter k.
std::string signal(const std::string& name) { return "signal " + name; }

/// An expression of the file as it was written.
struct Written {
  std::string text;
  SourceSpan where;
};

/// Finds what was read where: gains know the place of their branch, energies that of their first character.
class Source {
 public:
  Source(std::string_view text, const std::string& file) : source_(text, file) {}

  Written written(const GiNaC::ex& expression, const SymbolTable& symbols, const SourceSpan& where) const {
    const std::string_view text = source_.text();
    if (where.line > 0) {
      std::size_t at = source_.offset(where.line, std::max<std::uint32_t>(where.column, 1));
      if (at > text.size()) at = text.size();
      if (const auto found = candidate(at, "\"';\n", expression, symbols)) return *found;
      if (const auto found = candidate(at, "\"", expression, symbols)) return *found;
      constexpr int most_strings = 24;  // of one branch with its attributes
      for (int i = 0; i < most_strings; ++i) {
        at = text.find_first_of("\"'", at);
        if (at == std::string_view::npos) break;
        ++at;
        if (const auto found = candidate(at, "\"'", expression, symbols)) return *found;
      }
    }
    return {print(expression), where};
  }

 private:
  std::optional<Written> candidate(std::size_t begin, std::string_view ends, const GiNaC::ex& expression,
                                   const SymbolTable& symbols) const {
    const std::string_view text = source_.text();
    const std::size_t end = std::min(text.find_first_of(ends, begin), text.size());
    constexpr std::size_t longest = 20'000;
    if (end == begin || end - begin > longest) return {};
    Written found{std::string(text.substr(begin, end - begin)), source_.at(begin, end - begin)};
    try {
      if (parse_known(found.text, symbols).is_equal(expression)) return found;
    } catch (const Error&) {  // something else stands there
    }
    return {};
  }

  SourceText source_;
};

/// Of dimensions alone, or of the sizes of units, too.
enum class UnitsRead { dimensions, sizes };

class DimensionReading {
 public:
  DimensionReading(Dimensions& result, Quantities& all, const Source& source, UnitsRead what)
      : result_(result), all_(all), source_(source), sizes_(what == UnitsRead::sizes) {}

  /// Of a stated unit that is not one of the SI.
  bool other_sizes() const { return other_sizes_; }

  void signals(const std::vector<StatedUnit>& stated, bool own_names) {
    for (const StatedUnit& entry : stated)
      state(own_names ? signal(entry.name) : entry.name, entry.name, entry.unit, entry.where);
  }

  /// A node keeps its unit as an attribute.
  void nodes(const SignalFlowGraph& graph) {
    for (const Node& node : graph.nodes())
      for (const auto& [name, value] : node.attributes)
        if (name == "unit") state(signal(node.name), node.name, value, node.where);
  }

  void parameters(const SymbolTable& symbols) {
    for (const Symbol& symbol : symbols.all()) {
      if (symbol.kind != SymbolKind::parameter) continue;
      all_.is_parameter(symbol.name);
      if (!symbol.unit.empty()) state(symbol.name, symbol.name, symbol.unit, symbol.where);
    }
  }

  /// The operator and the time, and values of parameters that are stated by others.
  void definitions(const SymbolTable& symbols, const Operator& op) {
    all_.define(op.symbol(), op.discrete() ? Amount() : Amount{Dimension() / Dimension::time(), {}});
    for (const Symbol& symbol : symbols.all()) {
      if (symbol.kind == SymbolKind::time) all_.define(symbol.name, {Dimension::time(), {}});
      if (symbol.kind == SymbolKind::parameter && symbol.value && !GiNaC::is_exactly_a<GiNaC::numeric>(*symbol.value))
        check(*symbol.value, symbols, symbol.where, all_.of(symbol.name), "the parameter '" + symbol.name + "'");
    }
  }

  void operator()(const Lagrangian& model) {
    // Of any system of units: kg mm²/s² may be the energy.
    const Amount si{Dimension::energy(), {}}, joule = sizes_ ? all_.anything() : si,
                                              watt = joule * Amount{Dimension() / Dimension::time(), {}};
    for (const Lagrangian::Variable& variable : model.variables) rate(variable.name);
    for (const Lagrangian::Auxiliary& auxiliary : model.auxiliaries) rate(auxiliary.name);
    definitions(model.symbols, model.op);
    for (const Lagrangian::Auxiliary& auxiliary : model.auxiliaries) {
      check(auxiliary.value, model.symbols, auxiliary.where, all_.of(auxiliary.name), "the auxiliary '" + auxiliary.name + "'");
      if (auxiliary.rate)
        check(*auxiliary.rate, model.symbols, auxiliary.rate_where, all_.of(rate_name(auxiliary.name)),
              "the rate '" + rate_name(auxiliary.name) + "'");
    }
    for (const auto* energies : {&model.T, &model.Pi})
      for (const Lagrangian::Energy& energy : *energies) check(energy.value, model.symbols, energy.where, joule, "an energy");
    for (const Lagrangian::Energy& phi : model.Phi) check(phi.value, model.symbols, phi.where, watt, "the dissipation function");
    for (const Lagrangian::Variable& variable : model.variables) {
      if (variable.force.empty()) continue;
      const Amount force = all_.of(variable.force), wanted = joule * all_.of(variable.name).power(-1);
      if (!all_.equate(force, wanted))
        complain(variable.force_where, "the dimensions differ: the force '" + variable.force + "' is in " + all_.text(force) +
                                           ", but along '" + variable.name + "' it is an energy by that in " + all_.text(wanted));
    }
    for (const auto& [along, load] : model.static_forces)
      check(load, model.symbols, model.where, joule * all_.of(along).power(-1), "the static load along '" + along + "'");
    if (model.equilibrium)
      for (const auto& [name, value] : model.equilibrium->values)
        check(value, model.symbols, model.equilibrium->where, all_.of(name), "the coordinate '" + name + "'");
    all_.equate(joule, si);
  }

  void operator()(const EquationSystem& system) {
    definitions(system.symbols, system.op);
    for (const EquationSystem::Equation& equation : system.equations) {
      const Amount row = all_.anything();
      const auto entry = [&](const GiNaC::ex& coefficient, const std::string& of) {
        check(coefficient, system.symbols, equation.where, row * all_.of(signal(of)).power(-1),
              "the coefficient of '" + of + "' in the equation '" + equation.name + "'");
      };
      for (const auto& [unknown, coefficient] : equation.left) entry(coefficient, system.unknowns[unknown].name);
      for (const auto& [source, coefficient] : equation.right) entry(coefficient, system.sources[source].name);
    }
  }

  void operator()(const SignalFlowGraph& graph) {
    definitions(graph.symbols, graph.op);
    for (const Branch& branch : graph.branches()) {
      const std::string &from = graph[branch.from].name, &to = graph[branch.to].name;
      const Amount tail = all_.of(signal(from)), head = all_.of(signal(to));
      if (branch.linear()) {
        check(branch.gain(), graph.symbols, branch.where, head * tail.power(-1), "the gain from '" + from + "' to '" + to + "'");
      } else {
        all_.redefine("u", tail);
        all_.redefine("v", tail * Amount{Dimension() / Dimension::time(), {}});
        check(std::get<Nonlinearity>(branch.law).law, graph.symbols, branch.where, head, "the signal '" + to + "'");
      }
    }
  }

  void operator()(const Circuit& circuit) {
    result_.circuit = true;
    for (const Circuit::Element& element : circuit.elements) {
      if (element.kind == Circuit::Kind::voltage_source) all_.state(element.name, *dimension_of_unit("V"), "V");
      if (element.kind == Circuit::Kind::current_source) all_.state(element.name, *dimension_of_unit("A"), "A");
    }
  }

  /// Lengths in m, angles in rad; modal and generalised coordinates in whatever they are stated in.
  void operator()(const Multibody& model) {
    for (const Multibody::Joint& joint : model.joints) joint_signals(joint);
    for (const Multibody::Flywheel& wheel : model.flywheels) {
      signal_in(wheel.name, "rad", wheel.where);
      signal_in(wheel.speed, "rad/s", wheel.where);
    }
    for (const Multibody::Particle& particle : model.particles)
      for (const std::string& name : particle.coordinates) signal_in(name, "m", particle.where);
    for (const std::string& name : model.coordinate_names()) rate(name);
    definitions(model.symbols, model.op);
    const auto all = [&](const Multibody::Vector& vector, const char* unit, const SourceSpan& where, const std::string& what) {
      for (const GiNaC::ex& component : vector) in(component, model, unit, where, what);
    };
    all(model.gravity, "m/s^2", model.where, "gravity");
    for (const Multibody::Body& body : model.bodies) {
      in(body.mass, model, "kg", body.where, "the mass of '" + body.name + "'");
      all(body.com, "m", body.where, "the centre of mass of '" + body.name + "'");
      for (const auto& row : body.inertia) all(row, "kg*m^2", body.where, "the inertia of '" + body.name + "'");
    }
    for (const Multibody::Particle& particle : model.particles) {
      in(particle.mass, model, "kg", particle.where, "the mass of '" + particle.name + "'");
      all(particle.force, "N", particle.where, "the force on '" + particle.name + "'");
    }
    for (const Multibody::Joint& joint : model.joints)
      for (const Multibody::Place& place : joint.places) all(place.at, "m", place.where, "a point of joint '" + joint.name + "'");
    loads(model);
    for (const auto* constraints : {&model.constraints, &model.rate_constraints})
      for (const Multibody::Constraint& constraint : *constraints)
        check(constraint.value, model.symbols, constraint.where, all_.anything(), "the constraint '" + constraint.name + "'");
    for (const auto& [coordinate, value, where] : model.generalized)
      in(value, model, "m", where, "the coordinate '" + coordinate + "'");
    for (const auto& [name, value] : model.assembly) start_value(name, value, model, model.where);
    if (model.equilibrium)
      for (const auto& [name, value] : model.equilibrium->values) start_value(name, value, model, model.equilibrium->where);
  }

  /// Inputs and initial values of a simulation that name parameters: a number alone is one in the unit of its signal, and so is
  /// sin(t) or step(t - 2).
  void simulation(const SimulationSettings& stated, const SymbolTable& symbols) {
    for (const auto* entries : {&stated.inputs, &stated.initial})
      for (const SimulationSettings::Entry& entry : *entries)
        if (!entry.text.starts_with('@')) simulated(entry, symbols);
  }

  /// Elements of a known domain: their signals and values are in the units of that.
  void operator()(const PolarNetwork& network) {
    definitions(network.symbols, network.op);
    const auto domains = network.domains();
    const auto domain = [&](const PolarNetwork::Element& element, std::size_t port) {
      const std::string& node = element.nodes[2 * port];
      return domains.at(node == reference_node ? element.nodes[2 * port + 1] : node);
    };
    for (const auto& [node, own] : domains) polar_signals(node, own, "xva", network.where);
    for (const PolarNetwork::Element& element : network.elements) {
      if (element.kind.source())
        polar_signal(element.name, std::string(element.kind.unit[0]), element.where);
      else
        polar_value(network, element, domain(element, 0), domain(element, element.kind.two_port() ? 1 : 0));
      if (element.kind.two_port())
        for (const std::size_t port : {0U, 1U})
          polar_signals(port_name(element.name, port), domain(element, port), "xvaf", element.where);
      else
        polar_signals(element.name, domain(element, 0), "xvaf", element.where);
    }
  }

  /// Parts know their signals by plain names, matrices by names of their own.
  void operator()(const Joined& model) {
    definitions(model.symbols, model.op);
    for (const Joined::Part& part : model.parts) std::visit(*this, part);
    for (const Joined::Branch& branch : model.branches)
      check(branch.gain, model.symbols, branch.where, end(branch.to) * end(branch.from).power(-1),
            "the gain from '" + branch.from + "' to '" + branch.to + "'");
  }

 private:
  static Amount unit_amount(const std::string& unit) { return {*dimension_of_unit(unit), {}}; }  // all of the SI

  void simulated(const SimulationSettings::Entry& entry, const SymbolTable& symbols) {
    all_.redefine("t", all_.anything());  // sin(t) is meant as sin(1/s*t)
    const auto report = [&](const SourceSpan& place, std::string message) { complain(place, std::move(message)); };
    const Amount own = all_.resolved(all_.check(entry.text, TextPlace(entry.where), report, {}, symbols.tables()));
    const bool number = own.known.is_number() && own.unknown.empty() && own.size.is_one();
    const Amount wanted = all_.resolved(simulated_signal(entry.name));
    if (number || !wanted.unknown.empty() || all_.equate(own, wanted)) return;
    const std::string unit = result_.unit(entry.name);
    complain(entry.where, "the dimensions differ: '" + entry.text + "' is in " + all_.text(own) + ", but '" + entry.name +
                              "' is in " + (unit.empty() ? all_.text(wanted) : unit));
  }

  Amount simulated_signal(const std::string& name) {
    const std::string key = result_.signals_apart ? signal(name) : name;
    if (!all_.unit(key).empty() || name.size() < 2 || name.front() != 'D') return all_.of(key);
    return all_.of(key.substr(0, key.size() - name.size()) + name.substr(1)) * Amount{Dimension() / Dimension::time(), {}};
  }

  /// An expression with names in it: a number is in the unit that is wanted.
  void in(const GiNaC::ex& value, const Multibody& model, const std::string& unit, const SourceSpan& where,
          const std::string& what) {
    if (!GiNaC::is_exactly_a<GiNaC::numeric>(value)) check(value, model.symbols, where, unit_amount(unit), what);
  }

  void start_value(const std::string& name, const GiNaC::ex& value, const Multibody& model, const SourceSpan& where) {
    if (!GiNaC::is_exactly_a<GiNaC::numeric>(value))
      check(value, model.symbols, where, all_.of(name), "the value of '" + name + "'");
  }

  void signal_in(const std::string& name, const std::string& unit, const SourceSpan& where) {
    polar_signal(name, unit == "rad" ? "1" : unit, where);
  }

  void joint_signals(const Multibody::Joint& joint) {
    using Kind = Multibody::JointKind;
    for (std::size_t k = 0; k < joint.coordinates.size(); ++k)
      signal_in(joint.coordinates[k], is_displacement(joint, k) ? "m" : "rad", joint.where);
    for (std::size_t k = 0; k < joint.speeds.size(); ++k)
      signal_in(joint.speeds[k], joint.kind == Kind::free && k < 3 ? "m/s" : "rad/s", joint.where);
  }

  void loads(const Multibody& model) {
    const auto slides = [&](std::size_t joint) { return model.joints[joint].kind == Multibody::JointKind::prismatic; };
    for (const Multibody::Force& force : model.forces) {
      if (force.joint) in(force.along, model, slides(*force.joint) ? "N" : "N*m", force.where, force.name);
      for (const GiNaC::ex& component : force.force) in(component, model, "N", force.where, force.name);
      for (const GiNaC::ex& component : force.torque) in(component, model, "N*m", force.where, force.name);
    }
    for (const Multibody::Spring& spring : model.springs) {
      const bool turns = spring.joint && !slides(*spring.joint);
      in(spring.stiffness, model, turns ? "N*m" : "N/m", spring.where, "the stiffness of '" + spring.name + "'");
      in(spring.damping, model, turns ? "N*m*s" : "N*s/m", spring.where, "the damping of '" + spring.name + "'");
      in(spring.rest, model, turns ? "1" : "m", spring.where, "the rest value of '" + spring.name + "'");
    }
    for (const Multibody::Flywheel& wheel : model.flywheels) {
      in(wheel.inertia, model, "kg*m^2", wheel.where, "the inertia of '" + wheel.name + "'");
      in(wheel.torque, model, "N*m", wheel.where, "the torque of '" + wheel.name + "'");
      in(wheel.friction, model, "N*m*s", wheel.where, "the friction of '" + wheel.name + "'");
      in(wheel.case_mass, model, "kg", wheel.where, "the case of '" + wheel.name + "'");
    }
    for (const Multibody::Elastic& elastic : model.elastic)
      if (elastic.beam) {
        const std::string what = "the beam '" + model.name_of(elastic.body) + "'";
        in(elastic.beam->length, model, "m", elastic.where, what);
        in(elastic.beam->EI, model, "N*m^2", elastic.where, what);
        in(elastic.beam->rhoA, model, "kg/m", elastic.where, what);
        in(elastic.beam->tip_mass, model, "kg", elastic.where, what);
      }
  }

  void polar_value(const PolarNetwork& network, const PolarNetwork::Element& element, Domain domain, Domain second) {
    const std::string what = "the value of '" + element.name + "'";
    if (element.law) {
      const Amount rate = unit_amount(rate_unit(domain));
      const Amount across = is_mechanical(domain) ? unit_amount(signal_unit('x', domain)) : rate;
      all_.redefine("u", across);
      all_.redefine("v", across * Amount{Dimension() / Dimension::time(), {}});
      check(*element.law, network.symbols, element.value_where, unit_amount(through_unit(domain)), what);
      return;
    }
    using Role = ElementKind::Role;
    const char *above = element.kind.role == Role::piston ? through_unit(domain) : rate_unit(domain),
               *below = element.kind.role == Role::gyrator ? through_unit(second) : rate_unit(second);
    const Amount wanted = element.kind.two_port()
                              ? unit_amount(above) * unit_amount(below).power(-1)
                              : unit_amount(std::string(element.kind.unit[domain == Domain::rotation ? 1 : 0]));
    check(element.value, network.symbols, element.value_where, wanted, what);
  }

  static std::string signal_unit(char variable, Domain domain) {
    const std::string rate = rate_unit(domain);
    if (variable == 'f') return through_unit(domain);
    if (variable == 'v') return rate;
    if (variable == 'a') return unit_quotient(rate, "s");
    return domain == Domain::translation ? "m" : domain == Domain::rotation ? "rad" : rate + "*s";
  }

  void polar_signals(const std::string& of, Domain domain, std::string_view variables, const SourceSpan& where) {
    for (const char variable : variables) polar_signal(signal_name(variable, of), signal_unit(variable, domain), where);
  }

  /// In that unit, or in the one that the file states for it.
  void polar_signal(const std::string& name, const std::string& unit, const SourceSpan& where) {
    const Amount amount = unit_amount(unit);
    if (all_.unit(name).empty()) return all_.state(name, amount.known, unit == "1" ? "rad" : unit);
    if (!all_.equate(all_.of(name), amount))
      complain(where, "the dimensions differ: the signal '" + name + "' is in " + all_.text(all_.of(name)) +
                          ", but it is one in " + (unit == "1" ? "rad" : unit) + " here");
  }

  /// Of a signal between parts; nothing is known of an expression.
  Amount end(const std::string& name) {
    if (name.starts_with("v(")) return {*dimension_of_unit("V"), {}};
    if (name.starts_with("i(")) return {*dimension_of_unit("A"), {}};
    return is_name(name) ? all_.of(name) : all_.anything();
  }

  void state(const std::string& key, const std::string& name, const std::string& unit, const SourceSpan& where) {
    if (const auto dimension = dimension_of_unit(unit)) {
      const UnitSize size = size_of_unit(unit);
      other_sizes_ = other_sizes_ || !size.is_one();
      return all_.state(key, *dimension, unit, sizes_ ? size : UnitSize());
    }
    result_.notes.push_back({where, "the unit " + in_quotes(unit) + " of '" + name + "' is not known, and not checked",
                             "units are those of the SI with their prefixes: N/m, kg*m^2, kOhm, 1/s", Severity::remark});
  }

  void rate(const std::string& name) {
    all_.define(rate_name(name), all_.of(name) * Amount{Dimension() / Dimension::time(), {}});
  }

  void complain(const SourceSpan& where, std::string message) {
    constexpr std::string_view dimensions = "the dimensions differ";
    if (sizes_ && message.starts_with(dimensions)) message.replace(0, dimensions.size(), "the units differ in size");
    result_.conflicts.push_back({where, std::move(message),
                                 sizes_ ? "values are not converted: write the factor into the term, or state all of them in one "
                                          "system of units"
                                        : "correct the term, or the unit of one of its names"});
  }

  void check(const GiNaC::ex& expression, const SymbolTable& symbols, const SourceSpan& where, const Amount& wanted,
             const std::string& what) {
    if (expression.is_zero() || result_.conflicts.size() >= Problems::most) return;
    const Written written = source_.written(expression, symbols, where);
    all_.check(
        written.text, TextPlace(written.where),
        [&](const SourceSpan& place, std::string message) { complain(place, std::move(message)); }, std::pair(wanted, what),
        symbols.tables());
  }

  Dimensions& result_;
  Quantities& all_;
  const Source& source_;
  bool sizes_, other_sizes_ = false;
};

}  // namespace

std::string Dimensions::unit(const std::string& name) const {
  if (circuit && name.starts_with("v(")) return "V";
  if (circuit && name.starts_with("i(")) return "A";
  const std::string own = quantities ? quantities->unit(signals_apart ? signal(name) : name) : "";
  if (!own.empty()) return own;
  if (name.size() > 1 && name.front() == 'D' && is_name(name)) {
    const std::string of = unit(name.substr(1));
    return of.empty() ? "" : unit_quotient(of, "s");
  }
  if (is_name(name) ||
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ +-().") != std::string::npos)
    return "";
  std::string common;  // of a sum of signals
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t end = std::min(name.find_first_of(" +-", begin), name.size());
    if (end > begin) {
      const std::string term = name.substr(begin, end - begin);
      const bool call = term != name && term.find('(') == 1 && term.back() == ')';
      const std::string own = is_name(term) || call ? unit(term) : "";
      if (own.empty() || (!common.empty() && own != common)) return "";
      common = own;
    }
    begin = end + 1;
  }
  return common;
}

namespace {

/// @returns whether a stated unit is not one of the SI
bool read_dimensions(const std::variant<SignalFlowGraph, Model>& content, const std::vector<StatedUnit>& signals,
                     const SimulationSettings& simulation, const Source& source, UnitsRead what, Dimensions& result) {
  const auto quantities = std::make_shared<Quantities>();
  result.quantities = quantities;
  DimensionReading reading(result, *quantities, source, what);
  const auto read = [&](const auto& model, bool own_names) {
    result.signals_apart = own_names;
    reading.parameters(model.symbols);
    reading.signals(signals, own_names);
    if constexpr (std::is_same_v<decltype(model), const SignalFlowGraph&>) reading.nodes(model);
    if (!quantities->any_stated()) return;
    reading(model);
    reading.simulation(simulation, model.symbols);
  };
  if (const auto* graph = std::get_if<SignalFlowGraph>(&content)) {
    read(*graph, true);
  } else {
    const Model& model = std::get<Model>(content);
    if (const auto* lagrangian = std::get_if<Lagrangian>(&model)) read(*lagrangian, false);
    if (const auto* system = std::get_if<EquationSystem>(&model)) read(*system, true);
    if (const auto* circuit = std::get_if<Circuit>(&model)) reading(*circuit);
    if (const auto* network = std::get_if<PolarNetwork>(&model)) read(*network, false);
    if (const auto* bodies = std::get_if<Multibody>(&model)) read(*bodies, false);
    if (const auto* joined = std::get_if<Joined>(&model)) {
      reading.signals(signals, true);
      read(*joined, false);
    }
  }
  return reading.other_sizes();
}

}  // namespace

Dimensions dimensions(const std::variant<SignalFlowGraph, Model>& content, const std::vector<StatedUnit>& signals,
                      const SimulationSettings& simulation, std::string_view text, const std::string& file) {
  const Source source(text, file);
  Dimensions result;
  const bool other_sizes = read_dimensions(content, signals, simulation, source, UnitsRead::dimensions, result);
  if (!other_sizes || !result.conflicts.empty()) return result;
  Dimensions sized;
  read_dimensions(content, signals, simulation, source, UnitsRead::sizes, sized);
  sized.notes = std::move(result.notes);
  return sized;
}

}  // namespace sfg
