#include <algorithm>
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
        std::exchange(shared, SharedParts{.parameters = shared.parameters, .equilibrium = shared.equilibrium, .whole = &model_});
    if (parts.circuit) circuits(*parts.circuit);
    if (shared.equilibrium && !parts.lagrange)
      reader_.error(*shared.equilibrium, "an equilibrium belongs to a [lagrange] model", "remove it");
    if (parts.lagrange) add([&] { return lagrangian_of(reader_, *parts.lagrange, shared); });
    shared.equilibrium = nullptr;
    if (parts.matrix) add([&] { return equations_of(reader_, *parts.matrix, shared); });
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
        reader_.problems().attempt([&] { circuit = read_spice(*text, (folder / name.text).string(), &notes_); });
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
      const std::string& from = graph[branch.from].name;
      measure(model_, from);
      model_.branches.push_back({from, graph[branch.to].name, branch.gain(), branch.where, branch.where, branch.where});
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
