#pragma once
#include <ginac/ex.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/expr/random_point.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/question.hpp"
#include "sfg/transfer/verification.hpp"

namespace sfg {

/// The matrix I − Aᵀ of a graph, or of some of its nodes, modulo a prime at one point, factorised by sparse Gaussian
/// elimination (Markowitz's choice of pivots): shares no code with the determinant diagram and the polynomials.
/// Nonlinear branches must not lie between the nodes.
class ModularElimination {
 public:
  /// `nodes`: by index, which nodes take part; empty: all.
  /// @throws std::domain_error when a denominator of a gain vanishes at the point.
  ModularElimination(const SignalFlowGraph&, const ModularPoint&, std::vector<bool> nodes = {}, const Budget& = {});

  /// det(I − Aᵀ) modulo the prime; 0 when singular at this point.
  std::uint64_t determinant() const noexcept { return determinant_; }
  /// The response, solved once for every driver; nothing when the point is unlucky (singular, or x_input = 0 in a ratio).
  std::optional<std::uint64_t> response(const Question&);

 private:
  using SparseRow = std::vector<std::pair<std::uint32_t, std::uint64_t>>;  ///< (column, value), ascending
  struct Step {
    std::uint32_t row, column;  ///< of the pivot
    std::uint64_t inverse;      ///< of the pivot
    SparseRow rest;             ///< of the pivot's row
    SparseRow factors;          ///< (row, what was subtracted of the pivot's row)
  };

  void factorise(std::vector<SparseRow> rows, const Budget&);
  const std::vector<std::uint64_t>& solution(NodeId driver);

  std::uint64_t prime_;
  std::uint64_t determinant_ = 1;
  std::vector<bool> nodes_;
  std::vector<Step> steps_;
  std::map<NodeId, std::vector<std::uint64_t>> solutions_;
};

/// Random points at which the gains between some nodes have values; `nodes`: by index; empty: all.
RandomPoints random_points(const SignalFlowGraph&, const std::vector<bool>& nodes = {});

/// Compares `answer(point)` with the elimination at `points` random points.
/// @param degree_bound  of the numerator of the difference in lowest terms.
/// @throws std::logic_error when they differ: an error of ours, never printed as an answer.
Verification verified(const SignalFlowGraph&, const Question&,
                      const std::function<std::optional<std::uint64_t>(const ModularPoint&)>& answer, double degree_bound,
                      std::uint64_t seed = 1, std::size_t points = 2);

/// The same for many answers, which share the eliminations: `answer(i, point)` belongs to question i.
std::vector<Verification> verified(const SignalFlowGraph&, std::span<const Question>,
                                   const std::function<std::optional<std::uint64_t>(std::size_t, const ModularPoint&)>& answer,
                                   std::span<const double> degree_bounds, std::uint64_t seed = 1, std::size_t points = 2,
                                   const Budget& = {});

}  // namespace sfg
