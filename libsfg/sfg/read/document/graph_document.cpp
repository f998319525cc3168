#include <algorithm>
#include <map>

#include "sfg/expr/parse.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/model/signal_sum.hpp"
#include "sfg/read/document/model_document.hpp"
#include "sfg/read/laws.hpp"
#include "sfg/read/parameters.hpp"
#include "sfg/read/stated_attributes.hpp"
#include "sfg/read/tables.hpp"
#include "sfg/text/printable.hpp"

namespace sfg {

namespace {

class GraphReading {
 public:
  GraphReading(const DocumentReader& reader, const SharedParts& shared)
      : reader_(reader), document_(reader.document()), laws_(reader.source(), graph_.symbols, reader.problems()) {
    graph_.where = document_.where(document_.root());
    if (shared.title)
      if (const auto title = reader.string(*shared.title, "the title")) graph_.title = title->text;
    read_symbols(reader, shared, graph_.op, graph_.symbols);
  }

  SignalFlowGraph graph(const GraphParts& parts, const SharedParts& shared) {
    if (shared.units && reader_.is_table(*shared.units, "units"))
      for (const Value::Entry& entry : shared.units->entries)
        if (const auto unit = reader_.string(entry.value, "the unit of " + in_quotes(entry.key))) units_[entry.key] = unit->text;
    if (parts.nodes && reader_.is_array(*parts.nodes, "nodes"))
      for (const Value& item : parts.nodes->items) node(item);
    if (const Value* tables = parts.attributes ? reader_.find(parts.attributes, "tables") : nullptr)
      if (const auto list = reader_.string(*tables, "tables"))
        TableReading(reader_.source(), graph_.symbols, reader_.problems()).list(*list);
    if (parts.branches) nodes_before_arguments(*parts.branches);
    if (parts.branches && reader_.is_array(*parts.branches, "branches"))
      for (const Value& item : parts.branches->items) {
        branch(item);
        if (reader_.problems().full()) reader_.problems().finish(nullptr);
      }
    laws_.finish();
    if (shared.units) refuse_units_of_no_node(*shared.units);
    if (parts.attributes) attributes(*parts.attributes);
    graph_.inputs = ends(shared.input, "input");
    graph_.outputs = ends(shared.output, "output");
    return std::move(graph_);
  }

 private:
  void attributes(const Value& table) {
    graph_.attributes = reader_.attributes(table, "attributes");
    std::erase_if(graph_.attributes,
                  [](const auto& attribute) { return attribute.first == "sample_time" || attribute.first == "tables"; });
    for (const Value::Entry& entry : table.entries)
      if (const std::string near = StatedAttributes::meant_by(entry.key); !near.empty())
        reader_.error(entry, "attribute " + in_quotes(entry.key) + " of the graph is not known", "did you mean '" + near + "'?");
      else if (StatedAttributes::are_of_graph(entry.key) && entry.key != "sample_time" && entry.key != "tables")
        reader_.error(entry, in_quotes(entry.key) + " is no attribute of somebody's own", "state it beside the branches");
    if (table.kind == Value::Kind::table) read_sample_time(reader_, reader_.find(&table, "sample_time"), graph_.op);
  }

  void node(const Value& value) {
    if (value.kind != Value::Kind::table) {
      if (const auto name = name_of(value, "a node")) add(*name, value, {});
      return;
    }
    reader_.check_keys(value, "a node", {"name", "attributes"});
    const Value* name = reader_.find(&value, "name");
    const Value* attributes = reader_.find(&value, "attributes");
    if (!name) return reader_.error(value, "a node without a name", "write { name = \"x\" }");
    if (const auto text = name_of(*name, "the name of a node"))
      add(*text, *name, attributes ? reader_.attributes(*attributes, "attributes") : Attributes{});
  }

  void add(const std::string& name, const Value& value, Attributes attributes) {
    if (graph_.find(name)) return reader_.error(value, "the node " + in_quotes(name) + " is listed twice", "remove one of them");
    if (const auto unit = units_.find(name); unit != units_.end()) attributes.emplace_back("unit", unit->second);
    graph_.add_node({name, document_.where(value), std::move(attributes)});
  }

  void refuse_units_of_no_node(const Value& table) {
    std::vector<std::string> names;
    for (const Node& node : graph_.nodes()) names.push_back(node.name);
    for (const Value::Entry& entry : table.entries)
      if (!graph_.find(entry.key))
        reader_.error(entry, "the unit of " + in_quotes(entry.key) + ", which is no node of the graph",
                      suggestion(entry.key, names));
  }

  std::optional<std::string> name_of(const Value& value, const std::string& what) {
    const auto text = reader_.string(value, what);
    if (!text) return {};
    if (text->text.empty()) reader_.error(value, what + " has no characters", "write a name");
    if (has_steering(text->text)) reader_.error(value, what + " has a control character", "remove it");
    return text->text.empty() ? std::nullopt : std::optional(text->text);
  }

  /// Laws may name signals that only later branches mention.
  void nodes_before_arguments(const Value& branches) {
    const auto has_arguments = [&](const Value& item) {
      return item.kind == Value::Kind::table && reader_.find(&item, "arguments") != nullptr;
    };
    if (std::ranges::none_of(branches.items, has_arguments)) return;
    for (const Value& item : branches.items)
      for (std::size_t i = 0; i < 2; ++i) {
        const Value* name = item.kind == Value::Kind::table ? reader_.find(&item, i == 0 ? "from" : "to")
                            : item.items.size() > i         ? &item.items[i]
                                                            : nullptr;
        if (name && name->kind == Value::Kind::string && !document_.text(*name).text.empty()) end(*name);
      }
  }

  void branch(const Value& value) {
    if (value.kind == Value::Kind::array) return short_branch(value);
    if (value.kind != Value::Kind::table)
      return reader_.error(value, "a branch must be a list or a table, not " + std::string(kind_name(value)),
                           "write [\"from\", \"to\", \"gain\"]");
    const Value* from = reader_.find(&value, "from");
    const Value* to = reader_.find(&value, "to");
    if (!from || !to)
      return reader_.error(value, std::string("a branch without '") + (from ? "to" : "from") + "'",
                           "write { from = \"a\", to = \"b\", gain = \"K\" }");
    const auto tail = end(*from);
    const auto head = end(*to);
    if (!tail || !head) return;
    Branch made{*tail, *head, GiNaC::ex(1), document_.where(value), {}};
    const Value* gain = reader_.find(&value, "gain");
    const Value* nonlinear = reader_.find(&value, "nonlinear");
    if (gain && nonlinear)
      reader_.error(*nonlinear, "a branch with both a gain and a nonlinear law",
                    "make two branches of it: parallel branches add");
    else if (gain)
      made.law = gain_of(*gain);
    const Value* arguments = reader_.find(&value, "arguments");
    if (nonlinear && !gain) nonlinear_law(*nonlinear, arguments, made);
    if (arguments && !nonlinear) laws_.doubt_arguments(document_.where(*arguments));
    further_keys(value, made);
    graph_.add_branch(std::move(made));
  }

  /// ["from", "to"] or ["from", "to", "gain"].
  void short_branch(const Value& value) {
    if (value.items.size() != 2 && value.items.size() != 3)
      return reader_.error(value, "a branch has two or three entries, not " + std::to_string(value.items.size()),
                           "write [\"from\", \"to\", \"gain\"]");
    const auto tail = end(value.items[0]);
    const auto head = end(value.items[1]);
    if (!tail || !head) return;
    const GiNaC::ex gain = value.items.size() == 3 ? gain_of(value.items[2]) : GiNaC::ex(1);
    graph_.add_branch(*tail, *head, gain, document_.where(value));
  }

  std::optional<NodeId> end(const Value& value) {
    const auto name = name_of(value, "the name of a node");
    if (!name) return {};
    if (!graph_.find(*name)) add(*name, value, {});
    return graph_.find(*name);
  }

  GiNaC::ex gain_of(const Value& value) {
    if (value.kind == Value::Kind::string) return laws_.gain(document_.text(value));
    return reader_.expression(value, graph_.symbols, "a gain");
  }

  void nonlinear_law(const Value& value, const Value* arguments, Branch& branch) {
    if (value.kind == Value::Kind::number)
      branch.law = Nonlinearity{reader_.expression(value, graph_.symbols, "a law")};
    else if (const auto law = reader_.string(value, "a nonlinear law"))
      branch.law = laws_.nonlinear(*law, branch.where);
    if (arguments && !branch.linear())
      laws_.arguments(reader_.strings(*arguments, "arguments"), std::get<Nonlinearity>(branch.law), graph_);
  }

  /// `attributes`, and further keys as attributes too; one that looks like a misspelt key is an error.
  void further_keys(const Value& value, Branch& branch) {
    static const std::vector<std::string> known{"from", "to", "gain", "nonlinear", "arguments", "attributes"};
    for (const Value::Entry& entry : value.entries) {
      if (entry.key == "attributes") {
        const Attributes listed = reader_.attributes(entry.value, "attributes");
        branch.attributes.insert(branch.attributes.end(), listed.begin(), listed.end());
      } else if (std::ranges::find(known, entry.key) == known.end()) {
        if (entry.key.empty())
          reader_.error(entry, "an attribute of a branch without a name", "give it one, or remove it");
        else if (const std::string near = nearest(entry.key, known); !near.empty())
          reader_.error(entry, "unknown key " + in_quotes(entry.key) + " of a branch", "did you mean '" + near + "'?");
        else if (const auto text = reader_.string(entry.value, "the attribute " + in_quotes(entry.key))) {
          branch.attributes.emplace_back(entry.key, text->text);
          doubt_missing_gain(value, entry);
        }
      }
    }
  }

  /// What might be a gain under another name.
  void doubt_missing_gain(const Value& branch, const Value::Entry& entry) {
    if (reader_.find(&branch, "gain") || reader_.find(&branch, "nonlinear")) return;
    reader_.problems().remark(document_.where(entry),
                              "key " + in_quotes(entry.key) + " means nothing here, and the gain is taken as 1",
                              "a gain is stated as gain = \"…\"");
  }

  std::vector<NodeId> ends(const Value* stated, const char* role) {
    if (!stated) return {};
    std::vector<NodeId> ids;
    std::vector<std::string> names;
    for (const Node& node : graph_.nodes()) names.push_back(node.name);
    const bool output = std::string_view(role) == "output";
    for (const std::string& name : read_ends(reader_, stated, role, names, output ? &graph_.symbols : nullptr))
      reader_.problems().attempt([&] { ids.push_back(output_signal(graph_, name, {}, document_.where(*stated))); });
    return ids;
  }

  const DocumentReader& reader_;
  const Document& document_;
  SignalFlowGraph graph_;
  Laws laws_;
  std::map<std::string, std::string> units_;  ///< stated for all nodes at once
};

}  // namespace

SignalFlowGraph graph_of(const DocumentReader& reader, const GraphParts& parts, const SharedParts& shared) {
  return GraphReading(reader, shared).graph(parts, shared);
}

void read_symbols(const DocumentReader& reader, const SharedParts& shared, Operator& op, SymbolTable& symbols) {
  if (shared.whole) {
    op = shared.whole->op;
    symbols = shared.whole->symbols;
    return;
  }
  read_operator(reader, shared.variable, op, symbols);
  if (shared.parameters) reader.parameters(*shared.parameters, symbols);
  if (shared.tables) read_tables(reader, *shared.tables, symbols);
}

void read_operator(const DocumentReader& reader, const Value* stated, Operator& op, SymbolTable& symbols) {
  if (stated) {
    if (const auto name = reader.string(*stated, "the variable"))
      return state_operator(symbols, op, *name, reader.source(), reader.problems());
  }
  op.declare(symbols);
}

void read_tables(const DocumentReader& reader, const Value& stated, SymbolTable& symbols) {
  TableReading tables(reader.source(), symbols, reader.problems());
  for (const Value::Entry& entry : stated.entries) {
    if (!reader.is_table(entry.value, "the table " + in_quotes(entry.key))) continue;
    reader.check_keys(entry.value, "a table", {"file", "x", "y", "interpolation"});
    const Value* file = reader.find(&entry.value, "file");
    const Value* kind = reader.find(&entry.value, "interpolation");
    const auto interpolation = kind ? reader.string(*kind, "interpolation") : std::nullopt;
    if (file) {
      if (const auto name = reader.string(*file, "the file of a table"))
        tables.file(entry.key, interpolation.value_or(Passage{}), *name);
      continue;
    }
    std::vector<double> lists[2];
    for (std::size_t i = 0; i < 2; ++i) {
      const Value* list = reader.find(&entry.value, i == 0 ? "x" : "y");
      if (!list)
        return reader.error(entry, "the table " + in_quotes(entry.key) + " has neither a file nor x and y",
                            "write { file = \"x.csv\" }, or { x = [0, 1], y = [0, 2] }");
      if (!reader.is_array(*list, "the points of a table")) return;
      for (const Value& item : list->items)
        reader.problems().attempt([&] {
          lists[i].push_back(parse_number(reader.document().text(item).text, reader.document().where(item)).to_double());
        });
    }
    tables.points(entry.key, interpolation.value_or(Passage{}), lists[0], lists[1], reader.document().where(entry));
  }
}

void read_sample_time(const DocumentReader& reader, const Value* stated, Operator& op) {
  if (!stated) return;
  if (stated->kind != Value::Kind::string && stated->kind != Value::Kind::number)
    return reader.error(*stated, "sample_time must be a number, not " + std::string(kind_name(*stated)),
                        "write sample_time = 0.1, say");
  state_sample_time(op, reader.document().text(*stated), reader.source(), reader.problems());
}

std::vector<std::string> read_ends(const DocumentReader& reader, const Value* stated, const char* role,
                                   const std::vector<std::string>& known, const SymbolTable* parameters) {
  std::vector<std::string> names;
  if (!stated) return names;
  for (const Passage& name : reader.strings(*stated, role)) {
    const bool is_known = std::ranges::find(known, name.text) != known.end();
    const bool expression = !is_known && parameters && (!is_name(name.text) || name.text.starts_with('D'));
    const SourceSpan where = place(reader.source(), name);
    if (expression && !reader.problems().attempt([&] { signal_sum(name.text, *parameters, known, where); })) continue;
    if (!is_known && !expression)
      reader.problems().error(place(reader.source(), name),
                              std::string("the ") + role + " " + in_quotes(name.text) + " is not known here",
                              suggestion(name.text, known));
    else if (std::ranges::find(names, name.text) != names.end())
      reader.problems().remark(place(reader.source(), name),
                               std::string("the ") + role + " " + in_quotes(name.text) + " is listed twice");
    else
      names.push_back(name.text);
  }
  return names;
}

}  // namespace sfg
