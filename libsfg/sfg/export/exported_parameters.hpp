#pragma once
#include <ginac/ex.h>

#include <string>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/numeric/tape.hpp"

namespace sfg {

/// A parameter of the model, a variable of the file.
struct ExportedParameter {
  std::string name;
  GiNaC::ex symbol;
  GiNaC::ex stated = {};   ///< as in the model: a number, or an expression of other parameters; 0 where it is missing
  std::string exact = {};  ///< its value, exactly: "29/4", or an expression of numbers: "sqrt(2)"; "" where it has none
  double value = 0;        ///< the same rounded once
  bool follows = false;    ///< it is stated by others: a file in which these change states it by them, too
  std::string unit = {}, text = {};
};

/// All parameters of the graph, in the order of the model.
std::vector<ExportedParameter> exported_parameters(const SignalFlowGraph&);
/// The same for a file that prints numbers. @throws sfg::Error naming the parameters without values.
std::vector<ExportedParameter> valued_parameters(const SignalFlowGraph&);

/// What one follows comes before it: the order in which a file states them.
std::vector<ExportedParameter> by_dependence(const std::vector<ExportedParameter>&);

std::vector<double> values_of(const std::vector<ExportedParameter>&);

/// The parameters that no others state, and those that others state, each in the order of the model.
std::vector<ExportedParameter> independent(const std::vector<ExportedParameter>&);
std::vector<ExportedParameter> derived(const std::vector<ExportedParameter>&);

/// The same program of the independent parameters: it calculates the derived ones itself, so that its values follow and its
/// derivatives are total ones.
/// @param tape  its first inputs are the parameters, in their order; the others stay behind the independent ones
numeric::Tape of_independent(const numeric::Tape& tape, const std::vector<ExportedParameter>&);

/// The derived parameters as a program of the independent ones.
numeric::Tape derived_values(const std::vector<ExportedParameter>&);

}  // namespace sfg
