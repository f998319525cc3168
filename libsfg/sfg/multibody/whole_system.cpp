#include "sfg/error.hpp"
#include "sfg/multibody/elimination.hpp"
#include "sfg/numeric/sparse_lu.hpp"

// All equations at once, for checks: what elimination along the forest gives must be the same.

namespace sfg {

namespace {

using Eigen::Index;
using Entries = std::vector<Aggregate::WholeSystem::Entry>;

void add_block(Entries& entries, const rotation::RowMatrix& block, std::size_t row, std::size_t column, double sign,
               bool transposed = false) {
  for (Index i = 0; i < block.rows(); ++i)
    for (Index j = 0; j < block.cols(); ++j)
      if (block(i, j) != 0)
        entries.push_back({row + std::size_t(transposed ? j : i), column + std::size_t(transposed ? i : j), sign * block(i, j)});
}

Aggregate::WholeSystem system_of(const Aggregate& aggregate, const Elimination& elimination) {
  Aggregate::WholeSystem system{aggregate.unknowns(), {}, std::vector<double>(aggregate.unknowns())};
  for (std::size_t part = 0; part < aggregate.part_count(); ++part) {
    const std::size_t at = aggregate.speed_offset(part);
    add_block(system.entries, elimination.node(part).M, at, at, 1);
    const Eigen::VectorXd& force = elimination.node(part).force;
    std::copy(force.begin(), force.end(), system.right.begin() + std::ptrdiff_t(at));
  }
  std::size_t row = aggregate.size().speeds;
  for (std::size_t k = 0; k < aggregate.connections().size(); ++k) {
    const Aggregate::Connection& connection = aggregate.connections()[k];
    const ConnectionRows& rows = elimination.rows(k);
    const std::size_t first = aggregate.speed_offset(connection.first.part),
                      second = aggregate.speed_offset(connection.second.part);
    add_block(system.entries, rows.first, row, first, 1);
    add_block(system.entries, rows.second, row, second, -1);
    add_block(system.entries, rows.first, first, row, 1, true);
    add_block(system.entries, rows.second, second, row, -1, true);
    for (const double bias : rows.bias) system.right[row++] = -bias;
  }
  return system;
}

}  // namespace

Aggregate::WholeSystem Aggregate::whole_system(double t, std::span<const double> state, const Loads& loads) const {
  Elimination elimination(*this);
  elimination.evaluate(t, state, loads);
  return system_of(*this, elimination);
}

Aggregate::Motion Aggregate::motion_of_whole_system(double t, std::span<const double> state, const Loads& loads) const {
  Elimination elimination(*this);
  elimination.evaluate(t, state, loads);
  const WholeSystem system = system_of(*this, elimination);
  const Index size = Index(system.size);
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& [row, column, value] : system.entries) entries.emplace_back(Index(row), Index(column), value);
  Eigen::SparseMatrix<double> matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(matrix);
  if (lu.info() != Eigen::Success) throw NoAnswer("the equations of the aggregate have no unique solution");
  const Eigen::VectorXd x = lu.solve(Eigen::VectorXd::Map(system.right.data(), size));
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
