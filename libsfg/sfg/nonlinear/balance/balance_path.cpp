#include "sfg/nonlinear/balance/balance_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double newton_accuracy = 1e-13, tiny = 1e-300;

MatrixXd bordered(const PathEquations& e, const VectorXd& row) {
  const Index n = e.residual.size();
  MatrixXd M(n + 1, n + 1);
  M.topLeftCorner(n, n) = e.jacobian;
  M.topRightCorner(n, 1) = e.by_parameter;
  M.bottomRows(1) = row.transpose();
  return M;
}

/// What the next correction will be, as Newton's method converges.
double left_after(double length, double last) {
  return std::isfinite(last) && length < 1e-2 * last ? length * std::pow(length / last, 2) : length;
}

int sign_of_determinant(const Eigen::PartialPivLU<MatrixXd>& lu) {
  int sign = static_cast<int>(lu.permutationP().determinant());
  for (Index i = 0; i < lu.matrixLU().rows(); ++i)
    if (lu.matrixLU()(i, i) < 0) sign = -sign;
  return sign;
}

}  // namespace

std::optional<VectorXd> newton(const PathProblem& problem, VectorXd x, double q, int iterations) {
  PathEquations e = problem(x, q);
  double norm = e.residual.norm(), last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < iterations && std::isfinite(norm); ++i) {
    const VectorXd step = e.jacobian.partialPivLu().solve(-e.residual);
    const double length = step.norm();
    if (!std::isfinite(length)) return {};
    if (left_after(length, last) <= newton_accuracy * (x.norm() + tiny)) return x + step;
    double part = 1;
    VectorXd next = x + step;
    PathEquations there = problem(next, q);
    for (int halved = 0; halved < 6 && !(there.residual.norm() < norm) && length > 1e-9 * x.norm(); ++halved) {
      part /= 2;
      next = x + part * step;
      there = problem(next, q);
    }
    x = std::move(next);
    e = std::move(there);
    norm = e.residual.norm();
    const double scale = x.norm() + tiny;
    if (part == 1 && length <= newton_accuracy * scale) return x;
    if (part == 1 && length <= 1e-9 * scale && length >= last / 2) return x;  // as near as rounding lets it
    last = part == 1 ? length : std::numeric_limits<double>::infinity();
  }
  return {};
}

BalancePath::BalancePath(PathProblem problem, const VectorXd& x, double q, int direction, const Options& options)
    : problem_(std::move(problem)), options_(options), step_(options.first_step) {
  now_.x = x;
  now_.q = q;
  VectorXd along = VectorXd::Zero(x.size() + 1);
  along[x.size()] = direction;
  now_.tangent = along;
  if (auto start = with_tangent(x, q, along)) now_ = std::move(*start);
  before_ = now_;
}

BalancePath::BalancePath(PathProblem problem, const VectorXd& x, double q, const VectorXd& direction, const Options& options)
    : problem_(std::move(problem)), options_(options), step_(options.first_step) {
  now_ = {x, q, direction, {}, 0};
  now_.tangent /= std::sqrt(direction.cwiseAbs2().dot(weights(now_)));
  before_ = now_;
}

VectorXd BalancePath::weights(const Point& p) const {
  VectorXd w = VectorXd::Constant(p.x.size() + 1, 1 / (p.x.squaredNorm() + tiny));
  w[p.x.size()] = options_.relative ? 1 / (p.q * p.q + tiny) : 1;
  return w;
}

std::optional<BalancePath::Point> BalancePath::with_tangent(VectorXd x, double q, const VectorXd& reference) const {
  Point p{std::move(x), q, {}, {}, 0};
  const PathEquations e = problem_(p.x, q);
  const VectorXd w = weights(p);
  VectorXd row = reference.cwiseProduct(w);
  row /= row.norm() + tiny;
  const Eigen::PartialPivLU<MatrixXd> lu(bordered(e, row));
  VectorXd right = VectorXd::Zero(row.size());
  right[p.x.size()] = 1;
  p.tangent = lu.solve(right);
  const double length = std::sqrt(p.tangent.cwiseAbs2().dot(w));
  if (!std::isfinite(length) || length == 0) return {};
  p.tangent /= length;
  p.orientation = sign_of_determinant(lu);
  return p;
}

std::optional<BalancePath::Point> BalancePath::corrected(const Point& from, double step, int* corrections) const {
  constexpr double enough = 1e-10;
  const Index n = from.x.size();
  const VectorXd w = weights(from);
  VectorXd row = from.tangent.cwiseProduct(w);
  row /= row.norm();
  VectorXd y(n + 1);
  y << from.x, from.q;
  y += step * from.tangent;
  if (from.bend.size() > 0) y += step * step / 2 * from.bend;
  MatrixXd right = MatrixXd::Zero(n + 1, 2);
  right(n, 1) = 1;
  double last = std::numeric_limits<double>::infinity();
  for (int i = 1; i <= 10; ++i) {
    if (options_.relative && y[n] <= 0) return {};
    const PathEquations e = problem_(y.head(n), y[n]);
    right.col(0).head(n) = -e.residual;
    const Eigen::PartialPivLU<MatrixXd> lu(bordered(e, row));
    const MatrixXd found = lu.solve(right);  // the correction, and the tangent
    y += found.col(0);
    const double length = std::sqrt(found.col(0).cwiseAbs2().dot(w));
    if (!std::isfinite(length) || length > 4 * last || (options_.relative && y[n] <= 0)) return {};
    const bool left = left_after(length, last) < enough && corrections;  // marks are found with the last slopes
    if (left || length < enough || (length < 1e-8 && length > last / 2)) {
      if (corrections) *corrections = i;
      Point p{y.head(n), y[n], found.col(1), {}, sign_of_determinant(lu)};
      const double size = std::sqrt(p.tangent.cwiseAbs2().dot(weights(p)));
      if (!std::isfinite(size) || size == 0) return {};
      p.tangent /= size;
      return p;
    }
    last = length;
  }
  return {};
}

/// How the tangent turned along the last step: where the next one begins to look.
VectorXd BalancePath::bend() const {
  const VectorXd w = weights(now_);
  VectorXd change = (now_.tangent - before_.tangent) / last_step_;
  change -= change.cwiseProduct(w).dot(now_.tangent) * now_.tangent;
  return change;
}

bool BalancePath::advance() {
  constexpr double straight = 0.9;
  while (step_ >= options_.least_step) {
    int corrections = 0;
    if (const auto next = corrected(now_, step_, &corrections)) {
      const double turn =
          next->tangent.cwiseProduct(weights(now_)).dot(now_.tangent) / std::sqrt(next->tangent.cwiseAbs2().dot(weights(now_)));
      if (turn > straight || step_ < 4 * options_.least_step) {
        last_step_ = step_;
        before_ = std::move(now_);
        now_ = *next;
        now_.bend = bend();
        if (corrections <= 4 && turn > 0.98) step_ = std::min(1.5 * step_, options_.greatest_step);
        if (corrections > 6) step_ /= 1.5;
        return true;
      }
    }
    step_ /= 2;
  }
  return false;
}

std::optional<BalancePath::Point> BalancePath::between(const std::function<double(const Point&)>& value) const {
  double low = 0, high = last_step_, at_low = value(before_), at_high = value(now_);
  std::optional<Point> best;
  int side = 0;
  for (int i = 0; i < 60; ++i) {
    double step = (low * at_high - high * at_low) / (at_high - at_low);
    if (!(step > low && step < high) || i % 8 == 7) step = (low + high) / 2;
    auto here = corrected(before_, step, nullptr);
    if (!here) return best;
    const double found = value(*here);
    best = std::move(here);
    if (found == 0 || high - low < 1e-11 * last_step_) return best;
    if ((found < 0) == (at_low < 0)) {
      low = step, at_low = found;
      if (side == -1) at_high /= 2;  // Illinois
      side = -1;
    } else {
      high = step, at_high = found;
      if (side == 1) at_low /= 2;
      side = 1;
    }
    if (std::abs(found) < 1e-12 * (std::abs(value(before_)) + std::abs(value(now_)))) return best;
  }
  return best;
}

VectorXd BalancePath::other_direction(const Point& p) const {
  const PathEquations e = problem_(p.x, p.q);
  const Index n = p.x.size();
  const VectorXd scale = weights(p).cwiseSqrt().cwiseInverse();
  MatrixXd A(n, n + 1);
  A << e.jacobian, e.by_parameter;
  A = A * scale.asDiagonal();
  const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeFullV);
  const VectorXd along = p.tangent.cwiseQuotient(scale).normalized();
  VectorXd other = svd.matrixV().col(n - 1);  // with the last column it spans the kernel
  const VectorXd last = svd.matrixV().col(n);
  if (std::abs(other.dot(along)) > std::abs(last.dot(along))) other = last;
  other -= other.dot(along) * along;
  return other.normalized().cwiseProduct(scale);
}

}  // namespace sfg
