#pragma once
#include <map>
#include <span>
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

ring::Polynomial common_multiple(const ring::Polynomial& a, const ring::Polynomial& b);
/// That of the denominators of parallel branches, each in lowest terms and with what it lost as values were put in: what cancels
/// between them is a mode all the same.
/// @param sum  their gain in lowest terms
ring::Polynomial common_denominator(const PolynomialSpace&, const SignalFlowGraph&, std::span<const BranchId>,
                                    const RationalFunction& sum, const Budget& = {});

/// @throws sfg::Error when a branch is nonlinear, or a gain is not rational in the operator.
PolynomialRows polynomial_rows(const SignalFlowGraph&);

}  // namespace sfg
