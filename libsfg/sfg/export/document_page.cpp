#include "sfg/export/document_page.hpp"

#include <fmt/format.h>
#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/draw/graph/layout.hpp"
#include "sfg/export/exported_parameters.hpp"
#include "sfg/text/unit_text.hpp"
#include "sfg/write/forms/transfer.hpp"

namespace sfg {

namespace {

/// gain · signal, as one writes it: x, −x, G x.
Math contribution(const SignalFlowGraph& graph, const Branch& branch) {
  Math signal = Math::signal(graph[branch.from].name);
  if (branch.gain() == 1) return signal;
  if (branch.gain() == -1) return Math::negative(std::move(signal));
  Math gain = math(branch.gain(), graph.op.symbol());
  if (gain.is_negative()) return Math::negative(Math::product({std::move(gain.parts.front()), std::move(signal)}));
  return Math::product({std::move(gain), std::move(signal)});
}

/// A law as a function of the signals that it depends on: f1(x, y).
class Laws {
 public:
  explicit Laws(const SignalFlowGraph& graph) : graph_(graph) {}

  Math called(const Branch& branch) {
    const auto& law = std::get<Nonlinearity>(branch.law);
    std::vector<Math> signals{Math::signal(graph_[branch.from].name)}, letters{Math::name("u")};
    for (const Nonlinearity::Argument& argument : law.arguments) {
      signals.push_back(Math::signal(graph_[argument.node].name));
      letters.push_back(math(argument.signal));
    }
    const std::string name = "f" + std::to_string(definitions_.rows.size() + 1);
    definitions_.rows.push_back({Math::call(name, std::move(letters)), {math(law.law)}, {}});
    return Math::call(name, std::move(signals));
  }
  bool any() const { return !definitions_.rows.empty(); }
  Equations definitions() const { return definitions_; }

 private:
  const SignalFlowGraph& graph_;
  Equations definitions_;
};

Equations node_equations(const SignalFlowGraph& graph, Laws& laws) {
  Equations equations;
  equations.main = graph.op.symbol();
  for (const NodeId node : graph.node_ids()) {
    std::vector<Math> terms;
    for (const BranchId id : graph.entering(node))
      terms.push_back(graph[id].linear() ? contribution(graph, graph[id]) : laws.called(graph[id]));
    if (terms.empty()) continue;
    Math sum = terms.size() == 1 ? std::move(terms.front()) : Math::sum(std::move(terms));
    equations.rows.push_back({Math::signal(graph[node].name), {std::move(sum)}, {}});
  }
  return equations;
}

/// An exact value as it is shown; "no value".
Prose value_words(const ExportedParameter& parameter, const GiNaC::exmap& values) {
  const auto value = values.find(parameter.symbol);
  if (parameter.exact.empty() || value == values.end()) return words("no value");
  return {math(value->second)};
}

Table parameter_table(const std::vector<ExportedParameter>& parameters, const SignalFlowGraph& graph) {
  const GiNaC::exmap values = graph.symbols.values();
  Table table;
  table.columns = {
      {.head = words("parameter")}, {.head = words("value"), .right = true}, {.head = words("unit")}, {.head = words("meaning")}};
  for (const ExportedParameter& parameter : parameters)
    table.rows.push_back(
        {{Math::name(parameter.name)}, value_words(parameter, values), words(unit_text(parameter.unit)), words(parameter.text)});
  const bool no_text = std::ranges::all_of(parameters, [](const ExportedParameter& p) { return p.text.empty(); });
  const bool no_unit = std::ranges::all_of(parameters, [](const ExportedParameter& p) { return p.unit.empty(); });
  for (const auto& [left_out, column] : {std::pair(no_text, 3), std::pair(no_unit, 2)}) {
    if (!left_out) continue;
    table.columns.erase(table.columns.begin() + column);
    for (std::vector<Prose>& row : table.rows) row.erase(row.begin() + column);
  }
  return table;
}

void add_equations(Page& page, const SignalFlowGraph& graph) {
  Laws laws(graph);
  Equations equations = node_equations(graph, laws);
  if (equations.rows.empty()) return;
  page.add(Heading{words("Equations")});
  page.add(std::move(equations));
  if (!laws.any()) return;
  page.add(Paragraph{{"with the laws of the nonlinear branches, of which ", Math::name("u"), " is the signal at the tail, ",
                      Math::name("v"), " the rate of that, and ", Math::name("t"), " the time:"}});
  page.add(laws.definitions());
}

/// Its inputs and outputs are those of the questions.
SignalFlowGraph asked_graph(const ExportSubject& subject) {
  SignalFlowGraph graph = subject.graph;
  graph.inputs.clear();
  graph.outputs.clear();
  const auto add = [](std::vector<NodeId>& nodes, NodeId node) {
    if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
  };
  for (const Question& question : subject.questions) {
    add(graph.inputs, question.input);
    add(graph.outputs, question.output);
  }
  return graph;
}

}  // namespace

std::optional<Drawing> document_drawing(const ExportSubject& subject, const Budget& budget) {
  const SignalFlowGraph graph = asked_graph(subject);
  if (graph.branches().empty() || !suits_layout(graph)) return {};
  return layout(graph, {.budget = budget});
}

std::vector<TransferFunction> document_transfers(const ExportSubject& subject, const Budget& budget) {
  if (!subject.graph.linear()) return {};
  return transfer_functions(subject.graph, subject.questions, {.budget = budget});
}

std::string verified_line(const std::vector<TransferFunction>& transfers) {
  if (transfers.empty()) return "verified: nothing was calculated; these are the branches of the graph as they stand";
  const Verification& first = transfers.front().verification;
  double bound = 0;
  for (const TransferFunction& transfer : transfers) bound = std::max(bound, transfer.verification.error_bound);
  return fmt::format(
      "verified: every transfer function by {} at {} random points; a wrong one would pass with a chance below {:.0e}",
      first.method, first.points, bound);
}

Page document_page(const ExportSubject& subject, const std::vector<TransferFunction>& transfers, std::optional<Drawing> picture) {
  const SignalFlowGraph& graph = subject.graph;
  Page page;
  page.title = graph.title.empty() ? subject.name : graph.title;
  if (picture)
    page.add(Picture{std::move(*picture)});
  else if (!graph.branches().empty())
    page.add(Paragraph{words("The graph is too large for a picture whose lines can be followed.")});
  add_equations(page, graph);
  if (const std::vector<ExportedParameter> parameters = exported_parameters(graph); !parameters.empty()) {
    page.add(Heading{words("Parameters")});
    page.add(parameter_table(parameters, graph));
  }
  if (transfers.empty()) return page;
  page.add(Heading{words(transfers.size() == 1 ? "Transfer function" : "Transfer functions")});
  Page answers = sfg::page(graph, transfers);
  answers.title.clear();
  page.add(std::move(answers));
  return page;
}

}  // namespace sfg
