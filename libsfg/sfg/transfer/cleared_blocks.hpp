#pragma once
#include <map>
#include <set>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/transfer/graph_matrix.hpp"

namespace sfg {

/// A block of the matrix with every row multiplied by the least common denominator of its gains, so that its determinant
/// is a polynomial: det(block) = determinant / Π scales.
struct ClearedBlock {
  ring::Polynomial determinant;
  std::map<std::uint32_t, ring::Polynomial> scales;  ///< by row, those that are not 1
  /// Irreducible by its shape: every entry is a variable of its own but for one constant a row. (The determinant of a generic
  /// fully indecomposable matrix is irreducible: Frobenius 1917; a row may be divided by one of its entries.)
  bool irreducible = false;
};

/// Determinants of blocks as expanded polynomials, each worked out once.
class ClearedBlocks {
 public:
  /// @param ids  the blocks that will be asked for: the variables of their gains make the space. `variable` is its first.
  /// @throws LimitReached when the space alone is larger than the budget.
  ClearedBlocks(const SignalFlowGraph&, GraphMatrix&, const std::set<std::size_t>& ids, const GiNaC::ex& variable, const Budget&);

  const PolynomialSpace& space() const noexcept { return space_; }
  /// @throws LimitReached when the diagram or the expanded determinant exceeds the budget.
  const ClearedBlock& operator[](std::size_t id);
  /// What denominators of branches have and the gains of these blocks have not: it cancels between parallel branches, or did as
  /// values were put in. 1 where that hides no mode.
  ring::Polynomial hidden(const std::set<std::size_t>& ids);

 private:
  const RationalFunction& gain(const BranchBundle*);
  ClearedBlock cleared(std::size_t id);

  const SignalFlowGraph& graph_;
  GraphMatrix& matrix_;
  const Budget& budget_;
  PolynomialSpace space_;
  std::map<const BranchBundle*, RationalFunction> gains_;
  std::map<std::size_t, ClearedBlock> blocks_;
};

/// Product of polynomials within the budget. @throws LimitReached
ring::Polynomial product(const ring::Polynomial::Context&, std::vector<const ring::Polynomial*> factors, const Budget&);

}  // namespace sfg
