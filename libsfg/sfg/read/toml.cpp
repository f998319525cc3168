#include "sfg/read/toml.hpp"

#include <algorithm>

#include "sfg/graph/graph_names.hpp"
#include "sfg/read/document/document.hpp"
#include "sfg/read/document/forms_document.hpp"
#include "sfg/read/document/model_document.hpp"
#include "sfg/read/signal_names.hpp"
#include "sfg/text/printable.hpp"

namespace sfg {

namespace {

class LatexReading {
 public:
  LatexReading(const DocumentReader& reader, const std::vector<std::string>& known) : reader_(reader), known_(known) {}

  std::string list() {
    const Value& root = reader_.document().root();
    for (const Value::Entry& entry : root.entries) {
      if (entry.key != "latex")
        look_into(entry.value, &entry);
      else if (reader_.is_table(entry.value, "latex"))
        for (const Value::Entry& stated : entry.value.entries) state(stated.key, stated.begin, stated.end, stated.value);
    }
    return names_.stated();
  }

 private:
  void look_into(const Value& value, const Value::Entry* called) {
    for (const Value& item : value.items) look_into(item, nullptr);
    for (const Value::Entry& entry : value.entries)
      if (entry.key != "attributes") look_into(entry.value, &entry);
    const Value* latex = value.kind == Value::Kind::table ? reader_.find(&value, "latex") : nullptr;
    if (latex == nullptr || latex->kind != Value::Kind::string) return;
    if (const Value* name = reader_.find(&value, "name"); name && name->kind == Value::Kind::string)
      state(reader_.document().text(*name).text, name->begin, name->end, *latex);
    else if (called != nullptr)
      state(called->key, called->begin, called->end, *latex);
    else
      reader_.error(*latex, "latex of something without a name", "write { name = \"x\", latex = \"…\" }");
  }

  void state(const std::string& name, std::size_t begin, std::size_t end, const Value& latex) {
    const SourceText& source = reader_.source();
    if (std::ranges::find(known_, name) == known_.end())
      return reader_.problems().error(source.at(begin, end - begin),
                                      "latex of " + in_quotes(name) + ", which is no name of the model",
                                      suggestion(name, known_));
    const auto text = reader_.string(latex, "latex of " + in_quotes(name));
    if (!text) return;
    try {
      names_.set(name, name_from_latex(text->text));
    } catch (const NameLatexError& error) {
      reader_.problems().add(wrong_latex(error, source.at(text->source_of(std::min(error.at, text->text.size())))));
    }
  }

  const DocumentReader& reader_;
  const std::vector<std::string>& known_;
  NameTable names_;
};

/// What a document says of how names are set, as one list (NameTable::stated): `latex` beside a name, in a table that has a
/// `name` or whose key is one, and the table `latex` of the document. A name that is none of the known ones is an error.
std::string stated_latex(const DocumentReader& reader, const std::vector<std::string>& known) {
  return LatexReading(reader, known).list();
}

using Content = std::variant<SignalFlowGraph, Model>;

const std::vector<std::string> model_tables{"graph", "lagrange", "matrix", "state_space", "transfer", "polar", "multibody"};
const std::vector<std::string> shared_keys{"title",       "variable", "parameters", "analysis", "equilibrium", "simulation",
                                           "sample_time", "units",    "circuit",    "tables",   "correlations", "latex"};

class TomlReading {
 public:
  TomlReading(const DocumentReader& reader, const FileBeside& beside)
      : reader_(reader), beside_(beside), root_(reader.document().root()) {}

  std::vector<Diagnostic> notes;  ///< of other files

  /// The model; nothing where there is none, which is then a problem.
  std::optional<Content> content() {
    check_tables();
    if (is_joined()) return joined();
    const Value::Entry* model = model_table();
    if (!model) return {};
    const SharedParts shared = shared_parts();
    if (const Value* h = reader_.find(&root_, "sample_time");
        h && (model->key == "lagrange" || model->key == "matrix" || model->key == "polar" || model->key == "multibody"))
      reader_.error(*h, "a sample time belongs to a graph in z, not to [" + model->key + "]", "remove it, or state [graph]");
    if (model->key == "graph") return sampled(graph(model->value, shared));
    if (model->key == "lagrange") return Model(lagrangian_of(reader_, model->value, shared));
    if (model->key == "matrix") return Model(equations_of(reader_, model->value, shared));
    if (model->key == "polar") return Model(polar_network_of(reader_, model->value, shared));
    if (model->key == "multibody") return Model(multibody_of(reader_, model->value, shared));
    if (model->key == "state_space") return sampled(state_space_graph_of(reader_, model->value, shared));
    if (model->key == "transfer") return sampled(transfer_graph_of(reader_, model->value, shared));
    reader_.error(*model, "a model of the kind [" + model->key + "] is not read by this version yet",
                  "state it as [lagrange], [polar], [matrix] or [graph]");
    return {};
  }

  /// The table [simulation]; expressions are checked here and kept as text, since they are about the study, not the model.
  SimulationSettings simulation() const {
    SimulationSettings settings;
    const Value* stated = table("simulation");
    if (!stated) return settings;
    reader_.check_keys(*stated, "[simulation]", {"until", "points", "inputs", "initial"});
    settings.until = number(reader_.find(stated, "until"), "until");
    settings.points = number(reader_.find(stated, "points"), "points");
    settings.inputs = entries(reader_.find(stated, "inputs"), "inputs");
    settings.initial = entries(reader_.find(stated, "initial"), "initial");
    return settings;
  }

  /// The table [units] of signals, whose names the content must know; that of a graph is kept by its nodes.
  std::vector<StatedUnit> units() const {
    std::vector<StatedUnit> result;
    const Value* stated = reader_.find(&root_, "units");
    if (!stated || stated->kind != Value::Kind::table || reader_.find(&root_, "graph")) return result;
    for (const Value::Entry& entry : stated->entries)
      if (const auto unit = reader_.string(entry.value, "the unit of " + in_quotes(entry.key)))
        result.push_back({entry.key, unit->text, reader_.document().where(entry)});
    return result;
  }

  void check_units(const Content& content) const {
    const std::vector<std::string> names = signal_names(content);
    for (const StatedUnit& unit : units())
      if (std::ranges::find(names, unit.name) == names.end())
        reader_.problems().error(unit.where, "the unit of " + in_quotes(unit.name) + ", which is no signal of the model",
                                 suggestion(unit.name, names));
  }

  /// How names are set; a graph keeps that itself.
  std::string latex(Content& content) const {
    auto* graph = std::get_if<SignalFlowGraph>(&content);
    std::vector<std::string> known = signal_names(content);
    const std::vector<std::string> symbols =
        graph ? graph->symbols.names() : std::visit([](const auto& any) { return any.symbols.names(); }, std::get<Model>(content));
    known.insert(known.end(), symbols.begin(), symbols.end());
    if (const auto* network = graph ? nullptr : std::get_if<PolarNetwork>(&std::get<Model>(content)))
      for (const PolarNetwork::Element& element : network->elements) known.push_back(element.name);
    std::string list = stated_latex(reader_, known);
    if (!graph || list.empty()) return list;
    const auto own = std::ranges::find(graph->attributes, "latex", &Attributes::value_type::first);
    if (own == graph->attributes.end())
      graph->attributes.emplace_back("latex", list);
    else
      own->second += ", " + list;
    return list;
  }

  void correlations(Content& content) const {
    auto* graph = std::get_if<SignalFlowGraph>(&content);
    SymbolTable& symbols = graph ? graph->symbols : symbols_of(std::get<Model>(content));
    reader_.correlations(reader_.find(&root_, "correlations"), symbols);
  }

 private:
  static SymbolTable& symbols_of(Model& model) {
    return std::visit([](auto& any) -> SymbolTable& { return any.symbols; }, model);
  }

  std::optional<std::string> number(const Value* value, const std::string& name) const {
    if (!value) return {};
    SymbolTable none;
    const GiNaC::ex result = reader_.expression(*value, none, name);
    if (none.all().empty()) return reader_.document().text(*value).text;
    reader_.error(*value, name + " must be a number", "write " + name + " = 10, say");
    return {};
  }

  std::vector<SimulationSettings::Entry> entries(const Value* value, const std::string& name) const {
    std::vector<SimulationSettings::Entry> result;
    if (!value || !reader_.is_table(*value, name)) return result;
    for (const Value::Entry& entry : value->entries) {
      const bool is_file = entry.value.kind == Value::Kind::string && reader_.document().text(entry.value).text.starts_with('@');
      if (is_file) check_beside(entry);
      SymbolTable scratch;
      if (!is_file) reader_.expression(entry.value, scratch, in_quotes(entry.key));
      if (entry.value.kind != Value::Kind::string && entry.value.kind != Value::Kind::number) continue;
      const Passage text = reader_.document().text(entry.value);
      result.push_back({entry.key, text.text, place(reader_.source(), text)});
    }
    return result;
  }

  /// A model file is data from anywhere: what it names is in its own folder.
  void check_beside(const Value::Entry& entry) const {
    const std::string name = reader_.document().text(entry.value).text.substr(1);
    if (name.empty() || name == "." || name == ".." || name.find_first_of("/\\:") != std::string::npos || has_steering(name))
      reader_.error(entry.value, "the file " + in_quotes(name) + " of samples is not in the folder of this file",
                    "put the file beside this one and name it alone");
  }

  void check_tables() {
    std::vector<std::string> known = model_tables;
    known.insert(known.end(), shared_keys.begin(), shared_keys.end());
    for (const Value::Entry& entry : root_.entries) {
      if (std::ranges::find(known, entry.key) != known.end()) continue;
      has_unknown_ = true;
      const std::string near = nearest(entry.key, known);
      const bool table = entry.value.kind == Value::Kind::table;
      reader_.error(entry,
                    std::string(table ? "unknown table [" : "unknown key ") + (table ? entry.key + "]" : in_quotes(entry.key)),
                    near.empty() ? "a model is one of the tables [graph], [lagrange], [polar], [matrix], then come [parameters], "
                                   "[analysis], [simulation]"
                                 : "did you mean '" + near + "'?");
    }
  }

  /// [graph] beside another model, or a circuit of another file.
  bool is_joined() const {
    const bool other = reader_.find(&root_, "lagrange") || reader_.find(&root_, "matrix") || reader_.find(&root_, "polar") ||
                       reader_.find(&root_, "multibody");
    return reader_.find(&root_, "circuit") || (other && reader_.find(&root_, "graph"));
  }

  std::optional<Content> joined() {
    for (const char* key : {"state_space", "transfer"})
      if (const Value* stated = reader_.find(&root_, key))
        reader_.error(*stated, std::string("the table [") + key + "] cannot stand beside other models",
                      "state it as [matrix] or as branches of [graph]");
    if (const Value* stated = reader_.find(&root_, "sample_time"))
      reader_.error(*stated, "a sample time belongs to a graph in z", "remove it");
    JoinedParts parts{table("graph"), table("lagrange"),  table("matrix"),
                      table("polar"), table("multibody"), reader_.find(&root_, "circuit")};
    SharedParts shared = shared_parts();
    if (parts.graph) own_keys(*parts.graph, shared);
    return Model(joined_of(reader_, parts, shared, beside_, notes));
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
                               "write one of the tables [graph], [lagrange], [polar], [matrix], or circuit = \"netlist.cir\"");
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
    parts.units = table("units");
    parts.tables = table("tables");
    if (const Value* simulation = reader_.find(&root_, "simulation")) parts.driven = reader_.find(simulation, "inputs");
    if (const Value* analysis = table("analysis")) {
      reader_.check_keys(*analysis, "[analysis]", {"input", "output"});
      parts.input = reader_.find(analysis, "input");
      parts.output = reader_.find(analysis, "output");
    }
    return parts;
  }

  Content sampled(SignalFlowGraph graph) const {
    read_sample_time(reader_, reader_.find(&root_, "sample_time"), graph.op);
    return graph;
  }

  /// What the table [graph] states for the whole file.
  void own_keys(const Value& value, SharedParts& shared) const {
    reader_.check_keys(value, "[graph]", {"title", "variable", "nodes", "branches", "input", "output", "attributes", "units"});
    const auto own = [&](const char* key, const Value*& part) {
      if (const Value* stated = reader_.find(&value, key)) part = stated;
    };
    own("title", shared.title);
    own("variable", shared.variable);
    if (!shared.input) own("input", shared.input);
    if (!shared.output) own("output", shared.output);
    own("units", shared.units);
  }

  SignalFlowGraph graph(const Value& value, SharedParts shared) {
    own_keys(value, shared);
    if (shared.equilibrium)
      reader_.error(*shared.equilibrium, "an equilibrium belongs to a [lagrange] or [multibody] model", "remove it");
    GraphParts parts;
    parts.nodes = reader_.find(&value, "nodes");
    parts.branches = reader_.find(&value, "branches");
    parts.attributes = reader_.find(&value, "attributes");
    if (!parts.branches && !parts.nodes)
      reader_.error(value, "the table [graph] is without branches", "write branches = [[\"from\", \"to\", \"gain\"], …]");
    return graph_of(reader_, parts, shared);
  }

  const DocumentReader& reader_;
  const FileBeside& beside_;
  const Value& root_;
  bool has_unknown_ = false;
};

}  // namespace

std::variant<SignalFlowGraph, Model> read_toml(std::string_view text, std::string file, std::vector<Diagnostic>* notes,
                                               SimulationSettings* simulation, std::vector<StatedUnit>* units,
                                               const FileBeside& beside, std::string* latex) {
  const Document document(text, std::move(file), Document::Syntax::toml);
  Problems problems;
  const DocumentReader reader(document, problems);
  TomlReading reading(reader, beside);
  std::optional<Content> content = reading.content();
  SimulationSettings stated = reading.simulation();
  if (simulation) *simulation = std::move(stated);
  if (content) reading.check_units(*content);
  if (content) reading.correlations(*content);
  if (units) *units = reading.units();
  std::string names = content ? reading.latex(*content) : std::string();
  if (latex) *latex = std::move(names);
  problems.finish(notes);
  if (notes) notes->insert(notes->end(), reading.notes.begin(), reading.notes.end());
  return std::move(*content);
}

}  // namespace sfg
