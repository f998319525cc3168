// Searches of one point, by NLopt where it has them. Each remembers the best point that it has seen, so that no way of ending
// makes a result worse than its start.
#include "sfg/study/tuning/constrained_search.hpp"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>

#include "sfg/numeric/dense.hpp"
#include "sfg/numeric/numbers.hpp"

namespace sfg {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

/// In the units of the conditions: those of specs are stated with more room than this.
constexpr double rounding = 5e-8;

double greatest(std::span<const double> values) { return *std::ranges::max_element(values); }

struct Destroy {
  void operator()(nlopt_opt opt) const { nlopt_destroy(opt); }
};
using Optimizer = std::unique_ptr<std::remove_pointer_t<nlopt_opt>, Destroy>;

/// Values of a problem with the best point so far. Exceptions must not pass through NLopt: the first is kept.
class Watched {
 public:
  Watched(const SearchProblem& problem, const SearchPoint& start, const Budget& budget)
      : best(start), problem_(problem), budget_(budget) {}

  const SearchPoint& at(std::span<const double> x, bool slopes) {
    const bool known = last_.x.size() == x.size() && std::ranges::equal(last_.x, x);
    if (known && (!slopes || !last_.values.slopes.empty() || !last_.values.exist())) return last_;
    budget_.check("tuning");
    last_ = {{x.begin(), x.end()}, {}};
    if (std::ranges::all_of(x, [](double each) { return std::isfinite(each); })) {
      last_.values = problem_.values(x, slopes);
    } else {
      last_.values = best.values;  // an optimiser in trouble asks for no number
      last_.values.pieces.assign(last_.values.pieces.size() + last_.values.pieces.empty(),
                                 std::numeric_limits<double>::quiet_NaN());
      last_.x.clear();
    }
    if (better(last_.values, best.values)) best = last_;
    return last_;
  }

  template <class Work>
  void guarded(nlopt_opt opt, Work work) noexcept {
    try {
      if (!failure) work();
    } catch (...) {
      failure = std::current_exception();
      nlopt_force_stop(opt);
    }
  }

  SearchPoint best;
  std::exception_ptr failure;

 private:
  const SearchProblem& problem_;
  const Budget& budget_;
  SearchPoint last_;
};

/// The objective of NLopt's variables: x, then the bound t of all pieces where there are several.
struct Program {
  Watched* watched;
  nlopt_opt opt;
  std::size_t n;
  bool epigraph;
  double scale;  ///< of the pieces
  double worst;  ///< stands for the objective where it does not exist

  std::span<const double> x_of(const double* z) const { return {z, n}; }
  /// Of rows, scaled, those of pieces less t.
  void rows(const double* z, double* result, double* slopes, std::size_t from, std::size_t count) const {
    const SearchValues& v = watched->at(x_of(z), slopes != nullptr).values;
    const std::size_t width = n + (epigraph ? 1 : 0), pieces = v.pieces.size();
    const bool exist = v.exist();
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t row = from + k;
      const bool piece = row < pieces;
      const double unit = piece ? scale : 1;
      const double value = piece                                  ? v.pieces[row]
                           : row < pieces + v.inequalities.size() ? v.inequalities[row - pieces]
                                                                  : v.equations[row - pieces - v.inequalities.size()];
      result[k] = exist ? value / unit : worst;
      if (piece && epigraph) result[k] -= z[n];
      if (!slopes) continue;
      std::fill_n(slopes + k * width, width, 0.0);
      if (exist)
        for (std::size_t i = 0; i < n; ++i) slopes[k * width + i] = v.slopes[row * n + i] / unit;
      if (piece && epigraph) slopes[k * width + n] = -1;
    }
  }
};

double objective_of(unsigned, const double* z, double* slope, void* data) {
  auto& program = *static_cast<Program*>(data);
  double result = 0;
  program.watched->guarded(program.opt, [&] {
    if (!program.epigraph) return program.rows(z, &result, slope, 0, 1);
    result = z[program.n];
    if (slope) std::fill_n(slope, program.n, 0.0), slope[program.n] = 1;
  });
  return result;
}

void inequalities_of(unsigned count, double* result, unsigned, const double* z, double* slopes, void* data) {
  auto& program = *static_cast<Program*>(data);
  program.watched->guarded(program.opt, [&] {
    const std::size_t pieces = program.watched->best.values.pieces.size();
    program.rows(z, result, slopes, program.epigraph ? 0 : pieces, count);
  });
}

void equations_of(unsigned count, double* result, unsigned, const double* z, double* slopes, void* data) {
  auto& program = *static_cast<Program*>(data);
  program.watched->guarded(program.opt, [&] {
    const SearchValues& v = program.watched->best.values;
    program.rows(z, result, slopes, v.pieces.size() + v.inequalities.size(), count);
  });
}

double merit_of(unsigned n, const double* z, double*, void* data) {
  auto& watched = *static_cast<Watched*>(data);
  constexpr double far = 1e100;  // beyond every objective
  double result = far * far;
  watched.guarded(nullptr, [&] {
    const SearchValues& v = watched.at({z, n}, false).values;
    if (v.exist()) result = v.feasible() ? v.objective() : far * (1 + v.violation());
  });
  return result;
}

double size_of(const SearchValues& values) {
  double size = 0;
  for (const double piece : values.pieces) size = std::max(size, std::abs(piece));
  return size > 0 && std::isfinite(size) ? size : 1;
}

/// The objective with what conditions are violated by as a price, in angles θ with x = (1 − cos θ)/2: nothing leaves the box.
class Priced {
 public:
  Priced(Watched& watched, double price) : watched_(watched), price_(price), scale_(size_of(watched.best.values)) {}

  static Vector angles(std::span<const double> x) {
    constexpr double rim = 1e-6;  // on the boundary itself an angle has no slope
    Vector theta(static_cast<Eigen::Index>(x.size()));
    for (Eigen::Index i = 0; i < theta.size(); ++i)
      theta[i] = std::acos(1 - 2 * std::clamp(x[static_cast<std::size_t>(i)], rim, 1 - rim));
    return theta;
  }

  double operator()(const Vector& theta, Vector& slope) {
    const auto n = static_cast<std::size_t>(theta.size());
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = (1 - std::cos(theta[static_cast<Eigen::Index>(i)])) / 2;
    const SearchValues v = watched_.at(x, true).values;
    if (!v.exist()) return infinity;
    slope = Vector::Zero(theta.size());
    const auto add = [&](std::size_t row, double weight) {
      for (std::size_t i = 0; i < n; ++i) slope[static_cast<Eigen::Index>(i)] += weight * v.slopes[row * n + i];
      return weight;
    };
    double value = 0;
    if (!v.pieces.empty()) {
      const auto top = std::ranges::max_element(v.pieces);
      value = *top * add(static_cast<std::size_t>(top - v.pieces.begin()), 1 / scale_);
    }
    const std::size_t first = v.pieces.size(), second = first + v.inequalities.size();
    for (std::size_t k = first; k < second; ++k)
      if (const double g = v.inequalities[k - first]; g > 0) value += g * add(k, price_);
    for (std::size_t k = second; k < v.rows(); ++k)
      if (const double h = v.equations[k - second]; h != 0) value += h * add(k, h > 0 ? price_ : -price_);
    for (Eigen::Index i = 0; i < theta.size(); ++i) slope[i] *= std::sin(theta[i]) / 2;
    return value;
  }

 private:
  Watched& watched_;
  double price_, scale_;
};

/// A step length with the weak conditions of Wolfe by bisection (Lewis and Overton, algorithm 2.6); false where there is none.
bool weak_wolfe(Priced& f, const Vector& direction, Vector& theta, double& value, Vector& slope) {
  constexpr double sufficient = 1e-4, curved = 0.5;
  const double descent = slope.dot(direction);
  if (!(descent < 0)) return false;
  double low = 0, high = infinity, length = 1;
  Vector next_slope;
  for (int trial = 0; trial < 40; ++trial) {
    const Vector next = theta + length * direction;
    const double found = f(next, next_slope);
    if (!(found < value + sufficient * length * descent)) {
      high = length;
    } else if (next_slope.dot(direction) < curved * descent) {
      low = length;
    } else {
      theta = next, value = found, slope = next_slope;
      return true;
    }
    length = std::isfinite(high) ? (low + high) / 2 : 2 * low;
  }
  return false;
}

/// BFGS from the best point; it goes on along kinks, where its matrix learns what is steep.
void quasi_newton(Watched& watched, double price) {
  Priced f(watched, price);
  Vector theta = Priced::angles(watched.best.x), slope;
  const Eigen::Index n = theta.size();
  double value = f(theta, slope);
  if (!std::isfinite(value)) return;
  const auto fresh = [&]() -> Matrix { return Matrix::Identity(n, n) * (0.05 / std::max(slope.norm(), 1e-12)); };
  Matrix inverse = fresh();
  int restarts = 0;
  for (Eigen::Index round = 0; round < 60 + 30 * n; ++round) {
    const Vector before = theta, before_slope = slope;
    if (!slope.allFinite() || slope.norm() < 1e-12) break;
    if (!weak_wolfe(f, -(inverse * slope), theta, value, slope)) {
      if (++restarts > 2) break;
      inverse = fresh();
      continue;
    }
    const Vector step = theta - before, turn = slope - before_slope;
    const double curvature = step.dot(turn);
    if (!(curvature > 0)) continue;
    const Matrix left = Matrix::Identity(n, n) - step * turn.transpose() / curvature;
    inverse = left * inverse * left.transpose() + step * step.transpose() / curvature;
    if (!inverse.allFinite()) inverse = fresh();
  }
}

/// One run from the best point, with a simplex of that size.
void simplex(Watched& watched, std::size_t n, double size) {
  const Optimizer opt(nlopt_create(NLOPT_LN_NELDERMEAD, static_cast<unsigned>(n)));
  nlopt_set_lower_bounds1(opt.get(), 0);
  nlopt_set_upper_bounds1(opt.get(), 1);
  nlopt_set_min_objective(opt.get(), merit_of, &watched);
  nlopt_set_initial_step1(opt.get(), size);
  nlopt_set_maxeval(opt.get(), static_cast<int>(100 * n));
  nlopt_set_xtol_abs1(opt.get(), 1e-8);
  std::vector<double> z = watched.best.x;
  double found = 0;
  nlopt_optimize(opt.get(), z.data(), &found);
  if (watched.failure) std::rethrow_exception(watched.failure);
}

}  // namespace

bool SearchValues::exist() const {
  const auto all = [](const std::vector<double>& list) {
    return std::ranges::all_of(list, [](double v) { return std::isfinite(v); });
  };
  return all(pieces) && all(inequalities) && all(equations);
}

double SearchValues::objective() const { return pieces.empty() ? 0 : greatest(pieces); }

double SearchValues::violation() const {
  double result = inequalities.empty() ? 0 : std::max(0.0, greatest(inequalities));
  for (const double h : equations) result = std::max(result, std::abs(h));
  return result;
}

bool SearchValues::feasible() const { return exist() && violation() <= rounding; }

bool better(const SearchValues& a, const SearchValues& b) {
  if (!a.exist() || !b.exist()) return a.exist();
  if (a.feasible() != b.feasible()) return a.feasible();
  return a.feasible() ? a.objective() < b.objective() : a.violation() < b.violation();
}

SearchProblem of_violation(SearchProblem problem) {
  const std::size_t n = problem.size;
  return {n, [n, values = std::move(problem.values)](std::span<const double> x, bool slopes) {
            SearchValues all = values(x, slopes), result;
            result.pieces = all.inequalities;
            result.pieces.insert(result.pieces.end(), all.equations.begin(), all.equations.end());
            if (!all.exist() && !result.pieces.empty()) result.pieces.front() = std::numeric_limits<double>::quiet_NaN();
            if (!all.slopes.empty()) {
              result.slopes.assign(all.slopes.begin() + static_cast<std::ptrdiff_t>(all.pieces.size() * n), all.slopes.end());
              const std::size_t from = all.inequalities.size() * n, to = result.slopes.size();
              for (std::size_t i = from; i < to; ++i) result.slopes.push_back(-result.slopes[i]);
            }
            for (const double h : all.equations) result.pieces.push_back(-h);
            return result;
          }};
}

SearchPoint descended(const SearchProblem& problem, const SearchPoint& start, const Budget& budget) {
  const std::size_t n = problem.size;
  if (!start.values.exist()) return start;
  Watched watched(problem, start, budget);
  const bool epigraph = start.values.pieces.size() != 1;
  const std::size_t width = n + (epigraph ? 1 : 0);
  const Optimizer slsqp(nlopt_create(NLOPT_LD_SLSQP, static_cast<unsigned>(width)));
  Program program{&watched, slsqp.get(), n, epigraph, size_of(start.values), 0};
  program.worst = 1e3 * (1 + start.values.violation());
  std::vector<double> z = start.x, low(width, 0.0), high(width, 1.0);
  if (epigraph) {
    z.push_back(start.values.objective() / program.scale);
    low[n] = -infinity;
    high[n] = infinity;
  }
  nlopt_set_lower_bounds(slsqp.get(), low.data());
  nlopt_set_upper_bounds(slsqp.get(), high.data());
  nlopt_set_min_objective(slsqp.get(), objective_of, &program);
  const std::size_t bounded = start.values.inequalities.size() + (epigraph ? start.values.pieces.size() : 0);
  const std::vector<double> tolerance(std::max(bounded, start.values.equations.size()), rounding / 5);
  if (bounded > 0)
    nlopt_add_inequality_mconstraint(slsqp.get(), static_cast<unsigned>(bounded), inequalities_of, &program, tolerance.data());
  if (!start.values.equations.empty())
    nlopt_add_equality_mconstraint(slsqp.get(), static_cast<unsigned>(start.values.equations.size()), equations_of, &program,
                                   tolerance.data());
  nlopt_set_maxeval(slsqp.get(), static_cast<int>(100 + 20 * n));
  nlopt_set_ftol_rel(slsqp.get(), 1e-13);
  nlopt_set_xtol_rel(slsqp.get(), 1e-11);
  double found = 0;
  nlopt_optimize(slsqp.get(), z.data(), &found);
  if (watched.failure) std::rethrow_exception(watched.failure);
  return watched.best;
}

SearchPoint polished(const SearchProblem& problem, const SearchPoint& start, const Budget& budget) {
  if (!start.values.exist() || start.values.pieces.empty()) return start;
  Watched watched(problem, start, budget);
  const bool conditions = start.values.rows() > start.values.pieces.size();
  for (const double price : {10.0, 1e3}) {
    quasi_newton(watched, price);
    if (!conditions) break;
  }
  return watched.best;
}

SearchPoint wandered(const SearchProblem& problem, const SearchPoint& start, const Budget& budget) {
  const std::size_t n = problem.size;
  if (!start.values.exist() || start.values.pieces.empty() || !start.values.equations.empty()) return start;
  Watched watched(problem, start, budget);
  // A simplex that has shrunk too early starts anew, as long as that helps.
  for (int round = 0; round < 4; ++round) {
    const SearchValues before = watched.best.values;
    for (const double size : {0.2, 0.03, 1e-3}) simplex(watched, n, size);
    constexpr double gain = 1e-7;
    const double difference = before.objective() - watched.best.values.objective();
    if (before.feasible() == watched.best.values.feasible() && difference <= gain * size_of(before)) break;
  }
  return watched.best;
}

namespace {

/// The least step that makes the violated rows vanish to first order and leaves the box nowhere.
Vector newton_step(const SearchPoint& at) {
  const SearchValues& v = at.values;
  const auto n = static_cast<Eigen::Index>(at.x.size());
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < v.inequalities.size() + v.equations.size(); ++k)
    if (k >= v.inequalities.size() || v.inequalities[k] > 0) rows.push_back(k);
  Matrix J(static_cast<Eigen::Index>(rows.size()), n);
  Vector c(J.rows());
  for (Eigen::Index r = 0; r < J.rows(); ++r) {
    const std::size_t k = rows[static_cast<std::size_t>(r)];
    c[r] = k < v.inequalities.size() ? v.inequalities[k] : v.equations[k - v.inequalities.size()];
    for (Eigen::Index i = 0; i < n; ++i) J(r, i) = v.slopes[(v.pieces.size() + k) * at.x.size() + static_cast<std::size_t>(i)];
  }
  Vector d = Vector::Zero(n);
  if (!J.allFinite()) return d;
  for (Eigen::Index pass = 0; pass <= n; ++pass) {
    d = J.completeOrthogonalDecomposition().solve(-c);
    bool leaves = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double x = at.x[static_cast<std::size_t>(i)];
      if ((x <= 0 && d[i] < 0) || (x >= 1 && d[i] > 0)) {
        J.col(i).setZero();
        leaves = true;
      }
    }
    if (!leaves) break;
  }
  return d;
}

}  // namespace

SearchPoint restored(const SearchProblem& problem, const SearchPoint& start, const Budget& budget) {
  SearchPoint at = start;
  for (int round = 0; round < 40 && at.values.exist() && at.values.violation() > 1e-13; ++round) {
    budget.check("tuning");
    if (at.values.slopes.empty()) at.values = problem.values(at.x, true);
    const Vector d = newton_step(at);
    if (!d.allFinite() || d.isZero(0)) break;
    SearchPoint next;
    double length = 1;
    for (; length > 1e-4; length /= 2) {
      next.x = at.x;
      for (std::size_t i = 0; i < next.x.size(); ++i)
        next.x[i] = std::clamp(at.x[i] + length * d[static_cast<Eigen::Index>(i)], 0.0, 1.0);
      next.values = problem.values(next.x, false);
      if (next.values.exist() && next.values.violation() < at.values.violation()) break;
    }
    if (length <= 1e-4) break;
    next.values.slopes.clear();
    at = std::move(next);
  }
  return at;
}

}  // namespace sfg
