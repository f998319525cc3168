#include "sfg/error.hpp"
#include "sfg/multibody/elimination.hpp"
#include "sfg/numeric/sparse_lu.hpp"

// All equations at once, for checks: what elimination along the forest gives must be the same.

namespace sfg {

namespace {

using Eigen::Index;
using Entries = std::vector<Eigen::Triplet<double>>;

void add_block(Entries& entries, const rotation::RowMatrix& block, std::size_t row, std::size_t column, double sign,
               bool transposed = false) {
  for (Index i = 0; i < block.rows(); ++i)
    for (Index j = 0; j < block.cols(); ++j)
      if (block(i, j) != 0)
        entries.emplace_back(Index(row) + (transposed ? j : i), Index(column) + (transposed ? i : j), sign * block(i, j));
}

}  // namespace

/// [M, −Dᵀ; D, 0] of accelerations, then wrenches.
Aggregate::Motion Aggregate::motion_of_whole_system(double t, std::span<const double> state, const Loads& loads) const {
  Elimination elimination(*this);
  elimination.evaluate(t, state, loads);
  const Index size = Index(unknowns());
  Entries entries;
  Eigen::VectorXd right = Eigen::VectorXd::Zero(size);
  for (std::size_t part = 0; part < part_count(); ++part) {
    const std::size_t at = speed_offset(part);
    add_block(entries, elimination.node(part).M, at, at, 1);
    const Eigen::VectorXd& force = elimination.node(part).force;
    right.segment(Index(at), force.size()) = force;
  }
  std::size_t row = total_.speeds;
  for (std::size_t k = 0; k < connections_.size(); ++k) {
    const ConnectionRows& rows = elimination.rows(k);
    const std::size_t first = speed_offset(connections_[k].first.part), second = speed_offset(connections_[k].second.part);
    add_block(entries, rows.first, row, first, 1);
    add_block(entries, rows.second, row, second, -1);
    add_block(entries, rows.first, first, row, 1, true);
    add_block(entries, rows.second, second, row, -1, true);
    for (const double bias : rows.bias) right[Index(row++)] = -bias;
  }
  Eigen::SparseMatrix<double> matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(matrix);
  if (lu.info() != Eigen::Success) throw NoAnswer("the equations of the aggregate have no unique solution");
  const Eigen::VectorXd x = lu.solve(right);
  Motion result{{x.data(), x.data() + total_.speeds}, std::vector<std::array<double, 6>>(connections_.size())};
  Index at = Index(total_.speeds);
  for (std::size_t k = 0; k < connections_.size(); ++k) {
    const auto& blocked = elimination.rows(k).blocked;
    Eigen::Matrix<double, 6, 1>::Map(result.wrenches[k].data()) = blocked * x.segment(at, blocked.cols()) + elimination.inside(k);
    at += blocked.cols();
  }
  return result;
}

}  // namespace sfg
