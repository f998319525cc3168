#include "sfg/nonlinear/balance/balance_quadrature.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

constexpr double turn = 2 * std::numbers::pi;
constexpr int gauss_points = 10;

struct Gauss {
  std::array<double, gauss_points> places, weights;  // in 0 … 1
};

/// By Newton's method on Legendre's polynomial.
Gauss gauss() {
  Gauss rule{};
  for (int i = 0; i < gauss_points; ++i) {
    double z = std::cos(std::numbers::pi * (i + 0.75) / (gauss_points + 0.5)), slope = 1;
    for (int k = 0; k < 20; ++k) {
      double before = 1, value = z;
      for (int n = 2; n <= gauss_points; ++n) {
        const double next = ((2 * n - 1) * z * value - (n - 1) * before) / n;
        before = value, value = next;
      }
      slope = gauss_points * (z * value - before) / (z * z - 1);
      z -= value / slope;
    }
    const auto place = static_cast<std::size_t>(i);
    rule.places[place] = (1 - z) / 2;
    rule.weights[place] = 1 / ((1 - z * z) * slope * slope);
  }
  return rule;
}

/// The switching functions along a motion.
class Switching {
 public:
  Switching(const BalanceEquations& equations, const VectorXd& x, double frequency)
      : equations_(equations), x_(x), frequency_(frequency), functions_(equations.system().switches()) {}

  struct Crossing {
    double angle;
    std::size_t function;
  };

  std::vector<Crossing> crossings() const {
    constexpr int scan = 256;
    const VectorXd angles = VectorXd::LinSpaced(scan + 1, 0, turn);
    const MatrixXd g = values(angles);
    std::vector<Crossing> found;
    for (Index k = 0; k < g.cols(); ++k)
      for (Index i = 0; i < scan; ++i)
        if ((g(i, k) < 0) != (g(i + 1, k) < 0)) found.push_back({root(angles[i], angles[i + 1], k), static_cast<std::size_t>(k)});
    std::ranges::sort(found, {}, &Crossing::angle);
    return found;
  }

  BalanceQuadrature::Event event(const Crossing& crossing) const {
    const Index w = static_cast<Index>(equations_.width());
    const VectorXd angle = VectorXd::Constant(1, crossing.angle);
    const RowVectorXd E = equations_.basis(angle), D = equations_.basis_slopes(angle);
    RowVectorXd second = E;
    for (Index c = 0; c < w; ++c) second[c] *= -std::pow(static_cast<double>((c + 1) / 2), 2);
    const auto& system = equations_.system();
    const double base = frequency_ / static_cast<double>(equations_.subharmonic());
    const auto orbit = equations_.orbit(x_, frequency_, E, D, functions_);
    const RowVectorXd by_argument = orbit.slopes[crossing.function].row(0);
    BalanceQuadrature::Event result{
        RowVectorXd::Zero(x_.size()), 0, orbit.by_parameter[crossing.function].row(0), {}, E.transpose()};
    double by_angle = 0;
    for (std::size_t a = 0; a < system.follows().size(); ++a) {
      const auto& follows = system.follows()[a];
      const auto part = x_.segment(static_cast<Index>(follows.unknown) * w, w);
      const double slope = by_argument[static_cast<Index>(a)];
      result.by_x.segment(static_cast<Index>(follows.unknown) * w, w) += slope * (follows.differentiated ? (base * D).eval() : E);
      by_angle += slope * (follows.differentiated ? base * second.dot(part) : D.dot(part));
      if (follows.differentiated) result.by_frequency += slope * orbit.arguments(0, static_cast<Index>(a)) / frequency_;
    }
    result.by_x /= -by_angle;
    result.by_parameter /= -by_angle;
    result.by_frequency /= -by_angle;
    result.projection *= 1 / std::numbers::pi;
    result.projection[0] /= 2;
    constexpr double beside = 1e-8;
    const VectorXd both = Eigen::Vector2d(crossing.angle - beside, crossing.angle + beside);
    const auto laws = equations_.orbit(x_, frequency_, equations_.basis(both), equations_.basis_slopes(both)).laws;
    result.leaps = (laws.row(0) - laws.row(1)).transpose();
    return result;
  }

 private:
  MatrixXd values(const VectorXd& angles) const {
    return equations_.orbit(x_, frequency_, equations_.basis(angles), equations_.basis_slopes(angles), functions_).laws;
  }

  double root(double low, double high, Index function) const {
    const auto value = [&](double angle) { return values(VectorXd::Constant(1, angle))(0, function); };
    double at_low = value(low), at_high = value(high);
    int side = 0;
    for (int i = 0; i < 60 && high - low > 1e-15 * turn; ++i) {
      double middle = (low * at_high - high * at_low) / (at_high - at_low);
      if (!(middle > low && middle < high)) middle = (low + high) / 2;
      const double here = value(middle);
      if (here == 0 || std::abs(here) < 1e-15 * (std::abs(at_low) + std::abs(at_high))) return middle;
      if ((here < 0) == (at_low < 0)) {
        low = middle, at_low = here;
        if (side == -1) at_high /= 2;
        side = -1;
      } else {
        high = middle, at_high = here;
        if (side == 1) at_low /= 2;
        side = 1;
      }
    }
    return (low + high) / 2;
  }

  const BalanceEquations& equations_;
  const VectorXd& x_;
  double frequency_;
  const CompiledLaws& functions_;
};

}  // namespace

BalanceQuadrature quadrature(const BalanceEquations& equations, const VectorXd& x, double frequency) {
  static const Gauss rule = gauss();
  const Switching switching(equations, x, frequency);
  const auto crossings = switching.crossings();
  std::vector<double> ends;
  for (const auto& crossing : crossings)
    if (ends.empty() || crossing.angle - ends.back() > 1e-13) ends.push_back(crossing.angle);
  if (ends.empty()) ends.push_back(0);
  ends.push_back(ends.front() + turn);
  const double density = static_cast<double>(std::max<std::size_t>(120, 8 * (equations.harmonics() + 1))) / turn / gauss_points;
  std::vector<double> angles, weights;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const double length = ends[i + 1] - ends[i];
    const int panels = std::max(1, static_cast<int>(std::ceil(length * density)));
    for (int p = 0; p < panels; ++p)
      for (std::size_t k = 0; k < gauss_points; ++k) {
        angles.push_back(ends[i] + length * (p + rule.places[k]) / panels);
        weights.push_back(length / panels * rule.weights[k]);
      }
  }
  const auto count = static_cast<Index>(angles.size());
  const Eigen::Map<const VectorXd> places(angles.data(), count), sizes(weights.data(), count);
  BalanceQuadrature result{equations.basis(places), equations.basis_slopes(places), {}, {}, ends};
  result.P = result.E.transpose() * (sizes / std::numbers::pi).asDiagonal();
  result.P.row(0) /= 2;
  const MatrixXd laws = equations.orbit(x, frequency, result.E, result.slopes).laws;
  for (const auto& crossing : crossings) {
    auto event = switching.event(crossing);
    bool leaps = false;
    for (Index i = 0; i < laws.cols(); ++i) leaps = leaps || std::abs(event.leaps[i]) > 1e-5 * laws.col(i).cwiseAbs().maxCoeff();
    if (leaps && event.by_x.allFinite()) result.events.push_back(std::move(event));
  }
  return result;
}

}  // namespace sfg
