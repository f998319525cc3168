// Hill's determinant (1886) in the reduced form: zeros of det(1 − T_j(λ + jhω)ᵀ F′_{h−m}) with Re λ > 0 in one strip |Im λ| ≤
// ω/2. It tends to 1 far on the right and repeats itself along the axis, so that the turn of its phase along Im λ = 0 … ω/2
// counts them, less the poles of the linear part on that side.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "sfg/nonlinear/balance/balance_transmittances.hpp"
#include "sfg/nonlinear/balance/floquet.hpp"
#include "sfg/numeric/dense.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::VectorXd;

class HillDeterminant {
 public:
  HillDeterminant(const BalanceEquations& equations, const VectorXd& x, double frequency, BalanceTransmittances* transmittances)
      : system_(equations.system()),
        transmittances_(transmittances),
        order_(static_cast<int>(equations.harmonics())),
        base_(frequency / static_cast<double>(equations.subharmonic())) {
    const auto orbit = equations.orbit(x, frequency);
    const Index samples = orbit.laws.rows();
    std::vector<Complex> turns;  // by so many parts of a turn
    for (Index s = 0; s < samples; ++s)
      turns.push_back(std::polar(1.0 / static_cast<double>(samples),
                                 -2 * std::numbers::pi * static_cast<double>(s) / static_cast<double>(samples)));
    MatrixXcd transform(4 * order_ + 1, samples);
    for (Index m = 0; m < transform.rows(); ++m)
      for (Index s = 0; s < samples; ++s)
        transform(m, s) = turns[static_cast<std::size_t>((m + 2 * order_ * (samples - 1)) % samples * s % samples)];
    for (const auto& slopes : orbit.slopes) slopes_.push_back(transform * slopes.cast<Complex>());
    state_parts();
    if (transmittances_) transmittances_->prepare(lowest * base_, (order_ + 0.5) * base_);
  }

  /// The phases of the determinant at many points of the axis.
  std::vector<Complex> directions(const std::vector<double>& places) const {
    std::vector<Complex> s;
    for (const double w : places)
      for (int h = -order_; h <= order_; ++h) s.emplace_back(shift(), w + h * base_);
    const std::vector<MatrixXcd> loops = loops_at(s);
    std::vector<Complex> result;
    for (std::size_t p = 0; p < places.size(); ++p)
      result.push_back(direction(loops, s, p * static_cast<std::size_t>(2 * order_ + 1)));
    return result;
  }
  double base() const { return base_; }
  /// A little right of the axis, where a motion without restoring force has its exponent 0.
  double shift() const { return 1e-6 * base_; }

 private:
  /// From the laws to the unknowns: by the polynomials of curves where they tell it, which is a little off the shift; else
  /// itself.
  std::vector<MatrixXcd> loops_at(const std::vector<Complex>& s) const {
    constexpr double strong = 1e4;
    const Index sources = static_cast<Index>(system_.source_count()), laws = static_cast<Index>(system_.law_count());
    const Index unknowns = static_cast<Index>(system_.unknowns().size());
    std::vector<MatrixXcd> all(s.size());
    std::vector<Complex> asked;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < s.size(); ++i) {
      const double w = s[i].imag();
      if (transmittances_ && std::abs(w) > lowest * base_) {
        all[i] = transmittances_->open(std::abs(w));
        if (w < 0) all[i] = all[i].conjugate().eval();
        if (all[i].allFinite() && std::sqrt(all[i].cwiseAbs2().maxCoeff()) * strength_ < strong) continue;
      }
      asked.push_back(s[i]);
      numbers.push_back(i);
    }
    if (asked.empty()) return all;
    const auto points = system_.open_points(asked);
    for (std::size_t k = 0; k < asked.size(); ++k) {
      MatrixXcd& loop = all[numbers[k]];
      loop.resize(unknowns, laws);
      for (Index u = 0; u < unknowns; ++u)
        loop.row(u) =
            points[k].T.row(static_cast<Index>(system_.unknowns()[static_cast<std::size_t>(u)].argument)).segment(sources, laws);
    }
    return all;
  }

  /// Harmonics that have to do with each other: where the slopes have even ones alone, even and odd ones are apart.
  void state_parts() {
    double even = 0, odd = 0;
    for (const MatrixXcd& slopes : slopes_)
      for (Index m = 0; m < slopes.rows(); ++m)
        (m % 2 == 0 ? even : odd) = std::max(m % 2 == 0 ? even : odd, slopes.row(m).cwiseAbs().maxCoeff());
    strength_ = std::max(even, odd);
    parts_.resize(odd < 1e-13 * even ? 2 : 1);
    for (Index h = 0; h <= 2 * order_; ++h) parts_[static_cast<std::size_t>(h) % parts_.size()].push_back(h);
  }

  Complex direction(const std::vector<MatrixXcd>& loops, const std::vector<Complex>& s, std::size_t first) const {
    Complex phase = 1;
    for (const std::vector<Index>& part : parts_) phase *= direction(part, loops, s, first);
    return phase;
  }

  Complex direction(const std::vector<Index>& part, const std::vector<MatrixXcd>& loops, const std::vector<Complex>& s,
                    std::size_t first) const {
    const Index unknowns = static_cast<Index>(system_.unknowns().size()), width = static_cast<Index>(part.size());
    MatrixXcd H = MatrixXcd::Identity(width * unknowns, width * unknowns);
    for (std::size_t i = 0; i < slopes_.size(); ++i)
      for (const std::size_t a : system_.form().laws[i].arguments) {
        const auto& follows = system_.follows()[a];
        for (Index m = 0; m < width; ++m)
          for (Index h = 0; h < width; ++h) {
            const auto of = [&](Index k) { return part[static_cast<std::size_t>(k)]; };
            Complex slope = slopes_[i](of(h) - of(m) + 2 * order_, static_cast<Index>(a));
            if (follows.differentiated) slope *= s[first + static_cast<std::size_t>(of(m))];
            const auto column = loops[first + static_cast<std::size_t>(of(h))].col(static_cast<Index>(i));
            H.col(m * unknowns + static_cast<Index>(follows.unknown)).segment(h * unknowns, unknowns) -= slope * column;
          }
      }
    const Eigen::PartialPivLU<MatrixXcd> lu(H);
    Complex phase = static_cast<double>(lu.permutationP().determinant());
    for (Index i = 0; i < H.rows(); ++i) phase *= lu.matrixLU()(i, i) / std::abs(lu.matrixLU()(i, i));
    return phase;
  }

  static constexpr double lowest = 1 / 256.0;  // of the base: below, the linear part is asked itself
  const BalanceSystem& system_;
  BalanceTransmittances* transmittances_;
  int order_;
  double base_, strength_ = 0;
  std::vector<std::vector<Index>> parts_;
  std::vector<MatrixXcd> slopes_;  // law by law: harmonics −2N … 2N of its slopes, × arguments
};

}  // namespace

std::optional<int> unstable_exponents(const BalanceEquations& equations, const VectorXd& x, double frequency,
                                      BalanceTransmittances* transmittances) {
  constexpr int first_points = 64, most_points = 40000;  // what turns within one is seen by the rest of its phase beside it
  const double steepest = std::numbers::pi / 12;
  const HillDeterminant hill(equations, x, frequency, transmittances);
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
