#pragma once
#include <map>
#include <optional>

#include "sfg/ring/integer.hpp"
#include "sfg/transfer/graph_matrix.hpp"

namespace sfg {

enum class ParallelBranches { apart, merged };

/// Counts the products of determinants with the diagrams of a matrix: entries are the numbers of branches.
class TermCounter {
 public:
  TermCounter(GraphMatrix& matrix, ParallelBranches parallel) : matrix_(matrix), parallel_(parallel) {}
  /// Nothing when a diagram is too large.
  std::optional<ring::Integer> count(const GraphMatrix::Product&);

 private:
  const std::optional<ring::Integer>& block_count(std::size_t id);

  GraphMatrix& matrix_;
  ParallelBranches parallel_;
  std::map<std::size_t, std::optional<ring::Integer>> counts_;
};

}  // namespace sfg
