// The text is put together here and not by cgraph's agwrite, which groups the branches by their tails, sorts attributes by
// name and breaks long strings: what is written must read back to the same graph, in the same order.
#include "sfg/write/graph.hpp"

#include <algorithm>
#include <array>
#include <ostream>
#include <set>
#include <tuple>

#include "sfg/expr/print.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/write/study/parameters.hpp"

namespace sfg {

namespace {

void append(std::string& list, const std::string& entry) { list += (list.empty() ? "" : ", ") + entry; }

class DotText {
 public:
  DotText(std::ostream& out, const SignalFlowGraph& graph) : out_(out), graph_(graph) {}

  void write() {
    out_ << "digraph ";
    if (!graph_.title.empty()) out_ << dot_string(graph_.title) << ' ';
    out_ << "{\n";
    statement("input", ends(graph_.inputs));
    statement("output", ends(graph_.outputs));
    statement("variable", graph_.op.symbol());
    parameters();
    for (const auto& [name, value] : stated_attributes(graph_))
      if (!is_ours(name)) out_ << "  " << dot_kept_name(name) << '=' << dot_kept_value(value) << ";\n";
    if (!branches_tell_nodes())
      for (const Node& node : graph_.nodes()) this->node(node);
    for (const Branch& branch : graph_.branches()) this->branch(branch);
    out_ << "}\n";
  }

 private:
  static bool is_ours(std::string_view name) {
    constexpr std::array<std::string_view, 9> names{"input",      "output",        "variable", "parameters",  "units",
                                                    "tolerances", "distributions", "texts",    "correlations"};
    return std::ranges::find(names, name) != names.end();
  }

  void statement(const char* name, const std::string& value) {
    if (!value.empty()) out_ << "  " << name << '=' << dot_string(value) << ";\n";
  }

  std::string ends(const std::vector<NodeId>& nodes) const {
    std::string list;
    for (const NodeId node : nodes) append(list, list_entry(graph_[node].name));
    return list;
  }

  void parameters() {
    std::string values;
    for (const Symbol& symbol : graph_.symbols.all())
      if (symbol.kind == SymbolKind::parameter && symbol.value) append(values, symbol.name + '=' + print(*symbol.value));
    statement("parameters", values);
    for (const auto& [name, list] : parameter_lists(graph_.symbols)) statement(name.c_str(), list);
  }

  /// The branches mention every node, in the order of the nodes, and no node has attributes.
  bool branches_tell_nodes() const {
    std::uint32_t known = 0;
    for (const Branch& branch : graph_.branches())
      for (const NodeId end : {branch.from, branch.to}) {
        if (end.index > known) return false;
        known += end.index == known;
      }
    return known == graph_.nodes().size() &&
           std::ranges::all_of(graph_.nodes(), [](const Node& node) { return node.attributes.empty(); });
  }

  void node(const Node& node) {
    out_ << "  " << dot_name(node.name);
    std::string list;
    for (const auto& [name, value] : node.attributes) append(list, dot_kept_name(name) + '=' + dot_kept_value(value));
    if (!list.empty()) out_ << " [" << list << ']';
    out_ << ";\n";
  }

  void branch(const Branch& branch) {
    out_ << "  " << dot_name(graph_[branch.from].name) << " -> " << dot_name(graph_[branch.to].name) << " [";
    if (branch.linear())
      out_ << "gain=" << dot_string(print(branch.gain()));
    else
      out_ << "nonlinear=" << dot_string(print(std::get<Nonlinearity>(branch.law).law)) << arguments(branch);
    for (const auto& [name, value] : branch.attributes) {
      if (name == "gain" || name == "nonlinear" || name == "arguments") continue;
      if (name == "key" && !keys_.emplace(branch.from, branch.to, value).second) continue;  // would make one branch of two
      out_ << ", " << dot_kept_name(name) << '=' << dot_kept_value(value);
    }
    out_ << "];\n";
  }

  std::string arguments(const Branch& branch) const {
    std::string list;
    for (const std::string& entry : argument_entries(graph_, branch)) append(list, list_entry(entry));
    return list.empty() ? "" : ", arguments=" + dot_string(list);
  }

  std::ostream& out_;
  const SignalFlowGraph& graph_;
  std::set<std::tuple<NodeId, NodeId, std::string>> keys_;
};

}  // namespace

void write_dot(std::ostream& out, const SignalFlowGraph& graph) { DotText(out, graph).write(); }

}  // namespace sfg
