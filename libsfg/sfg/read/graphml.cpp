#include "sfg/read/graphml.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "sfg/read/branch_list.hpp"
#include "sfg/read/graphml/xml_text.hpp"
#include "sfg/read/stated_attributes.hpp"

namespace sfg {

namespace {

/// Groups in groups.
constexpr std::size_t deepest_graph = 64;

/// What <key> says of data: whose they are, and their name.
struct Key {
  std::string name;
  bool number = false;
  std::string drawn;  ///< "nodegraphics", "edgegraphics" of yEd
  std::optional<Passage> fallback;

  /// The name as an attribute: `id_` and `name_` are what write_graphml() calls `id` and `name`.
  std::string of_attribute() const {
    const std::string word = name.substr(0, name.find_last_not_of('_') + 1);
    return (word == "id" || word == "name") && name != word ? name.substr(0, name.size() - 1) : name;
  }
};

/// The data of a node, an edge or a graph, in the order of the file.
using Data = std::vector<std::pair<const Key*, Passage>>;

class GraphmlReading {
 public:
  GraphmlReading(const SourceText& source, Problems& problems)
      : source_(source),
        problems_(problems),
        xml_(source),
        list_(source, problems),
        stated_(source, list_.graph, problems, [this](std::string_view name) { return of_graph(name); }) {}

  SignalFlowGraph graph() {
    const pugi::xml_node root = xml_.root();
    if (XmlText::local_name(root) != "graphml") {
      problems_.error(xml_.where(root), "the document is <" + std::string(root.name()) + ">, and no <graphml>",
                      "write GraphML: <graphml> with a <graph> in it");
      return {};
    }
    keys(root);
    const pugi::xml_node graph = only_graph(root);
    if (!graph || problems_.any_errors()) return {};
    about_ = data_of(graph);
    collect(graph, 0);
    name_nodes();
    std::set<std::string> names;
    for (const FileNode& node : nodes_) names.insert(node.name.text);
    if (const auto title = of_graph("title")) list_.graph.title = title->text;
    stated_.before_nodes(names);
    for (const FileNode& node : nodes_)
      if (!node.is_group || used_.contains(node.id.text)) add(node);
    for (const auto& [edge, defaults] : edges_) this->edge(edge, defaults);
    list_.finish();
    stated_.after_branches(list_.laws);
    for (const auto& [key, text] : about_)
      if (!StatedAttributes::are_of_graph(key->name)) {
        if (const std::string near = StatedAttributes::meant_by(key->name); !near.empty())
          problems_.error(place(source_, text), "attribute " + in_quotes(key->name) + " of the graph is not known",
                          "did you mean '" + near + "'?");
        list_.graph.attributes.emplace_back(key->of_attribute(), text.text);
      }
    return std::move(list_.graph);
  }

 private:
  struct FileNode {
    pugi::xml_node xml;
    Passage id, name;
    Data data;
    bool is_group = false;
  };

  // The head of the document.

  void keys(const pugi::xml_node root) {
    for (const pugi::xml_node child : root.children()) {
      if (XmlText::local_name(child) != "key") continue;
      const auto id = xml_.attribute(child, "id");
      if (!id) {
        problems_.error(xml_.where(child), "a <key> without an id", "write id=\"…\"");
        continue;
      }
      Key key;
      if (const auto name = xml_.attribute(child, "attr.name")) key.name = name->text;
      if (const auto drawn = xml_.attribute(child, "yfiles.type")) key.drawn = drawn->text;
      const auto type = xml_.attribute(child, "attr.type");
      key.number = type && (type->text == "double" || type->text == "float" || type->text == "int" || type->text == "long");
      if (key.name.empty() && key.drawn.empty()) key.name = id->text;
      for (const pugi::xml_node inner : child.children())
        if (XmlText::local_name(inner) == "default" && key.drawn.empty()) key.fallback = xml_.text(inner);
      if (!keys_.emplace(id->text, Declared{domain_of(child), std::move(key)}).second)
        problems_.error(place(source_, *id), "there are two keys " + in_quotes(id->text), "give one of them another id");
    }
  }

  std::string domain_of(const pugi::xml_node key) const {
    const auto domain = xml_.attribute(key, "for");
    return domain ? domain->text : "all";
  }

  pugi::xml_node only_graph(const pugi::xml_node root) {
    pugi::xml_node found;
    for (const pugi::xml_node child : root.children()) {
      if (XmlText::local_name(child) != "graph") continue;
      if (found)
        problems_.error(xml_.where(child), "there is a second graph in the file", "keep one graph a file");
      else
        found = child;
    }
    if (!found) problems_.error(xml_.where(root), "the file has no <graph>", "put nodes and edges into one");
    return found;
  }

  /// The data of a part of the graph, defaults after what is stated.
  Data data_of(const pugi::xml_node part) {
    Data data;
    const std::string domain(XmlText::local_name(part));
    std::vector<const Key*> stated;
    for (const pugi::xml_node child : part.children()) {
      if (XmlText::local_name(child) != "data") continue;
      const auto id = xml_.attribute(child, "key");
      const auto key = id ? keys_.find(id->text) : keys_.end();
      if (key == keys_.end()) {
        problems_.error(id ? place(source_, *id) : xml_.where(child),
                        id ? "no key " + in_quotes(id->text) + " is declared" : "data without a key",
                        "declare it above the graph: <key id=\"gain\" for=\"edge\" attr.name=\"gain\" attr.type=\"string\"/>");
        continue;
      }
      if (std::ranges::find(stated, &key->second.key) != stated.end())
        problems_.error(xml_.where(child), "the data " + in_quotes(key->second.key.name) + " are there twice",
                        "keep one of them");
      stated.push_back(&key->second.key);
      problems_.attempt([&] { take(key->second.key, child, data); });
    }
    for (const auto& [id, declared] : keys_)
      if (declared.key.fallback && std::ranges::find(stated, &declared.key) == stated.end() &&
          (declared.domain == domain || declared.domain == "all"))
        data.emplace_back(&declared.key, *declared.key.fallback);
    return data;
  }

  void take(const Key& key, const pugi::xml_node child, Data& data) {
    if (key.drawn.empty()) {
      data.emplace_back(&key, xml_.text(child));
      return;
    }
    const char* const label = key.drawn == "nodegraphics" ? "NodeLabel" : key.drawn == "edgegraphics" ? "EdgeLabel" : nullptr;
    const pugi::xml_node found =
        label == nullptr ? pugi::xml_node()
                         : child.find_node([&](const pugi::xml_node node) { return XmlText::local_name(node) == label; });
    if (!found) return;
    const Passage text = xml_.text(found).trimmed();
    if (!text.text.empty()) data.emplace_back(&drawn_label_, text);
  }

  static std::optional<Passage> find(const Data& data, std::string_view name) {
    for (const auto& [key, text] : data)
      if (key->name == name) return text;
    return {};
  }

  std::optional<Passage> of_graph(std::string_view name) const { return find(about_, name); }

  // Nodes and edges.

  void collect(const pugi::xml_node graph, std::size_t depth) {
    if (depth > deepest_graph) {
      problems_.error(xml_.where(graph), "graphs are nested more than " + std::to_string(deepest_graph) + " deep",
                      "take groups apart");
      return;
    }
    const auto defaults = xml_.attribute(graph, "edgedefault");
    const bool directed = !defaults || defaults->text != "undirected";
    for (const pugi::xml_node child : graph.children()) {
      if (problems_.full()) problems_.finish(nullptr);
      const std::string_view name = XmlText::local_name(child);
      if (name == "node")
        collect_node(child, depth);
      else if (name == "edge")
        collect_edge(child, directed);
      else if (name == "hyperedge")
        problems_.error(xml_.where(child), "a hyperedge", "a branch of a signal-flow graph leads from one node to one node");
    }
  }

  void collect_node(const pugi::xml_node xml, std::size_t depth) {
    FileNode node;
    node.xml = xml;
    const auto id = xml_.attribute(xml, "id");
    if (!id) {
      problems_.error(xml_.where(xml), "a <node> without an id", "write id=\"…\"");
      return;
    }
    node.id = *id;
    node.data = data_of(xml);
    std::vector<pugi::xml_node> inner;
    for (const pugi::xml_node child : xml.children())
      if (XmlText::local_name(child) == "graph") inner.push_back(child);
    node.is_group = !inner.empty();
    if (!index_.emplace(id->text, nodes_.size()).second)
      problems_.error(place(source_, *id), "there are two nodes " + in_quotes(id->text), "give one of them another id");
    else
      nodes_.push_back(std::move(node));
    for (const pugi::xml_node graph : inner) collect(graph, depth + 1);
  }

  void collect_edge(const pugi::xml_node xml, bool directed) {
    const auto stated = xml_.attribute(xml, "directed");
    if (stated ? stated->text == "false" || stated->text == "0" : !directed)
      problems_.error(xml_.where(xml), "an undirected edge",
                      "a branch has a direction: write edgedefault=\"directed\", or directed=\"true\"");
    edges_.emplace_back(xml, data_of(xml));
    for (const char* end : {"source", "target"})
      if (const auto id = xml_.attribute(xml, end)) used_.insert(id->text);
  }

  /// name, else the label where no two nodes share one, else the id.
  void name_nodes() {
    for (const char* const word : {"name", "label"}) {
      std::unordered_set<std::string> names;
      const bool serves = std::ranges::all_of(nodes_, [&](FileNode& node) {
        const auto name = find(node.data, word);
        node.name = name.value_or(node.id);
        if (node.is_group) return true;
        const bool stated = name && !(word == std::string_view("name") ? *name : name->trimmed()).text.empty();
        return stated && names.insert(name->text).second;
      });
      if (serves && !names.empty()) {
        named_by_ = word;
        return;
      }
    }
    for (FileNode& node : nodes_) node.name = node.id;
  }

  /// What write_graphml() says of every node.
  static bool says_kind(const Key& key, const Passage& text) {
    static const std::set<std::string> kinds{"source", "sink", "internal", "isolated"};
    return key.name == "kind" && kinds.contains(text.text);
  }

  void add(const FileNode& node) {
    Attributes attributes;
    for (const auto& [key, text] : node.data) {
      const bool again = key->name == "label" && text.text == node.name.text;  // beside the name
      if (key->name != named_by_ && !again && !says_kind(*key, text) && key != &drawn_label_)
        attributes.emplace_back(key->of_attribute(), text.text);
    }
    if (const auto unit = stated_.node_units().find(node.name.text); unit != stated_.node_units().end())
      attributes.emplace_back("unit", unit->second);
    if (list_.graph.find(node.name.text))
      problems_.error(place(source_, node.name), "there are two nodes " + in_quotes(node.name.text), "rename one of them");
    list_.node(node.name, std::move(attributes));
  }

  const Passage* end(const pugi::xml_node edge, const char* which) {
    const auto id = xml_.attribute(edge, which);
    if (!id) {
      problems_.error(xml_.where(edge), std::string("an <edge> without a ") + which, "write source=\"…\" target=\"…\"");
      return nullptr;
    }
    const auto node = index_.find(id->text);
    if (node != index_.end()) return &nodes_[node->second].name;
    std::vector<std::string> ids;
    for (const FileNode& known : nodes_) ids.push_back(known.id.text);
    problems_.error(place(source_, *id), "the edge leads to " + in_quotes(id->text) + ", which is no node",
                    suggestion(id->text, ids));
    return nullptr;
  }

  void edge(const pugi::xml_node xml, const Data& data) {
    const Passage *const from = end(xml, "source"), *const to = end(xml, "target");
    if (!from || !to) return;
    StatedBranch branch{*from, *to, {}, find(data, "nonlinear"), find(data, "arguments"), xml_.where(xml), {}};
    std::string used = "gain";
    branch.gain = find(data, "gain");
    if (branch.gain && branch.gain->trimmed().text.empty() && branch.nonlinear) branch.gain.reset();
    if (branch.nonlinear && branch.nonlinear->trimmed().text.empty()) branch.nonlinear.reset();
    for (const char* const other : {"label", "weight"})
      if (!branch.gain && !branch.nonlinear)
        if (auto gain = find(data, other); gain && !gain->trimmed().text.empty()) {
          branch.gain = std::move(gain);
          used = other;
        }
    for (const auto& [key, text] : data) {
      const std::string& name = key->name;
      if (key->number && name == used && branch.gain) branch.gain = number(text);
      const bool weight = name == "weight" && (used == name || key->number);  // a number beside a gain repeats it
      const bool ours = weight || name == "gain" || name == "nonlinear" || name == "arguments";
      if (!ours && key != &drawn_label_) branch.attributes.emplace_back(key->of_attribute(), text.text);
    }
    list_.branch(branch);
  }

  /// A gain of the type double is a number, and no name.
  Passage number(const Passage& stated) {
    const Passage text = stated.trimmed();
    const bool digits = text.text.find_first_not_of("0123456789.+-eE") == std::string::npos &&
                        text.text.find_first_of("0123456789") != std::string::npos;
    if (!digits)
      problems_.error(place(source_, text), "the gain " + in_quotes(text.text) + " is no finite number",
                      "write a number, or declare the key with attr.type=\"string\"");
    return digits ? text : text.part(0, 0);
  }

  struct Declared {
    std::string domain;
    Key key;
  };

  const SourceText& source_;
  Problems& problems_;
  XmlText xml_;
  BranchList list_;
  StatedAttributes stated_;
  std::map<std::string, Declared> keys_;
  const Key drawn_label_{"label", false, {}, {}};
  Data about_;
  std::vector<FileNode> nodes_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<std::pair<pugi::xml_node, Data>> edges_;
  std::unordered_set<std::string> used_;
  std::string named_by_;
};

}  // namespace

SignalFlowGraph read_graphml(std::string_view text, std::string file, std::vector<Diagnostic>* notes) {
  const SourceText source(text, std::move(file));
  Problems problems;
  problems.attempt([&] { source.check_characters(); });
  if (problems.any_errors()) problems.finish(nullptr);
  SignalFlowGraph graph;
  problems.attempt([&] { graph = GraphmlReading(source, problems).graph(); });
  problems.finish(notes);
  return graph;
}

}  // namespace sfg
