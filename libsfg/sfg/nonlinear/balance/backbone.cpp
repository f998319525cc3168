#include "sfg/nonlinear/balance/backbone.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

namespace sfg {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::VectorXd;

/// Unknowns: those of balance, then the level; the last equation: the fundamental has no part in phase with the inputs.
PathProblem in_resonance(const BalanceEquations& equations, BalanceTransmittances& transmittances) {
  return [&](const VectorXd& z, double frequency) {
    const Index n = z.size() - 1, real_part = static_cast<Index>(2 * equations.subharmonic() - 1);
    auto values = equations.values(z.head(n), {frequency, z[n]}, *transmittances.at(frequency));
    PathEquations e;
    e.residual.resize(n + 1);
    e.residual << values.residual, z[real_part];
    e.jacobian = Eigen::MatrixXd::Zero(n + 1, n + 1);
    e.jacobian.topLeftCorner(n, n) = values.jacobian;
    e.jacobian.topRightCorner(n, 1) = values.by_level;
    e.jacobian(n, real_part) = 1;
    e.by_parameter = VectorXd::Zero(n + 1);
    e.by_parameter.head(n) = values.by_frequency;
    return e;
  };
}

/// The first unknown's response to the inputs alone.
Complex response(const BalanceSystem& system, const BalanceSystem::Point& open) {
  return (open.T.row(static_cast<Index>(system.unknowns().front().argument)).head(system.amplitudes().size()) *
          system.amplitudes().cast<Complex>())(0);
}

/// Where the real part changes its sign at a peak.
std::vector<double> linear_resonances(const BalanceSystem& system, double low, double high) {
  constexpr int count = 2000;
  std::vector<Complex> s;
  for (int i = 0; i <= count; ++i) s.emplace_back(0, low * std::pow(high / low, static_cast<double>(i) / count));
  const auto points = system.open_points(s);
  std::vector<double> found;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const Complex a = response(system, points[i - 1]), b = response(system, points[i]);
    if ((a.real() < 0) == (b.real() < 0) || std::abs(b.imag()) < std::abs(b.real())) continue;
    double from = s[i - 1].imag(), to = s[i].imag();
    const bool sign = a.real() < 0;
    for (int k = 0; k < 50; ++k) {
      const double middle = (from + to) / 2;
      ((response(system, system.open_points({Complex(0, middle)}).front()).real() < 0) == sign ? from : to) = middle;
    }
    found.push_back((from + to) / 2);
  }
  return found;
}

void follow(BackboneCurve& curve, BalancePath path, double low, double high, double largest) {
  constexpr int most = 600;
  for (int i = 0; i < most && path.advance(); ++i) {
    const BalancePath::Point& p = path.point();
    const Index n = p.x.size() - 1;
    if (p.q < low || p.q > high || p.x[n] <= 0) return;
    curve.x.push_back(p.x.head(n));
    curve.frequency.push_back(p.q);
    curve.level.push_back(p.x[n]);
    if (p.x.head(n).norm() > largest) return;
  }
}

}  // namespace

std::vector<BackboneCurve> backbones(const BalanceEquations& equations, BalanceTransmittances& transmittances, double low,
                                     double high, double largest) {
  constexpr double small = 1e-3, wide = 2.5;
  const BalanceSystem& system = equations.system();
  const PathProblem problem = in_resonance(equations, transmittances);
  std::vector<BackboneCurve> all;
  for (const double resonance : linear_resonances(system, low / wide, high * wide)) {
    system.budget().check("the backbone curves");
    const Complex V = response(system, system.open_points({Complex(0, resonance)}).front());
    const double level = small * largest / std::abs(V);
    VectorXd z = VectorXd::Zero(static_cast<Index>(equations.size()) + 1);
    const auto fixed = [&](const VectorXd& x, double q) {  // the equations of balance at this level, to begin on the curve
      auto values = equations.values(x, {q, level}, *transmittances.at(q));
      return PathEquations{std::move(values.residual), std::move(values.jacobian), std::move(values.by_frequency)};
    };
    const auto start = newton(fixed, VectorXd::Zero(z.size() - 1), resonance);
    if (!start) continue;
    z << *start, level;
    const VectorXd upwards = z / z.norm();
    VectorXd direction(z.size() + 1);
    direction << upwards, 0;
    BackboneCurve curve;
    follow(curve, BalancePath(problem, z, resonance, direction, {.first_step = 0.05, .greatest_step = 0.1}), low / wide,
           high * wide, 2 * largest);
    if (curve.x.size() > 2) all.push_back(std::move(curve));
  }
  return all;
}

}  // namespace sfg
