#pragma once
#include <map>
#include <vector>

#include "sfg/expr/rational.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// The equations of a linear graph cleared of denominators, one row for each node k:
///   d_k x_k − Σ n_jk x_j = d_k u_k
/// with polynomials in the operator (the first variable of the space), u_k what is added at the node from outside.
struct PolynomialRows {
  using Row = std::map<std::size_t, ring::Polynomial>;  ///< by node; entries are not 0

  PolynomialSpace space;
  std::vector<Row> left;
  std::vector<ring::Polynomial> right;  ///< d_k

  std::size_t degree(std::size_t row, std::size_t node) const;  ///< in the operator; 0 where there is no entry
};

/// The denominator of a branch's gain in lowest terms, with what it lost as values were put in.
/// @param hidden  that: hidden_modes()
ring::Polynomial stated_denominator(const PolynomialSpace&, const Branch&, const GiNaC::ex& hidden, const Budget& = {});

/// @throws sfg::Error when a branch is nonlinear, or a gain is not rational in the operator.
PolynomialRows polynomial_rows(const SignalFlowGraph&);

}  // namespace sfg
