#include "sfg/multibody/singular_positions.hpp"

namespace sfg {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

double sign_of(const MatrixXd& J, const MatrixXd& free) {
  MatrixXd square(J.cols(), J.cols());
  square << J, free.transpose();
  return square.determinant() < 0 ? -1 : 1;
}

}  // namespace

MatrixXd SingularPositions::independent(const MatrixXd& J) const { return J(rows_, Eigen::all); }

void SingularPositions::begin(const MatrixXd& J) {
  constexpr double least_pivot = 1e-9;
  rows_.clear();
  if (J.rows() == 0) return;
  Eigen::ColPivHouseholderQR<MatrixXd> pivoted;
  pivoted.setThreshold(least_pivot);
  pivoted.compute(J.transpose());
  for (Index i = 0; i < pivoted.rank(); ++i) rows_.push_back(pivoted.colsPermutation().indices()[i]);
  remember(independent(J));
}

void SingularPositions::remember(const MatrixXd& J) {
  const Eigen::HouseholderQR<MatrixXd> rows(J.transpose());
  const MatrixXd Q = rows.householderQ() * MatrixXd::Identity(J.cols(), J.cols());
  free_ = Q.rightCols(J.cols() - J.rows());
  sign_ = sign_of(J, free_);
}

bool SingularPositions::passed(const MatrixXd& J) {
  if (rows_.empty()) return false;
  const MatrixXd now = independent(J);
  const bool changed = sign_of(now, free_) != sign_;
  remember(now);
  return changed;
}

}  // namespace sfg
