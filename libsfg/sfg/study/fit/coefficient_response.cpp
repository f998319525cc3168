#include "sfg/study/fit/coefficient_response.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace sfg {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd matrix_exponential(const MatrixXd& stated) {
  constexpr std::array<double, 14> b{64764752532480000.,
                                     32382376266240000.,
                                     7771770303897600.,
                                     1187353796428800.,
                                     129060195264000.,
                                     10559470521600.,
                                     670442572800.,
                                     33522128640.,
                                     1323241920.,
                                     40840800.,
                                     960960.,
                                     16380.,
                                     182.,
                                     1.};
  constexpr double radius = 5.371920351148152;
  const double norm = stated.cwiseAbs().colwise().sum().maxCoeff();
  int halvings = 0;
  if (norm > radius) std::frexp(norm / radius, &halvings);
  const MatrixXd A = stated * std::ldexp(1, -halvings), one = MatrixXd::Identity(A.rows(), A.cols());
  const MatrixXd A2 = A * A, A4 = A2 * A2, A6 = A4 * A2;
  const MatrixXd odd = A * (A6 * (b[13] * A6 + b[11] * A4 + b[9] * A2) + b[7] * A6 + b[5] * A4 + b[3] * A2 + b[1] * one);
  const MatrixXd even = A6 * (b[12] * A6 + b[10] * A4 + b[8] * A2) + b[6] * A6 + b[4] * A4 + b[2] * A2 + b[0] * one;
  MatrixXd result = Eigen::PartialPivLU<MatrixXd>(even - odd).solve(even + odd);
  for (; halvings > 0; --halvings) result = MatrixXd(result * result);
  return result;
}

namespace {

/// The time in which the coefficients of a polynomial are of one size.
double unit_of_time(std::span<const double> denominator) {
  const std::size_t order = denominator.size() - 1;
  for (std::size_t i = 0; i < order; ++i)
    if (denominator[i] != 0) {
      const double unit = std::pow(std::abs(denominator[order] / denominator[i]), 1.0 / static_cast<double>(order - i));
      return unit > 0 && std::isfinite(unit) ? unit : 1;
    }
  return 1;
}

}  // namespace

CoefficientResponse::CoefficientResponse(std::span<const double> numerator, std::span<const double> denominator, double delay,
                                         bool discrete)
    : order_(denominator.size() - 1),
      n_(numerator.begin(), numerator.end()),
      d_(denominator.begin(), denominator.end()),
      unit_(discrete ? 1 : unit_of_time(denominator)),
      delay_(delay) {
  n_.resize(order_ + 1, 0);
  double power = 1;
  for (std::size_t i = 0; i <= order_; ++i, power /= unit_) {
    n_[i] *= power;
    d_[i] *= power;
  }
  const auto order = static_cast<Index>(order_), size = 2 * order + 2;
  rates_ = MatrixXd::Zero(size, size);
  rates_(size - 2, size - 1) = 1;
  for (Index chain = 0; chain < 2; ++chain)
    for (Index i = 0; i + 1 < order; ++i) rates_(chain * order + i, chain * order + i + 1) = 1;
  if (order == 0) return;
  // Column by column what the heads of the chains take.
  for (Index j = 0; j < size; ++j) {
    const VectorXd e = VectorXd::Unit(size, j);
    rates_(order - 1, j) = top(e, 0, e[size - 2]);
    rates_(2 * order - 1, j) = top(e, 1, output(e));
  }
}

double CoefficientResponse::top(const State& state, std::size_t chain, double input) const {
  double sum = input;
  for (std::size_t i = 0; i < order_; ++i) sum -= d_[i] * state[static_cast<Index>(chain * order_ + i)];
  return sum / d_[order_];
}

double CoefficientResponse::output(const State& state) const {
  double sum = n_[order_] * top(state, 0, state[state.size() - 2]);
  for (std::size_t i = 0; i < order_; ++i) sum += n_[i] * state[static_cast<Index>(i)];
  return sum;
}

const MatrixXd& CoefficientResponse::propagator(double length) {
  for (const auto& [known, matrix] : known_)
    if (std::abs(known - length) <= 1e-14 * reach_) return matrix;
  constexpr std::size_t most = 64;
  if (known_.size() >= most) known_.erase(known_.begin());
  known_.emplace_back(length, matrix_exponential(rates_ * length));
  return known_.back().second;
}

void CoefficientResponse::advance(State& state, double& now, double to) {
  const double length = (to - now) / unit_;
  if (length <= 1e-14 * reach_) return;
  state = (propagator(length) * state).eval();
  now = to;
}

void CoefficientResponse::note(const State& state, Index row, VectorXd& y, MatrixXd* slopes) const {
  y[row] = output(state);
  if (slopes == nullptr) return;
  const auto order = static_cast<Index>(order_);
  const double u = state[state.size() - 2], top_w = top(state, 0, u), top_v = top(state, 1, y[row]);
  double power = 1;
  for (Index i = 0; i <= order; ++i, power /= unit_) {
    (*slopes)(row, i) = power * (i < order ? state[i] : top_w);
    (*slopes)(row, order + 1 + i) = -power * (i < order ? state[order + i] : top_v);
  }
  const State rate = rates_ * state;
  (*slopes)(row, 2 * order + 2) = -output(rate) / unit_;
}

void CoefficientResponse::follow(const CoefficientDrive& drive, std::span<const double> times, VectorXd& y, MatrixXd* slopes) {
  const auto order = static_cast<Index>(order_), count = static_cast<Index>(times.size());
  y = VectorXd::Zero(count);
  if (slopes != nullptr) *slopes = MatrixXd::Zero(count, 2 * order + 3);
  State state = VectorXd::Zero(2 * order + 2);
  reach_ = times.empty() ? 1 : std::max(std::abs(times.back()), 1e-300) / unit_;
  if (drive.impulse && order > 0) {
    const double head = 1 / (d_[order_] * unit_);
    state[order - 1] = head;
    state[2 * order - 1] = head * n_[order_] / d_[order_];
  }
  const auto& [points, values] = drive.signal;
  double now = 0;
  std::size_t next = 0;
  const auto pass_points = [&, &points = points, &values = values](double until) {  // Clang 14 captures no bindings
    for (; next < points.size() && points[next] <= until; ++next) {
      advance(state, now, points[next]);
      const bool last = next + 1 == points.size();
      state[2 * order] = values[next];
      state[2 * order + 1] = last || points[next + 1] == points[next]
                                 ? 0
                                 : (values[next + 1] - values[next]) / (points[next + 1] - points[next]) * unit_;
    }
  };
  for (Index row = 0; row < count; ++row) {
    const double t = times[static_cast<std::size_t>(row)] - delay_;
    if (t < 0) continue;
    pass_points(t);
    advance(state, now, t);
    note(state, row, y, slopes);
  }
}

void CoefficientResponse::step(std::span<const double> input, VectorXd& y, MatrixXd* slopes) const {
  const auto order = static_cast<Index>(order_), count = static_cast<Index>(input.size());
  y = VectorXd::Zero(count);
  if (slopes != nullptr) *slopes = MatrixXd::Zero(count, 2 * order + 3);
  State state = VectorXd::Zero(2 * order + 2);
  for (Index k = 0; k < count; ++k) {
    state[2 * order] = input[static_cast<std::size_t>(k)];
    note(state, k, y, slopes);
    const double head_w = top(state, 0, state[2 * order]), head_v = top(state, 1, y[k]);
    for (Index i = 0; i + 1 < order; ++i) {
      state[i] = state[i + 1];
      state[order + i] = state[order + i + 1];
    }
    if (order == 0) continue;
    state[order - 1] = head_w;
    state[2 * order - 1] = head_v;
  }
}

}  // namespace sfg
