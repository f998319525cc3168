#include "sfg/multibody/independent_rows.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double nothing = 1e-9;  ///< of a row: what rounding leaves of one that depends on others

/// The factors of a row in terms of others, those of rounding left out.
std::vector<std::pair<Index, double>> combination(const MatrixXd& matrix, const std::vector<Index>& of, Index row) {
  std::vector<std::pair<Index, double>> found;
  if (of.empty() || matrix.row(row).norm() == 0) return found;
  MatrixXd columns(matrix.cols(), static_cast<Index>(of.size()));
  for (std::size_t i = 0; i < of.size(); ++i) columns.col(static_cast<Index>(i)) = matrix.row(of[i]).transpose();
  const VectorXd factors = columns.colPivHouseholderQr().solve(matrix.row(row).transpose());
  for (std::size_t i = 0; i < of.size(); ++i) {
    const double factor = factors[static_cast<Index>(i)];
    if (std::abs(factor) * matrix.row(of[i]).norm() > 1e3 * nothing * matrix.row(row).norm()) found.emplace_back(of[i], factor);
  }
  return found;
}

double sign_of(const MatrixXd& J, const MatrixXd& free) {
  MatrixXd square(J.cols(), J.cols());
  square << J, free.transpose();
  return square.determinant() < 0 ? -1 : 1;
}

}  // namespace

IndependentRows independent_rows(const MatrixXd& matrix) {
  IndependentRows found;
  std::vector<VectorXd> basis;
  const double scale = matrix.size() > 0 ? matrix.rowwise().norm().maxCoeff() : 0;
  for (Index row = 0; row < matrix.rows(); ++row) {
    VectorXd rest = matrix.row(row).transpose();
    const double length = rest.norm();
    for (int pass = 0; pass < 2; ++pass)
      for (const VectorXd& direction : basis) rest -= direction.dot(rest) * direction;
    if (length > nothing * scale && rest.norm() > nothing * length) {
      basis.push_back(rest.normalized());
      found.independent.push_back(row);
    } else {
      found.dependent.push_back({row, combination(matrix, found.independent, row)});
    }
  }
  return found;
}

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
