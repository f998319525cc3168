#include "sfg/ask/circuit_blocks.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "sfg/derive/circuit.hpp"
#include "sfg/derive/circuit_block.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/from_equations.hpp"

namespace sfg {

namespace {

using Element = Circuit::Element;
using Kind = Circuit::Kind;
using Instance = NetlistBlocks::Instance;

/// Which node a port of an instance is, and where a node is at home.
class BlockNodes {
 public:
  explicit BlockNodes(const NetlistBlocks& blocks) : blocks_(blocks) {
    for (std::size_t i = 0; i < blocks.instances.size(); ++i) {
      const Instance& instance = blocks.instances[i];
      for (std::size_t port = 0; port < instance.nodes.size(); ++port) {
        outer_.emplace(instance.inner(port), instance.nodes[port]);
        settle(instance.nodes[port], instance.parent);
      }
    }
    for (std::size_t i = 0; i < blocks.circuit.elements.size(); ++i)
      for (const std::string& node : blocks.circuit.elements[i].nodes) settle(node, blocks.owner[i]);
  }

  /// Its name where it is at home.
  std::string resolved(std::string node) const {
    for (auto at = outer_.find(node); at != outer_.end(); at = outer_.find(node)) node = at->second;
    return node;
  }
  void resolve(Element& element) const {
    for (std::string& node : element.nodes) node = resolved(node);
    for (Circuit::Argument& argument : element.arguments)
      for (std::string& node : argument.signal.nodes) node = resolved(node);
  }
  bool is_global(const std::string& node) const { return node == ground || blocks_.globals.contains(node); }
  /// Nothing: the top, or no node.
  std::optional<std::size_t> home(const std::string& node) const {
    const auto known = home_.find(node);
    return known == home_.end() ? std::nullopt : known->second;
  }

 private:
  void settle(const std::string& node, std::optional<std::size_t> instance) {
    if (!is_global(node)) home_.emplace(node, instance);
  }

  const NetlistBlocks& blocks_;
  std::map<std::string, std::string> outer_;  ///< of a port, what it is connected to
  std::map<std::string, std::optional<std::size_t>> home_;
};

/// What stands outside of the blocks it was stated in: inputs, what is nonlinear, elements whose currents are asked for, and what
/// is controlled by these or controls them.
class StandingOutside {
 public:
  StandingOutside(const NetlistBlocks& blocks, const BlockNodes& nodes, const std::vector<std::string>& asked)
      : blocks_(blocks), nodes_(nodes), exposed_(blocks.instances.size()), outside_(blocks.circuit.elements.size(), false) {
    const Circuit& circuit = blocks.circuit;
    for (std::size_t i = 0; i < circuit.elements.size(); ++i) index_.emplace(circuit.elements[i].name, i);
    for (const auto* names : {&circuit.inputs, &asked})
      for (const std::string& name : *names) put(name);
    for (const Element& element : circuit.elements) {
      const bool source = element.kind == Kind::voltage_source || element.kind == Kind::current_source;
      if (source && circuit.inputs.empty() && asked.empty() && !element.value.is_zero()) put(element.name);
      if (element.kind == Kind::law_current || element.kind == Kind::law_voltage) put(element.name);
    }
    for (const Circuit::Probe& probe : circuit.outputs) measure(probe);
    for (const std::string& name : asked)
      if (const auto probe = read_probe(name, circuit)) measure(*probe);
    bring_what_controls();
    for (std::size_t i = 0; i < outside_.size(); ++i)
      if (outside_[i])
        for (const std::string& node : circuit.elements[i].nodes) expose(node);
  }

  bool operator[](std::size_t element) const { return outside_[element]; }
  const std::set<std::string>& exposed(std::size_t instance) const { return exposed_[instance]; }
  /// Whether another instance that was not expanded would need the same.
  bool any_in_repeated() const {
    std::vector<bool> repeated(blocks_.instances.size(), false);
    for (const Instance& instance : blocks_.instances)
      if (instance.like) repeated[*instance.like] = true;
    for (std::size_t i = 0; i < blocks_.instances.size(); ++i)  // a parent comes first
      if (const auto parent = blocks_.instances[i].parent; parent && repeated[*parent]) repeated[i] = true;
    for (std::size_t i = 0; i < outside_.size(); ++i)
      if (outside_[i] && blocks_.owner[i] && repeated[*blocks_.owner[i]]) return true;
    for (std::size_t i = 0; i < exposed_.size(); ++i)
      if (repeated[i] && !exposed_[i].empty()) return true;
    return false;
  }

 private:
  void put(const std::string& name) {
    if (const auto known = index_.find(name); known != index_.end()) outside_[known->second] = true;
  }
  void measure(const Circuit::Probe& probe) {
    if (!probe.element.empty()) put(probe.element);
    for (const std::string& node : probe.nodes) expose(node);
  }

  void bring_what_controls() {
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = 0; i < outside_.size(); ++i) {
        const Element& element = blocks_.circuit.elements[i];
        const auto is_outside = [&](const std::string& name) { return index_.contains(name) && outside_[index_.at(name)]; };
        const bool outside = outside_[i] || std::ranges::any_of(element.controls, is_outside);
        if (!outside) continue;
        more = more || !outside_[i] || !std::ranges::all_of(element.controls, is_outside);
        put(element.name);
        for (const std::string& control : element.controls) put(control);
        for (const Circuit::Argument& argument : element.arguments) measure(argument.signal);
        if (std::ranges::any_of(element.controls, [&](const auto& name) { return !index_.contains(name); })) return;
      }
    }
  }

  void expose(const std::string& name) {
    const std::string node = nodes_.resolved(name);
    for (auto at = nodes_.home(node); at; at = blocks_.instances[*at].parent) exposed_[*at].insert(node);
  }

  const NetlistBlocks& blocks_;
  const BlockNodes& nodes_;
  std::vector<std::set<std::string>> exposed_;  ///< nodes of an instance that count as terminals
  std::vector<bool> outside_;
  std::map<std::string, std::size_t> index_;
};

/// The matrix of a solved block.
struct Stamp {
  struct Entry {
    std::size_t row, column;
    GiNaC::ex value;
  };
  std::vector<std::string> nodes;  ///< terminals behind the ports, by their names
  std::size_t size = 0;            ///< unknowns that stay included
  std::vector<Entry> entries;
  std::map<std::string, GiNaC::ex> letters = {};  ///< in the entries
  std::size_t elements = 0;                       ///< within
  std::size_t instance = 0;
};

class CircuitClosing {
 public:
  CircuitClosing(const NetlistBlocks& blocks, const std::vector<std::string>& asked, const BlockOptions& options)
      : blocks_(blocks), nodes_(blocks), outside_(blocks, nodes_, asked), options_(options), symbols_(blocks.circuit.symbols) {
    children_.resize(blocks.instances.size());
    for (std::size_t i = 0; i < blocks.instances.size(); ++i)
      (blocks.instances[i].parent ? children_[*blocks.instances[i].parent] : top_).push_back(i);
    elements_.resize(blocks.instances.size());
    for (std::size_t i = 0; i < blocks.owner.size(); ++i)
      if (blocks.owner[i] && !outside_[i]) elements_[*blocks.owner[i]].push_back(i);
  }

  std::optional<ClosedCircuit> closed() {
    if (outside_.any_in_repeated()) return {};
    ClosedCircuit result{blocks_.circuit};
    result.circuit.elements.clear();
    for (std::size_t i = 0; i < blocks_.owner.size(); ++i) {
      if (blocks_.owner[i] && !outside_[i]) continue;
      if (blocks_.owner[i]) result.opened.push_back(blocks_.circuit.elements[i].name);
      nodes_.resolve(result.circuit.elements.emplace_back(blocks_.circuit.elements[i]));
      ++result.elements;
    }
    for (const std::size_t instance : top_) {
      result.elements += solved(instance).elements;
      put(result.circuit, instance);
    }
    for (const std::size_t instance : top_) list(instance, {});
    result.circuit.symbols = symbols_;
    result.solved = std::move(made_);
    return result;
  }

 private:
  using Renamed = std::vector<std::pair<std::string, std::string>>;

  std::size_t expanded(std::size_t instance) const { return blocks_.instances[instance].like.value_or(instance); }

  /// The block in a circuit, as controlled sources of current between its terminals.
  void put(Circuit& circuit, std::size_t index) {
    const Instance& instance = blocks_.instances[index];
    const std::size_t first = expanded(index);
    const Stamp& stamp = stamps_.at(first);
    const BlockKind& kind = made_.kinds[kind_.at(first)];
    ClosedBlock renaming{instance.name, {}};
    if (first != index) renaming.renamed = {{"_" + blocks_.instances[first].name, "_" + instance.name}};
    GiNaC::exmap letters;
    if (first != index)
      for (const auto& [name, symbol] : stamp.letters) letters[symbol] = symbols_.symbol(renaming.name_of(kind, name));
    const auto node = [&](std::size_t terminal) {
      if (terminal < instance.nodes.size()) return instance.nodes[terminal];
      const std::size_t beyond = terminal - instance.nodes.size();
      return beyond < stamp.nodes.size() ? stamp.nodes[beyond]
                                         : instance.name + ":" + std::to_string(beyond - stamp.nodes.size() + 1);
    };
    std::size_t count = 0;
    for (const Stamp::Entry& entry : stamp.entries) {
      if (node(entry.row) == ground || node(entry.column) == ground) continue;
      Element& element = circuit.elements.emplace_back();
      element.name = instance.name + ":" + std::to_string(++count);
      element.kind = Kind::vccs;
      element.where = instance.where;
      element.nodes = {node(entry.row), ground, node(entry.column), ground};
      element.value = letters.empty() ? entry.value : entry.value.subs(letters, GiNaC::subs_options::no_pattern);
    }
  }

  const Stamp& solved(std::size_t index) {
    const std::size_t first = expanded(index);
    if (const auto known = stamps_.find(first); known != stamps_.end()) return known->second;
    options_.budget.check("the blocks");
    const Instance& instance = blocks_.instances[first];
    Circuit part;
    part.op = blocks_.circuit.op;
    part.where = instance.where;
    Stamp stamp;
    stamp.instance = first;
    for (const std::size_t i : elements_[first]) part.elements.push_back(blocks_.circuit.elements[i]);
    stamp.elements = part.elements.size();
    for (const std::size_t child : children_[first]) {
      stamp.elements += solved(child).elements;
      put(part, child);
    }
    part.symbols = symbols_;
    std::set<std::string> beyond = outside_.exposed(first);
    for (const Element& element : part.elements)
      for (const std::string& node : element.nodes)
        if (node != ground && nodes_.is_global(node)) beyond.insert(node);
    stamp.nodes.assign(beyond.begin(), beyond.end());
    solve(first, part, stamp);
    return stamps_.emplace(first, std::move(stamp)).first->second;
  }

  void solve(std::size_t index, const Circuit& part, Stamp& stamp) {
    const Instance& instance = blocks_.instances[index];
    std::vector<std::string> terminals;
    for (std::size_t port = 0; port < instance.ports.size(); ++port) terminals.push_back(instance.inner(port));
    terminals.insert(terminals.end(), stamp.nodes.begin(), stamp.nodes.end());
    const CircuitBlock block = circuit_block(part, terminals, options_.budget);
    stamp.size = block.size;
    const SignalFlowGraph graph = from_equations(block.system, {.layout = GraphLayout::merged}).graph;
    std::vector<Question> questions;
    for (const CircuitBlock::Response& response : block.responses)
      questions.push_back({graph.at(response.source), graph.at(response.output), Question::Mode::source, {}});
    SolvedPart inside = solved_part(graph, questions, "_" + instance.name, options_);
    kind_[index] = made_.kinds.size();
    BlockKind& kind = made_.kinds.emplace_back(BlockKind{instance.of, inside.definitions});
    kind.verification = inside.verification;
    kind.vertices = inside.vertices;
    for (const auto& definition : kind.functions) kind.own.insert(definition.name);
    std::size_t top = index;
    while (blocks_.instances[top].parent) top = *blocks_.instances[top].parent;
    for (const std::string& name : symbols_.names())
      if (name.ends_with("_" + blocks_.instances[top].name)) kind.own.insert(name);
    std::vector<GiNaC::ex> values = entry_values(block, inside, kind, "_" + instance.name);
    const auto given = solve_rows_for_voltages(block, terminals.size(), values);
    state_entries(block, terminals.size(), values, given, kind, stamp);
    if (kind.functions.empty()) name_constants(kind, instance, stamp);
    std::set<std::string> used;
    for (const Stamp::Entry& entry : stamp.entries)
      for (const std::string& name : symbol_names(entry.value)) used.insert(name);
    for (const auto& function : kind.functions)
      if (used.contains(function.name)) stamp.letters.emplace(function.name, function.symbol);
  }

  void state_entries(const CircuitBlock& block, std::size_t terminals, const std::vector<GiNaC::ex>& values,
                     const std::map<std::size_t, std::size_t>& given, BlockKind& kind, Stamp& stamp) {
    const std::string end = "_" + blocks_.instances[stamp.instance].name;
    BlockLetters letters(symbols_, kind);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t row = block.entries[i].row, column = block.entries[i].column;
      const std::size_t first = given.contains(row) ? given.at(row) : row;
      const std::string place = std::to_string(first + 1) + (block.size < 10 ? "" : "_") + std::to_string(column + 1);
      const char* const what = row >= terminals ? "a" : column >= terminals ? "c" : "y";
      const GiNaC::ex sign = row < terminals ? 1 : -1;
      const GiNaC::ex letter = letters.letter(what + place + end, sign * values[i]);
      if (!letter.is_zero()) stamp.entries.push_back({row, column, sign * letter});
    }
  }

  /// S of the block, each entry one fraction where all are short, else in the responses of the inside, which get names.
  std::vector<GiNaC::ex> entry_values(const CircuitBlock& block, const SolvedPart& inside, BlockKind& kind,
                                      const std::string& end) {
    const std::vector<GiNaC::ex> put_in = sums(block, inside.values);
    check_residues(block, put_in, kind.functions);
    if (inside.definitions.empty()) {
      std::vector<GiNaC::ex> fractions;
      for (const GiNaC::ex& value : put_in) {
        fractions.push_back(normal_form(value));
        if (operation_counts(fractions.back()).total() > most_operations) break;
      }
      if (fractions.size() == put_in.size() && std::ranges::none_of(fractions, is_long)) return fractions;
    }
    std::vector<GiNaC::ex> names;
    BlockLetters letters(symbols_, kind);
    for (std::size_t i = 0; i < inside.values.size(); ++i)
      names.push_back(letters.letter("g" + std::to_string(i + 1) + end, inside.values[i]));
    return sums(block, names);
  }

  static constexpr std::size_t most_operations = 60;  ///< of a function that is read at a glance
  static bool is_long(const GiNaC::ex& value) { return operation_counts(value).total() > most_operations; }

  static std::vector<GiNaC::ex> sums(const CircuitBlock& block, const std::vector<GiNaC::ex>& responses) {
    std::vector<GiNaC::ex> values;
    for (const CircuitBlock::Entry& entry : block.entries) {
      GiNaC::exvector terms{entry.direct};
      for (const auto& term : entry.terms) terms.push_back(term.factor * responses[term.response]);
      values.push_back(GiNaC::add(terms));
    }
    return values;
  }

  /// What was put together is what elimination finds at a random point.
  static void check_residues(const CircuitBlock& block, const std::vector<GiNaC::ex>& values,
                             const std::vector<TransferSequence::Definition>& definitions) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const TransferSequence all{.question = {},
                                 .definitions = definitions,
                                 .numerator = values[i],
                                 .denominator = 1,
                                 .operations = {},
                                 .terms = {},
                                 .verification = {}};
      if (const auto residue = value_modulo(all, block.point); residue && *residue != block.entries[i].residue)
        throw std::logic_error("the functions of a block differ from those that elimination finds");
    }
  }

  /// An equation that stays has the scale that makes a coefficient of a terminal 1: it gives the voltage there.
  /// @returns the terminals, by their rows
  static std::map<std::size_t, std::size_t> solve_rows_for_voltages(const CircuitBlock& block, std::size_t terminals,
                                                                    std::vector<GiNaC::ex>& values) {
    std::map<std::size_t, std::size_t> given;
    std::map<std::size_t, GiNaC::ex> scale;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto& [row, column, direct, terms, residue] = block.entries[i];
      const bool number = GiNaC::is_a<GiNaC::numeric>(values[i]) && !values[i].is_zero();
      if (row >= terminals && column < terminals && number && scale.emplace(row, values[i]).second) given.emplace(row, column);
    }
    for (std::size_t i = 0; i < values.size(); ++i)
      if (const auto known = scale.find(block.entries[i].row); known != scale.end()) values[i] /= known->second;
    return given;
  }

  /// A block that does nothing but connect has the gain 1, by name.
  void name_constants(BlockKind& kind, const Instance& instance, Stamp& stamp) {
    if (stamp.entries.empty()) return;
    std::string name = "one_" + instance.name;
    while (symbols_.find(name)) name = "f" + name;
    kind.functions.push_back({name, symbols_.symbol(name), 1});
    kind.own.insert(name);
    for (Stamp::Entry& entry : stamp.entries) entry.value *= kind.functions.back().symbol;
  }

  /// Blocks within come first.
  void list(std::size_t index, Renamed renamed) {
    const std::size_t first = expanded(index);
    const Instance& instance = blocks_.instances[first];
    if (first != index) renamed.insert(renamed.begin(), {"_" + instance.name, "_" + blocks_.instances[index].name});
    for (const std::size_t child : children_[first]) list(child, renamed);
    const std::size_t kind = kind_.at(first);
    if (made_.kinds[kind].functions.empty()) return;
    std::string name = "_" + instance.name;
    for (const auto& [from, to] : renamed)
      if (name.ends_with(from)) name.replace(name.size() - from.size(), from.size(), to);
    made_.blocks.push_back({name.substr(1), instance.ports, kind, renamed});
  }

  const NetlistBlocks& blocks_;
  BlockNodes nodes_;
  StandingOutside outside_;
  const BlockOptions& options_;
  SymbolTable symbols_;
  std::vector<std::size_t> top_;
  std::vector<std::vector<std::size_t>> children_, elements_;
  std::map<std::size_t, Stamp> stamps_;
  std::map<std::size_t, std::size_t> kind_;
  BlockTransfers made_;
};

}  // namespace

std::optional<ClosedCircuit> closed_circuit(const NetlistBlocks& blocks, const std::vector<std::string>& asked,
                                            const BlockOptions& options) {
  return CircuitClosing(blocks, asked, options).closed();
}

Circuit boxed_circuit(const NetlistBlocks& blocks, const std::set<std::size_t>& instances) {
  const BlockNodes nodes(blocks);
  const auto within = [&](std::optional<std::size_t> at) {
    for (; at; at = blocks.instances[*at].parent)
      if (instances.contains(*at)) return true;
    return false;
  };
  Circuit circuit = blocks.circuit;
  circuit.elements.clear();
  std::set<std::string> left;  // elements, and nodes that are seen
  for (std::size_t i = 0; i < blocks.circuit.elements.size(); ++i) {
    if (within(blocks.owner[i])) continue;
    nodes.resolve(circuit.elements.emplace_back(blocks.circuit.elements[i]));
    left.insert(circuit.elements.back().name);
    left.insert(circuit.elements.back().nodes.begin(), circuit.elements.back().nodes.end());
  }
  for (const std::size_t instance : instances) {
    const Instance& boxed = blocks.instances[instance];
    if (within(boxed.parent)) continue;
    std::set<std::string> ends;
    for (const std::string& node : boxed.nodes)
      if (nodes.resolved(node) != ground) ends.insert(nodes.resolved(node));
    left.insert(ends.begin(), ends.end());
    std::size_t count = 0;
    const auto put = [&](const std::string& into, const std::string& of, int value) {
      Element& element = circuit.elements.emplace_back();
      element.name = boxed.name + ":" + std::to_string(circuit.elements.size());
      element.kind = Kind::vccs;
      element.where = boxed.where;
      element.nodes = {into, ground, of, ground};
      element.value = value;
    };
    for (const std::string& end : ends) {
      const std::string own = boxed.name + ":" + std::to_string(++count);
      put(own, own, 1);
      put(end, own, 1);
      for (const std::string& other : ends) put(own, other, -1);
    }
  }
  std::erase_if(circuit.inputs, [&](const std::string& name) { return !left.contains(name); });
  std::erase_if(circuit.outputs, [&](const Circuit::Probe& probe) {
    return (!probe.element.empty() && !left.contains(probe.element)) ||
           std::ranges::any_of(probe.nodes, [&](const std::string& node) { return !left.contains(node); });
  });
  return circuit;
}

std::vector<std::set<std::string>> block_signals(const NetlistBlocks& blocks) {
  std::vector<std::set<std::string>> signals(blocks.instances.size());
  const BlockNodes nodes(blocks);
  const auto add = [&](std::optional<std::size_t> instance, const std::string& signal) {
    for (; instance; instance = blocks.instances[*instance].parent) signals[*instance].insert(signal);
  };
  for (std::size_t i = 0; i < blocks.circuit.elements.size(); ++i) {
    const Element& element = blocks.circuit.elements[i];
    add(blocks.owner[i], "i(" + element.name + ")");
    for (const std::string& node : element.nodes) {
      const std::string at = nodes.resolved(node);
      add(nodes.home(at), "v(" + at + ")");
    }
  }
  return signals;
}

SignalFlowGraph graph_of_rows(const EquationSystem& system) {
  SignalFlowGraph graph;
  graph.op = system.op;
  graph.symbols = system.symbols;
  std::vector<NodeId> unknowns, sources;
  for (const auto& unknown : system.unknowns) unknowns.push_back(graph.add_node({unknown.name, unknown.where, {}}));
  for (const auto& source : system.sources) sources.push_back(graph.add_node({source.name, source.where, {}}));
  for (std::size_t row = 0; row < system.equations.size(); ++row) {
    const EquationSystem::Equation& equation = system.equations[row];
    if (!equation.left.contains(row)) graph.add_branch(unknowns[row], unknowns[row], 1);
    for (const auto& [column, entry] : equation.left)
      graph.add_branch(unknowns[column], unknowns[row], column == row ? 1 - entry : -entry);
    for (const auto& [source, entry] : equation.right) graph.add_branch(sources[source], unknowns[row], entry);
  }
  return graph;
}

Circuit flat_circuit(const NetlistBlocks& blocks) {
  Circuit circuit = blocks.circuit;
  const BlockNodes nodes(blocks);
  for (Element& element : circuit.elements) nodes.resolve(element);
  return circuit;
}

}  // namespace sfg
