#include "sfg/nonlinear/balance/balance_search.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace sfg {

namespace {

using Eigen::Index;
using Complex = std::complex<double>;
using Eigen::VectorXd;

/// How far beyond the frequencies asked for curves are followed, to find their way back; not so far where that costs much.
double reach(const BalanceSystem& system) {
  constexpr std::size_t large = 300;
  return system.form().linear.nodes().size() > large ? 1.25 : 2.5;
}

}  // namespace

BalanceSearch::BalanceSearch(const BalanceEquations& equations, std::vector<double> frequencies, std::uint64_t seed)
    : equations_(equations), transmittances_(equations), frequencies_(std::move(frequencies)) {
  std::ranges::sort(frequencies_);
  frequencies_.erase(std::unique(frequencies_.begin(), frequencies_.end()), frequencies_.end());
  mirrors_ = equations.system().constants().isZero() && equations.subharmonic() % 2 == 1 && odd(equations.system());
  low_ = frequencies_.front() / reach(equations.system());
  high_ = frequencies_.back() * reach(equations.system());
  const double M = static_cast<double>(equations.subharmonic());
  if (frequencies_.size() > 1) transmittances_.prepare(low_ / M, high_ * static_cast<double>(equations.harmonics()) / M);
  const BalanceEquations one(equations.system(), equations.subharmonic(), equations.subharmonic());
  for (const double frequency : start_frequencies()) {
    const auto problem = in_level(equations, exact(frequency));
    for (const VectorXd& x : scattered_solutions(one, frequency, seed))
      if (const auto solution = newton(problem, lifted(x, one, equations), 1)) start_at(frequency, *solution);
  }
  std::vector<Complex> axis;
  for (const double frequency : frequencies_) axis.emplace_back(0, frequency);
  const auto open = has_describing_roots(one) ? equations.system().open_points(axis) : std::vector<BalanceSystem::Point>{};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const double frequency = frequencies_[i];
    const std::vector<VectorXd> roots = describing_roots(one, frequency, open[i]);
    const auto problem = in_level(equations, exact(frequency));
    for (const VectorXd& x : roots)
      if (const auto solution = newton(problem, lifted(x, one, equations), 1)) start_at(frequency, *solution);
  }
  follow_other_branches();
}

/// Some of the frequencies, the first and the last among them.
std::vector<double> BalanceSearch::start_frequencies() const {
  constexpr std::size_t most = 6;
  std::set<double> some;
  const std::size_t n = frequencies_.size(), count = std::min(n, most);
  for (std::size_t i = 0; i < count; ++i) some.insert(frequencies_[count == 1 ? 0 : i * (n - 1) / (count - 1)]);
  return {some.begin(), some.end()};
}

PathProblem BalanceSearch::in_frequency() {
  return [this](const VectorXd& x, double frequency) {
    auto values = equations_.values(x, {frequency}, *transmittances_.at(frequency));
    return PathEquations{std::move(values.residual), std::move(values.jacobian), std::move(values.by_frequency)};
  };
}

/// The transmittances of the frequencies asked for, all evaluated at once.
std::shared_ptr<const BalanceEquations::Linear> BalanceSearch::exact(double frequency) {
  if (exact_.empty())
    for (auto& linear : equations_.linear(frequencies_)) exact_.emplace(linear->frequency, linear);
  return exact_.at(frequency);
}

bool BalanceSearch::known(double frequency, const VectorXd& x) const {
  return std::ranges::any_of(solutions_,
                             [&](const Solution& s) { return s.frequency == frequency && same_motion(equations_, s.x, x); });
}

/// Keeps a solution unless it is known: then the curve is one that was followed before, or has closed.
bool BalanceSearch::add(double frequency, const VectorXd& x) {
  if (known(frequency, x)) return false;
  curves_.back().push_back({x, frequency});
  solutions_.push_back({frequency, x, curves_.size() - 1, curves_.back().size() - 1});
  return true;
}

void BalanceSearch::start_at(double frequency, const VectorXd& x) {
  if (known(frequency, x)) return;
  curves_.emplace_back();
  add(frequency, x);
  const PathProblem problem = in_frequency();
  follow(BalancePath(problem, x, frequency, -1, BalancePath::Options{}));
  auto& samples = curves_.back();
  std::ranges::reverse(samples);
  for (Solution& solution : solutions_)
    if (solution.curve == curves_.size() - 1) solution.place = samples.size() - 1 - solution.place;
  follow(BalancePath(problem, x, frequency, 1, BalancePath::Options{}));
  if (!mirrors_) return;
  const VectorXd mirrored = turned_about(equations_, x);
  if (const auto solution = newton(in_level(equations_, exact(frequency)), mirrored, 1)) start_at(frequency, *solution);
}

void BalanceSearch::follow(BalancePath path) {
  constexpr int most_steps = 4000, most_outside = 400;
  int outside = 0;
  for (int i = 0; i < most_steps; ++i) {
    equations_.system().budget().check("following the periodic motions");
    if (path.point().x.norm() == 0 || !path.advance() || !step(path)) return;
    const double q = path.point().q;
    if (q < low_ || q > high_) return;
    if ((q < frequencies_.front() || q > frequencies_.back()) && ++outside > most_outside) return;
  }
}

/// What lies on the last step. @returns false where the curve is known from here on.
bool BalanceSearch::step(const BalancePath& path) {
  const BalancePath::Point &a = path.before(), &b = path.point();
  const Index n = a.x.size();
  const bool turns = (a.tangent[n] < 0) != (b.tangent[n] < 0);
  const bool branches = a.orientation * b.orientation < 0;
  bool on = true;
  if (turns) {
    const auto fold = path.between([n](const BalancePath::Point& p) { return p.tangent[n]; });
    if (fold) {
      on = solve_between(path, a, *fold);
      mark(MotionMark::Kind::fold, *fold);
      on = on && solve_between(path, *fold, b);
    }
  } else {
    on = solve_between(path, a, b);
  }
  if (branches)
    if (const auto point = path.between([](const BalancePath::Point& p) { return static_cast<double>(p.orientation); })) {
      mark(MotionMark::Kind::branch_point, *point);
      branch_points_.push_back(*point);
    }
  curves_.back().push_back({b.x, b.q});
  return on;
}

void BalanceSearch::mark(MotionMark::Kind kind, const BalancePath::Point& p) {
  curves_.back().push_back({p.x, p.q, true});
  const bool there = std::ranges::any_of(marks_, [&](const Mark& m) {
    return m.kind == kind && std::abs(m.frequency - p.q) < 1e-6 * p.q && (m.x - p.x).norm() < 1e-3 * p.x.norm();
  });
  if (!there) marks_.push_back({kind, p.x, p.q});
}

bool BalanceSearch::solve_between(const BalancePath& path, const BalancePath::Point& a, const BalancePath::Point& b) {
  const bool up = a.q < b.q;
  std::vector<double> crossed;
  for (const double f : frequencies_)
    if (up ? f > a.q && f <= b.q : f < a.q && f >= b.q) crossed.push_back(f);
  if (!up) std::ranges::reverse(crossed);
  for (const double f : crossed) {
    const double part = (f - a.q) / (b.q - a.q);
    const VectorXd guess = a.x + part * (b.x - a.x);
    const auto problem = in_level(equations_, exact(f));
    auto x = newton(problem, guess, 1);
    const double segment = (b.x - a.x).norm() + 1e-6 * a.x.norm();
    if (!x || (*x - guess).norm() > 0.5 * segment) {
      const auto nearer = path.between([f](const BalancePath::Point& p) { return p.q - f; });
      x = nearer ? newton(problem, nearer->x, 1) : std::nullopt;
    }
    if (x && !add(f, *x)) return false;
  }
  return true;
}

/// From every branch point along what leaves the curve there, both ways.
void BalanceSearch::follow_other_branches() {
  constexpr std::size_t most = 24;
  constexpr double away = 1e-3;
  for (std::size_t i = 0; i < branch_points_.size() && i < most; ++i) {
    const BalancePath::Point from = branch_points_[i];
    const PathProblem problem = in_frequency();
    const VectorXd direction = BalancePath(problem, from.x, from.q, from.tangent, BalancePath::Options{}).other_direction(from);
    for (const double side : {1.0, -1.0}) {
      BalancePath path(problem, from.x, from.q, (side * direction).eval(), {.first_step = away});
      if (!path.advance()) continue;
      curves_.emplace_back();
      curves_.back().push_back({from.x, from.q, true});
      follow(std::move(path));
      if (curves_.back().size() < 3) curves_.pop_back();
    }
  }
}

}  // namespace sfg
