#include "sfg/write/graph.hpp"

#include <ginac/operators.h>

#include <algorithm>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/text/scan.hpp"
#include "sfg/write/study/parameters.hpp"

namespace sfg {

namespace {

/// A line end would end the statement.
std::string in_quotes_of_a_line(std::string_view text) {
  std::string quoted;
  for (const char c : dot_string(text)) quoted += c == '\n' ? "\\n" : c == '\r' ? "\\r" : std::string(1, c);
  return quoted;
}

bool is_plain(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_word_character); }
std::string typed_name(const std::string& name) { return is_plain(name) ? name : in_quotes_of_a_line(name); }

class TypedText {
 public:
  TypedText(std::ostream& out, const SignalFlowGraph& graph)
      : out_(out), graph_(graph), leaving_(graph.nodes().size()), entering_(graph.nodes().size()) {
    for (const Branch& branch : graph.branches()) ++leaving_[branch.from.index], ++entering_[branch.to.index];
  }

  void write() {
    if (!graph_.title.empty()) out_ << "title " << in_quotes_of_a_line(graph_.title) << '\n';
    ends("input", graph_.inputs);
    ends("output", graph_.outputs);
    statement("variable", graph_.op.symbol());
    parameters();
    for (const auto& [name, value] : stated_attributes(graph_))
      if (name == "sample_time" || name == "tables") statement(name.c_str(), value);
    for (const NodeId node : graph_.node_ids())
      if (leaving_[node.index] + entering_[node.index] == 0) out_ << typed_name(graph_[node].name) << '\n';
    for (const Branch& branch : graph_.branches()) this->branch(branch);
  }

 private:
  void statement(const char* name, const std::string& value) {
    if (!value.empty()) out_ << name << ' ' << (is_plain(value) ? value : in_quotes_of_a_line(value)) << '\n';
  }
  void ends(const char* name, const std::vector<NodeId>& nodes) {
    std::string list;
    for (const NodeId node : nodes) list += (list.empty() ? "" : ", ") + list_entry(graph_[node].name);
    statement(name, list);
  }

  void parameters() {
    for (const Symbol& symbol : graph_.symbols.all())
      if (symbol.kind == SymbolKind::parameter && symbol.value) out_ << symbol.name << " = " << print(*symbol.value) << '\n';
    Attributes lists = parameter_lists(graph_.symbols);
    std::string& units = lists.front().second;
    for (const Node& node : graph_.nodes())
      for (const auto& [name, text] : node.attributes)
        if (name == "unit" && is_plain(node.name)) units += (units.empty() ? "" : ", ") + node.name + '=' + list_entry(text);
    for (const auto& [name, list] : lists) statement(name.c_str(), list);
  }

  void branch(const Branch& branch) {
    if (!branch.linear())
      throw Error(branch.where,
                  "the branch from '" + graph_[branch.from].name + "' to '" + graph_[branch.to].name +
                      "' has a nonlinear law, which a typed block diagram has no place for",
                  "write the graph as .dot, .json or .toml");
    std::string gain = print(branch.gain());
    std::string opposite = print(-branch.gain());
    const bool negative = gain.starts_with('-') && !opposite.starts_with('-');
    if (negative) gain = std::move(opposite);
    out_ << typed_name(graph_[branch.from].name);
    if (gain != "1") out_ << " -> [" << gain << ']';
    const bool summed = negative || entering_[branch.to.index] > 1;
    out_ << " -> " << (summed ? negative ? "(-" : "(+" : "") << typed_name(graph_[branch.to].name) << (summed ? ")\n" : "\n");
  }
  std::ostream& out_;
  const SignalFlowGraph& graph_;
  std::vector<std::size_t> leaving_, entering_;
};

}  // namespace

void write_typed_diagram(std::ostream& out, const SignalFlowGraph& graph) { TypedText(out, graph).write(); }

bool loses_as_typed_diagram(const SignalFlowGraph& graph) {
  const auto has_more = [](const auto& part) {
    return std::ranges::any_of(part.attributes, [](const auto& entry) { return entry.first != "unit"; });
  };
  const auto of_graph = [](const auto& entry) { return entry.first != "sample_time" && entry.first != "tables"; };
  return std::ranges::any_of(graph.nodes(), has_more) || std::ranges::any_of(graph.branches(), has_more) ||
         std::ranges::any_of(graph.attributes, of_graph);
}

}  // namespace sfg
