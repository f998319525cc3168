#include "sfg/nonlinear/balance/balance_transmittances.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sfg/numeric/dense.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr int interpolation_nodes = 16;
constexpr double widest = 0.16, accuracy = 1e-8;
constexpr int most_halvings = 14;

double angle(int i) { return std::numbers::pi * (i + 0.5) / interpolation_nodes; }
double width(int halvings) { return std::ldexp(widest, -halvings); }

/// Chebyshev's coefficients from the values at the nodes: nodes × coefficients.
MatrixXd coefficients_of_values() {
  MatrixXd result(interpolation_nodes, interpolation_nodes);
  for (int i = 0; i < interpolation_nodes; ++i)
    for (int k = 0; k < interpolation_nodes; ++k)
      result(i, k) = (k == 0 ? 1.0 : 2.0) / interpolation_nodes * std::cos(k * angle(i));
  return result;
}

}  // namespace

/// The pieces of these intervals, or that they have to be halved: where the last coefficients are not small.
void BalanceTransmittances::fit(const std::vector<Interval>& intervals) {
  static const MatrixXd transform = coefficients_of_values();
  std::vector<double> frequencies;
  for (const auto& [halvings, place] : intervals)
    for (int i = 0; i < interpolation_nodes; ++i)
      frequencies.push_back(std::exp((static_cast<double>(place) + (1 + std::cos(angle(i))) / 2) * width(halvings)));
  const auto points = equations_.system().points(frequencies);
  const Index entries = points.front().T.size();
  for (std::size_t n = 0; n < intervals.size(); ++n) {
    MatrixXd values(2 * entries, interpolation_nodes);
    for (Index i = 0; i < interpolation_nodes; ++i) {
      const Eigen::MatrixXcd& T = points[n * interpolation_nodes + static_cast<std::size_t>(i)].T;
      values.col(i).head(entries) = T.reshaped().real();
      values.col(i).tail(entries) = T.reshaped().imag();
    }
    MatrixXd found = values * transform;
    const auto moduli = (found.topRows(entries).array().square() + found.bottomRows(entries).array().square()).sqrt().eval();
    const Eigen::ArrayXd size = moduli.rowwise().maxCoeff();
    const Eigen::ArrayXd allowed = accuracy * size + 1e-14 * size.maxCoeff();
    const bool small =
        (moduli.col(interpolation_nodes - 1) <= allowed).all() && (moduli.col(interpolation_nodes - 2) <= allowed).all();
    pieces_[intervals[n]] = small || intervals[n].first == most_halvings ? std::move(found) : MatrixXd();
  }
}

const std::pair<const BalanceTransmittances::Interval, MatrixXd>& BalanceTransmittances::piece_of(double logarithm) {
  for (int halvings = 0;; ++halvings) {
    const Interval interval{halvings, static_cast<long>(std::floor(logarithm / width(halvings)))};
    auto piece = pieces_.find(interval);
    if (piece == pieces_.end()) {
      equations_.system().budget().check("the transmittances");
      fit({interval});
      piece = pieces_.find(interval);
    }
    if (piece->second.size() > 0) return *piece;
  }
}

void BalanceTransmittances::prepare(double low, double high) {
  constexpr int ahead = 4;  // halvings; where poles are nearly on the axis there are more as they are needed
  std::vector<Interval> wanted;
  const auto first = static_cast<long>(std::floor(std::log(low) / widest));
  for (long place = first; static_cast<double>(place) * widest < std::log(high); ++place)
    if (!pieces_.contains({0, place})) wanted.emplace_back(0, place);
  for (int halvings = 0; halvings < ahead && !wanted.empty(); ++halvings) {
    equations_.system().budget().check("the transmittances");
    fit(wanted);
    std::vector<Interval> halves;
    for (const auto& [before, place] : wanted)
      if (pieces_[{before, place}].size() == 0)
        for (const long half : {2 * place, 2 * place + 1}) halves.emplace_back(before + 1, half);
    wanted = std::move(halves);
  }
}

MatrixXd BalanceTransmittances::both_at(double frequency) {
  const double logarithm = std::log(frequency);
  const auto& [interval, piece] = piece_of(logarithm);
  const double w = width(interval.first), u = 2 * (logarithm / w - static_cast<double>(interval.second)) - 1;
  const double theta = std::acos(std::clamp(u, -1 + 1e-12, 1 - 1e-12)), sine = std::sin(theta);
  Eigen::Matrix<double, interpolation_nodes, 2> basis;  // Chebyshev's polynomials and their slopes by the frequency
  const std::complex<double> turn(std::cos(theta), sine);
  std::complex<double> power = 1;
  for (int k = 0; k < interpolation_nodes; ++k, power *= turn) {
    basis(k, 0) = power.real();
    basis(k, 1) = k * power.imag() / (sine * w / 2 * frequency);
  }
  return piece * basis;
}

Eigen::MatrixXcd BalanceTransmittances::matrix_of(const Eigen::Ref<const Eigen::VectorXd>& numbers) const {
  const Index rows = static_cast<Index>(equations_.system().row_count()), entries = numbers.size() / 2;
  Eigen::MatrixXcd result(rows, entries / rows);
  result.reshaped().real() = numbers.head(entries);
  result.reshaped().imag() = numbers.tail(entries);
  return result;
}

std::shared_ptr<const BalanceEquations::Linear> BalanceTransmittances::at(double frequency) {
  if (last_ && last_->frequency == frequency) return last_;
  if (frame_.empty()) frame_ = equations_.linear(frequency)->harmonics;
  auto result = std::make_shared<BalanceEquations::Linear>(BalanceEquations::Linear{frequency, frame_});
  for (std::size_t h = 1; h <= equations_.harmonics(); ++h) {
    const MatrixXd both = both_at(frequency * static_cast<double>(h) / static_cast<double>(equations_.subharmonic()));
    result->harmonics[h].T = matrix_of(both.col(0));
    result->harmonics[h].slope = matrix_of(both.col(1));
  }
  last_ = std::move(result);
  return last_;
}

Eigen::MatrixXcd BalanceTransmittances::open(double frequency) {
  const BalanceSystem& system = equations_.system();
  const Eigen::MatrixXcd T = matrix_of(both_at(frequency).col(0));
  const auto laws = static_cast<Index>(system.law_count()), unknowns = static_cast<Index>(system.unknowns().size());
  Eigen::MatrixXcd closed(unknowns, laws);
  for (Index u = 0; u < unknowns; ++u)
    closed.row(u) = T.row(static_cast<Index>(system.unknowns()[static_cast<std::size_t>(u)].argument)).tail(laws);
  const Eigen::MatrixXcd loop = Eigen::MatrixXcd::Identity(laws, laws) - system.feedback() * closed;
  return closed * loop.partialPivLu().inverse();
}

}  // namespace sfg
