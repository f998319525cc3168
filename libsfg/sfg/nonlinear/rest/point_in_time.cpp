#include "sfg/nonlinear/rest/operating_points.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/graph/draft.hpp"
#include "sfg/nonlinear/principal.hpp"
#include "sfg/nonlinear/run/transient.hpp"

namespace sfg {

PointInTime point_in_time(const SignalFlowGraph& graph, SimulationQuestion question, double time, const Budget& budget) {
  if (!(time >= 0)) throw std::invalid_argument("point_in_time: a time before 0");
  SignalFlowGraph watched = graph;
  std::vector<std::string> names;
  question.outputs.clear();
  for (const PrincipalForm::Argument& argument : principal_form(graph).arguments) {
    NodeId node = *graph.find(argument.signal);
    names.push_back(argument.rate ? graph.op.name_of_rate(argument.signal) : argument.signal);
    if (argument.rate) {
      const NodeId rate = watched.add_node({free_name(watched, names.back()), graph[node].where, {}});
      watched.add_branch(node, rate, watched.op.declare(watched.symbols), graph[node].where);
      node = rate;
    }
    question.outputs.push_back(node);
  }
  PointInTime result{graph, {}, {}};
  const std::vector<double> times = time > 0 ? std::vector{0.0, time} : std::vector{0.0};
  const std::vector<NamedResponse> found = transient(watched, question, times, {.budget = budget});
  for (std::size_t i = 0; i < names.size(); ++i) {
    const TimeResponse& response = found.at(i).value;
    result.point[names[i]] = decimal_rational(response.value.back());
    if (response.error) result.error = std::max(result.error.value_or(0), *response.error);
  }
  if (const Symbol* t = graph.symbols.find("t"); t != nullptr && t->kind == SymbolKind::time)
    result.graph = graph.substituted({{t->expr, numeric_value(decimal_rational(time))}});
  return result;
}

}  // namespace sfg
