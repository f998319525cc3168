#include "sfg/nonlinear/balance/balance_starts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace sfg {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::VectorXd;

/// Each unknown's response to the inputs with the laws cut, at harmonic M; 1 where the linear part has none.
std::vector<Complex> linear_response(const BalanceEquations& equations, double frequency) {
  const BalanceSystem& system = equations.system();
  const auto point = system.open_points({Complex(0, frequency)}).front();
  std::vector<Complex> result;
  for (const auto& unknown : system.unknowns()) {
    const Complex value = (point.T.row(static_cast<Index>(unknown.argument)).head(system.amplitudes().size()) *
                           system.amplitudes().cast<Complex>())(0);
    result.push_back(std::isfinite(std::abs(value)) ? value : Complex(1));
  }
  return result;
}

void set(VectorXd& x, const BalanceEquations& equations, std::size_t unknown, std::size_t h, Complex value) {
  const auto first = static_cast<Index>(unknown * equations.width());
  if (h == 0) {
    x[first] = value.real();
    return;
  }
  x[first + static_cast<Index>(2 * h - 1)] = value.real();
  x[first + static_cast<Index>(2 * h)] = value.imag();
}

void add_new(std::vector<VectorXd>& all, const BalanceEquations& equations, const VectorXd& x) {
  if (std::ranges::none_of(all, [&](const VectorXd& y) { return same_motion(equations, x, y); })) all.push_back(x);
}

/// The equations hold where the inputs have their whole amplitude, met by letting it grow from nothing.
void follow_level(const PathProblem& problem, const BalanceEquations& equations, std::vector<VectorXd>& found) {
  constexpr int most_steps = 300;
  const auto start = newton(problem, VectorXd::Zero(static_cast<Index>(equations.size())), 1e-4);
  if (!start || start->norm() == 0) return;
  BalancePath path(problem, *start, 1e-4, 1, {.first_step = 0.05, .greatest_step = 0.3, .relative = false});
  for (int i = 0; i < most_steps && path.advance(); ++i) {
    const double before = path.before().q - 1, now = path.point().q - 1;
    if ((before < 0) != (now < 0))
      if (const auto there = path.between([](const BalancePath::Point& p) { return p.q - 1; }))
        if (const auto x = newton(problem, there->x, 1)) add_new(found, equations, *x);
    if (std::abs(path.point().q) > 1.3) return;
  }
}

}  // namespace

PathProblem in_level(const BalanceEquations& equations, std::shared_ptr<const BalanceEquations::Linear> linear) {
  return [&equations, linear = std::move(linear)](const VectorXd& x, double level) {
    auto values = equations.values(x, {linear->frequency, level}, *linear);
    return PathEquations{std::move(values.residual), std::move(values.jacobian), std::move(values.by_level)};
  };
}

VectorXd lifted(const VectorXd& x, const BalanceEquations& from, const BalanceEquations& to) {
  VectorXd result = VectorXd::Zero(static_cast<Index>(to.size()));
  const auto common = static_cast<Index>(std::min(from.width(), to.width()));
  for (std::size_t u = 0; u < to.system().unknowns().size(); ++u)
    result.segment(static_cast<Index>(u * to.width()), common) = x.segment(static_cast<Index>(u * from.width()), common);
  return result;
}

bool same_motion(const BalanceEquations& equations, const VectorXd& x, const VectorXd& y) {
  constexpr double near = 1e-6;
  for (std::size_t shift = 0; shift < equations.subharmonic(); ++shift) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(shift) / static_cast<double>(equations.subharmonic());
    VectorXd moved = y;
    for (std::size_t u = 0; u < equations.system().unknowns().size() && shift > 0; ++u)
      for (std::size_t h = 1; h <= equations.harmonics(); ++h)
        set(moved, equations, u, h,
            harmonic(y.segment(static_cast<Index>(u * equations.width()), static_cast<Index>(equations.width())), h) *
                std::polar(1.0, angle * static_cast<double>(h)));
    if ((x - moved).norm() <= near * std::max(x.norm(), y.norm())) return true;
  }
  return false;
}

bool odd(const BalanceSystem& system) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> any(-2, 2);
  for (int i = 0; i < 16; ++i) {
    std::vector<double> a(system.laws().arguments()), f(system.law_count()), g(system.law_count());
    const double scale = std::pow(10.0, any(random));
    for (double& v : a) v = any(random) * scale;
    system.laws().values({a, 0, system.parameter_values()}, f);
    for (double& v : a) v = -v;
    system.laws().values({a, 0, system.parameter_values()}, g);
    for (std::size_t k = 0; k < f.size(); ++k)
      if (!(std::abs(f[k] + g[k]) <= 1e-12 * (std::abs(f[k]) + std::abs(g[k])))) return false;
  }
  return true;
}

VectorXd turned_about(const BalanceEquations& equations, VectorXd x) {
  // −x(t + M T/2 …): harmonic h of M periods turns by hπ; with even M there is no such shift of the drive.
  for (std::size_t u = 0; u < equations.system().unknowns().size(); ++u)
    for (std::size_t h = 0; h <= equations.harmonics(); h += 2)
      set(x, equations, u, h,
          -harmonic(x.segment(static_cast<Index>(u * equations.width()), static_cast<Index>(equations.width())), h));
  return x;
}

bool has_describing_roots(const BalanceEquations& equations) {
  const BalanceSystem& system = equations.system();
  return system.law_count() == 1 && system.unknowns().size() == 1 && equations.harmonics() == 1 && equations.subharmonic() == 1 &&
         system.constants().isZero() && odd(system);
}

std::vector<VectorXd> describing_roots(const BalanceEquations& equations, double frequency, const BalanceSystem::Point& open) {
  const BalanceSystem& system = equations.system();
  const auto row = static_cast<Index>(system.unknowns().front().argument);
  const Complex T = open.T(row, static_cast<Index>(system.source_count()));
  const Complex drive = (open.T.row(row).head(system.amplitudes().size()) * system.amplitudes().cast<Complex>())(0);
  if (std::abs(drive) == 0 || !std::isfinite(std::abs(T)) || !std::isfinite(std::abs(drive))) return {};
  const auto rest = [&](double A) {  // A − T Φ(A)
    const VectorXd x = Eigen::Vector3d(0, A, 0);
    const auto orbit = equations.orbit(x, frequency);
    Complex sum = 0;
    for (Index i = 0; i < orbit.laws.rows(); ++i)
      sum +=
          orbit.laws(i, 0) * std::polar(2.0 / static_cast<double>(orbit.laws.rows()),
                                        -2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(orbit.laws.rows()));
    return A - T * sum;
  };
  const auto value = [&](double logarithm) { return std::log(std::abs(rest(std::exp(logarithm))) / std::abs(drive)); };
  std::vector<double> roots;
  const auto bisect = [&](double low, double high) {
    const bool sign = value(low) < 0;
    for (int i = 0; i < 60; ++i) (((value((low + high) / 2) < 0) == sign) ? low : high) = (low + high) / 2;
    roots.push_back((low + high) / 2);
  };
  constexpr int count = 600;
  const double middle = std::log(std::abs(drive)), reach = std::log(1e7), step = 2 * reach / count;
  double before_last = 0, last = value(middle - reach);
  for (int i = 1; i <= count; ++i) {
    const double here = middle - reach + i * step, now = value(here);
    if ((last < 0) != (now < 0)) bisect(here - step, here);
    if (i > 1 && std::abs(last) < std::abs(now) && std::abs(last) < std::abs(before_last) && (last < 0) == (now < 0) &&
        (last < 0) == (before_last < 0)) {  // nearly touching: two roots may lie between
      double low = here - 2 * step, high = here;
      const double sign = last < 0 ? -1 : 1;
      for (int k = 0; k < 60; ++k) {
        const double a = low + (high - low) * 0.382, b = low + (high - low) * 0.618;
        (sign * value(a) < sign * value(b) ? high : low) = sign * value(a) < sign * value(b) ? b : a;
      }
      const double bottom = (low + high) / 2;
      if ((value(bottom) < 0) != (last < 0)) bisect(here - 2 * step, bottom), bisect(bottom, here);
    }
    before_last = last;
    last = now;
  }
  std::vector<VectorXd> result;
  for (const double root : roots) {
    const double A = std::exp(root);
    const Complex V = A * drive / rest(A);
    result.push_back(Eigen::Vector3d(0, V.real(), V.imag()));
  }
  return result;
}

std::vector<VectorXd> scattered_solutions(const BalanceEquations& equations, double frequency, std::uint64_t seed) {
  constexpr int tries = 40;
  const std::size_t M = equations.subharmonic(), unknowns = equations.system().unknowns().size();
  const PathProblem problem = in_level(equations, equations.linear(frequency));
  const std::vector<Complex> response = linear_response(equations, frequency);
  std::vector<VectorXd> found;
  VectorXd start = VectorXd::Zero(static_cast<Index>(equations.size()));
  const auto attempt = [&](const VectorXd& x) {
    equations.system().budget().check("the periodic motions");
    if (const auto solution = newton(problem, x, 1)) add_new(found, equations, *solution);
  };
  attempt(start);
  for (std::size_t u = 0; u < unknowns; ++u) set(start, equations, u, M, response[u]);
  attempt(start);
  follow_level(problem, equations, found);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> decade(-2, 2), angle(0, 2 * std::numbers::pi), side(-1, 1);
  for (int i = 0; i < tries; ++i) {
    VectorXd x = VectorXd::Zero(start.size());
    for (std::size_t u = 0; u < unknowns; ++u) {
      const double size = std::max(std::abs(response[u]), 1e-12) * std::pow(10.0, decade(random));
      set(x, equations, u, M, std::polar(size, angle(random)));
      if (M > 1) set(x, equations, u, 1, std::polar(size * std::pow(10.0, decade(random)), angle(random)));
      if (i % 2 == 1) set(x, equations, u, 0, std::pow(10.0, decade(random) / 2) * (1 + size) * side(random));
    }
    attempt(x);
  }
  return found;
}

}  // namespace sfg
