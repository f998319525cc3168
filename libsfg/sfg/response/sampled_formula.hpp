#pragma once
#include <ginac/ex.h>

#include <span>
#include <string>
#include <vector>

#include "sfg/response/discretize.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

/// y_k = Σ b_i u_(k−i) − Σ a_i y_(k−i) of a transfer function in z that does not look ahead.
struct DifferenceEquation {
  std::vector<GiNaC::ex> of_input;   ///< b_0, b_1, …
  std::vector<GiNaC::ex> of_output;  ///< −a_1, −a_2, …
};

/// A transfer function in z of a sampled system with symbols for parameters: coefficients, highest power of z first.
struct SampledFormula {
  std::string input;
  std::string output;
  std::vector<GiNaC::ex> numerator;  ///< {} for 0
  std::vector<GiNaC::ex> denominator;
  DifferenceEquation difference = {};
  std::vector<GiNaC::ex> positive = {};  ///< assumed positive: pairs of poles; elsewhere sin and cos are of imaginary angles
  std::vector<GiNaC::ex> nonzero = {};   ///< assumed not to vanish: poles that are told apart
};

/// Tustin's rule of any transfer function, and the zero-order hold where poles are known in closed form: linear and quadratic
/// factors of the denominator over the parameters, of any multiplicity; where symbols are in the numerator alone, any poles, with
/// decimals of 17 digits. Checked against discretized() at values of the symbols.
/// @param graph        with the symbols; names that have a value should have been substituted where that is meant
/// @param sample_time  a positive number or a symbol
/// @throws NoAnswer as discretized(), for matched poles and zeros, for poles without a closed form and for dead time that is not
///                  known in sample times.
SampledFormula sampled_formula(const TransferFunction&, const SignalFlowGraph& graph, const GiNaC::ex& sample_time,
                               Discretization, const Budget& = {});

/// The coefficients of a transfer function in z with numbers.
SampledFormula sampled_formula(const ExactTransfer& in_z);

/// A graph in z with one branch for every transfer function, and the parameters that occur, with their values.
/// @param sample_time  as before; a graph states one only where it has a value.
SignalFlowGraph sampled_graph(std::span<const SampledFormula>, const SymbolTable&, const GiNaC::ex& sample_time);

}  // namespace sfg
