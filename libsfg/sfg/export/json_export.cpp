
#include "sfg/export/targets.hpp"

#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "sfg/error.hpp"
#include "sfg/export/exported_parameters.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/write/forms/transfer.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/study/parameters.hpp"

namespace sfg {

namespace {

using json::Json;

Json parameters_json(const std::vector<ExportedParameter>& parameters) {
  Json all = Json::object();
  for (const ExportedParameter& parameter : parameters) {
    Json& entry = all[parameter.name] = {{"value", parameter.exact}, {"unit", parameter.unit}, {"text", parameter.text}};
    if (parameter.follows) entry["follows"] = print(parameter.stated);
  }
  return all;
}

Json graph_json(const SignalFlowGraph& graph) {
  Json nodes = Json::array(), branches = Json::array();
  for (const Node& node : graph.nodes()) nodes.push_back(node.name);
  for (const Branch& branch : graph.branches()) {
    Json entry{{"from", graph[branch.from].name}, {"to", graph[branch.to].name}};
    if (branch.linear()) {
      entry["gain"] = print(branch.gain());
    } else {
      entry["nonlinear"] = print(std::get<Nonlinearity>(branch.law).law);
      const std::vector<std::string> arguments = argument_entries(graph, branch);
      if (!arguments.empty()) entry["arguments"] = arguments;
    }
    branches.push_back(std::move(entry));
  }
  return {{"nodes", std::move(nodes)}, {"branches", std::move(branches)}};
}

/// Highest power first, as everywhere.
Json exact_coefficients(const exact::RationalPolynomial& polynomial) {
  Json all = Json::array();
  for (long power = std::max(0L, polynomial.degree()); power >= 0; --power)
    all.push_back(polynomial.coefficient(static_cast<std::size_t>(power)).text());
  return all;
}

Json double_coefficients(const exact::RationalPolynomial& polynomial) {
  return polynomial.is_zero() ? Json::array({0.0}) : json::numbers(polynomial.doubles());
}

/// Numerator and denominator at the stated values; null where they are no polynomials (dead time, roots of the operator).
void add_numbers(Json& entry, const TransferFunction& transfer, const SignalFlowGraph& graph) {
  for (const char* name : {"num", "den", "num_double", "den_double"}) entry[name] = nullptr;
  try {
    const ExactTransfer exact = exact_transfer(transfer, graph);
    if (!exact.rational()) return;
    entry["num"] = exact_coefficients(exact.numerator.polynomial());
    entry["den"] = exact_coefficients(exact.denominator.polynomial());
    entry["num_double"] = double_coefficients(exact.numerator.polynomial());
    entry["den_double"] = double_coefficients(exact.denominator.polynomial());
  } catch (const LimitReached&) {
    throw;
  } catch (const Failure&) {  // values are all there: the gain is no fraction of polynomials
  }
}

/// Those of `tf`, with numbers. A graph with laws has none.
Json transfers_json(const ExportSubject& subject, const Budget& budget) {
  if (!subject.graph.linear()) return Json::array();
  const std::vector<TransferFunction> transfers = transfer_functions(subject.graph, subject.questions, {.budget = budget});
  std::ostringstream text;
  write_json(text, subject.graph, transfers);
  Json all = std::move(Json::parse(text.str()).at("transfers"));
  for (std::size_t k = 0; k < transfers.size(); ++k) add_numbers(all[k], transfers[k], subject.graph);
  return all;
}

}  // namespace

void write_json_export(std::ostream& out, const ExportSubject& subject, const Budget& budget) {
  const SignalFlowGraph& graph = subject.graph;
  Json whole{{"schema", "sfg/export/1"}, {"target", "json"}, {"title", graph.title}, {"variable", graph.op.symbol()}};
  if (graph.op.discrete()) whole["sample_time"] = graph.op.period().text();
  whole["parameters"] = parameters_json(valued_parameters(graph));
  whole["graph"] = graph_json(graph);
  whole["transfers"] = transfers_json(subject, budget);
  out << whole.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace sfg
