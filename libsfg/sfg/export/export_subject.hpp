#pragma once
#include <ginac/ex.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sfg/exact/rational.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/equations.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

/// What becomes a file for another program: a graph, what is asked of it, and how the file shows itself to be right when it runs.
struct ExportSubject {
  SignalFlowGraph graph;                            ///< with its laws
  std::vector<Question> questions;                  ///< in the order of `tf`
  std::string name = "model";                       ///< as stated; each writer makes it legal in its language
  std::string command = {};                         ///< that makes the file
  std::vector<std::string> fixed_points = {};       ///< in words: what stays where it is when parameters move
  std::optional<EquationSystem> equations = {};     ///< of what was derived
  std::optional<exact::Rational> sample_time = {};  ///< of a model that is not in z, for a file of samples
  std::vector<double> times = {};                   ///< of the step part, s
  std::vector<double> frequencies = {};             ///< of the frequency part, rad/s
  /// What drives the inputs of a nonlinear graph: expressions of `time`; an input that is not here makes a unit step at 0.
  std::vector<std::pair<std::string, GiNaC::ex>> drives = {};
  std::vector<std::pair<std::string, double>> initial = {};  ///< of states of a nonlinear graph
  GiNaC::ex time = {};
};

/// Names of the questions' inputs and of their outputs, each once, in the order of the questions.
std::vector<std::string> export_inputs(const ExportSubject&);
std::vector<std::string> export_outputs(const ExportSubject&);

/// "OUT/IN" of a question: the label of its tables.
std::string export_label(const ExportSubject&, const Question&);

}  // namespace sfg
