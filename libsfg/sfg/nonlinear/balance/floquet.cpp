#include "sfg/nonlinear/balance/floquet.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sfg/error.hpp"
#include "sfg/nonlinear/balance/balance_quadrature.hpp"
#include "sfg/transfer/state_space.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// exp(M) by the diagonal Padé approximant of order 6 with scaling and squaring (Moler and Van Loan 1978, method 3).
MatrixXd exponential(MatrixXd M) {
  const double norm = M.cwiseAbs().colwise().sum().maxCoeff();
  const int halvings = norm > 0.5 ? std::max(0, static_cast<int>(std::ceil(std::log2(norm / 0.5)))) : 0;
  M *= std::ldexp(1.0, -halvings);
  constexpr int order = 6;
  const MatrixXd one = MatrixXd::Identity(M.rows(), M.cols());
  MatrixXd power = one, above = one, below = one;
  double c = 1;
  for (int k = 1; k <= order; ++k) {
    c *= static_cast<double>(order - k + 1) / static_cast<double>(k * (2 * order - k + 1));
    power = power * M;
    above += c * power;
    below += (k % 2 == 0 ? c : -c) * power;
  }
  MatrixXd result = below.partialPivLu().solve(above);
  for (int i = 0; i < halvings; ++i) result = result * result;
  return result;
}

MatrixXd matrix_of(const StateSpace::Matrix& entries, std::size_t columns) {
  MatrixXd result(static_cast<Index>(entries.size()), static_cast<Index>(columns));
  for (Index r = 0; r < result.rows(); ++r)
    for (Index c = 0; c < result.cols(); ++c) {
      const GiNaC::ex value = entries[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)].evalf();
      if (!GiNaC::is_a<GiNaC::numeric>(value)) throw NoAnswer("a state matrix has an entry without a number");
      result(r, c) = GiNaC::ex_to<GiNaC::numeric>(value).to_double();
    }
  return result;
}

/// The larger first, pairs of conjugates side by side.
bool larger(const Complex& a, const Complex& b) {
  const auto rounded = [](double value) { return std::llround(value * 1e9); };
  if (rounded(std::abs(a)) != rounded(std::abs(b))) return std::abs(a) > std::abs(b);
  return a.real() != b.real() ? a.real() > b.real() : a.imag() > b.imag();
}

}  // namespace

Floquet::Floquet(const BalanceSystem& system) : system_(system) {
  constexpr std::size_t most_nodes = 150;
  const PrincipalForm& form = system.form();
  if (form.linear.nodes().size() > most_nodes) return;
  StateSpaceOptions options{.budget = system.budget()};
  for (const auto& law : form.laws) options.inputs.push_back(law.output);
  for (const auto& argument : form.arguments) options.outputs.push_back(argument.node);
  try {
    SignalFlowGraph graph = form.linear.substituted(form.linear.parameter_values());
    graph.inputs = options.inputs;
    graph.outputs = options.outputs;
    const StateSpace found = state_space(graph, options);
    const std::size_t n = found.states.size(), m = options.inputs.size();
    states_ = States{matrix_of(found.A, n), matrix_of(found.B, m), matrix_of(found.C, n), matrix_of(found.D, m)};
  } catch (const NoAnswer&) {  // improper: a motion of infinitely many states
  } catch (const Error&) {     // no rational gains
  } catch (const LimitReached&) {
    system.budget().check("the state space");
  }
}

std::optional<std::pair<double, double>> Floquet::natural_range() const {
  if (!states_ || states_->A.rows() == 0) return {};
  const Eigen::VectorXd sizes = Eigen::EigenSolver<MatrixXd>(states_->A, false).eigenvalues().cwiseAbs();
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const double size : sizes)
    if (size > 1e-9 * sizes.maxCoeff()) low = std::min(low, size), high = std::max(high, size);
  if (high == 0) return {};
  return std::pair(low, high);
}

MatrixXd Floquet::generator(const BalanceEquations::Orbit& orbit, Index sample) const {
  const auto laws = static_cast<Index>(orbit.slopes.size());
  if (laws == 0) return states_->A;
  MatrixXd F(laws, orbit.arguments.cols());
  for (Index i = 0; i < laws; ++i) F.row(i) = orbit.slopes[static_cast<std::size_t>(i)].row(sample);
  const MatrixXd loop = MatrixXd::Identity(laws, laws) - F * states_->D;
  return states_->A + states_->B * loop.partialPivLu().solve(F * states_->C);
}

MatrixXd Floquet::monodromy(const BalanceEquations& equations, const VectorXd& x, double frequency,
                            const std::vector<double>& ends, int steps) const {
  constexpr double turn = 2 * std::numbers::pi;
  const double time = static_cast<double>(equations.subharmonic()) / frequency, gauss = std::sqrt(3.0) / 6;
  std::vector<double> places, lengths;  // of the steps, as angles
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    const double length = ends[k + 1] - ends[k];
    const int count = std::max(1, static_cast<int>(std::ceil(length / turn * steps)));
    for (int i = 0; i < count; ++i) {
      lengths.push_back(length / count);
      for (const double place : {0.5 - gauss, 0.5 + gauss}) places.push_back(ends[k] + (i + place) * length / count);
    }
  }
  const Eigen::Map<const VectorXd> angles(places.data(), static_cast<Index>(places.size()));
  const auto orbit = equations.orbit(x, frequency, equations.basis(angles), equations.basis_slopes(angles));
  MatrixXd result = MatrixXd::Identity(states_->A.rows(), states_->A.rows());
  for (Index i = 0; i < static_cast<Index>(lengths.size()); ++i) {
    const double h = lengths[static_cast<std::size_t>(i)] * time;
    const MatrixXd first = generator(orbit, 2 * i), second = generator(orbit, 2 * i + 1);
    const MatrixXd commutator = second * first - first * second;
    result = exponential(h / 2 * (first + second) + h * h * std::sqrt(3.0) / 12 * commutator) * result;
  }
  return result;
}

/// The least oscillating eigenvalues of Hill's matrix, as many as states: of harmonics h, m the block A_{h−m} − jhω δ_{hm}, where
/// A_k are the harmonics of the generator.
std::vector<Complex> Floquet::exponents(const BalanceEquations& equations, const VectorXd& x, double frequency) const {
  constexpr Index samples = 256;
  const VectorXd angles = VectorXd::LinSpaced(samples + 1, 0, 2 * std::numbers::pi).head(samples);
  const auto orbit = equations.orbit(x, frequency, equations.basis(angles), equations.basis_slopes(angles));
  const Index n = states_->A.rows(), order = static_cast<Index>(equations.harmonics());
  std::vector<Eigen::MatrixXcd> harmonics(static_cast<std::size_t>(4 * order + 1), Eigen::MatrixXcd::Zero(n, n));
  for (Index i = 0; i < samples; ++i) {
    const Eigen::MatrixXcd here = generator(orbit, i).cast<Complex>() / static_cast<double>(samples);
    for (Index k = -2 * order; k <= 2 * order; ++k)
      harmonics[static_cast<std::size_t>(k + 2 * order)] +=
          std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k * i) / static_cast<double>(samples)) * here;
  }
  Eigen::MatrixXcd hill(n * (2 * order + 1), n * (2 * order + 1));
  const double base = frequency / static_cast<double>(equations.subharmonic());
  for (Index h = -order; h <= order; ++h)
    for (Index m = -order; m <= order; ++m) {
      auto block = hill.block((h + order) * n, (m + order) * n, n, n);
      block = harmonics[static_cast<std::size_t>(h - m + 2 * order)];
      if (h == m) block.diagonal().array() -= Complex(0, static_cast<double>(h) * base);
    }
  const Eigen::VectorXcd values = Eigen::ComplexEigenSolver<Eigen::MatrixXcd>(hill, false).eigenvalues();
  std::vector<Complex> all(values.data(), values.data() + values.size());
  std::ranges::stable_sort(all, {}, [](const Complex& value) { return std::abs(value.imag()); });
  all.resize(static_cast<std::size_t>(n));
  return all;
}

std::vector<Complex> Floquet::multipliers(const BalanceEquations& equations, const VectorXd& x, double frequency) const {
  constexpr double enough = 1e-8;
  constexpr int most = 4096;
  if (states_->A.rows() == 0) return {};  // nothing moves by itself
  if (equations.harmonics() == 1) {
    std::vector<Complex> all = exponents(equations, x, frequency);
    for (Complex& value : all) value = std::exp(value * (2 * std::numbers::pi / frequency));
    std::ranges::sort(all, larger);
    return all;
  }
  std::vector<double> ends{0, 2 * std::numbers::pi};
  if (!equations.system().smooth()) ends = quadrature(equations, x, frequency).ends;
  int steps = 64;
  MatrixXd coarse = monodromy(equations, x, frequency, ends, steps), found = coarse;
  while (steps < most) {
    system_.budget().check("the Floquet multipliers");
    steps *= 2;
    const MatrixXd fine = monodromy(equations, x, frequency, ends, steps);
    const MatrixXd change = (fine - coarse) / 15;  // of the fourth order (Richardson)
    found = fine + change;
    coarse = fine;
    if (change.cwiseAbs().maxCoeff() < enough * (1 + fine.cwiseAbs().maxCoeff())) break;
  }
  const Eigen::VectorXcd values = Eigen::EigenSolver<MatrixXd>(found, false).eigenvalues();
  std::vector<Complex> all(values.data(), values.data() + values.size());
  std::ranges::sort(all, larger);
  return all;
}

Floquet::Verdict Floquet::operator()(const BalanceEquations& equations, const VectorXd& x, double frequency, bool free,
                                     BalanceTransmittances* transmittances) const {
  constexpr double on_circle = 1e-6;
  if (jumps(equations, x, frequency)) return {};
  if (!states_) {
    const std::optional<int> count = unstable_exponents(equations, x, frequency, transmittances);
    if (!count) return {};
    return {*count <= 0, {}};
  }
  Verdict verdict;
  verdict.multipliers = multipliers(equations, x, frequency);
  std::vector<Complex> counted = verdict.multipliers;
  if (free && !counted.empty())
    counted.erase(std::ranges::min_element(counted, {}, [](const Complex& m) { return std::abs(m - 1.0); }));
  verdict.stable = std::ranges::all_of(counted, [](const Complex& m) { return std::abs(m) < 1 + on_circle; });
  return verdict;
}

bool jumps(const BalanceEquations& equations, const VectorXd& x, double frequency) {
  return !equations.system().smooth() && !quadrature(equations, x, frequency).events.empty();
}

}  // namespace sfg
