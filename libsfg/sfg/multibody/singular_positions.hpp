#pragma once
#include <vector>

#include "sfg/numeric/dense.hpp"

// Not installed.
namespace sfg {

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
