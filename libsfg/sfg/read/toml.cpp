#include "sfg/read/toml.hpp"

#include <algorithm>

#include "sfg/read/document.hpp"
#include "sfg/read/forms_document.hpp"
#include "sfg/read/model_document.hpp"

namespace sfg {

namespace {

using Content = std::variant<SignalFlowGraph, Model>;

const std::vector<std::string> model_tables{"graph", "lagrange", "matrix", "state_space", "transfer", "polar", "multibody"};
const std::vector<std::string> shared_keys{"title", "variable", "parameters", "analysis", "equilibrium", "simulation"};

class TomlReading {
 public:
  explicit TomlReading(const DocumentReader& reader) : reader_(reader), root_(reader.document().root()) {}

  /// The model; nothing where there is none, which is then a problem.
  std::optional<Content> content() {
    check_tables();
    const Value::Entry* model = model_table();
    if (!model) return {};
    const SharedParts shared = shared_parts();
    if (model->key == "graph") return graph(model->value, shared);
    if (model->key == "lagrange") return Model(lagrangian_of(reader_, model->value, shared));
    if (model->key == "matrix") return Model(equations_of(reader_, model->value, shared));
    if (model->key == "state_space") return state_space_graph_of(reader_, model->value, shared);
    if (model->key == "transfer") return transfer_graph_of(reader_, model->value, shared);
    reader_.error(*model, "a model of the kind [" + model->key + "] is not read by this version yet",
                  "state it as [lagrange], [matrix] or [graph]");
    return {};
  }

 private:
  void check_tables() {
    std::vector<std::string> known = model_tables;
    known.insert(known.end(), shared_keys.begin(), shared_keys.end());
    for (const Value::Entry& entry : root_.entries) {
      if (std::ranges::find(known, entry.key) != known.end()) continue;
      has_unknown_ = true;
      const std::string near = nearest(entry.key, known);
      const bool table = entry.value.kind == Value::Kind::table;
      reader_.error(
          entry, std::string(table ? "unknown table [" : "unknown key ") + (table ? entry.key + "]" : in_quotes(entry.key)),
          near.empty()
              ? "a model is one of the tables [graph], [lagrange], [matrix], then come [parameters], [analysis], [simulation]"
              : "did you mean '" + near + "'?");
    }
  }

  const Value::Entry* model_table() {
    const Value::Entry* found = nullptr;
    for (const Value::Entry& entry : root_.entries) {
      if (std::ranges::find(model_tables, entry.key) == model_tables.end()) continue;
      if (!reader_.is_table(entry.value, "entry " + in_quotes(entry.key))) return nullptr;
      if (found)
        reader_.error(entry, "a second model: there is a table [" + found->key + "] already", "one file states one model");
      else
        found = &entry;
    }
    if (!found && !has_unknown_)
      reader_.problems().error(reader_.source().at(0), "the file states no model",
                               "write one of the tables [graph], [lagrange], [matrix]");
    return found;
  }

  const Value* table(const char* key) const {
    const Value* value = reader_.find(&root_, key);
    return value && reader_.is_table(*value, std::string("[") + key + "]") ? value : nullptr;
  }

  SharedParts shared_parts() const {
    SharedParts parts;
    parts.title = reader_.find(&root_, "title");
    parts.variable = reader_.find(&root_, "variable");
    parts.parameters = reader_.find(&root_, "parameters");
    parts.equilibrium = reader_.find(&root_, "equilibrium");
    table("simulation");
    if (const Value* analysis = table("analysis")) {
      reader_.check_keys(*analysis, "[analysis]", {"input", "output"});
      parts.input = reader_.find(analysis, "input");
      parts.output = reader_.find(analysis, "output");
    }
    return parts;
  }

  Content graph(const Value& value, SharedParts shared) {
    reader_.check_keys(value, "[graph]", {"title", "variable", "nodes", "branches", "input", "output", "attributes"});
    const auto own = [&](const char* key, const Value*& part) {
      if (const Value* stated = reader_.find(&value, key)) part = stated;
    };
    own("title", shared.title);
    own("variable", shared.variable);
    if (!shared.input) own("input", shared.input);
    if (!shared.output) own("output", shared.output);
    if (shared.equilibrium) reader_.error(*shared.equilibrium, "an equilibrium belongs to a [lagrange] model", "remove it");
    GraphParts parts;
    parts.nodes = reader_.find(&value, "nodes");
    parts.branches = reader_.find(&value, "branches");
    parts.attributes = reader_.find(&value, "attributes");
    if (!parts.branches && !parts.nodes)
      reader_.error(value, "the table [graph] is without branches", "write branches = [[\"from\", \"to\", \"gain\"], …]");
    return graph_of(reader_, parts, shared);
  }

  const DocumentReader& reader_;
  const Value& root_;
  bool has_unknown_ = false;
};

}  // namespace

std::variant<SignalFlowGraph, Model> read_toml(std::string_view text, std::string file, std::vector<Diagnostic>* notes) {
  const Document document(text, std::move(file), Document::Syntax::toml);
  Problems problems;
  const DocumentReader reader(document, problems);
  std::optional<Content> content = TomlReading(reader).content();
  problems.finish(notes);
  return std::move(*content);
}

}  // namespace sfg
