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

}  // namespace sfg
