#include "sfg/write/forms/transfer.hpp"

#include <algorithm>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/write/answer.hpp"

namespace sfg {

namespace {

const char* const delta = "Delta";

std::size_t place_of(std::vector<NodeId>& nodes, NodeId node) {
  const auto known = std::ranges::find(nodes, node);
  const auto place = static_cast<std::size_t>(known - nodes.begin());
  if (known == nodes.end()) nodes.push_back(node);
  return place;
}

/// The numerators, or their names where one is too long for a cell.
std::vector<Math> cells(const TransferTable& table, Equations& named) {
  constexpr std::size_t most = 40;
  const bool all_short = std::ranges::all_of(table.numerators, [](const auto& n) { return print(n).size() <= most; });
  std::vector<Math> result;
  for (const ring::Polynomial& numerator : table.numerators) {
    if (all_short || numerator.is_zero()) {
      result.push_back(math(numerator));
      continue;
    }
    result.push_back(Math::name("N_" + std::to_string(named.rows.size() + 1)));
    named.rows.push_back({result.back(), {math(numerator)}});
  }
  return result;
}

}  // namespace

Page page(const SignalFlowGraph& graph, const TransferTable& table, std::span<const TransferFunction> transfers, Detail detail) {
  std::vector<NodeId> inputs, outputs;
  Equations named{{}, graph.op.symbol(), 1};
  const std::vector<Math> numerators = cells(table, named);
  Table found{{{{"N", " of T = ", Math::quotient(Math::name("N"), Math::name(delta))}}}, {}, 1};
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    const std::size_t column = place_of(inputs, transfers[i].question.input),
                      row = place_of(outputs, transfers[i].question.output);
    if (column + 1 == found.columns.size()) found.columns.push_back({{"from ", Math::signal(graph[inputs[column]].name)}});
    if (row == found.rows.size()) found.rows.push_back({{"to ", Math::signal(graph[outputs[row]].name)}});
    found.rows[row].resize(std::max(found.rows[row].size(), column + 2));
    found.rows[row][column + 1] = {numerators[i]};
  }
  for (auto& row : found.rows) row.resize(found.columns.size());
  AnswerPage page(detail);
  page.begin();
  page.add(Equations{{{Math::name(delta), {math(table.denominator)}}}, graph.op.symbol()});
  page.add(std::move(found));
  if (!named.rows.empty()) page.add(std::move(named));
  for (std::size_t i = 0; i < transfers.size(); ++i)
    if (!table.common[i].is_constant() && !table.numerators[i].is_zero())
      page.remark({"cancels in ", answer_name(graph, transfers[i].question), ": ", math(table.common[i])});
  for (const TransferFunction& transfer : transfers) page.end(transfer.terms, transfer.verification);
  return std::move(page).take();
}

void write_json(std::ostream& out, const SignalFlowGraph& graph, const TransferTable& table,
                std::span<const TransferFunction> transfers) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    const RationalFunction& value = transfers[i].value;
    nlohmann::ordered_json json = answer_json(graph, transfers[i].question, "table");
    json["expression"] = quotient_text(print(value.numerator()), print(value.denominator()));
    json["numerator"] = print(table.numerators[i]);
    json["common"] = print(table.common[i]);
    json["cancelled"] = print(transfers[i].cancelled);
    add_checks(json, transfers[i].terms, transfers[i].verification);
    list.push_back(std::move(json));
  }
  nlohmann::ordered_json all = answers_json(graph, std::move(list));
  all["denominator"] = print(table.denominator);
  out << all.dump() << "\n";
}

}  // namespace sfg
