#include "sfg/write/graph.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <set>

#include "sfg/expr/print.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/write/study/parameters.hpp"

namespace sfg {

namespace {

std::string law_text(const Branch& branch) {
  return print(branch.linear() ? branch.gain() : std::get<Nonlinearity>(branch.law).law);
}
const char* law_key(const Branch& branch) { return branch.linear() ? "gain" : "nonlinear"; }

/// Writes "a, b, c" by calls that each write one.
class Commas {
 public:
  explicit Commas(const char* between) : between_(between) {}
  const char* next() {
    const char* text = first_ ? "" : between_;
    first_ = false;
    return text;
  }

 private:
  const char* between_;
  bool first_ = true;
};

// --- JSON ---

void write_json_object(std::ostream& out, const Attributes& attributes) {
  out << '{';
  Commas commas(", ");
  for (const auto& [name, value] : attributes) out << commas.next() << json_string(name) << ": " << json_string(value);
  out << '}';
}

void write_json_names(std::ostream& out, const SignalFlowGraph& graph, const std::vector<NodeId>& nodes) {
  out << '[';
  Commas commas(", ");
  for (const NodeId node : nodes) out << commas.next() << json_string(graph[node].name);
  out << ']';
}

// --- TOML ---

std::string toml_table(const Attributes& attributes) {
  std::string text = "{ ";
  Commas commas(", ");
  for (const auto& [name, value] : attributes) text += commas.next() + toml_key(name) + " = " + toml_value("", value);
  return text + " }";
}

void write_toml_names(std::ostream& out, const char* key, const SignalFlowGraph& graph, const std::vector<NodeId>& nodes) {
  if (nodes.empty()) return;
  out << key << " = [";
  Commas commas(", ");
  for (const NodeId node : nodes) out << commas.next() << toml_string(graph[node].name);
  out << "]\n";
}

void write_toml_branch(std::ostream& out, const SignalFlowGraph& graph, const Branch& branch) {
  const std::string from = toml_string(graph[branch.from].name);
  const std::string to = toml_string(graph[branch.to].name);
  const std::string law = toml_string(law_text(branch));
  if (branch.linear() && branch.attributes.empty()) {
    out << "  [" << from << ", " << to << ", " << law << "],\n";
    return;
  }
  out << "  { from = " << from << ", to = " << to << ", " << law_key(branch) << " = " << law;
  const std::vector<std::string> arguments = argument_entries(graph, branch);
  for (std::size_t i = 0; i < arguments.size(); ++i) out << (i == 0 ? ", arguments = [" : ", ") << toml_string(arguments[i]);
  if (!arguments.empty()) out << "]";
  if (!branch.attributes.empty()) out << ", attributes = " << toml_table(branch.attributes);
  out << " },\n";
}

// --- GraphML ---

/// igraph has an attribute `id` of its own, and `name` names nodes: with '_' behind it each is somebody's attribute.
std::string in_graphml(const std::string& name) {
  const std::string word = name.substr(0, name.find_last_not_of('_') + 1);
  return word == "id" || word == "name" ? name + '_' : name;
}

/// The <key> declarations of GraphML: a name may be declared once for nodes, once for edges, once for the graph.
class GraphmlKeys {
 public:
  explicit GraphmlKeys(const char* domain) : domain_(domain) {}

  void add(const std::string& name, const char* type = "string") {
    if (ids_.emplace(name, "").second) order_.push_back({name, type});
  }
  void write(std::ostream& out) {
    std::size_t number = 0;
    for (const auto& [name, type] : order_) {
      const std::string id = std::string(domain_) + '_' + std::to_string(number++);
      ids_[name] = id;
      out << "  <key id=\"" << id << "\" for=\"" << domain_ << "\" attr.name=\"" << xml_text(name) << "\" attr.type=\"" << type
          << "\"/>\n";
    }
  }
  std::string data(const std::string& name, const std::string& value) const {
    // Readers pass over blanks alone, unless one of them is written by its number.
    const bool blank = !value.empty() && value.find_first_not_of(' ') == std::string::npos;
    return "<data key=\"" + ids_.at(name) + "\">" + (blank ? "&#32;" + value.substr(1) : xml_text(value)) + "</data>";
  }

 private:
  const char* domain_;
  std::vector<std::pair<std::string, const char*>> order_;
  std::map<std::string, std::string> ids_;
};

class Graphml {
 public:
  Graphml(std::ostream& out, const SignalFlowGraph& graph) : out_(out), graph_(graph) {}

  void write() {
    out_ << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"\n"
            "         xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns "
            "http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd\">\n";
    declare();
    out_ << "  <graph id=\"graph\" edgedefault=\"directed\">\n";
    for (const auto& [name, value] : about()) out_ << "    " << graph_keys_.data(in_graphml(name), value) << '\n';
    name_nodes();
    for (const NodeId id : graph_.node_ids()) node(id);
    for (const BranchId id : graph_.branch_ids()) branch(id);
    out_ << "  </graph>\n</graphml>\n";
  }

 private:
  void declare() {
    for (const auto& [name, value] : about()) graph_keys_.add(in_graphml(name));
    node_keys_.add("label");
    node_keys_.add("kind");
    has_labels_ = std::ranges::any_of(graph_.nodes(), [](const Node& node) {
      return states(node.attributes, "label") || node.name.find_first_not_of(" \t\r\n") == std::string::npos;
    });
    if (has_labels_) node_keys_.add("name");  // labels of their own are not names, nor are blank ones
    edge_keys_.add("gain");
    edge_keys_.add("nonlinear");
    if (std::ranges::any_of(graph_.branches(), [&](const Branch& b) { return !argument_entries(graph_, b).empty(); }))
      edge_keys_.add("arguments");
    has_weights_ = std::ranges::any_of(graph_.branches(), [](const Branch& b) { return states(b.attributes, "weight"); });
    edge_keys_.add("weight", has_weights_ ? "string" : "double");
    for (const Node& node : graph_.nodes())
      for (const auto& [name, value] : node.attributes) node_keys_.add(in_graphml(name));
    for (const Branch& branch : graph_.branches())
      for (const auto& [name, value] : branch.attributes) edge_keys_.add(in_graphml(name));
    graph_keys_.write(out_);
    node_keys_.write(out_);
    edge_keys_.write(out_);
  }

  Attributes about() const {
    Attributes list{{"variable", graph_.op.symbol()}};
    const auto state = [&](const char* name, const std::string& value) {
      if (!value.empty()) list.emplace_back(name, value);
    };
    state("title", graph_.title);
    state("input", ends(graph_.inputs));
    state("output", ends(graph_.outputs));
    std::string parameters;
    for (const Symbol& symbol : graph_.symbols.all())
      if (symbol.kind == SymbolKind::parameter && symbol.value)
        parameters += (parameters.empty() ? "" : ", ") + symbol.name + '=' + print(*symbol.value);
    state("parameters", parameters);
    for (const auto& [name, value] : parameter_lists(graph_.symbols)) state(name.c_str(), value);
    for (const auto& attribute : stated_attributes(graph_))
      if (std::ranges::find(list, attribute.first, &std::pair<std::string, std::string>::first) == list.end())
        list.push_back(attribute);
    return list;
  }

  std::string ends(const std::vector<NodeId>& nodes) const {
    std::string list;
    for (const NodeId node : nodes) list += (list.empty() ? "" : ", ") + list_entry(graph_[node].name);
    return list;
  }

  /// The name itself where XML allows it as an identifier, else a number; the label is the name always.
  void name_nodes() {
    const auto is_token = [](const std::string& name) {
      return std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
      });
    };
    std::set<std::string> taken;
    for (const Node& node : graph_.nodes())
      if (is_token(node.name)) taken.insert(node.name);
    for (const NodeId id : graph_.node_ids()) {
      std::string name = graph_[id].name;
      if (!is_token(name)) {
        name = "n" + std::to_string(id.index);
        while (!taken.insert(name).second) name += '_';
      }
      ids_.push_back(name);
    }
  }

  const char* kind(NodeId id) const {
    if (graph_.entering(id).empty()) return graph_.leaving(id).empty() ? "isolated" : "source";
    return graph_.leaving(id).empty() ? "sink" : "internal";
  }

  static bool states(const Attributes& attributes, std::string_view name) {
    return std::ranges::any_of(attributes, [&](const auto& attribute) { return attribute.first == name; });
  }

  void node(NodeId id) {
    const Node& node = graph_[id];
    out_ << "    <node id=\"" << ids_[id.index] << "\">";
    if (!states(node.attributes, "label")) out_ << node_keys_.data("label", node.name);
    if (has_labels_) out_ << node_keys_.data("name", node.name);
    if (!states(node.attributes, "kind")) out_ << node_keys_.data("kind", kind(id));
    for (const auto& [name, value] : node.attributes) out_ << node_keys_.data(in_graphml(name), value);
    out_ << "</node>\n";
  }

  void branch(BranchId id) {
    const Branch& branch = graph_[id];
    out_ << "    <edge id=\"b" << id.index + 1 << "\" source=\"" << ids_[branch.from.index] << "\" target=\""
         << ids_[branch.to.index] << "\">";
    out_ << edge_keys_.data(law_key(branch), law_text(branch));
    std::string arguments;
    for (const std::string& entry : argument_entries(graph_, branch)) arguments += (arguments.empty() ? "" : ", ") + entry;
    if (!arguments.empty()) out_ << edge_keys_.data("arguments", arguments);
    if (!has_weights_ && branch.linear() && GiNaC::is_a<GiNaC::numeric>(branch.gain()))
      out_ << edge_keys_.data("weight", print(GiNaC::ex_to<GiNaC::numeric>(branch.gain()).to_double()));
    for (const auto& [name, value] : branch.attributes)
      if (name != "gain" && name != "nonlinear") out_ << edge_keys_.data(in_graphml(name), value);
    out_ << "</edge>\n";
  }

  std::ostream& out_;
  const SignalFlowGraph& graph_;
  GraphmlKeys graph_keys_{"graph"};
  GraphmlKeys node_keys_{"node"};
  GraphmlKeys edge_keys_{"edge"};
  bool has_labels_ = false;
  bool has_weights_ = false;  ///< of branches, which are no gains
  std::vector<std::string> ids_;
};

}  // namespace

void write_json(std::ostream& out, const SignalFlowGraph& graph) {
  out << "{\n  \"schema\": \"sfg/graph/1\",\n";
  if (!graph.title.empty()) out << "  \"title\": " << json_string(graph.title) << ",\n";
  out << "  \"variable\": " << json_string(graph.op.symbol()) << ",\n  \"inputs\": ";
  write_json_names(out, graph, graph.inputs);
  out << ",\n  \"outputs\": ";
  write_json_names(out, graph, graph.outputs);
  out << ",\n  \"nodes\": [";
  Commas nodes(",");
  for (const Node& node : graph.nodes()) {
    out << nodes.next() << "\n    {\"name\": " << json_string(node.name);
    if (!node.attributes.empty()) write_json_object(out << ", \"attributes\": ", node.attributes);
    out << '}';
  }
  out << "\n  ],\n  \"branches\": [";
  Commas branches(",");
  for (const Branch& branch : graph.branches()) {
    out << branches.next() << "\n    {\"from\": " << json_string(graph[branch.from].name)
        << ", \"to\": " << json_string(graph[branch.to].name) << ", \"" << law_key(branch)
        << "\": " << json_string(law_text(branch));
    const std::vector<std::string> arguments = argument_entries(graph, branch);
    for (std::size_t i = 0; i < arguments.size(); ++i) out << (i == 0 ? ", \"arguments\": [" : ", ") << json_string(arguments[i]);
    if (!arguments.empty()) out << ']';
    if (!branch.attributes.empty()) write_json_object(out << ", \"attributes\": ", branch.attributes);
    out << '}';
  }
  out << "\n  ],\n  \"parameters\": {";
  Commas parameters(",");
  for (const Symbol& symbol : graph.symbols.all()) {
    if (!is_stated(symbol)) continue;
    write_json_object(out << parameters.next() << "\n    " << json_string(symbol.name) << ": ", statements(symbol));
  }
  out << "\n  },";
  const Attributes correlations = correlation_statements(graph.symbols);
  if (!correlations.empty()) {
    out << "\n  \"correlations\": {";
    Commas pairs(",");
    for (const auto& [pair, number] : correlations) out << pairs.next() << "\n    " << json_string(pair) << ": " << number;
    out << "\n  },";
  }
  out << "\n  \"attributes\": ";
  write_json_object(out, stated_attributes(graph));
  out << "\n}\n";
}

void write_toml(std::ostream& out, const SignalFlowGraph& graph) {
  write_toml_head(out, graph.title, graph.op.symbol());
  out << "\n[graph]\n";
  write_toml_names(out, "input", graph, graph.inputs);
  write_toml_names(out, "output", graph, graph.outputs);
  out << "nodes = [\n";
  for (const Node& node : graph.nodes()) {
    out << "  ";
    if (node.attributes.empty())
      out << toml_string(node.name);
    else
      out << "{ name = " << toml_string(node.name) << ", attributes = " << toml_table(node.attributes) << " }";
    out << ",\n";
  }
  out << "]\nbranches = [\n";
  for (const Branch& branch : graph.branches()) write_toml_branch(out, graph, branch);
  out << "]\n";
  if (const Attributes attributes = stated_attributes(graph); !attributes.empty()) {
    out << "\n[graph.attributes]\n";
    for (const auto& [name, value] : attributes) out << toml_key(name) << " = " << toml_string(value) << '\n';
  }
  write_toml_parameters(out, graph.symbols);
}

void write_graphml(std::ostream& out, const SignalFlowGraph& graph) { Graphml(out, graph).write(); }

}  // namespace sfg
