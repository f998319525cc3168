#include "sfg/read/document/forms_document.hpp"

#include <algorithm>
#include <map>

#include "sfg/expr/rational.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/graph/realization.hpp"

namespace sfg {

namespace {

std::string title_of(const DocumentReader& reader, const SharedParts& shared) {
  if (shared.title)
    if (const auto title = reader.string(*shared.title, "the title")) return title->text;
  return {};
}

/// What every model of this file has beside its own table.
template <class Form>
void read_shared(const DocumentReader& reader, const Value& table, const SharedParts& shared, const std::string& name,
                 Form& form) {
  form.title = title_of(reader, shared);
  form.where = reader.document().where(table);
  read_operator(reader, shared.variable, form.op, form.symbols);
  if (shared.parameters) reader.parameters(*shared.parameters, form.symbols);
  if (shared.equilibrium)
    reader.error(*shared.equilibrium, "an equilibrium belongs to a [lagrange] model; " + name + " is linear", "remove it");
}

std::vector<NodeId> ends(const DocumentReader& reader, const Value* stated, const char* role,
                         const std::vector<std::string>& known, SignalFlowGraph& graph, std::vector<NodeId> otherwise) {
  if (!stated) return otherwise;
  std::vector<NodeId> ids;
  const bool output = std::string_view(role) == "output";
  for (const std::string& name : read_ends(reader, stated, role, known, output ? &graph.symbols : nullptr))
    if (graph.find(name) || output)
      reader.problems().attempt([&] { ids.push_back(output_signal(graph, name, {}, reader.document().where(*stated))); });
  return ids;
}

/// ẋ = A x + B u, y = C x + D u as lists of lists.
class StateSpaceReading {
 public:
  StateSpaceReading(const DocumentReader& reader, const Value& table) : reader_(reader), table_(table) {}

  SignalFlowGraph graph(const SharedParts& shared) {
    reader_.check_keys(table_, "[state_space]", {"states", "inputs", "outputs", "A", "B", "C", "D"});
    read_shared(reader_, table_, shared, "[state_space]", model_);
    const Value* A = reader_.find(&table_, "A");
    if (!A) reader_.error(table_, "the table [state_space] is without A", "write A = [[\"0\", \"1\"], [\"-k/m\", \"-c/m\"]]");
    model_.states = names("states", "x", row_count("A"));
    model_.inputs = names("inputs", "u", column_count("B"));
    model_.outputs = names("outputs", "y", row_count("C"));
    model_.A = matrix("A", model_.states.size(), "state", model_.states.size(), "state");
    model_.B = matrix("B", model_.states.size(), "state", model_.inputs.size(), "input");
    model_.C = matrix("C", model_.outputs.size(), "output", model_.states.size(), "state");
    model_.D = matrix("D", model_.outputs.size(), "output", model_.inputs.size(), "input");
    if (reader_.problems().any_errors()) return {};
    SignalFlowGraph graph;
    reader_.problems().attempt([&] { graph = state_space_graph(model_); });
    graph.inputs = ends(reader_, shared.input, "input", model_.inputs, graph, graph.inputs);
    std::vector<std::string> signals = model_.outputs;
    signals.insert(signals.end(), model_.states.begin(), model_.states.end());
    graph.outputs = ends(reader_, shared.output, "output", signals, graph, graph.outputs);
    return graph;
  }

 private:
  std::size_t row_count(const char* key) const {
    const Value* value = reader_.find(&table_, key);
    return value && value->kind == Value::Kind::array ? value->items.size() : 0;
  }
  std::size_t column_count(const char* key) const {
    const Value* value = reader_.find(&table_, key);
    return row_count(key) > 0 && value->items[0].kind == Value::Kind::array ? value->items[0].items.size() : 0;
  }

  /// The stated names; without them x1, x2, … as many as the matrix has (a single input is u, a single output y).
  std::vector<std::string> names(const char* key, const std::string& letter, std::size_t count) const {
    std::vector<std::string> result;
    if (const Value* value = reader_.find(&table_, key)) {
      for (const Passage& name : reader_.strings(*value, key)) {
        if (name.text.empty())
          reader_.problems().error(place(reader_.source(), name), std::string("an empty name in ") + key, "write a name");
        result.push_back(name.text);
      }
      return result;
    }
    if (count == 1 && letter != "x") return {letter};
    for (std::size_t i = 1; i <= count; ++i) result.push_back(letter + std::to_string(i));
    return result;
  }

  StateSpace::Matrix matrix(const char* key, std::size_t rows, const char* row_of, std::size_t columns, const char* column_of) {
    StateSpace::Matrix result(rows, std::vector<GiNaC::ex>(columns, 0));
    const Value* value = reader_.find(&table_, key);
    const std::string name = key;
    if (!value && name != "D" && rows > 0 && columns > 0)
      reader_.error(table_, "the table [state_space] is without " + name,
                    "write " + name + " with a row for each " + row_of + " and a column for each " + column_of);
    if (!value || !reader_.is_array(*value, name)) return result;
    if (value->items.size() != rows)
      reader_.error(*value, name + " has " + counted(value->items.size(), "row") + ", but the model has " + counted(rows, row_of),
                    "write one row for each " + std::string(row_of));
    for (std::size_t i = 0; i < std::min(rows, value->items.size()); ++i) {
      const Value& row = value->items[i];
      if (!reader_.is_array(row, "a row of " + name)) continue;
      if (row.items.size() != columns)
        reader_.error(row,
                      "row " + std::to_string(i + 1) + " of " + name + " has " + counted(row.items.size(), "entry") +
                          ", but the model has " + counted(columns, column_of),
                      "write one entry for each " + std::string(column_of) + ", 0 where there is none");
      for (std::size_t j = 0; j < std::min(columns, row.items.size()); ++j) result[i][j] = entry(row.items[j], name);
    }
    return result;
  }

  GiNaC::ex entry(const Value& value, const std::string& name) {
    const GiNaC::ex result = reader_.expression(value, model_.symbols, "an entry of " + name);
    if (result.has(model_.op.in(model_.symbols)))
      reader_.error(value, "an entry of " + name + " contains the operator " + model_.op.symbol(),
                    "entries of state-space matrices are constants");
    return result;
  }

  const DocumentReader& reader_;
  const Value& table_;
  StateSpace model_;
};

/// A transfer function and the form its graph takes.
class TransferReading {
 public:
  TransferReading(const DocumentReader& reader, const Value& table) : reader_(reader), table_(table) {}

  SignalFlowGraph graph(const SharedParts& shared) {
    reader_.check_keys(table_, "[transfer]", {"numerator", "denominator", "expression", "realization", "input", "output"});
    RationalTransfer head;
    read_shared(reader_, table_, shared, "[transfer]", head);
    RationalTransfer transfer = head;
    const Value* expression = reader_.find(&table_, "expression");
    const Value* numerator = reader_.find(&table_, "numerator");
    const Value* denominator = reader_.find(&table_, "denominator");
    if (expression && (numerator || denominator))
      reader_.error(*expression, "the table [transfer] states both an expression and coefficients", "state one of them");
    else if (expression)
      read_expression(*expression, transfer);
    else if (numerator && denominator)
      read_coefficients(*numerator, *denominator, transfer);
    else
      reader_.error(table_, "the table [transfer] needs numerator and denominator, or an expression",
                    "write expression = \"K/(s*(1 + T*s))\"");
    transfer.title = head.title;
    transfer.where = head.where;
    name("input", transfer.input);
    name("output", transfer.output);
    const Realization form = realization_form();
    if (reader_.problems().any_errors()) return {};
    SignalFlowGraph graph;
    reader_.problems().attempt([&] { graph = realization(transfer, form); });
    if (reader_.problems().any_errors()) return {};
    std::vector<std::string> signals;
    for (const Node& node : graph.nodes()) signals.push_back(node.name);
    graph.inputs = ends(reader_, shared.input, "input", {transfer.input}, graph, graph.inputs);
    graph.outputs = ends(reader_, shared.output, "output", signals, graph, graph.outputs);
    return graph;
  }

 private:
  void read_expression(const Value& value, RationalTransfer& transfer) {
    const GiNaC::ex whole = reader_.expression(value, transfer.symbols, "the transfer function");
    if (reader_.problems().any_errors()) return;
    try {
      transfer = rational_transfer(whole, transfer.op.symbol(), transfer.symbols);
    } catch (const Error& error) {
      reader_.error(value, error.diagnostics().front().message, error.diagnostics().front().hint);
    }
  }

  void read_coefficients(const Value& numerator, const Value& denominator, RationalTransfer& transfer) {
    transfer.numerator = coefficients(numerator, "the numerator", transfer);
    transfer.denominator = coefficients(denominator, "the denominator", transfer);
    if (std::ranges::all_of(transfer.denominator, [](const GiNaC::ex& c) { return vanishes(c); }))
      reader_.error(denominator, "the denominator is 0", "write its coefficients, highest power first");
  }

  /// A list of coefficients, or a polynomial in the operator.
  std::vector<GiNaC::ex> coefficients(const Value& value, const std::string& name, RationalTransfer& transfer) {
    const GiNaC::ex s = transfer.op.in(transfer.symbols);
    if (value.kind != Value::Kind::array) {
      const auto result = polynomial_coefficients(reader_.expression(value, transfer.symbols, name), s);
      if (!result)
        reader_.error(value, name + " is no polynomial in " + transfer.op.symbol(), "state the whole as an expression");
      return result.value_or(std::vector<GiNaC::ex>{});
    }
    std::vector<GiNaC::ex> result;
    for (const Value& item : value.items) {
      result.push_back(reader_.expression(item, transfer.symbols, "a coefficient of " + name));
      if (result.back().has(s))
        reader_.error(item, "a coefficient contains the operator " + transfer.op.symbol(), "list constants, highest power first");
    }
    return result;
  }

  void name(const char* key, std::string& into) {
    const Value* value = reader_.find(&table_, key);
    if (!value) return;
    const auto text = reader_.string(*value, key);
    if (text && text->text.empty()) reader_.error(*value, std::string("an empty ") + key, "write the name of a signal");
    if (text && !text->text.empty()) into = text->text;
  }

  Realization realization_form() {
    static const std::map<std::string, Realization> forms{{"controllable", Realization::controllable},
                                                          {"observable", Realization::observable},
                                                          {"parallel", Realization::parallel},
                                                          {"cascade", Realization::cascade}};
    const Value* value = reader_.find(&table_, "realization");
    const auto text = value ? reader_.string(*value, "realization") : std::nullopt;
    if (!text) return Realization::controllable;
    if (const auto form = forms.find(text->text); form != forms.end()) return form->second;
    reader_.error(*value, "unknown realization " + in_quotes(text->text),
                  suggestion(text->text, {"controllable", "observable", "parallel", "cascade"}));
    return Realization::controllable;
  }

  const DocumentReader& reader_;
  const Value& table_;
};

}  // namespace

SignalFlowGraph state_space_graph_of(const DocumentReader& reader, const Value& table, const SharedParts& shared) {
  return StateSpaceReading(reader, table).graph(shared);
}

SignalFlowGraph transfer_graph_of(const DocumentReader& reader, const Value& table, const SharedParts& shared) {
  return TransferReading(reader, table).graph(shared);
}

}  // namespace sfg
