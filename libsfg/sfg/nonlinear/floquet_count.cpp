// Hill's determinant (1886) in the reduced form: zeros of det(1 − T_j(λ + jhω)ᵀ F′_{h−m}) with Re λ > 0 in one strip |Im λ| ≤
// ω/2. It tends to 1 far on the right and repeats itself along the axis, so that the turn of its phase along Im λ = 0 … ω/2
// counts them, less the poles of the linear part on that side.
#include <Eigen/LU>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include "sfg/nonlinear/floquet.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::VectorXd;

class HillDeterminant {
 public:
  HillDeterminant(const BalanceEquations& equations, const VectorXd& x, double frequency)
      : system_(equations.system()),
        order_(static_cast<int>(equations.harmonics())),
        base_(frequency / static_cast<double>(equations.subharmonic())) {
    const auto orbit = equations.orbit(x, frequency);
    const Index samples = orbit.laws.rows();
    for (const auto& slopes : orbit.slopes) {
      MatrixXcd transformed = MatrixXcd::Zero(4 * order_ + 1, slopes.cols());
      for (int m = -2 * order_; m <= 2 * order_; ++m)
        for (Index s = 0; s < samples; ++s)
          transformed.row(m + 2 * order_) +=
              std::polar(1.0 / static_cast<double>(samples),
                         -2 * std::numbers::pi * m * static_cast<double>(s) / static_cast<double>(samples)) *
              slopes.row(s).cast<Complex>();
      slopes_.push_back(std::move(transformed));
    }
  }

  /// The phases of the determinant at many points of the axis.
  std::vector<Complex> directions(const std::vector<double>& places) const {
    std::vector<Complex> s;
    for (const double w : places)
      for (int h = -order_; h <= order_; ++h) s.emplace_back(shift(), w + h * base_);
    const auto points = system_.open_points(s);
    std::vector<Complex> result;
    for (std::size_t p = 0; p < places.size(); ++p)
      result.push_back(direction(points, s, p * static_cast<std::size_t>(2 * order_ + 1)));
    return result;
  }
  double base() const { return base_; }
  /// A little right of the axis, where a motion without restoring force has its exponent 0.
  double shift() const { return 1e-6 * base_; }

 private:
  Complex direction(const std::vector<BalanceSystem::Point>& points, const std::vector<Complex>& s, std::size_t first) const {
    const std::size_t unknowns = system_.unknowns().size();
    const Index width = 2 * order_ + 1, sources = static_cast<Index>(system_.source_count());
    MatrixXcd H = MatrixXcd::Identity(width * static_cast<Index>(unknowns), width * static_cast<Index>(unknowns));
    for (std::size_t i = 0; i < slopes_.size(); ++i)
      for (const std::size_t a : system_.form().laws[i].arguments) {
        const auto& follows = system_.follows()[a];
        for (Index h = 0; h < width; ++h)
          for (Index m = 0; m < width; ++m) {
            Complex slope = slopes_[i](h - m + 2 * order_, static_cast<Index>(a));
            if (follows.differentiated) slope *= s[first + static_cast<std::size_t>(m)];
            for (std::size_t u = 0; u < unknowns; ++u)
              H(static_cast<Index>(u) * width + h, static_cast<Index>(follows.unknown) * width + m) -=
                  points[first + static_cast<std::size_t>(h)].T(static_cast<Index>(system_.unknowns()[u].argument),
                                                                sources + static_cast<Index>(i)) *
                  slope;
          }
      }
    const Eigen::PartialPivLU<MatrixXcd> lu(H);
    Complex phase = static_cast<double>(lu.permutationP().determinant());
    for (Index i = 0; i < H.rows(); ++i) phase *= lu.matrixLU()(i, i) / std::abs(lu.matrixLU()(i, i));
    return phase;
  }

  const BalanceSystem& system_;
  int order_;
  double base_;
  std::vector<MatrixXcd> slopes_;  // law by law: harmonics −2N … 2N of its slopes, × arguments
};

}  // namespace

std::optional<int> unstable_exponents(const BalanceEquations& equations, const VectorXd& x, double frequency) {
  constexpr int first_points = 256, most_points = 40000;
  const double steepest = std::numbers::pi / 3;
  const HillDeterminant hill(equations, x, frequency);
  std::map<double, Complex> known;
  std::vector<double> wanted;
  for (int i = 0; i <= first_points; ++i) wanted.push_back(hill.base() / 2 * i / first_points);
  while (!wanted.empty()) {
    equations.system().budget().check("Hill's determinant");
    const std::vector<Complex> found = hill.directions(wanted);
    for (std::size_t i = 0; i < wanted.size(); ++i) known[wanted[i]] = found[i];
    wanted.clear();
    if (known.size() > most_points) return {};
    for (auto a = known.begin(), b = std::next(a); b != known.end(); ++a, ++b)
      if (std::abs(std::arg(b->second / a->second)) > steepest && b->first - a->first > 1e-12 * hill.base())
        wanted.push_back((a->first + b->first) / 2);
  }
  double turn = 0;
  for (auto a = known.begin(), b = std::next(a); b != known.end(); ++a, ++b) turn += std::arg(b->second / a->second);
  if (!std::isfinite(turn)) return {};
  return static_cast<int>(std::lround(-turn / std::numbers::pi));
}

}  // namespace sfg
