#include "sfg/multibody/constrained.hpp"

#include <array>
#include <optional>

#include "sfg/multibody/small_elimination.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double least_pivot = 1e-9;  ///< of the largest one: below, a row depends on the others

using Decomposition = Eigen::CompleteOrthogonalDecomposition<MatrixXd>;

Decomposition decomposed(const MatrixXd& W) {
  Decomposition found;
  found.setThreshold(least_pivot);
  found.compute(W);
  return found;
}

void require_inertia(const MatrixXd& M, const MatrixXd& allowed) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> modes(MatrixXd(allowed.transpose() * M * allowed));
  const VectorXd& inertias = modes.eigenvalues();
  if (inertias.size() == 0 || inertias[0] > 1e-14 * std::max(inertias[inertias.size() - 1], 1e-300)) return;
  Index row = 0;
  (allowed * modes.eigenvectors().col(0)).cwiseAbs().maxCoeff(&row);
  throw NoInertia{row};
}

/// By a basis of the motions that J allows; M need not be positive definite for the others.
Constrained in_allowed_motions(const MatrixXd& M, const VectorXd& f, const MatrixXd& J, const VectorXd& gamma) {
  const Index n = M.rows();
  Constrained found;
  MatrixXd allowed = MatrixXd::Identity(n, n);
  found.a = VectorXd::Zero(n);
  if (J.rows() > 0) {
    const Decomposition rows = decomposed(J.transpose());
    found.rank = rows.rank();
    const MatrixXd Q = rows.householderQ() * MatrixXd::Identity(n, n);
    allowed = Q.rightCols(n - found.rank);
    found.a = rows.transpose().solve(gamma);
  }
  require_inertia(M, allowed);
  found.a += allowed * (allowed.transpose() * M * allowed).ldlt().solve(allowed.transpose() * (f - M * found.a));
  found.lambda = J.rows() > 0 ? VectorXd(decomposed(J.transpose()).solve(M * found.a - f)) : VectorXd();
  return found;
}

/// By Wᵀ W, where its rows are far from depending on each other: nothing else.
std::optional<Constrained> with_independent_rows(const Eigen::LLT<MatrixXd>& cholesky, const MatrixXd& W, const VectorXd& free,
                                                 const VectorXd& gamma) {
  constexpr double far = 1e-7;
  const MatrixXd S = W.transpose() * W;
  const Eigen::LLT<MatrixXd> rows(S);
  if (rows.info() != Eigen::Success) return {};
  const double pivot = rows.matrixLLT().diagonal().cwiseAbs2().minCoeff() / S.diagonal().maxCoeff();
  if (!(pivot > far)) return {};
  Constrained found;
  found.lambda = rows.solve(gamma - W.transpose() * free);
  found.a = cholesky.matrixU().solve(free + W * found.lambda);
  found.rank = W.cols();
  found.pivot = pivot;
  return found;
}

/// Of a small system whose rows are far from depending on each other.
bool by_elimination(const MatrixXd& M, const VectorXd& f, const MatrixXd& J, const VectorXd& gamma, Constrained& found) {
  const auto n = static_cast<std::size_t>(M.rows()), rows = static_cast<std::size_t>(J.rows());
  if (std::max(n, rows) > SmallElimination::largest) return false;
  std::array<double, SmallElimination::largest*(SmallElimination::largest + 1) / 2> upper;
  std::array<double, SmallElimination::largest * SmallElimination::largest> by_rows;
  double* next = upper.data();
  for (Index i = 0; i < M.rows(); ++i)
    for (Index j = i; j < M.rows(); ++j) *next++ = M(i, j);
  next = by_rows.data();
  for (Index i = 0; i < J.rows(); ++i)
    for (Index j = 0; j < J.cols(); ++j) *next++ = J(i, j);
  SmallElimination elimination;
  if (!elimination.factorise(n, rows, upper.data(), by_rows.data(), n)) return false;
  found.a.resize(M.rows());
  elimination.solve(f.data(), gamma.data(), 1, found.a.data());
  found.lambda = Eigen::Map<const VectorXd>(elimination.multipliers(), J.rows());
  found.rank = J.rows();
  found.pivot = elimination.pivot();
  if (rows > 0) found.contradiction = (J * found.a - gamma).cwiseAbs().maxCoeff();
  return true;
}

}  // namespace

Constrained constrained(const MatrixXd& M, const VectorXd& f, const MatrixXd& J, const VectorXd& gamma) {
  Constrained found;
  if (by_elimination(M, f, J, gamma, found)) return found;
  const Eigen::LLT<MatrixXd> cholesky(M);
  const bool definite = cholesky.info() == Eigen::Success &&
                        (cholesky.matrixLLT().diagonal().array().square() > 1e-13 * M.diagonal().array()).all();
  if (!definite) {
    found = in_allowed_motions(M, f, J, gamma);
  } else if (J.rows() == 0) {
    found.a = cholesky.solve(f);
  } else {
    // M = L Lᵀ, W = L⁻¹ Jᵀ: λ = (Wᵀ W)⁺ (γ − J M⁻¹ f), a = L⁻ᵀ (L⁻¹ f + W λ).
    const auto L = cholesky.matrixL();
    const MatrixXd W = L.solve(J.transpose());
    const VectorXd free = L.solve(f);
    if (const std::optional<Constrained> independent = with_independent_rows(cholesky, W, free, gamma)) {
      found = *independent;
      found.contradiction = (J * found.a - gamma).cwiseAbs().maxCoeff();
      return found;
    }
    const Decomposition columns = decomposed(W);
    const VectorXd along = columns.transpose().solve(gamma - W.transpose() * free);
    found.lambda = columns.solve(along);
    found.a = cholesky.matrixU().solve(free + along);
    found.rank = columns.rank();
  }
  if (J.rows() > 0) found.contradiction = (J * found.a - gamma).cwiseAbs().maxCoeff();
  return found;
}

}  // namespace sfg
