#pragma once
#include <ginac/ex.h>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/equations.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// Linear equations between signals, one of each name: Σ coefficient · signal = 1 in the equation of the signal that drives them,
/// 0 in all others. What is stated, before anything is solved.
struct LinearEquations {
  struct Equation {
    std::string of;                                             ///< the signal, or the equation of a model
    std::vector<std::pair<std::string, GiNaC::ex>> terms = {};  ///< signal, coefficient; by the order of the signals
  };
  std::vector<std::string> signals = {};
  std::vector<Equation> equations = {};    ///< as many as signals
  std::vector<std::string> left_out = {};  ///< signals that cannot matter, and depend on a nonlinear branch
};

/// The equations x_k − Σ gain · x_tail = 0 of the nodes of a graph, as its branches state them. Where a branch is nonlinear,
/// those of the nodes that matter to a question alone. @throws as transfer_functions where one between these is nonlinear.
LinearEquations linear_equations(const SignalFlowGraph&, std::span<const Question>);

/// The equations D(p) x − B(p) u = 0 of a model with its definitions, u = 0 of its sources.
/// @returns nothing where they are not about all the signals of the questions, a question is not about a source of theirs, or
/// laws or names shared by a source and an equation are among them: then the graph that is made of the model has them.
std::optional<LinearEquations> linear_equations(const EquationSystem&, const SignalFlowGraph&, std::span<const Question>);

}  // namespace sfg
