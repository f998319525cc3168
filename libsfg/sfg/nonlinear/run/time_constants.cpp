#include "sfg/nonlinear/run/time_constants.hpp"

#include <algorithm>
#include <cmath>

namespace sfg {

FastParts fast_parts(Eigen::Index size, const std::function<void(const Eigen::VectorXd&, Eigen::VectorXd&)>& product) {
  if (size == 0) return {0, 0};
  constexpr Eigen::Index most = 40;
  const Eigen::Index count = std::min(size, most);
  Eigen::MatrixXd basis(size, count + 1), projected = Eigen::MatrixXd::Zero(count + 1, count);
  // Any start that no mode is orthogonal to.
  for (Eigen::Index i = 0; i < size; ++i) basis(i, 0) = 1 + 0.5 * std::sin(1.7 * static_cast<double>(i * i) + 0.3);
  basis.col(0).normalize();
  Eigen::Index found = 0;
  Eigen::VectorXd next(size);
  for (bool more = true; more && found < count; ++found) {
    product(basis.col(found), next);
    const double before = next.norm();
    for (int again = 0; again < 2; ++again) {  // orthogonal to rounding
      const Eigen::VectorXd along = basis.leftCols(found + 1).transpose() * next;
      projected.col(found).head(found + 1) += along;
      next -= basis.leftCols(found + 1) * along;
    }
    const double rest = next.norm();
    if (!std::isfinite(rest)) return {NAN, NAN};
    more = rest > 1e-12 * before;
    if (!more) continue;
    projected(found + 1, found) = rest;
    basis.col(found + 1) = next / rest;
  }
  FastParts parts{0, 0};
  for (const auto& root : Eigen::VectorXcd(projected.topLeftCorner(found, found).eigenvalues())) {
    parts.decay = std::max(parts.decay, -root.real());
    parts.turning = std::max(parts.turning, std::abs(root.imag()));
  }
  return parts;
}

bool is_stiff(const std::function<bool(const Eigen::VectorXd&, Eigen::VectorXd&)>& rate, const Eigen::VectorXd& x, double time) {
  constexpr Eigen::Index largest = 120;
  Eigen::VectorXd here, there;
  if (x.size() > largest || !rate(x, here)) return false;
  Eigen::MatrixXd A(x.size(), x.size());
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    const double h = 1e-7 * std::max(1.0, std::abs(x[j]));
    Eigen::VectorXd beside = x;
    beside[j] += h;
    if (!rate(beside, there)) return false;
    A.col(j) = (there - here) / h;
  }
  return fast_parts(x.size(), [&](const Eigen::VectorXd& v, Eigen::VectorXd& into) { into = A * v; }).stiff(time);
}

}  // namespace sfg
