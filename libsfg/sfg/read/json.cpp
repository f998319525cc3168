#include "sfg/read/json.hpp"

#include "sfg/read/document/document.hpp"
#include "sfg/read/document/drawn_document.hpp"
#include "sfg/read/document/model_document.hpp"

namespace sfg {

namespace {

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
