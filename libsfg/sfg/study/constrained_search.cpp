// Searches of one point, by NLopt where it has them. Each remembers the best point that it has seen, so that no way of ending
// makes a result worse than its start.
#include "sfg/study/constrained_search.hpp"

#include <nlopt.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>

namespace sfg {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

/// In the units of the conditions: those of specs are stated with more room than this.
constexpr double rounding = 5e-8;
constexpr double infinite = std::numeric_limits<double>::infinity();

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
    last_ = {{x.begin(), x.end()}, problem_.values(x, slopes)};
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

/// Cutting planes near a point: value + slope·(x − where).
struct Cut {
  std::vector<double> where;
  SearchValues values;
};

/// The least step of the model of cuts around a point: minimise t + ½|d|²/region under all planes, |d| ≤ region.
class CutModel {
 public:
  CutModel(const SearchPoint& center, double region) : center_(center), n_(center.x.size()), region_(region) {
    const SearchValues& v = center.values;
    scale_ = size_of(v);
    first_condition_ = v.pieces.size();
  }

  /// A plane never lies above what is known at the center: the functions need not be convex.
  void add(const Cut& cut) {
    const SearchValues &v = cut.values, &c = center_.values;
    const double highest = c.pieces.empty() ? 0 : greatest(c.pieces);
    for (std::size_t row = 0; row < first_condition_ + v.inequalities.size(); ++row) {
      const bool piece = row < first_condition_;
      const double value = piece ? v.pieces[row] : v.inequalities[row - first_condition_];
      double at_center = value;
      for (std::size_t i = 0; i < n_; ++i) at_center += v.slopes[row * n_ + i] * (center_.x[i] - cut.where[i]);
      if (!std::isfinite(at_center)) continue;
      at_center = std::min(at_center, piece ? highest : c.inequalities[row - first_condition_]);
      const double unit = piece ? scale_ : 1;
      values_.push_back(piece ? (at_center - highest) / unit : at_center);
      for (std::size_t i = 0; i < n_; ++i) slopes_.push_back(v.slopes[row * n_ + i] / unit);
      lifts_.push_back(piece ? -1 : 0);
    }
  }

  std::vector<double> step() {
    std::vector<double> z(n_ + 1, 0.0), low(n_ + 1, -infinite), high(n_ + 1, infinite);
    for (std::size_t i = 0; i < n_; ++i) {
      low[i] = std::max(-center_.x[i], -region_);
      high[i] = std::min(1 - center_.x[i], region_);
    }
    const Optimizer opt(nlopt_create(NLOPT_LD_SLSQP, static_cast<unsigned>(n_ + 1)));
    nlopt_set_lower_bounds(opt.get(), low.data());
    nlopt_set_upper_bounds(opt.get(), high.data());
    nlopt_set_min_objective(opt.get(), height, this);
    const std::vector<double> tolerance(values_.size(), 1e-12);
    nlopt_add_inequality_mconstraint(opt.get(), static_cast<unsigned>(values_.size()), planes, this, tolerance.data());
    nlopt_set_maxeval(opt.get(), 100);
    nlopt_set_xtol_rel(opt.get(), 1e-9);
    double found = 0;
    nlopt_optimize(opt.get(), z.data(), &found);
    z.pop_back();
    return z;
  }

 private:
  static double height(unsigned size, const double* z, double* slope, void* data) {
    const auto& model = *static_cast<CutModel*>(data);
    const double weight = 1e-3 / model.region_;
    double result = z[size - 1];
    for (unsigned i = 0; i + 1 < size; ++i) result += weight / 2 * z[i] * z[i];
    if (slope) {
      for (unsigned i = 0; i + 1 < size; ++i) slope[i] = weight * z[i];
      slope[size - 1] = 1;
    }
    return result;
  }
  static void planes(unsigned count, double* result, unsigned size, const double* z, double* slopes, void* data) {
    const auto& model = *static_cast<CutModel*>(data);
    for (unsigned k = 0; k < count; ++k) {
      result[k] = model.values_[k] + model.lifts_[k] * z[size - 1];
      for (unsigned i = 0; i + 1 < size; ++i) {
        result[k] += model.slopes_[k * model.n_ + i] * z[i];
        if (slopes) slopes[k * size + i] = model.slopes_[k * model.n_ + i];
      }
      if (slopes) slopes[k * size + size - 1] = model.lifts_[k];
    }
  }

  const SearchPoint& center_;
  std::size_t n_, first_condition_;
  double region_, scale_;
  std::vector<double> values_, slopes_, lifts_;
};

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

double distance(std::span<const double> a, std::span<const double> b) {
  double result = 0;
  for (std::size_t i = 0; i < a.size(); ++i) result = std::max(result, std::abs(a[i] - b[i]));
  return result;
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
    low[n] = -infinite;
    high[n] = infinite;
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
  const std::size_t n = problem.size, kept = 6 * n + 10;
  const double smallest = 1e-9;
  Watched watched(problem, start, budget);
  SearchPoint center = watched.at(start.x, true);
  std::vector<Cut> cuts{{center.x, center.values}};
  double region = 0.05;
  for (std::size_t round = 0; round < 60 + 20 * n && region > smallest; ++round) {
    CutModel model(center, region);
    for (const Cut& cut : cuts)
      if (distance(cut.where, center.x) <= 4 * region) model.add(cut);
    std::vector<double> x = model.step();
    for (std::size_t i = 0; i < n; ++i) x[i] = std::clamp(center.x[i] + x[i], 0.0, 1.0);
    if (distance(x, center.x) < smallest) {
      region /= 4;
      continue;
    }
    SearchPoint next = watched.at(x, true);
    if (next.values.exist() && !next.values.feasible() && center.values.feasible()) {
      next = restored(problem, next, budget);
      if (better(next.values, center.values)) next = watched.at(next.x, true);
    }
    if (next.values.exist() && !next.values.slopes.empty()) cuts.push_back({next.x, next.values});
    if (cuts.size() > kept) cuts.erase(cuts.begin());
    if (better(next.values, center.values)) {
      center = next;
      region = std::min(0.2, region * 1.5);
    } else {
      region *= 0.6;
    }
  }
  return watched.best;
}

SearchPoint wandered(const SearchProblem& problem, const SearchPoint& start, const Budget& budget) {
  const std::size_t n = problem.size;
  if (!start.values.exist() || start.values.pieces.empty() || !start.values.equations.empty()) return start;
  Watched watched(problem, start, budget);
  // A simplex that has shrunk too early starts anew, as long as that helps.
  for (int round = 0; round < 6; ++round) {
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
