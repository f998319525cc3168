#include "sfg/read/json.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "sfg/read/branch_list.hpp"
#include "sfg/read/document/document.hpp"
#include "sfg/read/document/model_document.hpp"

namespace sfg {

namespace {

class DrawnGraphReading {
 public:
  explicit DrawnGraphReading(const DocumentReader& reader) : reader_(reader), list_(reader.source(), reader.problems()) {}

  SignalFlowGraph graph(const Value& root) {
    list_.graph.op.declare(list_.graph.symbols);
    const Value *nodes = reader_.find(&root, "nodes"), *branches = reader_.find(&root, "branches");
    if (!nodes) reader_.error(root, "a drawing without nodes", "save it again in signalflowgrapher");
    if (nodes && reader_.is_array(*nodes, "nodes")) {
      for (const Value& item : nodes->items)
        if (const Value* name = reader_.find(&item, "name"); name && name->kind == Value::Kind::string)
          names_.insert(reader_.document().text(*name).text);
      for (const Value& item : nodes->items) node(item);
    }
    if (branches && reader_.is_array(*branches, "branches"))
      for (const Value& item : branches->items) branch(item);
    list_.finish();
    return std::move(list_.graph);
  }

 private:
  std::optional<Passage> string(const Value& item, const char* key, const std::string& what) const {
    if (const Value* stated = reader_.find(&item, key)) return reader_.string(*stated, what);
    reader_.error(item, what + " is missing", std::string("write \"") + key + "\": …");
    return {};
  }

  void node(const Value& item) {
    if (!reader_.is_table(item, "a node")) return;
    const auto id = string(item, "id", "the id of a node");
    auto name = string(item, "name", "the name of a node");
    if (!id || !name) return;
    if (name->text.empty()) {  // the drawing shows a dot alone
      std::string made;
      do made = "n" + std::to_string(++unnamed_);
      while (names_.contains(made));
      name->append(made, name->source_of(0));
    }
    if (list_.graph.find(name->text))
      return reader_.error(item, "there are two nodes " + in_quotes(name->text), "rename one of them");
    if (!by_id_.emplace(id->text, *name).second)
      return reader_.error(item, "there are two nodes with the id " + in_quotes(id->text), "save the drawing again");
    Attributes attributes;
    const auto x = coordinate(item, "x"), y = coordinate(item, "y");
    if (x && y)
      attributes.emplace_back("pos", *x + "," + (y->starts_with('-') ? y->substr(1) : *y == "0" ? *y : "-" + *y));  // upwards
    list_.node(*name, std::move(attributes));
  }
  std::optional<std::string> coordinate(const Value& item, const char* key) const {
    const Value* const stated = reader_.find(&item, key);
    if (!stated) return {};
    if (stated->kind == Value::Kind::number) return reader_.document().text(*stated).text;
    reader_.error(*stated, std::string(key) + " of a node is no number", "write where the node lies");
    return {};
  }

  void branch(const Value& item) {
    if (!reader_.is_table(item, "a branch")) return;
    const auto from = end(item, "start"), to = end(item, "end");
    if (!from || !to) return;
    StatedBranch made{*from, *to, {}, {}, {}, reader_.document().where(item), {}};
    if (const auto weight = string(item, "weight", "the weight of a branch"); weight && !weight->trimmed().text.empty())
      made.gain = *weight;
    else if (weight)
      reader_.problems().warn(made.where, "a branch without a weight counts as 1", "write its weight");
    list_.branch(made);
  }
  std::optional<Passage> end(const Value& item, const char* key) const {
    const auto id = string(item, key, std::string("the ") + key + " of a branch");
    if (!id) return {};
    if (const auto node = by_id_.find(id->text); node != by_id_.end()) return node->second;
    reader_.error(item, std::string("the ") + key + " of the branch is " + in_quotes(id->text) + ", which is no node",
                  "name the id of a node");
    return {};
  }

  const DocumentReader& reader_;
  BranchList list_;
  std::map<std::string, Passage> by_id_;
  std::set<std::string> names_;
  std::size_t unnamed_ = 0;
};

/// Whether a table is a file of signalflowgrapher: branches with `start` and `end`.
bool is_drawn_graph(const DocumentReader& reader, const Value& root) {
  const Value* const branches = reader.find(&root, "branches");
  const Value* const nodes = reader.find(&root, "nodes");
  if (reader.find(&root, "schema") || !branches || branches->kind != Value::Kind::array) return false;
  const auto has = [&](const Value* list, const char* key) {
    return list && list->kind == Value::Kind::array && !list->items.empty() && reader.find(&list->items.front(), key) != nullptr;
  };
  return has(branches, "start") || (branches->items.empty() && has(nodes, "id"));
}

/// A file of signalflowgrapher: its nodes with their places as the attribute `pos`, its branches with their weights.
SignalFlowGraph drawn_graph_of(const DocumentReader& reader, const Value& root) { return DrawnGraphReading(reader).graph(root); }

void check_schema(const DocumentReader& reader, const Value& root) {
  const Value* schema = reader.find(&root, "schema");
  if (!schema) return;
  const auto name = reader.string(*schema, "the schema");
  if (!name || name->text == "sfg/graph/1") return;
  const bool is_graph = name->text.starts_with("sfg/graph/");
  reader.error(*schema,
               is_graph ? "the version " + in_quotes(name->text) + " of the format is not known"
                        : "schema " + in_quotes(name->text) + " is no graph",
               is_graph ? "this version reads sfg/graph/1"
                        : "only a graph, \"sfg/graph/1\", can be read; write one with the 'graph' verb");
}

SignalFlowGraph graph_in(const DocumentReader& reader) {
  const Value& root = reader.document().root();
  if (!reader.is_table(root, "a graph")) return {};
  if (is_drawn_graph(reader, root)) return drawn_graph_of(reader, root);
  check_schema(reader, root);
  if (reader.problems().any_errors()) return {};
  reader.check_keys(root, "a graph",
                    {"schema", "title", "variable", "inputs", "outputs", "nodes", "branches", "parameters", "attributes", "units",
                     "correlations"});
  SharedParts shared;
  shared.title = reader.find(&root, "title");
  shared.variable = reader.find(&root, "variable");
  shared.parameters = reader.find(&root, "parameters");
  shared.input = reader.find(&root, "inputs");
  shared.output = reader.find(&root, "outputs");
  shared.units = reader.find(&root, "units");
  GraphParts parts;
  parts.nodes = reader.find(&root, "nodes");
  parts.branches = reader.find(&root, "branches");
  parts.attributes = reader.find(&root, "attributes");
  if (!parts.branches && !parts.nodes)
    reader.error(root, "a graph without branches", "write \"branches\": [{\"from\": …, \"to\": …, \"gain\": …}]");
  SignalFlowGraph graph = graph_of(reader, parts, shared);
  reader.correlations(reader.find(&root, "correlations"), graph.symbols);
  return graph;
}

}  // namespace

SignalFlowGraph read_json(std::string_view text, std::string file, std::vector<Diagnostic>* notes) {
  const Document document(text, std::move(file), Document::Syntax::json);
  Problems problems;
  SignalFlowGraph graph = graph_in(DocumentReader(document, problems));
  problems.finish(notes);
  return graph;
}

}  // namespace sfg
