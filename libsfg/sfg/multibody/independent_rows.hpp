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

/// Watches the Jacobian J of constraints on the way of a motion: where it loses rank between two positions, the determinant of J
/// and the directions that were free before changes its sign.
class SingularPositions {
 public:
  /// Begins, or begins anew after rows were changed.
  void begin(const Eigen::MatrixXd& J);
  /// Whether a position between the last one and this one was singular.
  bool passed(const Eigen::MatrixXd& J);

 private:
  Eigen::MatrixXd independent(const Eigen::MatrixXd& J) const;
  void remember(const Eigen::MatrixXd& J);

  std::vector<Eigen::Index> rows_;  ///< independent ones
  Eigen::MatrixXd free_;            ///< directions, as columns
  double sign_ = 1;
};

}  // namespace sfg
