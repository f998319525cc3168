#include "sfg/derive/multibody/stationary_motion.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "sfg/derive/multibody/first_order.hpp"
#include "sfg/derive/operating_point.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/derivative.hpp"
#include "sfg/numeric/dense.hpp"

namespace sfg {

using GiNaC::ex;
using Number = GiNaC::numeric;
using Complex = std::complex<double>;
using Eigen::Index;
constexpr long digits = 30;

/// Forces, and the determinant of D(p) with the rows of constraints at some p, over its size.
struct StationaryMotion::Coefficients {
  std::vector<double> forces;
  double scale = 0;  ///< of forces: the largest slope
  std::vector<Complex> determinants;
  Eigen::MatrixXd B;             ///< by displacement and input
  std::vector<double> openings;  ///< of the constraints
};

StationaryMotion::StationaryMotion(const SmallMotion& small, const GiNaC::exmap& values, std::vector<ex> multipliers,
                                   std::vector<std::size_t> rows)
    : small_(small), parameters_(small.motion.symbols.values()), multipliers_(std::move(multipliers)), rows_(std::move(rows)) {
  const Precision precision(digits);
  long seed = 7919;
  for (const Symbol& symbol : small.motion.symbols.all())
    if (symbol.kind == SymbolKind::parameter && !values.contains(symbol.expr) && !parameters_.contains(symbol.expr))
      parameters_[symbol.expr] = Number(1000 + (seed = seed * 31 % 1009), 1000);
  for (auto& [symbol, value] : parameters_) value = value.evalf();
  for (const auto& [symbol, value] : values) values_[symbol] = value.subs(parameters_, plain).evalf();
  for (ex& multiplier : multipliers_) multiplier = multiplier.subs(parameters_, plain).evalf();
}

/// Along the steady motion: q + q̇ t, attitudes q ∘ exp(w t/2).
GiNaC::exmap StationaryMotion::moved(const Number& time) const {
  GiNaC::exmap result = values_;
  const EquationsOfMotion& motion = small_.motion;
  for (std::size_t k = 0; k < small_.size(); ++k)
    if (const auto j = small_.coordinate_of[k]) result[motion.coordinates[*j].q] += values_.at(motion.speeds[k].symbol) * time;
  for (std::size_t a = 0; a < small_.speeds_of.size(); ++a) {
    std::array<ex, 3> w;
    for (std::size_t i = 0; i < 3; ++i) w[i] = values_.at(motion.speeds[small_.speeds_of[a][i]].symbol);
    const ex speed = GiNaC::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]).evalf();
    if (speed.is_zero()) continue;
    const ex half = speed * time / 2, c = GiNaC::cos(half).evalf(), s = (GiNaC::sin(half) / speed).evalf();
    std::array<ex, 4> q;
    for (std::size_t i = 0; i < 4; ++i) q[i] = values_.at(motion.coordinates[small_.equations.quaternions[a][i]].q);
    const std::array<ex, 4> turned{
        q[0] * c - s * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]), q[1] * c + s * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]),
        q[2] * c + s * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]), q[3] * c + s * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0])};
    for (std::size_t i = 0; i < 4; ++i) result[motion.coordinates[small_.equations.quaternions[a][i]].q] = turned[i];
  }
  for (const Symbol& symbol : motion.symbols.all())
    if (symbol.kind == SymbolKind::time && !symbol.value) result[symbol.expr] = time;
  return result;
}

namespace {

/// What the constraints state; the slopes of those on rates go into their rows of K, behind the displacements.
std::vector<double> stated_values(const SmallMotion& small, const std::vector<std::size_t>& rows, FirstOrderExpansion& expansion,
                                  Eigen::MatrixXd& K) {
  std::vector<double> result;
  for (std::size_t c = 0; c < small.motion.constraints.size(); ++c) {
    const FirstOrder stated = expansion(small.motion.constraints[c].stated(), "the constraints");
    result.push_back(double_value(stated.value).value_or(0));
    const auto at = std::ranges::find(rows, c);
    if (at == rows.end() || !small.motion.constraints[c].is_of_rates()) continue;
    for (const auto& [direction, slope] : stated.slopes)
      if (direction < small.size())
        K(static_cast<Index>(small.size()) + (at - rows.begin()), static_cast<Index>(direction)) =
            double_value(slope).value_or(0);
  }
  return result;
}

}  // namespace

StationaryMotion::Coefficients StationaryMotion::at(const Number& time, const Budget& budget) const {
  const EquationsOfMotion& motion = small_.motion;
  const std::size_t n = small_.size(), m = rows_.size();
  const GiNaC::exmap values = moved(time);
  FirstOrderExpansion::Known known;
  for (const auto& [symbol, value] : parameters_) known[symbol].value = value;
  for (const auto& [symbol, value] : values) known[symbol].value = value;
  for (std::size_t j = 0; j < motion.coordinates.size(); ++j)
    for (std::size_t k = 0; k < n; ++k)
      if (const ex slope = small_.N[j][k].subs(values, plain).evalf(); !slope.is_zero())
        known[motion.coordinates[j].q].slopes[k] = slope;
  for (std::size_t k = 0; k < n; ++k) known[motion.speeds[k].symbol].slopes[n + k] = 1;
  for (std::size_t u = 0; u < motion.inputs.size(); ++u) known[motion.inputs[u].derivatives.at(0)].slopes[2 * n + u] = 1;
  FirstOrderExpansion expansion(small_.definitions, std::move(known), [](const ex& value) { return value.evalf(); });
  const auto number = [](const ex& value) { return double_value(value).value_or(0); };
  const auto size = static_cast<Index>(n + m);
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(size, size), C = M, K = M, W = M;
  const SmallMotion::Matrix turning = small_.turning(values);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k) W(static_cast<Index>(i), static_cast<Index>(k)) = number(turning[i][k]);
  Coefficients result;
  result.B = Eigen::MatrixXd::Zero(static_cast<Index>(n), static_cast<Index>(motion.inputs.size()));
  for (std::size_t i = 0; i < n; ++i) {
    budget.check("the small motions later on");
    FirstOrder force = expansion(motion.F[i], "the forces");
    for (std::size_t c = 0; c < small_.J.size(); ++c) {
      const FirstOrder row = expansion(small_.J[c][i], "the constraints");
      force.value += multipliers_[c] * row.value;
      for (const auto& [direction, slope] : row.slopes) force.slopes[direction] += multipliers_[c] * slope;
      if (const auto at = std::ranges::find(rows_, c); at != rows_.end()) {
        const auto border = static_cast<Index>(n) + (at - rows_.begin());
        K(static_cast<Index>(i), border) = number(row.value);
        (motion.constraints[c].is_of_rates() ? C : K)(border, static_cast<Index>(i)) = number(row.value);
      }
    }
    result.forces.push_back(number(force.value));
    for (const auto& [direction, slope] : force.slopes) {
      if (direction >= 2 * n) {
        result.B(static_cast<Index>(i), static_cast<Index>(direction - 2 * n)) = number(slope);
        continue;
      }
      (direction < n ? K : C)(static_cast<Index>(i), static_cast<Index>(direction % n)) -= number(slope);
      result.scale = std::max(result.scale, std::abs(number(slope)));
    }
    for (std::size_t k = 0; k < n; ++k)
      M(static_cast<Index>(i), static_cast<Index>(k)) = number(expansion.value(motion.M[i][k], "the masses"));
  }
  result.openings = stated_values(small_, rows_, expansion, K);
  const double pace = std::max({1e-6, W.cwiseAbs().maxCoeff(), std::sqrt(K.cwiseAbs().maxCoeff() / M.cwiseAbs().maxCoeff())});
  for (const Complex p : {Complex(0.3, 0.8), Complex(-0.7, 1.9)}) {
    const Complex q = p * pace;
    const Eigen::MatrixXcd rate = q * Eigen::MatrixXcd::Identity(size, size) + W.cast<Complex>();
    const Eigen::MatrixXcd D = q * M.cast<Complex>() * rate + C.cast<Complex>() * rate + K.cast<Complex>();
    result.determinants.push_back(D.determinant());
  }
  return result;
}

std::optional<std::string> StationaryMotion::change(const Budget& budget) const {
  constexpr double rounding = 1e-8;
  const Precision precision(digits);
  double fastest = 0;
  for (const auto& speed : small_.motion.speeds)
    fastest = std::max(fastest, std::abs(double_value(values_.at(speed.symbol)).value_or(0)));
  const Number later(fastest > 0 ? 0.37 / fastest : 0.37);
  const Coefficients before = at(0, budget), after = at(later, budget);
  for (std::size_t c = 0; c < before.openings.size(); ++c)
    if (std::abs(after.openings[c] - before.openings[c]) > rounding)
      return "the constraint '" + small_.motion.constraints[c].name +
             (small_.motion.constraints[c].is_of_rates() ? "' does not go on to hold along the stated motion"
                                                         : "' moves with time where the model is linearised");
  for (std::size_t i = 0; i < small_.size(); ++i)
    if (std::abs(after.forces[i] - before.forces[i]) > rounding * std::max(before.scale, std::abs(before.forces[i])))
      return "the force along '" + small_.displacement_names[i] + "' changes with time where the model is linearised";
  for (Index u = 0; u < before.B.cols(); ++u)
    if ((after.B.col(u) - before.B.col(u)).norm() > rounding * std::max(before.B.col(u).norm(), after.B.col(u).norm()))
      return "what the input '" + small_.motion.inputs[static_cast<std::size_t>(u)].name +
             "' does changes with time where the model is linearised";
  for (std::size_t i = 0; i < before.determinants.size(); ++i)
    if (std::abs(after.determinants[i] - before.determinants[i]) > rounding * std::abs(before.determinants[i]))
      return "the small motions have coefficients that change along the stated motion";
  return std::nullopt;
}

}  // namespace sfg
