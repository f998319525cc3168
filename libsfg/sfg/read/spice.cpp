#include "sfg/read/spice.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "sfg/expr/constant.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/read/spice/dc_point.hpp"
#include "sfg/read/spice/netlist_cards.hpp"
#include "sfg/read/spice/netlist_devices.hpp"
#include "sfg/read/spice/netlist_entries.hpp"
#include "sfg/read/spice/netlist_instances.hpp"
#include "sfg/read/spice/netlist_laws.hpp"
#include "sfg/read/spice/netlist_point.hpp"
#include "sfg/read/spice/netlist_predefined.hpp"
#include "sfg/read/spice/netlist_questions.hpp"
#include "sfg/read/spice/netlist_statements.hpp"
#include "sfg/read/spice/netlist_temperature.hpp"
#include "sfg/read/spice/netlist_values.hpp"

namespace sfg {

namespace {

using Kind = Circuit::Kind;

class SpiceReader {
 public:
  SpiceReader(NetlistText text, SpiceLimits limits, bool with_analyses, const SimulatorPoint* point, bool temperature,
              const SpiceRest* rest)
      : text_(std::move(text)),
        limits_(limits),
        values_(circuit_.symbols, "s"),
        temperature_(circuit_.symbols, values_, temperature),
        rest_(rest),
        point_is_solved_(point && point->complete),
        point_follows_(!temperature || (rest && rest->values.contains(temperature_parameter))),
        analyses_wanted_(with_analyses) {
    if (point) point_.emplace(*point, values_);
    circuit_.title = text_.title;
    circuit_.where = text_.title_where;
    notes = std::move(text_.notes);
  }

  Circuit circuit() {
    sort_statements();
    guarded([&] { temperature_.declare(); });
    for (const NetlistStatement& statement : parameters_) guarded([&] { define(statement); });
    if (nonlinear) guarded([&] { set_values(), nonlinear->options(text_, values_); });
    for (const NetlistStatement& statement : models_) guarded([&] { model(statement); });
    if (instances_) ask_of_instances();
    for (const NetlistStatement& statement : elements_) guarded([&] { element(statement, NetlistScope{}); });
    for (const auto& coupling : couplings_) guarded([&] { couple(coupling); });
    spell_controls();
    laws_.spell(names_);
    const NetlistQuestions question(
        circuit_, names_, [this](const NetlistToken& node) { return node_name(node, NetlistScope{}); }, notes);
    for (const NetlistStatement& statement : questions_) guarded([&] { question(statement); });
    for (const NetlistStatement& statement : analyses_)
      take_analysis(
          statement, [&](const NetlistToken& token) { return number(token); }, analyses, notes);
    if (problems_.empty() && circuit_.elements.empty())
      problems_.push_back({circuit_.where, "the netlist has no elements", "the first line is the title"});
    look_at_the_title(text_, circuit_, nodes_, names_, notes, problems_);
    if (!problems_.empty()) throw Error(std::move(problems_));
    if (nonlinear) set_values();
    inputs_.state(circuit_, small_signal_, notes);
    if (point_) point_->tell(devices_.points(), notes);
    temperature_.tell(circuit_.where, notes);
    return std::move(circuit_);
  }

  /// The same with its instances kept.
  NetlistBlocks blocks(NetlistInstances instances) {
    instances_ = &instances;
    Circuit made = circuit();
    NetlistBlocks result = std::move(instances).blocks(std::move(made));
    for (const std::string& node : global_) result.globals.insert(nodes_.contains(node) ? nodes_.at(node) : node);
    return result;
  }

  std::vector<Diagnostic> notes;
  StatedAnalyses analyses;
  DcPoint* nonlinear = nullptr;  ///< where set, it takes the devices, and the circuit is what is between them

 private:
  struct Coupling {
    NetlistStatement statement;
    NetlistScope scope;
  };
  template <class Action>
  void guarded(Action action) {
    try {
      action();
    } catch (const Error& error) {
      problems_.insert(problems_.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }

  /// The point is that of the values that are set, not of those that are stated.
  void set_values() {
    if (!rest_) return;
    for (const auto& [name, value] : rest_->values)
      if (Symbol* symbol = circuit_.symbols.find(name)) symbol->value = value;
  }

  /// What the top names of the inside of an instance.
  void ask_of_instances() {
    for (const NetlistStatement& statement : questions_) instances_->ask(statement);
    for (const NetlistStatement& statement : elements_)
      if (std::string_view("xX").find(statement[0].text[0]) == std::string_view::npos) instances_->ask(statement);
  }

  void sort_statements() {
    std::vector<NetlistSubcircuit> open;
    bool control = false;
    for (const NetlistStatement& statement : text_.statements) {
      const std::string head = lower_case(statement[0].text);
      if (!control) temperature_.look_at(statement);
      if (head == ".control") {
        control = true;
        ignore(statement[0], Severity::warning);
      }
      if (head == ".endc") {
        control = false;
        continue;
      }
      if (control) continue;
      guarded([&] { sort_statement(statement, head, open); });
    }
    if (!open.empty())
      problems_.push_back(
          {open.back().name.where, "the subcircuit '" + open.back().name.text + "' has no end", "add a line .ends"});
  }

  void sort_statement(const NetlistStatement& statement, const std::string& head, std::vector<NetlistSubcircuit>& open) {
    if (head == ".subckt") {
      open.push_back(subcircuit(statement));
    } else if (head == ".ends") {
      if (open.empty()) refuse(statement[0], "statement .ends without .subckt", "remove it");
      const NetlistToken place = open.back().name;
      const bool is_new = subcircuits_.emplace(lower_case(place.text), std::move(open.back())).second;
      open.pop_back();
      check_end(statement, place, !open.empty());
      if (!is_new) refuse(place, "there are two subcircuits '" + place.text + "'", "give one another name");
    } else if (head == ".model") {  // known everywhere
      models_.push_back(statement);
    } else if (!open.empty()) {
      open.back().body.push_back(statement);
    } else if (head == ".sfg") {
      devices_.operating_point(statement, NetlistScope{});
    } else if (head[0] != '.') {
      elements_.push_back(statement);
    } else {
      sort_card(statement, head);
    }
  }

  /// Where one subcircuit alone is open it is clear which one ends.
  void check_end(const NetlistStatement& statement, const NetlistToken& begun, bool nested) {
    if (statement.size() < 2 || lower_case(statement[1].text) == lower_case(begun.text)) return;
    const std::string message = "the subcircuit '" + begun.text + "' ends as '" + statement[1].text + "'",
                      hint = "write .ends " + begun.text;
    if (nested) refuse(statement[1], message, hint);
    notes.push_back({statement[1].where, message, hint, Severity::warning});
  }

  void sort_card(const NetlistStatement& statement, const std::string& head) {
    static const std::set<std::string> questions{".tf", ".print", ".plot", ".probe", ".save"};
    if (head == ".param" || head == ".params") {
      parameters_.push_back(statement);
    } else if (questions.contains(head)) {
      questions_.push_back(statement);
    } else if (head == ".global") {
      for (const NetlistToken& token : NetlistTokens(statement).subspan(1)) global_.insert(lower_case(token.text));
    } else if (analyses_wanted_ && (head == ".ac" || head == ".tran")) {
      analyses_.push_back(statement);
    } else if ((head == ".temp" || head.starts_with(".option")) && temperature_.take(statement, notes)) {
      return;
    } else if (point_is_solved_ && head.starts_with(".option") && DcPoint::takes(statement, notes)) {
      return;
    } else if (const auto severity = severity_of_leaving_out(head)) {
      ignore(statement[0], *severity);
    } else {
      refuse(statement[0], "unknown statement '" + statement[0].text + "'",
             "known are .subckt .ends .param .global .tf .print .end");
    }
  }

  void ignore(const NetlistToken& head, Severity severity) {
    if (ignored_.insert(lower_case(head.text)).second) notes.push_back(left_out(head, severity));  // named once
  }

  /// With the stated values of parameters.
  GiNaC::ex number(const NetlistToken& token) {
    return substituted(values_.plain_value(token, NetlistScope{}), circuit_.symbols.values(), token.where);
  }

  void define(const NetlistStatement& statement) {
    for (const auto& [name, value] : assignments(NetlistTokens(statement).subspan(1))) values_.define(name, value);
  }

  void model(const NetlistStatement& statement) {
    if (nonlinear && DcPoint::is_model(statement)) return nonlinear->model(statement, values_);
    if (point_ && NetlistPoint::is_model(statement)) return point_->model(statement);
    if (NetlistPredefined::is_model(statement)) return predefined_.model(statement);
    if (NetlistTemperature::is_model(statement)) return temperature_.model(statement, notes);
    NetlistDevices::is_model(statement) ? devices_.model(statement, notes) : laws_.model(statement, notes);
  }

  void element(const NetlistStatement& statement, const NetlistScope& scope) {
    const NetlistToken& name = statement[0];
    const char letter = lower_case(name.text)[0];
    refuse_decimal_commas(statement);
    std::vector<NetlistToken> rest;
    const bool source = letter == 'v' || letter == 'i';
    for (const NetlistToken& token : NetlistTokens(statement).subspan(1))
      if (source ? !follows_ac_or_dc(token, rest) : !token.is('(') && !token.is(')')) rest.push_back(token);
    const auto node = [&](const NetlistToken& token) { return node_name(token, scope); };
    if (nonlinear && DcPoint::is_device(letter)) return nonlinear->device(name, rest, scope, values_, node);
    if (point_ && NetlistPoint::is_device(letter)) return expand_device(name, point_->device(name, rest, scope), scope);
    switch (letter) {
      case 'r': return passive(name, rest, scope, Kind::resistor);
      case 'c': return passive(name, rest, scope, Kind::capacitor);
      case 'l': return passive(name, rest, scope, Kind::inductor);
      case 'v': return independent(name, rest, scope, Kind::voltage_source);
      case 'i': return independent(name, rest, scope, Kind::current_source);
      case 'e': return controlled(name, rest, scope, Kind::vcvs);
      case 'f': return controlled(name, rest, scope, Kind::cccs);
      case 'g': return controlled(name, rest, scope, Kind::vccs);
      case 'h': return controlled(name, rest, scope, Kind::ccvs);
      case 'd':
        require(name, rest, 3, "NAME anode cathode MODEL");
        return laws_.diode(add(name, Kind::law_current, NetlistTokens(rest).first(2), scope), rest, scope);
      case 'b': return behavioural(name, NetlistTokens(statement).subspan(1), scope);
      case 'q': return transistor(name, rest, scope, true);
      case 'm': return transistor(name, rest, scope, false);
      case 't': return expand(devices_.line(name, rest, scope), scope);
      case 'o': return operational_amplifier(name, rest, scope);
      case 'k': couplings_.push_back({statement, scope}); return;
      case 'x': return instance(name, rest, scope);
      case 'y': return immittance(name, rest, scope, false);
      case 'z': return immittance(name, rest, scope, true);
      default: refuse(name, "element '" + name.text + "' is no linear lumped element", hint_for_element(letter));
    }
  }

  void expand(const std::vector<NetlistPart>& parts, const NetlistScope& scope) {
    for (const NetlistPart& part : parts) {
      element(part.statement, scope);
      if (!part.noise.is_zero()) circuit_.elements.back().noise = part.noise;
    }
  }

  void transistor(const NetlistToken& name, NetlistTokens rest, const NetlistScope& scope, bool bipolar) {
    expand_device(name, bipolar ? devices_.bipolar(name, rest, scope, notes) : devices_.mos(name, rest, scope), scope);
  }

  void expand_device(const NetlistToken& name, const std::vector<NetlistPart>& parts, const NetlistScope& scope) {
    if (small_signal_.text.empty()) small_signal_ = name;
    if (point_is_solved_ && point_follows_)
      temperature_.moves_point();
    else
      temperature_.keeps("the operating point of '" + scope.full(name.text) + "'");
    expand(parts, scope);
  }

  /// Subcircuits in subcircuits grow without bound in a few lines of text.
  void count_work(const NetlistToken& name) {
    if (++work_ <= limits_.elements) return;
    throw too_many_elements(limits_.elements, name, circuit_.where);
  }

  Circuit::Element& add(const NetlistToken& name, Kind kind, NetlistTokens nodes, const NetlistScope& scope) {
    Circuit::Element element;
    element.name = scope.full(name.text);
    element.kind = kind;
    element.where = name.where;
    count_work(name);
    for (const NetlistToken& node : nodes) element.nodes.push_back(node_name(node, scope));
    // Named when all is well: what names it later finds it.
    if (!names_.emplace(lower_case(element.name), circuit_.elements.size()).second)
      refuse(name, "there are two elements '" + element.name + "'", "names differ in more than case");
    return circuit_.elements.emplace_back(std::move(element));
  }

  std::string node_name(const NetlistToken& token, const NetlistScope& scope) {
    if (token.kind != NetlistToken::Kind::word && !token.quoted)
      refuse(token, "a node is expected here", "nodes are names or numbers");
    const std::string lower = lower_case(token.text);
    if (lower == "0" || lower == "gnd") return "0";
    if (const auto port = scope.nodes.find(lower); port != scope.nodes.end()) return port->second;
    const std::string full = global_.contains(lower) ? token.text : scope.full(token.text);
    return nodes_.emplace(lower_case(full), full).first->second;
  }

  GiNaC::ex value(const NetlistToken& token, const NetlistScope& scope, const std::string& own) {
    return values_.value(token, scope, own);
  }

  void passive(const NetlistToken& name, std::vector<NetlistToken> rest, const NetlistScope& scope, Kind kind) {
    leave_out_letter(name, rest);
    require(name, rest, 3, "NAME node1 node2 value");
    const std::string own = add(name, kind, NetlistTokens(rest).first(2), scope).name;
    const std::optional<NetlistToken> model = model_behind_value(rest);
    const ElementEntries entries = element_entries(name, NetlistTokens(rest).subspan(model ? 4 : 3), notes);
    const bool follows = temperature_.follows(name, entries.temperature, model);
    const std::size_t index = circuit_.elements.size() - 1;
    GiNaC::ex stated = value(rest[2], scope, own + (follows ? "_nom" : ""));
    if (kind == Kind::resistor && values_.is_stated_as_zero(stated))
      refuse(rest[2], "a resistance of 0", "join the nodes, or use a voltage source of 0 V to measure a current");
    if (follows) stated = temperature_.followed(own, stated, entries.temperature, model, scope, name.where);
    if (entries.scale) stated *= value(*entries.scale, scope, own + "_scale");
    const GiNaC::ex units = entries.multiplicity ? value(*entries.multiplicity, scope, own + "_m") : GiNaC::ex(1);
    circuit_.elements[index].value = in_parallel(kind, stated, units);
    if (entries.noiseless) make_noiseless(circuit_.elements[index]);
    put_parts(index, entries.parts, scope, units);
  }

  /// Y1 a b {s*C + 1/R} conducts as a source of current that its own voltage controls, Z1 a b {R + s*L} with 1/Z.
  void immittance(const NetlistToken& name, NetlistTokens rest, const NetlistScope& scope, bool impedance) {
    require(name, rest, 3, "NAME node1 node2 {expression in s}");
    const ElementEntries more = element_entries(name, rest.subspan(3), notes);
    const std::string own = add(name, Kind::resistor, rest.first(2), scope).name;
    const GiNaC::ex stated = value(rest[2], scope, own);
    if (values_.is_stated_as_zero(stated))
      refuse(rest[2], impedance ? "an impedance of 0" : "an admittance of 0", "join the nodes, or leave it out");
    circuit_.elements.back().value = impedance ? stated : 1 / stated;
    make_noiseless(circuit_.elements.back());
    if (more.noise) circuit_.elements.back().noise = values_.plain_value(*more.noise, scope);
  }

  /// Rser=50 and the like: what is in series goes between the element and its second node.
  void put_parts(std::size_t index, const std::vector<ElementEntries::Part>& parts, const NetlistScope& scope,
                 const GiNaC::ex& units) {
    using Place = ElementEntries::Part::Place;
    const std::string own = circuit_.elements[index].name;
    const std::vector<std::string> outer = circuit_.elements[index].nodes;
    std::vector<std::string> between;  // the nodes of the last part in series
    for (const ElementEntries::Part& part : parts) {
      std::vector<std::string> nodes = part.place == Place::across ? outer : between;
      if (part.place == Place::series) {
        const std::string inner = own + "_inner" + (between.empty() ? "" : "2");
        nodes_.emplace(lower_case(inner), inner);
        (between.empty() ? circuit_.elements[index] : circuit_.elements.back()).nodes[1] = inner;
        nodes = between = {inner, outer[1]};
      }
      Circuit::Element& element = circuit_.elements.emplace_back();
      element.name = own + "_" + part.name;
      element.kind = part.kind;
      element.where = part.key.where;
      element.nodes = std::move(nodes);
      if (!names_.emplace(lower_case(element.name), circuit_.elements.size() - 1).second)
        refuse(part.key, "there are two elements '" + element.name + "'", "rename the other one");
      count_work(part.key);
      const GiNaC::ex one = value(part.value, scope, element.name);
      circuit_.elements.back().value = in_parallel(part.kind, one, units);
    }
  }

  void controlled(const NetlistToken& name, const std::vector<NetlistToken>& rest, const NetlistScope& scope, Kind kind) {
    const bool by_voltage = kind == Kind::vcvs || kind == Kind::vccs;
    const std::size_t nodes = by_voltage ? 4 : 2;
    refuse_kinds_of_sources(rest);
    require(name, rest, by_voltage ? 5 : 4,
            by_voltage ? "NAME node1 node2 control1 control2 gain" : "NAME node1 node2 VNAME gain");
    const std::size_t entries = nodes + (by_voltage ? 1 : 2);
    const bool current = kind == Kind::vccs;
    if (rest.size() > entries && !current)
      refuse(rest[entries], "entry '" + rest[entries].text + "' is not expected here", "remove it");
    const ElementEntries more = current ? element_entries(name, NetlistTokens(rest).subspan(entries), notes) : ElementEntries{};
    Circuit::Element& element = add(name, kind, NetlistTokens(rest).first(nodes), scope);
    if (!by_voltage) element.controls.push_back(scope.full(rest[2].text));
    const std::size_t index = circuit_.elements.size() - 1;
    circuit_.elements[index].value = value(rest[entries - 1], scope, std::string(element.name));
    if (more.noise) circuit_.elements[index].noise = values_.plain_value(*more.noise, scope);
  }

  /// The controls of F and H in the spelling of their elements.
  void spell_controls() {
    for (Circuit::Element& element : circuit_.elements)
      for (std::string& control : element.controls)
        if (const auto known = names_.find(lower_case(control)); known != names_.end())
          control = circuit_.elements[known->second].name;
  }

  void operational_amplifier(const NetlistToken& name, std::vector<NetlistToken> rest, const NetlistScope& scope) {
    require(name, rest, 3, "NAME in+ in- out, or NAME in+ in- out+ out-");
    if (rest.size() > 4)
      refuse(rest[4], "entry '" + rest[4].text + "' is not expected here", "an ideal operational amplifier has no value");
    if (rest.size() == 3) rest.push_back({NetlistToken::Kind::word, "0", name.where});
    add(name, Kind::nullor, rest, scope);
  }

  void behavioural(const NetlistToken& name, NetlistTokens rest, const NetlistScope& scope) {
    require(name, rest, 5, "NAME node1 node2 I={expression}");
    const StatedLaw law = stated_law(name, rest.subspan(2), circuit_.symbols);
    Circuit::Element& element = add(name, law.current ? Kind::law_current : Kind::law_voltage, rest.first(2), scope);
    laws_.behavioural(element, law, scope, [&](const NetlistToken& node) { return node_name(node, scope); });
    if (has_odd_powers(element, law))
      notes.push_back({law.expression.where, "'" + name.text + "' has an odd power, which keeps the sign; ngspice takes |x|^n",
                       "", Severity::note});
  }

  void independent(const NetlistToken& name, const std::vector<NetlistToken>& rest, const NetlistScope& scope, Kind kind) {
    require(name, rest, 2, "NAME node+ node- [DC value] [AC value]");
    const NetlistTokens entries = NetlistTokens(rest).subspan(2);
    const std::size_t positional = positional_count(entries);
    const StatedSource stated = stated_source(entries.first(positional));
    note_signals(name, stated, notes);
    Circuit::Element& element = add(name, kind, NetlistTokens(rest).first(2), scope);
    element.value = 1;
    inputs_.add(element.name, stated, stated.rest ? values_.plain_value(*stated.rest, scope) : GiNaC::ex(0));
    const std::size_t index = circuit_.elements.size() - 1;
    const ElementEntries more = element_entries(name, entries.subspan(positional), notes);
    if (more.noise) circuit_.elements[index].noise = values_.plain_value(*more.noise, scope);
    put_parts(index, more.parts, scope, 1);
  }

  // Inductors that share a flux: M = k √(L1 L2), as a symbol of its own so that answers stay rational.

  void couple(const Coupling& coupling) {
    const NetlistTokens statement(coupling.statement);
    const NetlistToken& name = statement[0];
    require(name, statement.subspan(1), 3, "NAME L1 L2 coefficient");
    const NetlistTokens inductors = statement.subspan(1, statement.size() - 2);
    const GiNaC::ex k = value(statement.back(), coupling.scope, coupling.scope.full(name.text));
    if (const auto stated = double_value(values_.with_stated_values(k, name.where)); stated && std::abs(*stated) > 1)
      notes.push_back({statement.back().where,
                       "the coefficient of '" + name.text + "' is beyond 1: such inductors give energy away",
                       "of inductors it is between -1 and 1", Severity::warning});
    for (std::size_t i = 0; i < inductors.size(); ++i)
      for (std::size_t j = i + 1; j < inductors.size(); ++j) {
        const std::array<std::size_t, 2> pair{inductor(inductors[i], coupling.scope), inductor(inductors[j], coupling.scope)};
        if (pair[0] == pair[1])
          refuse(inductors[j], "'" + name.text + "' couples the inductor '" + inductors[j].text + "' with itself",
                 "name two inductors");
        const auto known = coupled_.try_emplace(std::minmax(pair[0], pair[1]), name.text);
        if (!known.second)
          refuse(
              name,
              "'" + inductors[i].text + "' and '" + inductors[j].text + "' are coupled by '" + known.first->second + "' already",
              "leave one of them");
        const std::string own = inductors.size() == 2 ? name.text : name.text + "_" + inductors[i].text + "_" + inductors[j].text;
        const GiNaC::ex mutual = k * GiNaC::sqrt(circuit_.elements[pair[0]].value * circuit_.elements[pair[1]].value);
        NetlistToken place = name;
        place.text = own;
        Circuit::Element& element = add(place, Kind::coupling, {}, coupling.scope);
        for (std::size_t index : pair) element.controls.push_back(circuit_.elements[index].name);
        element.value = values_.derived("M_" + element.name, mutual, name.where);
      }
  }

  std::size_t inductor(const NetlistToken& token, const NetlistScope& scope) {
    const auto known = names_.find(lower_case(scope.full(token.text)));
    if (known == names_.end() || circuit_.elements[known->second].kind != Kind::inductor)
      refuse(token, "element '" + token.text + "' is no inductor", "a coupling names inductors and a coefficient");
    return known->second;
  }

  void instance(const NetlistToken& name, const std::vector<NetlistToken>& rest, const NetlistScope& scope) {
    const std::size_t positional = count_before_parameters(name, rest);
    const NetlistToken& wanted = rest[positional - 1];
    const auto found = subcircuits_.find(lower_case(wanted.text));
    std::optional<NetlistSubcircuit> predefined;
    if (found == subcircuits_.end()) predefined = predefined_.subcircuit(wanted, NetlistTokens(rest).subspan(positional));
    if (found == subcircuits_.end() && !predefined)
      refuse(wanted, "there is no subcircuit '" + wanted.text + "'", nearest_subcircuit(wanted.text, subcircuits_));
    const NetlistSubcircuit& subcircuit = predefined ? *predefined : found->second;
    check_nodes(name, positional - 1, subcircuit);
    if (std::ranges::find(open_, &subcircuit) != open_.end())
      refuse(name, "the subcircuit '" + subcircuit.name.text + "' contains itself", "remove the circle");
    count_work(name);
    NetlistScope inner;
    inner.suffix = scope.full(name.text);
    for (std::size_t i = 0; i + 1 < positional; ++i)
      inner.nodes.emplace(lower_case(subcircuit.ports[i].text), node_name(rest[i], scope));
    const NetlistTokens given = NetlistTokens(rest).subspan(positional);
    const bool kept = instances_ && !predefined;
    if (kept && !instances_->enter(name, subcircuit, given, scope, inner, circuit_.elements.size())) return;
    pass_parameters(subcircuit, given, scope, inner);
    open_.push_back(&subcircuit);
    for (const NetlistStatement& statement : subcircuit.body)
      if (statement[0].text == ".sfg") guarded([&] { devices_.operating_point(statement, inner); });
    for (const NetlistStatement& statement : subcircuit.body) guarded([&] { inner_statement(statement, inner); });
    open_.pop_back();
    if (predefined) NetlistPredefined::name_slopes(circuit_, inner.suffix);
    if (kept) instances_->leave(circuit_.elements.size());
  }

  void pass_parameters(const NetlistSubcircuit& subcircuit, NetlistTokens given, const NetlistScope& outer, NetlistScope& inner) {
    const std::map<std::string, NetlistToken> stated = given_parameters(subcircuit, given);
    for (const auto& [name, fallback] : subcircuit.defaults) {
      const auto given_value = stated.find(lower_case(name.text));
      const bool here = given_value != stated.end();
      inner.parameters[lower_case(name.text)] =
          value(here ? given_value->second : fallback, here ? outer : inner, inner.full(name.text));
    }
  }

  /// A parameter of the top may have another value here.
  void define_inside(const NetlistToken& name, const NetlistToken& token, NetlistScope& scope) {
    const std::string lower = lower_case(name.text);
    if (scope.parameters.contains(lower))
      refuse(name, "the parameter '" + name.text + "' has a value already", "leave one of them, or give it another name");
    scope.parameters.emplace(lower, value(token, scope, scope.full(name.text)));
  }

  void inner_statement(const NetlistStatement& statement, NetlistScope& scope) {
    const std::string head = lower_case(statement[0].text);
    if (head == ".param" || head == ".params") {
      for (const auto& [name, token] : assignments(NetlistTokens(statement).subspan(1))) define_inside(name, token, scope);
    } else if (head[0] == '.' && head != ".sfg") {
      refuse(statement[0], "statement '" + statement[0].text + "' cannot stand in a subcircuit", "move it to the top");
    } else if (head != ".sfg") {
      element(statement, scope);
    }
  }

  NetlistText text_;
  SpiceLimits limits_;
  Circuit circuit_;
  NetlistValues values_;
  NetlistTemperature temperature_;
  NetlistLaws laws_{circuit_, values_, temperature_};
  NetlistPredefined predefined_{values_};
  NetlistDevices devices_{values_, [this](const SourceSpan& where) { return laws_.thermal_voltage(where); }};
  std::optional<NetlistPoint> point_;
  std::map<std::string, NetlistSubcircuit> subcircuits_;
  std::vector<NetlistStatement> parameters_, models_, elements_, questions_, analyses_;
  const SpiceRest* rest_;
  bool point_is_solved_, point_follows_;  ///< of the temperature that is asked for
  bool analyses_wanted_;
  std::vector<Coupling> couplings_;
  std::map<std::pair<std::size_t, std::size_t>, std::string> coupled_;  ///< by which coupling, by the places of two inductors
  std::map<std::string, std::size_t> names_;                            ///< elements by name in lower case
  std::map<std::string, std::string> nodes_;                            ///< spelling of nodes, by name in lower case
  std::set<std::string> global_, ignored_;
  NetlistInstances* instances_ = nullptr;       ///< keeps them, where that is asked for
  std::vector<const NetlistSubcircuit*> open_;  ///< being expanded, outermost first
  std::size_t work_ = 0;
  NetlistInputs inputs_;
  NetlistToken small_signal_;  ///< the first device at a stated point
  std::vector<Diagnostic> problems_;
};

/// The stated point, or the one that is found.
const SimulatorPoint* point_of(const NetlistText& cut, const SimulatorPoint* stated, SimulatorPoint& found,
                               const SpiceLimits& limits, SpiceRest* rest) {
  if (stated || !DcPoint::is_wanted(cut)) return stated;
  DcPoint devices;
  SpiceReader linear(cut, limits, false, nullptr, rest && rest->values.contains(temperature_parameter), rest);
  linear.nonlinear = &devices;
  DcPoint::Found solved = devices.solved(linear.circuit());
  found = std::move(solved.point);
  if (rest) {
    rest->found = true;
    rest->voltages = std::move(solved.solution.voltages);
    rest->celsius = solved.celsius;
    rest->within = solved.solution.within;
    rest->unproven = std::move(solved.solution.unproven);
  }
  return &found;
}

}  // namespace

Circuit read_spice(std::string_view text, std::string file, std::vector<Diagnostic>* notes, const SpiceLimits& limits,
                   StatedAnalyses* analyses, const NetlistFile& beside, const SimulatorPoint* point, bool temperature,
                   SpiceRest* rest) {
  const NetlistText cut = netlist_text(text, file, beside);
  SimulatorPoint found;
  SpiceReader reader(cut, limits, analyses != nullptr, point_of(cut, point, found, limits, rest), temperature, rest);
  Circuit circuit = reader.circuit();
  if (notes) notes->insert(notes->end(), reader.notes.begin(), reader.notes.end());
  if (analyses) *analyses = std::move(reader.analyses);
  return circuit;
}

NetlistBlocks read_netlist_blocks(std::string_view text, std::string file, const std::vector<std::string>& asked, bool all,
                                  std::vector<Diagnostic>* notes, const NetlistFile& beside, const SimulatorPoint* point,
                                  StatedAnalyses* analyses, const SpiceLimits& limits, SpiceRest* rest) {
  const NetlistText cut = netlist_text(text, file, beside);
  SimulatorPoint found;
  SpiceReader reader(cut, limits, analyses != nullptr, point_of(cut, point, found, limits, rest), false, rest);
  NetlistBlocks blocks = reader.blocks(NetlistInstances(asked, all));
  if (notes) notes->insert(notes->end(), reader.notes.begin(), reader.notes.end());
  if (analyses) *analyses = std::move(reader.analyses);
  return blocks;
}

}  // namespace sfg
