#pragma once
#include <ginac/ex.h>

#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
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

// The targets of an export, a file each; that of C has choices of its own (export/c/c_program.hpp).
// @throws NoAnswer naming the branch that a target cannot express; sfg::Error naming parameters without values

void write_branch_list(std::ostream&, const ExportSubject&, const Budget& = {});             ///< csv
void write_functional_mockup_unit(std::ostream&, const ExportSubject&, const Budget& = {});  ///< fmu
void write_graphml_file(std::ostream&, const ExportSubject&, const Budget& = {});            ///< graphml
void write_html_snippet(std::ostream&, const ExportSubject&, const Budget& = {});            ///< html-snippet
void write_json_export(std::ostream&, const ExportSubject&, const Budget& = {});             ///< json
void write_latex_document(std::ostream&, const ExportSubject&, const Budget& = {});          ///< latex
void write_maxima_program(std::ostream&, const ExportSubject&, const Budget& = {});          ///< maxima
void write_modelica_model(std::ostream&, const ExportSubject&, const Budget& = {});          ///< modelica
void write_octave_program(std::ostream&, const ExportSubject&, const Budget& = {});          ///< octave
void write_python_program(std::ostream&, const ExportSubject&, const Budget& = {});          ///< python
void write_scilab_program(std::ostream&, const ExportSubject&, const Budget& = {});          ///< scilab
void write_simulink_model(std::ostream&, const ExportSubject&, const Budget& = {});          ///< simulink
void write_spice_netlist(std::ostream&, const ExportSubject&, const Budget& = {});           ///< spice
void write_verilog_module(std::ostream&, const ExportSubject&, const Budget& = {});          ///< verilog
void write_verilog_a_module(std::ostream&, const ExportSubject&, const Budget& = {});        ///< verilog-a

}  // namespace sfg
