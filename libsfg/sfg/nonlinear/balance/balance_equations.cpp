#include "sfg/nonlinear/balance/balance_equations.hpp"

#include <bit>
#include <numbers>

#include "sfg/nonlinear/balance/balance_quadrature.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

Index at(std::size_t i) { return static_cast<Index>(i); }

/// Products of polynomial laws up to the seventh degree keep their harmonics apart; corners need more.
std::size_t sample_count(std::size_t harmonics, bool smooth) {
  return std::max<std::size_t>(smooth ? 64 : 1024, std::bit_ceil(8 * (harmonics + 1)));
}

/// target −= T · (columns of a harmonic of a real matrix), as real and imaginary parts.
void subtract(MatrixXd& target, Index row, Index column, Complex T, const MatrixXd& block, std::size_t h) {
  const Index n = block.rows();
  if (h == 0) {
    target.col(column).segment(row, n) -= T.real() * block.col(0);
    return;
  }
  const Index re = at(2 * h - 1), im = re + 1;
  target.col(column + re).segment(row, n) -= T.real() * block.col(re) - T.imag() * block.col(im);
  target.col(column + im).segment(row, n) -= T.imag() * block.col(re) + T.real() * block.col(im);
}

/// The same with the identity as the matrix.
void subtract(MatrixXd& target, Index row, Index column, Complex T, std::size_t h) {
  if (h == 0) {
    target(row, column) -= T.real();
    return;
  }
  const Index re = at(2 * h - 1), im = re + 1;
  target(row + re, column + re) -= T.real();
  target(row + im, column + re) += T.imag();
  target(row + re, column + im) -= T.imag();
  target(row + im, column + im) -= T.real();
}

void subtract(VectorXd& target, Index row, Complex value, std::size_t h) {
  if (h == 0) {
    target[row] -= value.real();
    return;
  }
  target[row + at(2 * h - 1)] -= value.real();
  target[row + at(2 * h)] -= value.imag();
}

/// The values at angles of 1, cos θ, −sin θ, … of so many harmonics.
MatrixXd trigonometric(const VectorXd& angles, std::size_t harmonics) {
  MatrixXd E(angles.size(), at(2 * harmonics + 1));
  E.col(0).setOnes();
  for (std::size_t h = 1; h <= harmonics; ++h) {
    E.col(at(2 * h - 1)) = (static_cast<double>(h) * angles).array().cos();
    E.col(at(2 * h)) = -(static_cast<double>(h) * angles).array().sin();
  }
  return E;
}

/// What multiplication by a function does to the harmonics of another: entries are sums and differences of the function's own
/// (real numbers of twice as many harmonics), transposed.
MatrixXd multiplication(const VectorXd& function, std::size_t harmonics) {
  const auto cosine = [&](std::size_t k) { return k == 0 ? 2 * function[0] : function[at(2 * k - 1)]; };
  const auto sine = [&](std::size_t k) { return k == 0 ? 0 : function[at(2 * k)]; };
  MatrixXd result(at(2 * harmonics + 1), at(2 * harmonics + 1));
  for (std::size_t h = 0; h <= harmonics; ++h)
    for (std::size_t m = 0; m <= harmonics; ++m) {
      const double cc = cosine(h > m ? h - m : m - h), cs = cosine(h + m), ss = sine(h + m);
      const double sd = h > m ? sine(h - m) : -sine(m - h), half = h == 0 ? 0.25 : 0.5;
      const Index re = h == 0 ? 0 : at(2 * h - 1), of_re = m == 0 ? 0 : at(2 * m - 1);
      result(of_re, re) = half * (cc + cs);
      if (m > 0) result(of_re + 1, re) = half * (ss - sd);
      if (h > 0) result(of_re, re + 1) = half * (ss + sd);
      if (h > 0 && m > 0) result(of_re + 1, re + 1) = half * (cc - cs);
    }
  return result;
}

/// Of the transposed matrix: harmonics of the rate, ω = 1, instead of those of the signal.
MatrixXd of_rates(const MatrixXd& transposed) {
  MatrixXd result = MatrixXd::Zero(transposed.rows(), transposed.cols());
  for (Index m = 1; 2 * m < result.rows(); ++m) {
    result.row(2 * m - 1) = static_cast<double>(m) * transposed.row(2 * m);
    result.row(2 * m) = -static_cast<double>(m) * transposed.row(2 * m - 1);
  }
  return result;
}

}  // namespace

Complex harmonic(const Eigen::Ref<const VectorXd>& column, std::size_t h) {
  return h == 0 ? Complex(column[0], 0) : Complex(column[at(2 * h - 1)], column[at(2 * h)]);
}

BalanceEquations::BalanceEquations(const BalanceSystem& system, std::size_t harmonics, std::size_t subharmonic)
    : system_(system), harmonics_(harmonics), subharmonic_(subharmonic) {
  const std::size_t samples = sample_count(harmonics, system.smooth());
  const VectorXd angles = VectorXd::LinSpaced(at(samples) + 1, 0, 2 * std::numbers::pi).head(at(samples));
  E_ = basis(angles);
  Eslope_ = basis_slopes(angles);
  P_ = E_.transpose() * (2.0 / static_cast<double>(samples));
  P_.row(0) /= 2;
  if (!system.smooth()) return;
  smooth_ = std::make_shared<const BalanceQuadrature>(BalanceQuadrature{E_, Eslope_, P_, {}, {}});
  Ptwice_ = trigonometric(angles, 2 * harmonics).transpose() * (2.0 / static_cast<double>(samples));
  Ptwice_.row(0) /= 2;
}

MatrixXd BalanceEquations::basis(const VectorXd& angles) const { return trigonometric(angles, harmonics_); }

MatrixXd BalanceEquations::basis_slopes(const VectorXd& angles) const {
  MatrixXd E(angles.size(), at(width()));
  E.col(0).setZero();
  for (std::size_t h = 1; h <= harmonics_; ++h) {
    const double n = static_cast<double>(h);
    E.col(at(2 * h - 1)) = -n * (n * angles).array().sin();
    E.col(at(2 * h)) = -n * (n * angles).array().cos();
  }
  return E;
}

std::shared_ptr<const BalanceEquations::Linear> BalanceEquations::linear(double frequency, bool by_parameters) const {
  return linear(std::vector{frequency}, by_parameters).front();
}

std::vector<std::shared_ptr<const BalanceEquations::Linear>> BalanceEquations::linear(const std::vector<double>& frequencies,
                                                                                      bool by_parameters) const {
  std::vector<double> all;
  for (const double frequency : frequencies)
    for (std::size_t h = 0; h <= harmonics_; ++h) all.push_back(static_cast<double>(h) * base(frequency));
  auto points = system_.points(all, by_parameters);
  std::vector<std::shared_ptr<const Linear>> result;
  auto next = std::make_move_iterator(points.begin());
  for (const double frequency : frequencies) {
    const auto end = next + static_cast<std::ptrdiff_t>(harmonics_ + 1);
    result.push_back(std::make_shared<const Linear>(Linear{frequency, {next, end}}));
    next = end;
  }
  return result;
}

BalanceEquations::Orbit BalanceEquations::orbit(const VectorXd& x, double frequency) const {
  return orbit(x, frequency, E_, Eslope_);
}

BalanceEquations::Orbit BalanceEquations::orbit(const VectorXd& x, double frequency, const MatrixXd& E,
                                                const MatrixXd& slopes) const {
  return orbit(x, frequency, E, slopes, system_.laws());
}

BalanceEquations::Orbit BalanceEquations::orbit(const VectorXd& x, double frequency, const MatrixXd& E, const MatrixXd& slopes,
                                                const CompiledLaws& functions) const {
  const Index samples = E.rows(), laws = at(functions.laws()), arguments = at(system_.follows().size());
  const Index parameters = at(system_.parameters().size());
  const Eigen::Map<const MatrixXd> X(x.data(), at(width()), at(system_.unknowns().size()));
  Orbit result;
  result.arguments.resize(samples, arguments);
  for (Index a = 0; a < arguments; ++a) {
    const auto& follows = system_.follows()[static_cast<std::size_t>(a)];
    if (follows.differentiated)
      result.arguments.col(a) = base(frequency) * (slopes * X.col(at(follows.unknown)));
    else
      result.arguments.col(a) = E * X.col(at(follows.unknown));
  }
  const std::vector<double> all =
      functions.batch(static_cast<std::size_t>(samples),
                      {result.arguments.data(), static_cast<std::size_t>(result.arguments.size())}, system_.parameter_values());
  const Index per_law = arguments + parameters;
  result.laws = Eigen::Map<const MatrixXd>(all.data(), samples, laws);
  for (Index i = 0; i < laws; ++i) {
    const double* first = all.data() + samples * (laws + i * per_law);
    result.slopes.push_back(Eigen::Map<const MatrixXd>(first, samples, arguments));
    result.by_parameter.push_back(Eigen::Map<const MatrixXd>(first + samples * arguments, samples, parameters));
  }
  return result;
}

/// What goes into the linear part at one harmonic: sources, then what the laws give, with the feedback that was taken in.
VectorXcd BalanceEquations::drive(std::size_t h, const Place& place, const Linear& linear, const MatrixXd& F,
                                  const VectorXd& x) const {
  const Index sources = at(system_.source_count()), laws = at(system_.law_count()), unknowns = at(system_.unknowns().size());
  VectorXcd g = VectorXcd::Zero(sources + laws);
  if (h == 0) g.head(sources) += system_.constants().cast<Complex>();
  if (h == subharmonic_) g.head(sources) += (place.level * system_.amplitudes()).cast<Complex>();
  for (Index i = 0; i < laws; ++i) g[sources + i] = harmonic(F.col(i), h);
  VectorXcd v(unknowns);
  for (Index u = 0; u < unknowns; ++u) v[u] = harmonic(x.segment(u * at(width()), at(width())), h);
  g.tail(laws) += linear.harmonics[h].K * v;
  return g;
}

/// The laws along a motion, their harmonics, and how these were found.
struct BalanceEquations::LawHarmonics {
  std::shared_ptr<const BalanceQuadrature> quadrature;
  Orbit orbit;
  MatrixXd F;             ///< width × laws
  MatrixXd by_frequency;  ///< the same, through the rates
};

BalanceEquations::LawHarmonics BalanceEquations::law_harmonics(const VectorXd& x, double frequency) const {
  LawHarmonics result;
  result.quadrature = smooth_ ? smooth_ : std::make_shared<const BalanceQuadrature>(sfg::quadrature(*this, x, frequency));
  const BalanceQuadrature& q = *result.quadrature;
  result.orbit = orbit(x, frequency, q.E, q.slopes);
  const Orbit& o = result.orbit;
  result.F = q.P * o.laws;
  result.by_frequency = MatrixXd::Zero(result.F.rows(), result.F.cols());
  for (std::size_t i = 0; i < system_.law_count(); ++i)
    for (const std::size_t a : system_.form().laws[i].arguments)
      if (system_.follows()[a].differentiated)
        result.by_frequency.col(at(i)) +=
            q.P * (o.slopes[i].col(at(a)).array() * o.arguments.col(at(a)).array() / frequency).matrix();
  for (const auto& event : q.events) result.by_frequency += event.by_frequency * event.projection * event.leaps.transpose();
  return result;
}

/// Of every law by every unknown: width × width, transposed.
std::vector<MatrixXd> BalanceEquations::law_jacobians(const LawHarmonics& along, double frequency) const {
  const std::size_t unknowns = system_.unknowns().size(), laws = system_.law_count();
  const BalanceQuadrature& q = *along.quadrature;
  std::vector<MatrixXd> all(laws * unknowns, MatrixXd::Zero(at(width()), at(width())));
  for (std::size_t i = 0; i < laws; ++i)
    for (const std::size_t a : system_.form().laws[i].arguments) {
      const auto& follows = system_.follows()[a];
      const auto slopes = along.orbit.slopes[i].col(at(a));
      const MatrixXd by_argument = system_.smooth() ? multiplication(Ptwice_ * slopes, harmonics_)
                                                    : q.E.transpose() * slopes.asDiagonal() * q.P.transpose();
      all[i * unknowns + follows.unknown] += follows.differentiated ? base(frequency) * of_rates(by_argument) : by_argument;
    }
  for (const auto& event : q.events)
    for (std::size_t i = 0; i < laws; ++i)
      for (std::size_t u = 0; u < unknowns; ++u)
        all[i * unknowns + u] +=
            event.by_x.segment(at(u * width()), at(width())).transpose() * (event.leaps[at(i)] * event.projection).transpose();
  return all;
}

/// With the motion as it is: width × laws.
MatrixXd BalanceEquations::laws_by_parameter(const LawHarmonics& along, std::size_t p) const {
  MatrixXd result(at(width()), at(system_.law_count()));
  for (Index i = 0; i < result.cols(); ++i)
    result.col(i) = along.quadrature->P * along.orbit.by_parameter[static_cast<std::size_t>(i)].col(at(p));
  for (const auto& event : along.quadrature->events)
    result += event.by_parameter[at(p)] * event.projection * event.leaps.transpose();
  return result;
}

BalanceEquations::Values BalanceEquations::values(const VectorXd& x, const Place& place, const Linear& linear) const {
  const std::size_t unknowns = system_.unknowns().size(), laws = system_.law_count();
  const Index w = at(width()), sources = at(system_.source_count());
  const LawHarmonics along = law_harmonics(x, place.frequency);
  const MatrixXd &F = along.F, &F_by_frequency = along.by_frequency;
  const std::vector<MatrixXd> dF = law_jacobians(along, place.frequency);
  Values result{x, {}, VectorXd::Zero(x.size()), VectorXd::Zero(x.size())};
  MatrixXd jacobian = MatrixXd::Identity(x.size(), x.size());  // transposed
  for (std::size_t h = 0; h <= harmonics_; ++h) {
    const auto& point = linear.harmonics[h];
    const VectorXcd g = drive(h, place, linear, F, x);
    const double order = static_cast<double>(h) / static_cast<double>(subharmonic_);
    for (std::size_t u = 0; u < unknowns; ++u) {
      const Index row = at(system_.unknowns()[u].argument), first = at(u) * w;
      Complex sum = 0, slope = 0, level = 0;
      for (Index c = 0; c < g.size(); ++c) {
        if (g[c] == Complex(0)) continue;  // of what has no response at frequency 0, as long as there is none of it
        sum += point.T(row, c) * g[c];
        if (point.slope.size() > 0) slope += order * point.slope(row, c) * g[c];
      }
      if (h == subharmonic_) level = (point.T.row(row).head(sources) * system_.amplitudes().cast<Complex>())(0);
      const Eigen::RowVectorXcd TK = point.T.row(row).tail(at(laws)) * point.K;
      for (std::size_t i = 0; i < laws; ++i) {
        const Complex T = point.T(row, sources + at(i));
        slope += T * harmonic(F_by_frequency.col(at(i)), h);
        for (std::size_t v = 0; v < unknowns; ++v) subtract(jacobian, at(v) * w, first, T, dF[i * unknowns + v], h);
      }
      for (std::size_t v = 0; v < unknowns; ++v)
        if (TK[at(v)] != Complex(0)) subtract(jacobian, at(v) * w, first, TK[at(v)], h);
      subtract(result.residual, first, sum, h);
      subtract(result.by_frequency, first, slope, h);
      subtract(result.by_level, first, level, h);
    }
  }
  result.jacobian = jacobian.transpose();
  return result;
}

MatrixXd BalanceEquations::by_parameters(const VectorXd& x, const Place& place, const Linear& linear) const {
  const std::size_t unknowns = system_.unknowns().size(), laws = system_.law_count(), count = system_.parameters().size();
  const Index w = at(width()), sources = at(system_.source_count());
  const LawHarmonics along = law_harmonics(x, place.frequency);
  const MatrixXd& F = along.F;
  MatrixXd result = MatrixXd::Zero(x.size(), at(count));
  for (std::size_t p = 0; p < count; ++p) {
    VectorXd column = VectorXd::Zero(x.size());
    const MatrixXd Fp = laws_by_parameter(along, p);
    for (std::size_t h = 0; h <= harmonics_; ++h) {
      const auto& point = linear.harmonics[h];
      const VectorXcd g = drive(h, place, linear, F, x);
      for (std::size_t u = 0; u < unknowns; ++u) {
        const Index row = at(system_.unknowns()[u].argument);
        Complex sum = 0;
        for (Index c = 0; c < g.size(); ++c)
          if (g[c] != Complex(0)) sum += point.by_parameter[p](row, c) * g[c];
        for (std::size_t i = 0; i < laws; ++i) sum += point.T(row, sources + at(i)) * harmonic(Fp.col(at(i)), h);
        subtract(column, at(u) * w, sum, h);
      }
    }
    result.col(at(p)) = column;
  }
  return result;
}

MatrixXcd BalanceEquations::signals(const VectorXd& x, const Place& place, const Linear& linear) const {
  const LawHarmonics along = law_harmonics(x, place.frequency);
  const MatrixXd& F = along.F;
  MatrixXcd result(at(harmonics_ + 1), at(system_.row_count()));
  for (std::size_t h = 0; h <= harmonics_; ++h) {
    const VectorXcd g = drive(h, place, linear, F, x);
    for (Index row = 0; row < result.cols(); ++row) {
      Complex sum = 0;
      for (Index c = 0; c < g.size(); ++c)
        if (g[c] != Complex(0)) sum += linear.harmonics[h].T(row, c) * g[c];
      result(at(h), row) = sum;
    }
    for (std::size_t a = 0; a < system_.follows().size(); ++a) {  // as the equations have them
      const auto& follows = system_.follows()[a];
      const Complex v = harmonic(x.segment(at(follows.unknown) * at(width()), at(width())), h);
      result(at(h), at(a)) = follows.differentiated ? v * Complex(0, static_cast<double>(h) * base(place.frequency)) : v;
    }
  }
  return result;
}

MatrixXcd BalanceEquations::signals_by_parameter(const VectorXd& x, const VectorXd& x_slope, const Place& place,
                                                 const Linear& linear, std::size_t p) const {
  const std::size_t unknowns = system_.unknowns().size(), laws = system_.law_count();
  const Index w = at(width()), sources = at(system_.source_count());
  const LawHarmonics along = law_harmonics(x, place.frequency);
  const MatrixXd& F = along.F;
  const std::vector<MatrixXd> dF = law_jacobians(along, place.frequency);
  MatrixXd F_slope = laws_by_parameter(along, p);
  for (std::size_t i = 0; i < laws; ++i)
    for (std::size_t u = 0; u < unknowns; ++u)
      F_slope.col(at(i)) += dF[i * unknowns + u].transpose() * x_slope.segment(at(u) * w, w);
  MatrixXcd result(at(harmonics_ + 1), at(system_.row_count()));
  for (std::size_t h = 0; h <= harmonics_; ++h) {
    const auto& point = linear.harmonics[h];
    const VectorXcd g = drive(h, place, linear, F, x);
    VectorXcd g_slope(at(laws)), v(at(unknowns));
    for (std::size_t u = 0; u < unknowns; ++u) v[at(u)] = harmonic(x_slope.segment(at(u) * w, w), h);
    for (std::size_t i = 0; i < laws; ++i) g_slope[at(i)] = harmonic(F_slope.col(at(i)), h);
    g_slope += point.K * v;
    for (Index row = 0; row < result.cols(); ++row) {
      Complex sum = 0;
      for (Index c = 0; c < g.size(); ++c)
        if (g[c] != Complex(0)) sum += point.by_parameter[p](row, c) * g[c];
      for (Index i = 0; i < g_slope.size(); ++i)
        if (g_slope[i] != Complex(0)) sum += point.T(row, sources + i) * g_slope[i];
      result(at(h), row) = sum;
    }
    for (std::size_t a = 0; a < system_.follows().size(); ++a) {
      const auto& follows = system_.follows()[a];
      result(at(h), at(a)) = v[at(follows.unknown)] *
                             (follows.differentiated ? Complex(0, static_cast<double>(h) * base(place.frequency)) : Complex(1));
    }
  }
  return result;
}

}  // namespace sfg
