#include <ginac/ginac.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "sfg/expr/parse.hpp"
#include "sfg/model/signal_sum.hpp"
#include "sfg/read/document/model_document.hpp"
#include "sfg/read/spice.hpp"

namespace sfg {

namespace {

using FileBeside = std::function<std::string(const std::string&)>;

/// The parts one after the other, so that each knows the symbols of those before it; then what connects them.
class JoinedReading {
 public:
  JoinedReading(const DocumentReader& reader, const FileBeside& open, std::vector<Diagnostic>& notes)
      : reader_(reader), open_(open), notes_(notes) {}

  Joined joined(const JoinedParts& parts, SharedParts shared) {
    model_.where = reader_.document().where(reader_.document().root());
    if (shared.title)
      if (const auto title = reader_.string(*shared.title, "the title")) model_.title = title->text;
    read_symbols(reader_, shared, model_.op, model_.symbols);
    const SharedParts ends =
        std::exchange(shared, SharedParts{.parameters = shared.parameters,
                                          .equilibrium = shared.equilibrium,
                                          .driven = shared.driven,
                                          .whole = &model_});
    if (parts.circuit) circuits(*parts.circuit);
    if (shared.equilibrium && !parts.lagrange && !parts.multibody)
      reader_.error(*shared.equilibrium, "an equilibrium belongs to a [lagrange] or [multibody] model", "remove it");
    if (shared.equilibrium && parts.lagrange && parts.multibody)
      reader_.error(*shared.equilibrium, "an equilibrium beside [lagrange] and [multibody]: whose?",
                    "state it in the table of its model: equilibrium = { … }");
    if (parts.lagrange) add([&] { return lagrangian_of(reader_, *parts.lagrange, shared); });
    if (parts.multibody) add([&] { return multibody_of(reader_, *parts.multibody, shared); });
    shared.equilibrium = nullptr;
    if (parts.matrix) add([&] { return equations_of(reader_, *parts.matrix, shared); });
    if (parts.polar) add([&] { return polar_network_of(reader_, *parts.polar, shared); });
    if (parts.graph) connect(*parts.graph, shared);
    if (!parts.graph && model_.parts.size() > 1)
      reader_.error(reader_.document().root(), "several models and no table [graph] that connects them",
                    "write [graph] with branches = [[\"signal\", \"source\", \"gain\"], …]");
    model_.inputs = stated(ends.input, "input");
    for (const Joined::Node& input : model_.inputs)
      if (is_named_in_a_tail(input.name)) model_.nodes.push_back(input);
    if (ends.output) model_.outputs = stated(ends.output, "output");
    for (const Joined::Node& output : model_.outputs) measure(model_, output.name);
    if (!reader_.problems().any_errors())
      for (const Diagnostic& problem : problems(model_)) reader_.problems().error(problem.where, problem.message, problem.hint);
    if (!reader_.problems().any_errors()) doubt(ends.variable != nullptr);
    return std::move(model_);
  }

 private:
  template <class Read>
  void add(Read read) {
    auto part = read();
    if (reader_.problems().any_errors()) return;  // half a part has half of its names
    reader_.problems().attempt([&] { add_part(model_, std::move(part)); });
  }

  void circuits(const Value& value) {
    for (const Passage& name : reader_.strings(value, "circuit")) {
      const SourceSpan where = place(reader_.source(), name);
      const auto text = netlist(name.text, where);
      if (!text) continue;
      const std::filesystem::path folder = where.file ? std::filesystem::path(*where.file).parent_path() : "";
      add([&] {
        Circuit circuit;
        reader_.problems().attempt([&] { circuit = read_spice(*text, (folder / name.text).string(), &notes_, {}, nullptr, open_); });
        for (const Circuit::Probe& probe : circuit.outputs) model_.outputs.push_back({probe.name, probe.where});
        return circuit;
      });
    }
  }

  /// A model file is data from anywhere: what it names is in its own folder.
  std::optional<std::string> netlist(const std::string& name, const SourceSpan& where) {
    const auto refuse = [&](const std::string& message, const std::string& hint) {
      reader_.problems().error(where, message, hint);
      return std::nullopt;
    };
    const bool elsewhere = name.find_first_of("/\\:") != std::string::npos || name == "." || name == ".." ||
                           std::ranges::any_of(name, [](unsigned char c) { return c < 0x20; });
    if (name.empty()) return refuse("the name of the circuit is empty", "write circuit = \"netlist.cir\"");
    if (elsewhere)
      return refuse("the circuit " + in_quotes(name) + " is not in the folder of this file",
                    "put the netlist beside this file and name it alone");
    static const std::vector<std::string> netlists{".cir", ".sp", ".net", ".ckt"};
    if (std::ranges::find(netlists, std::filesystem::path(name).extension().string()) == netlists.end())
      return refuse("the circuit " + in_quotes(name) + " is no netlist by its name",
                    "name a file that ends in .cir, .sp, .net or .ckt");
    if (!open_)
      return refuse("the circuit " + in_quotes(name) + " cannot be read: the model has no folder here",
                    "read the model from a file");
    try {
      return open_(name);
    } catch (const Error& error) {
      return refuse(error.diagnostics().front().message, "put the netlist into the folder of this file, or mend its name");
    }
  }

  void connect(const Value& table, const SharedParts& shared) {
    const GraphParts parts{reader_.find(&table, "nodes"), reader_.find(&table, "branches"), reader_.find(&table, "attributes")};
    if (!parts.branches)
      reader_.error(table, "the table [graph] is without branches", "write branches = [[\"from\", \"to\", \"gain\"], …]");
    const SignalFlowGraph graph = graph_of(reader_, parts, shared);
    for (const Symbol& symbol : graph.symbols.all())
      if (!model_.symbols.find(symbol.name)) model_.symbols.add(symbol);
    const auto used = [&](const Node& node) {
      return std::ranges::any_of(graph.branches(), [&](const Branch& branch) {
        return graph[branch.from].name == node.name || graph[branch.to].name == node.name;
      });
    };
    for (const Node& node : graph.nodes())
      if (!used(node)) model_.nodes.push_back({node.name, node.where});
    for (const Branch& branch : graph.branches()) {
      if (!branch.linear()) {
        reader_.problems().error(branch.where, "a nonlinear branch between models, whose equations are linear",
                                 "write its gain at the operating point");
        continue;
      }
      refuse_signals_in(branch);
      const std::string& from = graph[branch.from].name;
      measure(model_, from);
      model_.branches.push_back({from, spelt(graph[branch.to].name), branch.gain(), branch.where, branch.where, branch.where});
    }
  }

  /// The source of a circuit that is meant, where case does not matter; else the name itself.
  std::string spelt(const std::string& name) const {
    const auto same = [&](const std::string& other) {
      return std::ranges::equal(name, other, [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
    };
    std::string found = name;
    for (const Joined::Part& part : model_.parts)
      for (const PartSignal& signal : signals(part)) {
        if (signal.name == name) return name;
        if (signal.source && std::holds_alternative<Circuit>(part) && same(signal.name)) found = signal.name;
      }
    return found;
  }

  /// A gain that has a signal in it is no gain.
  void refuse_signals_in(const Branch& branch) {
    for (const Symbol& symbol : model_.symbols.all()) {
      const bool signal =
          symbol.kind == SymbolKind::coordinate || symbol.kind == SymbolKind::input || symbol.kind == SymbolKind::signal;
      if (signal && branch.gain().has(symbol.expr))
        reader_.problems().error(branch.where, "the gain has the signal " + in_quotes(symbol.name) + " in it",
                                 "a gain is made of parameters and the operator; a signal is where a branch begins");
    }
  }

  /// What is right by the letter and likely a slip: an operator of another name, a node where a source was meant.
  void doubt(bool variable_stated) {
    for (const char* name : {"s", "p"})
      if (const Symbol* symbol = model_.symbols.find(name);
          symbol && !variable_stated && symbol->kind == SymbolKind::parameter && !symbol->value)
        reader_.problems().warn(
            symbol->where,
            std::string("name '") + name + "' is a parameter without a value: the operator is '" + model_.op.symbol() + "'",
            std::string("write variable = \"") + name + "\" at the top if it is the operator");
    std::vector<std::string> sources;
    for (const Joined::Part& part : model_.parts)
      for (const PartSignal& signal : signals(part))
        if (signal.source) sources.push_back(signal.name);
    for (const Joined::Branch& branch : model_.branches) {
      const auto leaves = [&](const Joined::Branch& other) {
        const std::vector<std::string> named = names_in(other.from);
        return other.from == branch.to || std::ranges::find(named, branch.to) != named.end();
      };
      if (std::ranges::find(sources, branch.to) != sources.end() || std::ranges::any_of(model_.branches, leaves) ||
          std::ranges::find(model_.outputs, branch.to, &Joined::Node::name) != model_.outputs.end())
        continue;
      reader_.problems().remark(branch.where, "the branch ends at the node " + in_quotes(branch.to) + ", from which none leaves",
                                suggestion(branch.to, sources));
    }
  }

  /// "ref - x": what the file states as an input, an expression may name without a branch of its own.
  bool is_named_in_a_tail(const std::string& name) const {
    return is_name(name) && std::ranges::any_of(model_.branches, [&](const Joined::Branch& branch) {
             const std::vector<std::string> named = names_in(branch.from);
             return std::ranges::find(named, name) != named.end();
           });
  }

  std::vector<Joined::Node> stated(const Value* value, const char* role) {
    std::vector<Joined::Node> found;
    if (!value) return found;
    for (const Passage& name : reader_.strings(*value, role)) {
      const SourceSpan where = place(reader_.source(), name);
      if (std::ranges::find(found, name.text, &Joined::Node::name) == found.end())
        found.push_back({name.text, where});
      else
        reader_.problems().remark(where, std::string("the ") + role + " " + in_quotes(name.text) + " is listed twice");
    }
    return found;
  }

  const DocumentReader& reader_;
  const FileBeside& open_;
  std::vector<Diagnostic>& notes_;
  Joined model_;
};

}  // namespace

Joined joined_of(const DocumentReader& reader, const JoinedParts& parts, const SharedParts& shared, const FileBeside& open,
                 std::vector<Diagnostic>& notes) {
  return JoinedReading(reader, open, notes).joined(parts, shared);
}

}  // namespace sfg
