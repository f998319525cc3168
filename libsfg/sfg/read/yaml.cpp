#include "sfg/read/yaml.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "sfg/read/branch_list.hpp"
#include "sfg/read/yaml/yaml_values.hpp"

namespace sfg {

namespace {

using YamlKind = YamlValue::Kind;

const char* yaml_kind_name(const YamlValue& value) {
  switch (value.kind) {
    case YamlKind::scalar: return value.text.text.empty() ? "empty" : "text";
    case YamlKind::sequence: return "a list";
    case YamlKind::mapping: return "a mapping";
  }
  return "";
}

class PysfgReading {
 public:
  PysfgReading(const SourceText& source, Problems& problems) : source_(source), problems_(problems), list_(source, problems) {}

  SignalFlowGraph graph(const YamlValue& root) {
    list_.graph.op.declare(list_.graph.symbols);
    if (root.kind != YamlKind::mapping) {
      error(root, std::string("the document is ") + yaml_kind_name(root) + ", and no mapping",
            "write sources:, sinks:, nodes: and edges:");
      return {};
    }
    const YamlValue* edges = nullptr;
    bool lists_nodes = false;
    for (const auto& [key, value] : root.entries) {
      const std::string& name = key.text.text;
      lists_nodes |= name == "nodes";
      if (name == "edges")
        edges = &value;
      else if (name == "sources" || name == "sinks" || name == "nodes")
        names(value, name);
      else
        unknown(key);
    }
    if (!edges && !problems_.any_errors())
      error(root, "there are no edges", "write edges: and below it lines such as  R ~> e: 1");
    declared_ = lists_nodes;
    if (edges) branches(*edges);
    list_.finish();
    return std::move(list_.graph);
  }

 private:
  void error(const YamlValue& at, std::string message, Remedy hint) {
    problems_.error(source_.at(at.begin, at.end - at.begin), std::move(message), std::move(hint));
  }

  void unknown(const YamlValue& key) {
    const std::string& name = key.text.text;
    if (name == "modules" || name == "top_module")
      return error(key, "a graph of modules, which PySFG does not read either",
                   "write one graph of sources, sinks, nodes and edges");
    const std::string near = nearest(name, std::vector<std::string>{"sources", "sinks", "nodes", "edges"});
    if (!near.empty()) return error(key, "the key " + in_quotes(name) + " is not known", "did you mean '" + near + "'?");
    problems_.remark(source_.at(key.begin, key.end - key.begin), "the key " + in_quotes(name) + " means nothing here");
  }

  void names(const YamlValue& value, const std::string& role) {
    if (value.kind == YamlKind::scalar && value.text.text.empty()) return;
    if (value.kind != YamlKind::sequence)
      return error(value, role + " is " + yaml_kind_name(value) + ", and no list", "write a line  - name  for each");
    std::set<std::string> here;
    for (const YamlValue& item : value.items) {
      if (item.kind != YamlKind::scalar) {
        error(item, std::string("the name of a node is ") + yaml_kind_name(item), "write a name");
        continue;
      }
      const auto node = list_.node(item.text);
      if (!node) continue;
      if (!here.insert(item.text.text).second) {
        problems_.remark(place(source_, item.text), "the node " + in_quotes(item.text.text) + " is listed twice");
        continue;
      }
      if (role == "sources") list_.graph.inputs.push_back(*node);
      if (role == "sinks") list_.graph.outputs.push_back(*node);
    }
  }

  /// A mapping, or a list of mappings.
  void branches(const YamlValue& edges) {
    if (edges.kind == YamlKind::mapping) {
      for (const auto& [key, value] : edges.entries) branch(key, value);
    } else if (edges.kind == YamlKind::sequence) {
      for (const YamlValue& item : edges.items) {
        if (item.kind != YamlKind::mapping) error(item, std::string("an edge is ") + yaml_kind_name(item), "write  u ~> v: gain");
        for (const auto& [key, value] : item.entries) branch(key, value);
      }
    } else {
      error(edges, std::string("the edges are ") + yaml_kind_name(edges) + ", and no mapping", "write lines such as  R ~> e: 1");
    }
  }

  void branch(const YamlValue& key, const YamlValue& value) {
    const Passage& ends = key.text;
    const std::size_t arrow = ends.text.find("~>");
    if (arrow == std::string::npos || ends.text.find("~>", arrow + 2) != std::string::npos)
      return error(key, "the edge " + in_quotes(ends.text) + " is not of the form u ~> v", "write  u ~> v: gain");
    if (value.kind != YamlKind::scalar)
      return error(value, std::string("the gain is ") + yaml_kind_name(value), "write an expression");
    const Passage from = ends.part(0, arrow).trimmed(), to = ends.part(arrow + 2, std::string::npos).trimmed();
    bool known = true;
    for (const Passage& end : {from, to}) known = known_node(end) && known;
    if (!known) return;
    Passage gain = value.text;
    if (gain.pieces.empty()) gain.append("", value.begin);
    list_.branch({from, to, gain, {}, {}, source_.at(key.begin, key.end - key.begin), {}});
  }

  bool known_node(const Passage& name) {
    if (!declared_ || name.text.empty() || list_.graph.find(name.text)) return true;
    std::vector<std::string> known;
    for (const Node& node : list_.graph.nodes()) known.push_back(node.name);
    problems_.error(place(source_, name), "the node " + in_quotes(name.text) + " is in none of the lists",
                    suggestion(name.text, known));
    return false;
  }

  const SourceText& source_;
  Problems& problems_;
  BranchList list_;
  bool declared_ = false;  ///< every node is listed
};

}  // namespace

SignalFlowGraph read_yaml(std::string_view text, std::string file, std::vector<Diagnostic>* notes) {
  const SourceText source(text, std::move(file));
  Problems problems;
  problems.attempt([&] { source.check_characters(); });
  if (problems.any_errors()) problems.finish(nullptr);
  SignalFlowGraph graph;
  problems.attempt([&] { graph = PysfgReading(source, problems).graph(yaml_values(source)); });
  problems.finish(notes);
  return graph;
}

}  // namespace sfg
