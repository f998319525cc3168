#include "sfg/study/fit/fit.hpp"

#include <boost/math/special_functions/beta.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <utility>

#include "sfg/error.hpp"
#include "sfg/numeric/dense.hpp"
#include "sfg/study/fit/determined.hpp"
#include "sfg/study/fit/least_squares.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Bound = FittedParameter::Bound;

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// The residual whose square is what the loss makes of r², with its slope by r.
std::pair<double, double> weakened(FitLoss loss, double c, double r) {
  const double z = r / c, square = z * z;
  if (loss == FitLoss::none || z == 0 || (loss == FitLoss::huber && square <= 1)) return {r, 1};
  double rho = square, slope = 1;  // ρ(z²) and ρ'
  if (loss == FitLoss::huber) {
    rho = 2 * std::abs(z) - 1;
    slope = 1 / std::abs(z);
  } else if (loss == FitLoss::soft_l1) {
    const double root = std::sqrt(1 + square);
    rho = 2 * square / (root + 1);
    slope = 1 / root;
  } else {
    rho = std::log1p(square);
    slope = 1 / (1 + square);
  }
  const double root = std::sqrt(rho);
  return {std::copysign(c * root, r), std::abs(z) * slope / root};
}

/// The value below which a part of 0.975 of Student's distribution lies.
double student(double freedom) {
  const double x = boost::math::ibeta_inv(freedom / 2, 0.5, 0.05);
  return std::sqrt(freedom * (1 - x) / x);
}

/// A search from several starts.
class FitSearch {
 public:
  FitSearch(FitResiduals& residuals, const std::vector<FitParameter>& parameters, const FitOptions& options)
      : residuals_(residuals), parameters_(parameters), options_(options) {
    for (const FitParameter& p : parameters) {
      problem_.start.push_back(p.start);
      problem_.low.push_back(p.low.value_or(-unbounded));
      problem_.high.push_back(p.high.value_or(unbounded));
      problem_.scale.push_back(p.start != 0 ? std::abs(p.start) : p.low ? std::max(std::abs(*p.low), std::abs(*p.high)) : 1);
    }
    problem_.residuals = residuals.size();
    problem_.evaluate = [this](std::span<const double> x, std::span<double> r, std::span<double> slopes) {
      return evaluate(x, r, slopes);
    };
  }

  LeastSquaresPoint operator()() {
    std::vector<double> start;  // that of the problem moves on
    for (const FitParameter& p : parameters_) start.push_back(p.start);
    std::optional<LeastSquaresPoint> best;
    try_start(start, best);
    const bool bounded = std::ranges::any_of(parameters_, [](const FitParameter& p) { return p.low.has_value(); });
    // Without bounds where it got lost: where what was determined at the start no longer is.
    if (bounded || !best || !best->converged || rank(best->x) < rank(start))
      for (const std::vector<double>& other : others(start)) try_start(other, best);
    for (std::size_t k = 0; k < parameters_.size() && options_.starts > 1; ++k) {
      if (!(parameters_[k].latest > 0)) continue;
      for (const std::vector<double>& other : dead_times(start, k)) try_start(other, best);
      for (const std::vector<double>& other : best ? dead_times(best->x, k) : std::vector<std::vector<double>>())
        try_start(other, best);
    }
    if (!best)
      throw NoAnswer("the model has no finite response at the values that the fit starts from", "start from other values");
    return *best;
  }

  /// Newton's steps of Gauss at the end, halved until the sum of squares does not rise: what the solver leaves is more than
  /// rounding, above all at bounds.
  LeastSquaresPoint refined(LeastSquaresPoint point) {
    const auto rows = static_cast<Index>(residuals_.size()), count = static_cast<Index>(parameters_.size());
    VectorXd r(rows);
    RowMajor J(rows, count);
    const std::span<double> values(r.data(), static_cast<std::size_t>(rows));
    constexpr int most = 50;
    constexpr double none = 1e-8;
    point.converged = false;
    for (int tries = 0; tries < most && evaluate(point.x, values, {J.data(), static_cast<std::size_t>(rows * count)}); ++tries) {
      const double before = r.squaredNorm() / 2;
      const std::vector<bool> fixed = at_bounds(point.x, J.transpose() * r);
      const VectorXd step = newton_step(J, r, point.x, fixed);
      double moved = 0;
      std::optional<std::vector<double>> next;
      for (double part = 1; part > 1e-4 && !next; part /= 4) {
        std::vector<double> x = point.x;
        moved = 0;
        for (std::size_t k = 0; k < x.size(); ++k) {
          x[k] = std::clamp(x[k] + part * step[static_cast<Index>(k)], problem_.low[k], problem_.high[k]);
          moved = std::max(moved, std::abs(x[k] - point.x[k]) / std::max(std::abs(point.x[k]), 1e-9 * problem_.scale[k]));
        }
        constexpr double rounding = 1e-12;
        if (!evaluate(x, values, {})) continue;
        const double after = r.squaredNorm() / 2;
        if (after <= before * (1 + (moved < 1e-6 ? rounding : 0))) {
          point.cost = after;
          next = std::move(x);
        }
      }
      // Where no step is any better, a full one was no larger than what rounding makes of a minimum.
      if (next) point.x = std::move(*next);
      if (moved <= none || !next) {
        point.converged = moved <= none || full_step(step, point.x) < 1e-5;
        break;
      }
    }
    return point;
  }

  /// Parameters at a bound that the sum of squares would have them pass.
  std::vector<bool> at_bounds(std::vector<double>& x, const VectorXd& gradient) const {
    std::vector<bool> fixed(x.size(), false);
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (!std::isfinite(problem_.low[k])) continue;
      const double near = 1e-7 * (problem_.high[k] - problem_.low[k]), g = gradient[static_cast<Index>(k)];
      if (x[k] - problem_.low[k] <= near && g >= 0) {
        x[k] = problem_.low[k];
        fixed[k] = true;
      } else if (problem_.high[k] - x[k] <= near && g <= 0) {
        x[k] = problem_.high[k];
        fixed[k] = true;
      }
    }
    return fixed;
  }

  std::size_t begun() const { return begun_; }
  std::size_t evaluations() const { return evaluations_; }
  /// Of what counts in the sum.
  bool evaluate(std::span<const double> x, std::span<double> r, std::span<double> slopes) {
    ++evaluations_;
    try {
      if (!residuals_.evaluate(x, r, slopes)) return false;
    } catch (const NoAnswer&) {
      return false;
    }
    if (options_.loss == FitLoss::none) return true;
    const std::size_t count = slopes.size() / std::max<std::size_t>(r.size(), 1);
    for (std::size_t i = 0; i < r.size(); ++i) {
      const auto [value, factor] = weakened(options_.loss, options_.loss_scale, r[i]);
      r[i] = value;
      for (std::size_t k = 0; k < count; ++k) slopes[i * count + k] *= factor;
    }
    return true;
  }

 private:
  double full_step(const VectorXd& step, const std::vector<double>& x) const {
    double size = 0;
    for (std::size_t k = 0; k < x.size(); ++k)
      size = std::max(size, std::abs(step[static_cast<Index>(k)]) / std::max(std::abs(x[k]), 1e-9 * problem_.scale[k]));
    return size;
  }

  VectorXd newton_step(const RowMajor& J, const VectorXd& r, const std::vector<double>& x, const std::vector<bool>& fixed) const {
    MatrixXd scaled = J;
    VectorXd size(J.cols());
    for (Index k = 0; k < J.cols(); ++k) {
      const auto at = static_cast<std::size_t>(k);
      size[k] = fixed[at] ? 0 : std::max(std::abs(x[at]), 1e-12 * problem_.scale[at]);
      scaled.col(k) *= size[k];
    }
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver(scaled.rows(), scaled.cols());
    solver.setThreshold(1e-9);
    solver.compute(scaled);
    return size.asDiagonal() * (-solver.solve(r)).eval();
  }

  void try_start(const std::vector<double>& start, std::optional<LeastSquaresPoint>& best) {
    problem_.start = start;
    std::vector<double> r(residuals_.size());
    if (!evaluate(start, r, {})) return;
    ++begun_;
    constexpr int most_iterations = 200;
    LeastSquaresPoint found = refined(least_squares(problem_, most_iterations, options_.budget));
    // A little less by rounding is no other minimum: the first start has precedence.
    constexpr double less = 1 - 1e-9;
    if (!best || found.cost < less * best->cost || (found.converged && !best->converged && found.cost <= best->cost))
      best = std::move(found);
  }

  /// How many combinations of parameters the residuals show there.
  Index rank(const std::vector<double>& x) {
    const std::size_t rows = residuals_.size(), count = parameters_.size();
    std::vector<double> r(rows);
    RowMajor J(static_cast<Index>(rows), static_cast<Index>(count));
    if (!evaluate(x, r, {J.data(), rows * count})) return 0;
    return determination(J, std::vector<std::string>(count), x).rank;
  }

  /// The sum of squares there; none where the model has no answer.
  std::optional<double> cost(const std::vector<double>& x) {
    std::vector<double> r(residuals_.size());
    if (!evaluate(x, r, {})) return {};
    double sum = 0;
    for (const double each : r) sum += each * each;
    return sum;
  }

  using Candidates = std::vector<std::pair<double, std::vector<double>>>;  ///< with their sums of squares
  /// As many as are started from beside the start itself.
  std::vector<std::vector<double>> best_of(Candidates points) const {
    std::ranges::stable_sort(points, {}, &Candidates::value_type::first);
    std::vector<std::vector<double>> best;
    for (std::size_t i = 0; i < points.size() && i + 1 < options_.starts; ++i) best.push_back(std::move(points[i].second));
    return best;
  }

  /// A sum of squares has a minimum for every dead time that brings the model over another wave of the data: the best of those
  /// along that parameter alone.
  std::vector<std::vector<double>> dead_times(const std::vector<double>& from, std::size_t k) {
    constexpr int count = 80;
    const FitParameter& dead = parameters_[k];
    const double low = dead.low.value_or(0), high = dead.high.value_or(dead.latest);
    std::vector<double> costs;
    std::vector<std::vector<double>> points;
    for (int i = 1; i <= count; ++i) {  // not 0: of a speed, by which the delay is divided
      points.push_back(from);
      points.back()[k] = low + (high - low) * std::pow(i / double(count), 1.5);  // closer at the short ones
      costs.push_back(cost(points.back()).value_or(HUGE_VAL));
    }
    Candidates least;
    for (std::size_t i = 0; i < points.size(); ++i)
      if (std::isfinite(costs[i]) && (i == 0 || costs[i] <= costs[i - 1]) && (i + 1 == points.size() || costs[i] < costs[i + 1]))
        least.emplace_back(costs[i], std::move(points[i]));
    return best_of(std::move(least));
  }

  /// The best of points spread over the box; without bounds over a decade to both sides of the start.
  std::vector<std::vector<double>> others(const std::vector<double>& start) {
    constexpr std::size_t per_start = 8;
    std::mt19937_64 random(options_.seed);
    Candidates points;
    for (std::size_t i = 0; i < per_start * (options_.starts - 1); ++i) {
      std::vector<double> x = start;
      for (std::size_t k = 0; k < x.size(); ++k) {
        const double part = static_cast<double>(random() >> 11) * 0x1p-53, low = problem_.low[k], high = problem_.high[k];
        if (!std::isfinite(low))
          x[k] *= std::pow(10, 2 * part - 1);
        else
          x[k] = low > 0 ? low * std::pow(high / low, part) : low + part * (high - low);
      }
      if (const auto squares = cost(x)) points.emplace_back(*squares, std::move(x));
    }
    return best_of(std::move(points));
  }

  FitResiduals& residuals_;
  const std::vector<FitParameter>& parameters_;
  const FitOptions& options_;
  LeastSquaresProblem problem_;
  std::size_t begun_ = 0, evaluations_ = 0;
};

/// Standard deviations, intervals and correlations at the end.
void add_statistics(Fit& fit, const MatrixXd& J, double squares) {
  const std::size_t count = fit.parameters.size();
  std::vector<std::size_t> free;
  std::vector<std::string> names;
  std::vector<double> values;
  for (std::size_t k = 0; k < count; ++k) {
    if (fit.parameters[k].at_bound != Bound::none) continue;
    free.push_back(k);
    names.push_back(fit.parameters[k].name);
    values.push_back(fit.parameters[k].value);
  }
  MatrixXd own(J.rows(), static_cast<Index>(free.size()));
  for (std::size_t i = 0; i < free.size(); ++i) own.col(static_cast<Index>(i)) = J.col(static_cast<Index>(free[i]));
  const Determination found = determination(own, names, values);
  fit.combinations = found.combinations;
  fit.covariance.assign(count * count, std::numeric_limits<double>::quiet_NaN());
  fit.correlation = fit.covariance;
  const double freedom = static_cast<double>(fit.samples) - static_cast<double>(found.rank);
  for (std::size_t i = 0; i < free.size(); ++i) fit.parameters[free[i]].determined = found.determined[i];
  if (freedom < 1) return;
  const double variance = squares / freedom, t = student(freedom);
  for (std::size_t i = 0; i < free.size(); ++i) {
    if (!found.determined[i]) continue;
    for (std::size_t j = 0; j < free.size(); ++j) {
      if (!found.determined[j]) continue;
      const auto entry = [&](std::size_t a, std::size_t b) {
        return found.inverse(static_cast<Index>(a), static_cast<Index>(b));
      };
      fit.covariance[free[i] * count + free[j]] = variance * entry(i, j);
      fit.correlation[free[i] * count + free[j]] = i == j ? 1 : entry(i, j) / std::sqrt(entry(i, i) * entry(j, j));
    }
    FittedParameter& p = fit.parameters[free[i]];
    p.std = std::sqrt(fit.covariance[free[i] * count + free[i]]);
    p.interval_low = p.value - t * *p.std;
    p.interval_high = p.value + t * *p.std;
  }
}

}  // namespace

bool Fit::determined() const {
  return std::ranges::all_of(parameters, [](const FittedParameter& p) { return p.determined; });
}

Fit fitted(FitResiduals& residuals, const std::vector<FitParameter>& parameters, const FitOptions& options) {
  if (residuals.size() < parameters.size())
    throw Error({},
                "there are fewer samples (" + std::to_string(residuals.size()) + ") than parameters that vary (" +
                    std::to_string(parameters.size()) + ")",
                "vary fewer parameters, or measure more");
  FitSearch search(residuals, parameters, options);
  LeastSquaresPoint found = search();
  if (!residuals.check(found.x)) found = search();  // what was quick was wrong there
  const auto rows = static_cast<Index>(residuals.size()), count = static_cast<Index>(parameters.size());
  VectorXd r(rows);
  RowMajor J(rows, count);
  Fit fit;
  fit.samples = residuals.size();
  fit.residuals.resize(residuals.size());
  residuals.evaluate(found.x, fit.residuals, {});
  search.evaluate(found.x, {r.data(), fit.samples}, {J.data(), static_cast<std::size_t>(rows * count)});
  const std::vector<bool> fixed = search.at_bounds(found.x, J.transpose() * r);
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    FittedParameter p{parameters[k].name, parameters[k].start, found.x[k], parameters[k].low, parameters[k].high};
    if (fixed[k]) p.at_bound = found.x[k] == *p.low ? Bound::low : Bound::high;
    fit.parameters.push_back(std::move(p));
  }
  for (const double each : fit.residuals) fit.rms += each * each;
  fit.rms = std::sqrt(fit.rms / static_cast<double>(fit.samples));
  fit.converged = found.converged;
  add_statistics(fit, J, r.squaredNorm());
  fit.starts = search.begun();
  fit.evaluations = search.evaluations();
  fit.notes = residuals.notes();
  return fit;
}

}  // namespace sfg
