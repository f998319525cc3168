#pragma once
#include <utility>
#include <vector>

#include "sfg/numeric/dense.hpp"

// Not installed.
namespace sfg {

/// Which rows of a matrix follow from rows before them.
struct IndependentRows {
  struct Dependent {
    Eigen::Index row;
    std::vector<std::pair<Eigen::Index, double>> combination;  ///< Σ factor · row, of independent rows
  };
  std::vector<Eigen::Index> independent;  ///< in their order; as many as the rank
  std::vector<Dependent> dependent;

  Eigen::Index rank() const { return static_cast<Eigen::Index>(independent.size()); }
};

/// Rows in their order, each kept where it is not a combination of those that are kept: what is left of it normal to them is
/// below 1e-9 of it (Gram and Schmidt, twice). A row of zeros is the combination of none.
IndependentRows independent_rows(const Eigen::MatrixXd&);

}  // namespace sfg
