#include "sfg/nonlinear/balance_transmittances.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sfg {

namespace {

constexpr int nodes = 8;
constexpr double widest = 0.16, narrowest = 1e-5, accuracy = 1e-8;

double angle(int i) { return std::numbers::pi * (i + 0.5) / nodes; }

}  // namespace

/// Fills in the coefficients. @returns whether the last ones are small.
bool BalanceTransmittances::fits(Piece& piece) const {
  std::vector<double> frequencies;
  const double middle = (piece.low + piece.high) / 2, half = (piece.high - piece.low) / 2;
  const double M = static_cast<double>(equations_.subharmonic());
  for (int i = 0; i < nodes; ++i)
    for (std::size_t h = 1; h <= equations_.harmonics(); ++h)
      frequencies.push_back(std::exp(middle + half * std::cos(angle(i))) * static_cast<double>(h) / M);
  const auto points = equations_.system().points(frequencies);
  piece.coefficients.assign(equations_.harmonics() + 1, {});
  bool small = true;
  for (std::size_t h = 1; h <= equations_.harmonics(); ++h) {
    Eigen::MatrixXd size = Eigen::MatrixXd::Zero(points.front().T.rows(), points.front().T.cols());
    for (int k = 0; k < nodes; ++k) {
      Eigen::MatrixXcd sum = Eigen::MatrixXcd::Zero(size.rows(), size.cols());
      for (int i = 0; i < nodes; ++i)
        sum += std::cos(k * angle(i)) * points[static_cast<std::size_t>(i) * equations_.harmonics() + h - 1].T;
      sum *= (k == 0 ? 1.0 : 2.0) / nodes;
      size = size.cwiseMax(sum.cwiseAbs());
      if (k >= nodes - 2) small = small && (sum.cwiseAbs().array() <= accuracy * size.array() + 1e-14 * size.maxCoeff()).all();
      piece.coefficients[h].push_back(std::move(sum));
    }
  }
  return small;
}

const BalanceTransmittances::Piece& BalanceTransmittances::piece_of(double logarithm) {
  const auto after = pieces_.upper_bound(logarithm);
  if (after != pieces_.begin() && logarithm <= std::prev(after)->second.high) return std::prev(after)->second;
  Piece piece{std::floor(logarithm / widest) * widest, 0, {}};
  piece.high = piece.low + widest;
  while (!fits(piece) && piece.high - piece.low > narrowest) {
    equations_.system().budget().check("the transmittances");
    const double middle = (piece.low + piece.high) / 2;
    (logarithm < middle ? piece.high : piece.low) = middle;
  }
  return pieces_[piece.low] = std::move(piece);
}

std::shared_ptr<const BalanceEquations::Linear> BalanceTransmittances::at(double frequency) {
  if (last_ && last_->frequency == frequency) return last_;
  if (frame_.empty()) frame_ = equations_.linear(frequency)->harmonics;
  const Piece& piece = piece_of(std::log(frequency));
  const double half = (piece.high - piece.low) / 2, u = (std::log(frequency) - (piece.low + piece.high) / 2) / half;
  const double theta = std::acos(std::clamp(u, -1 + 1e-12, 1 - 1e-12)), sine = std::sin(theta);
  auto result = std::make_shared<BalanceEquations::Linear>(BalanceEquations::Linear{frequency, frame_});
  for (std::size_t h = 1; h <= equations_.harmonics(); ++h) {
    auto& point = result->harmonics[h];
    point.T = piece.coefficients[h][0];
    point.slope = Eigen::MatrixXcd::Zero(point.T.rows(), point.T.cols());
    for (int k = 1; k < nodes; ++k) {
      point.T += std::cos(k * theta) * piece.coefficients[h][static_cast<std::size_t>(k)];
      point.slope += k * std::sin(k * theta) / sine * piece.coefficients[h][static_cast<std::size_t>(k)];
    }
    point.slope /= half * frequency * static_cast<double>(h) / static_cast<double>(equations_.subharmonic());
  }
  last_ = std::move(result);
  return last_;
}

}  // namespace sfg
