#include "sfg/model/model.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "sfg/expr/parse.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/model/signal_sum.hpp"
#include "sfg/text/words.hpp"

namespace sfg {

namespace {

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_source(const Circuit::Element& element) {
  return element.kind == Circuit::Kind::voltage_source || element.kind == Circuit::Kind::current_source;
}

struct SignalsOfPart {
  std::vector<PartSignal> operator()(const EquationSystem& system) const {
    std::vector<PartSignal> found;
    for (const auto& unknown : system.unknowns) found.push_back({unknown.name, false, unknown.where});
    for (const auto& source : system.sources) found.push_back({source.name, true, source.where});
    for (const auto& definition : system.definitions) found.push_back({definition.name, false, {}});
    return found;
  }

  std::vector<PartSignal> operator()(const Lagrangian& model) const {
    std::vector<PartSignal> found;
    std::set<std::string> forces;
    for (const auto& variable : model.variables) {
      found.push_back({variable.name, variable.role != Lagrangian::Role::principal, variable.where});
      if (!variable.force.empty() && forces.insert(variable.force).second)
        found.push_back({variable.force, true, variable.force_where});
    }
    for (const auto& auxiliary : model.auxiliaries) found.push_back({auxiliary.name, false, auxiliary.where});
    return found;
  }

  std::vector<PartSignal> operator()(const Circuit& circuit) const {
    std::vector<PartSignal> found;
    std::set<std::string> taken;
    const auto add = [&](const std::string& name, bool source, const SourceSpan& where) {
      if (taken.insert(name).second) found.push_back({name, source, where});
    };
    for (const auto& element : circuit.elements) {
      if (is_source(element)) add(element.name, true, element.where);
      for (const std::string& node : element.nodes)
        if (node != "0") add("v(" + node + ")", false, element.where);
    }
    for (const auto& probe : circuit.outputs) add(probe.name, false, probe.where);
    return found;
  }

  std::vector<PartSignal> operator()(const PolarNetwork& network) const {
    std::vector<PartSignal> found;
    for (const std::string& name : signal_names(network)) found.push_back({name, false, network.where});
    for (const PolarNetwork::Element* source : network.sources()) found.push_back({source->name, true, source->where});
    return found;
  }

  std::vector<PartSignal> operator()(const Multibody& model) const {
    std::vector<PartSignal> found;
    for (const auto& joint : model.joints)
      for (const std::string& name : joint.coordinates) found.push_back({name, false, joint.where});
    for (const auto& elastic : model.elastic)
      for (const std::string& name : elastic.coordinates) found.push_back({name, false, elastic.where});
    for (const auto& wheel : model.flywheels) found.push_back({wheel.name, false, wheel.where});
    for (const auto& particle : model.particles)
      for (const std::string& name : particle.coordinates) found.push_back({name, false, particle.where});
    for (const std::string& name : model.generalized_coordinates) found.push_back({name, false, model.where});
    for (const std::string& name : model.input_names)
      if (!model.control.contains(name)) found.push_back({name, true, model.where});
    return found;
  }
};

SymbolTable& symbols_of(Joined::Part& part) {
  return std::visit([](auto& kind) -> SymbolTable& { return kind.symbols; }, part);
}

/// The operator of the part is that of the whole, whatever it was called there.
void take_operator(const Joined& whole, Joined::Part& part, GiNaC::exmap& meaning) {
  std::visit(
      [&](auto& kind) {
        if (const Symbol* own = kind.symbols.find(kind.op.symbol()); own && own->kind == SymbolKind::laplace)
          meaning[own->expr] = whole.op.in(whole.symbols);
        kind.op = whole.op;
      },
      part);
}

/// In a netlist case does not matter: a name without a value there may be that of a parameter in another spelling.
const Symbol* meant(const SymbolTable& common, const Symbol& own, bool circuit) {
  if (const Symbol* same = common.find(own.name)) return same;
  if (!circuit || own.value) return nullptr;
  const Symbol* found = nullptr;
  for (const Symbol& symbol : common.all()) {
    if (symbol.kind != SymbolKind::parameter || lower_case(symbol.name) != lower_case(own.name)) continue;
    if (found) return nullptr;
    found = &symbol;
  }
  return found;
}

void join_symbols(Joined& whole, Joined::Part& part, std::vector<Diagnostic>& found) {
  GiNaC::exmap meaning;
  take_operator(whole, part, meaning);
  const bool circuit = std::holds_alternative<Circuit>(part);
  for (const Symbol& own : symbols_of(part).all()) {
    if (meaning.count(own.expr) != 0) continue;
    const Symbol* common = meant(whole.symbols, own, circuit);
    if (!common) continue;
    if (common->kind != own.kind)
      found.push_back(
          {own.where,
           "name " + quoted(own.name) + " is something else in another part of the model (" + to_string(common->where) + ")",
           "give one of them another name"});
    else if (common->value && own.value && !common->expr.is_equal(own.expr))
      found.push_back({own.where,
                       "name " + quoted(own.name) + " has a value already (" + to_string(common->where) +
                           "): parameters are common to all parts, and elements with a number as value are parameters too",
                       "give one of them another name, or state the value once"});
    meaning[own.expr] = common->expr;
  }
  if (!found.empty()) return;
  const SymbolTable before = symbols_of(part);
  std::erase_if(meaning, [](const auto& entry) { return entry.first.is_equal(entry.second); });
  std::visit([&](auto& kind) { kind = substituted(kind, meaning); }, part);
  for (const Symbol& own : symbols_of(part).all())
    if (!whole.symbols.find(own.name)) whole.symbols.add(own);
  for (const Symbol& own : before.all())  // a value that the part states for a name without one
    if (Symbol* common = whole.symbols.find(own.name); common && own.value && !common->value) {
      common->value = own.value->subs(meaning, GiNaC::subs_options::no_pattern);
      common->where = own.where;
    }
  for (const auto& [own, common] : meaning)
    for (const Symbol& symbol : whole.symbols.all())
      if (symbol.expr.is_equal(common)) symbols_of(part).add(symbol);
}

/// The current of an element is a signal, i(R1), whether it is asked for or not.
void check_elements(const Joined& whole, const Joined::Part& part, std::vector<Diagnostic>& found) {
  const auto* circuit = std::get_if<Circuit>(&part);
  for (const Joined::Part& known : whole.parts) {
    const auto* other = std::get_if<Circuit>(&known);
    if (!circuit || !other) continue;
    std::map<std::string, SourceSpan> places;
    for (const auto& element : other->elements) places.emplace(lower_case(element.name), element.where);
    for (const auto& element : circuit->elements)
      if (const auto same = places.find(lower_case(element.name)); same != places.end() && !is_source(element))
        found.push_back({element.where,
                         "element " + quoted(element.name) + " is one of another circuit too (" + to_string(same->second) + ")",
                         "give one of them another name"});
  }
}

}  // namespace

std::vector<PartSignal> signals(const Joined::Part& part) { return std::visit(SignalsOfPart{}, part); }

const char* kind_of(const Joined::Part& part) {
  static constexpr const char* names[] = {"system of equations", "mechanical system", "circuit", "polar graph",
                                          "multibody model"};
  return names[part.index()];
}

void add_part(Joined& whole, Joined::Part part) {
  std::vector<Diagnostic> found;
  std::map<std::string, std::pair<const char*, SourceSpan>> taken;
  for (const Joined::Part& other : whole.parts)
    for (const PartSignal& known : signals(other)) taken.emplace(known.name, std::pair(kind_of(other), known.where));
  for (const PartSignal& own : signals(part))
    if (const auto known = taken.find(own.name); known != taken.end())
      found.push_back({own.where,
                       "name " + quoted(own.name) + " is a signal of two parts, of a " + known->second.first + " (" +
                           to_string(known->second.second) + ") and of this " + kind_of(part),
                       std::string("give one of them another name") +
                           (own.name.starts_with("v(") ? ": only the node 0 is common to circuits" : "")});
  check_elements(whole, part, found);
  join_symbols(whole, part, found);
  if (!found.empty()) throw Error(std::move(found));
  whole.parts.push_back(std::move(part));
}

std::vector<std::string> driven(const Joined& model) {
  std::vector<std::string> names;
  for (const Joined::Branch& branch : model.branches)
    if (std::ranges::find(names, branch.to) == names.end()) names.push_back(branch.to);
  return names;
}

namespace {

/// "v(a)", "v(a,b)" or "i(R1)" in the spelling of the circuit; nothing where it lacks one of the names.
std::optional<Circuit::Probe> probe_of(const std::string& name, const Circuit& circuit) {
  if (name.size() < 4 || name[1] != '(' || name.back() != ')') return {};
  const bool voltage = lower_case(name).front() == 'v';
  if (!voltage && lower_case(name).front() != 'i') return {};
  std::map<std::string, std::string> spelling;
  if (voltage) spelling = {{"0", "0"}, {"gnd", "0"}};
  for (const Circuit::Element& element : circuit.elements) {
    if (!voltage && element.kind != Circuit::Kind::coupling) spelling.emplace(lower_case(element.name), element.name);
    for (const std::string& node : element.nodes)
      if (voltage) spelling.emplace(lower_case(node), node);
  }
  Circuit::Probe probe;
  probe.name = name;
  std::string word;
  for (const char c : name.substr(2)) {
    if (c != ',' && c != ')') {
      word += c;
      continue;
    }
    const auto known = spelling.find(lower_case(word));
    if (known == spelling.end()) return {};
    (voltage ? probe.nodes.emplace_back() : probe.element) = known->second;
    word.clear();
  }
  const bool grounded = std::ranges::all_of(probe.nodes, [](const std::string& node) { return node == "0"; });
  if (probe.nodes.size() > 2 || (voltage && grounded)) return {};
  return probe;
}

}  // namespace

void measure(Joined& model, std::string_view expression) {
  for (const std::string& written : names_in(expression)) {
    const std::string name = written.substr(std::min(written.find_first_not_of('D'), written.size()));
    for (Joined::Part& part : model.parts) {
      auto* circuit = std::get_if<Circuit>(&part);
      if (!circuit || std::ranges::find(circuit->outputs, name, &Circuit::Probe::name) != circuit->outputs.end()) continue;
      if (auto probe = probe_of(name, *circuit)) circuit->outputs.push_back(*std::move(probe));
    }
  }
}

namespace {

class JoinedInspection {
 public:
  explicit JoinedInspection(const Joined& model) : model_(model), driven_(driven(model)) {
    for (const Joined::Part& part : model.parts)
      for (PartSignal& signal : signals(part)) part_signals_.emplace(signal.name, std::pair(signal, kind_of(part)));
    for (const auto& [name, signal] : part_signals_) signals_.push_back(name);
    for (const Joined::Node& node : model.nodes) add_node(node.name, node.where);
    for (const Joined::Branch& branch : model.branches)
      if (!part_signals_.contains(branch.to)) add_node(branch.to, branch.to_where);
    for (const Joined::Branch& branch : model.branches)
      if (is_name(branch.from) && !follows(branch.from)) add_node(branch.from, branch.from_where);
  }

  std::vector<Diagnostic> problems() {
    for (const Joined::Branch& branch : model_.branches) {
      look_at_head(branch);
      look_at_signal(branch.from, branch.from_where);
    }
    for (const Joined::Node& input : model_.inputs) look_at_input(input.name, input.where);
    for (const Joined::Node& output : model_.outputs) look_at_signal(output.name, output.where);
    return std::move(found_);
  }

 private:
  void problem(const SourceSpan& where, std::string message, std::string hint) {
    found_.push_back({where, std::move(message), std::move(hint)});
  }

  void add_node(const std::string& name, const SourceSpan& where) {
    if (std::ranges::find(signals_, name) != signals_.end()) return;
    signals_.push_back(name);
    if (const Symbol* symbol = model_.symbols.find(name); symbol && (symbol->value || symbol->kind == SymbolKind::laplace))
      problem(where, "name " + quoted(name) + " of a node is that of a parameter or of the operator",
              "give one of them another name");
  }

  /// Whether the name is a signal of a part, or one that follows from those.
  bool follows(const std::string& name) const {
    const std::string signal = name.substr(std::min(name.find_first_not_of('D'), name.size()));
    return std::ranges::find(signals_, name) != signals_.end() ||
           (name.starts_with('D') && std::ranges::find(signals_, signal) != signals_.end());
  }

  void look_at_head(const Joined::Branch& branch) {
    const auto known = part_signals_.find(branch.to);
    if (known == part_signals_.end()) {
      if (is_name(branch.to)) return;
      problem(branch.to_where, "there is no source " + quoted(branch.to) + " that a branch could drive",
              suggestion(branch.to, true));
    } else if (!known->second.first.source) {
      problem(branch.to_where,
              "signal " + quoted(branch.to) + " follows from the equations of the " + known->second.second +
                  ", so that no branch can enter it",
              suggestion(branch.to, true));
    }
  }

  void look_at_signal(const std::string& text, const SourceSpan& where) {
    if (std::ranges::find(signals_, text) != signals_.end()) return;
    try {
      signal_sum(text, model_.symbols, signals_, where);
    } catch (const Error& error) {
      found_.insert(found_.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }

  void look_at_input(const std::string& name, const SourceSpan& where) {
    if (std::ranges::find(driven_, name) != driven_.end())
      return problem(where, "signal " + quoted(name) + " is driven by a branch and is no input", "name another input");
    const auto known = part_signals_.find(name);
    if (known == part_signals_.end() ? std::ranges::find(signals_, name) != signals_.end() : known->second.first.source) return;
    problem(where, "the input " + quoted(name) + " is no source of the model", suggestion(name, true));
  }

  std::string suggestion(const std::string& name, bool sources) const {
    std::vector<std::string> names;
    for (const auto& [known, signal] : part_signals_)
      if (signal.first.source || !sources) names.push_back(known);
    const std::string near = nearest(name, names);
    if (!near.empty() && near != name) return "did you mean '" + near + "'?";
    std::string list;
    for (const std::string& source : names) list += (list.empty() ? "" : ", ") + source;
    return list.empty() ? "the parts have no sources" : "sources of the parts are " + list;
  }

  const Joined& model_;
  std::vector<std::string> driven_;
  std::map<std::string, std::pair<PartSignal, const char*>> part_signals_;
  std::vector<std::string> signals_;
  std::vector<Diagnostic> found_;
};

}  // namespace

std::vector<Diagnostic> problems(const Joined& model) { return JoinedInspection(model).problems(); }

}  // namespace sfg
