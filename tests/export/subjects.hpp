#pragma once
// Graphs to be exported.
#include <ginac/ginac.h>

#include <string>
#include <vector>

#include "sfg/export/exported_parameters.hpp"
#include "sfg/export/targets.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/read/dot.hpp"

namespace sfg::exported {

inline constexpr const char* loop =
    "digraph loop { input=\"R\"; output=\"C\"; parameters=\"K=10, T=2\"; R -> e; e -> C [gain=\"K/(s*(s+T))\"]; C -> e "
    "[gain=\"-1\"]; }";
/// Two inputs and two outputs, coupled; with a way straight through.
inline constexpr const char* two_port =
    "digraph { input=\"a, b\"; output=\"x, y\"; parameters=\"k=3/2, m=1/5, c=7\"; a -> x [gain=\"k/(s+c)\"]; b -> y "
    "[gain=\"(s+1)/(s+m)\"]; "
    "x -> y [gain=\"m\"]; y -> x [gain=\"-1/(s^2+k*s+c)\"]; }";
inline constexpr const char* sampled =
    "digraph { input=\"x\"; output=\"y\"; variable=\"z\"; sample_time=\"0.1\"; parameters=\"c=3/4, d=1/2\"; x -> u; u -> p "
    "[gain=\"1/z\"]; "
    "p -> v [gain=\"d\"]; v -> q [gain=\"1/z\"]; q -> y; p -> u [gain=\"c\"]; q -> u [gain=\"-d\"]; q -> v [gain=\"c\"]; x -> y "
    "[gain=\"0.25\"]; }";

inline ExportSubject subject(const std::string& dot) {
  ExportSubject made;
  made.graph = read_dot(dot, "model.dot");
  made.questions = questions(made.graph);
  made.name = "model";
  made.time = GiNaC::symbol("t");
  return made;
}

/// The graph with other values of its parameters, in their order.
inline SignalFlowGraph with_values(SignalFlowGraph graph, const std::vector<double>& values) {
  const std::vector<ExportedParameter> parameters = exported_parameters(graph);
  for (std::size_t k = 0; k < values.size(); ++k)
    graph.symbols.find(parameters[k].name)->value = numeric_value(exact::Rational::of(values[k]));
  return graph;
}

}  // namespace sfg::exported
