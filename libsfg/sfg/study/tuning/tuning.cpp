// A goal is searched from several starts. From each: sequential quadratic programming; where that meets not every spec, the least
// greatest violation and on from there. The best few are polished where measures bend or jump.
#include "sfg/study/tuning/tuning.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include <ginac/ginac.h>

#include "sfg/error.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/numeric/parallel.hpp"
#include "sfg/study/tuning/tuning_problem.hpp"

namespace sfg {

namespace {

using Aim = TuningProblem::Aim;
using Indices = std::vector<std::size_t>;

/// The k-th number of van der Corput's sequence in a base, moved by `shift`: coordinates of Halton's points.
double halton(std::size_t k, std::size_t base, double shift) {
  double result = 0, digit = 1;
  for (; k > 0; k /= base) {
    digit /= static_cast<double>(base);
    result += digit * static_cast<double>(k % base);
  }
  return std::fmod(result + shift, 1.0);
}

bool has_divisor(std::size_t number) {
  for (std::size_t d = 2; d * d <= number; ++d)
    if (number % d == 0) return true;
  return false;
}

std::vector<double> spread_point(std::size_t k, std::size_t n, std::uint64_t seed) {
  std::vector<double> x;
  std::size_t prime = 2;
  for (std::size_t i = 0; i < n; ++i, ++prime) {
    while (has_divisor(prime)) ++prime;
    constexpr double golden = 0.6180339887498949;  // another seed, another shift
    x.push_back(halton(k + 1, prime, std::fmod(golden * static_cast<double>(seed - 1) * static_cast<double>(i + 1), 1.0)));
  }
  return x;
}

class Tuner {
 public:
  Tuner(const TuningProblem& problem, const TuningGoal& goal, const TuningOptions& options)
      : problem_(problem), goal_(goal), options_(options), all_(goal.specs.size()) {
    std::iota(all_.begin(), all_.end(), 0U);
  }

  /// The best point, whether or not it meets everything; without values where the measures exist nowhere.
  SearchPoint best() const {
    if (goal_.kind != TuningGoal::Kind::place)
      return from_starts(problem_.problem(goal_.objective ? Aim::objective : Aim::change, all_));
    const SearchProblem distance = problem_.problem(Aim::distance, all_);
    SearchPoint placed = from_starts(problem_.problem(Aim::change, all_, true));
    const bool there = placed.values.feasible();
    placed.values = distance.values(placed.x, false);
    if (there && placed.values.feasible()) return placed;
    const SearchPoint near = from_starts(distance, placed.x);
    return better(placed.values, near.values) ? placed : near;
  }

  std::size_t starts() const noexcept { return starts_; }  ///< that were searched from

  /// A smallest set of specs that no point was found to meet: of one spec, of two, … Sets that some point met need no search.
  Indices conflict() const {
    constexpr std::size_t most_listed = 10;
    const std::size_t count = all_.size();
    if (count > most_listed) return irreducible();
    std::vector<std::uint64_t> sets;
    for (std::uint64_t set = 1; set < std::uint64_t{1} << count; ++set) sets.push_back(set);
    std::ranges::stable_sort(sets, {}, [](std::uint64_t set) { return std::popcount(set); });
    for (const std::uint64_t set : sets) {
      Indices specs;
      for (std::size_t k = 0; k < count; ++k)
        if (set >> k & 1U) specs.push_back(k);
      if (specs.size() == count || !can_be_met(specs, set)) return specs;
    }
    return all_;
  }

 private:
  /// Leaves out one spec after the other as long as the others still cannot be met.
  Indices irreducible() const {
    Indices specs = all_;
    for (const std::size_t k : all_) {
      Indices others = specs;
      std::erase(others, k);
      if (!others.empty() && !can_be_met(others, 0)) specs = others;
    }
    return specs;
  }

  bool can_be_met(const Indices& specs, std::uint64_t set) const {
    for (const std::uint64_t met : problem_.met_together())
      if (set != 0 && (met & set) == set) return true;
    return from_starts(problem_.problem(Aim::conditions, specs)).values.feasible();
  }

  SearchPoint evaluated(const SearchProblem& problem, std::vector<double> x) const {
    SearchValues values = problem.values(x, false);
    return {std::move(x), std::move(values)};
  }

  /// The stated values, then points of the box: the best of many, and some wherever they lie.
  std::vector<SearchPoint> starts(const SearchProblem& problem, const std::optional<std::vector<double>>& also) const {
    const std::size_t n = problem.size, many = std::min<std::size_t>(64 * n, 512);
    std::vector<SearchPoint> points(many + 1);
    numeric::parallel(points.size(), options_.threads, options_.budget, "tuning", [&](std::size_t k) {
      points[k] = evaluated(problem, k == 0 ? problem_.box().stated() : spread_point(k - 1, n, options_.seed));
    });
    std::vector<SearchPoint> result{points.front()};
    if (also) result.push_back(evaluated(problem, *also));
    const std::size_t anywhere = std::max<std::size_t>(1, options_.starts / 2);
    for (std::size_t k = 1; k < points.size() && result.size() < anywhere; ++k)
      if (points[k].values.exist()) result.push_back(points[k]);
    std::stable_sort(points.begin() + 1, points.end(),
                     [](const SearchPoint& a, const SearchPoint& b) { return better(a.values, b.values); });
    const auto is_near = [&](const SearchPoint& point) {
      return std::ranges::any_of(result, [&](const SearchPoint& other) {
        double distance = 0;
        for (std::size_t i = 0; i < n; ++i) distance = std::max(distance, std::abs(point.x[i] - other.x[i]));
        return distance < 0.05;
      });
    };
    for (const SearchPoint& point : points)
      if (result.size() < options_.starts && point.values.exist() && !is_near(point)) result.push_back(point);
    return result;
  }

  SearchPoint from_start(const SearchProblem& problem, const SearchPoint& start) const {
    const Budget& budget = options_.budget;
    SearchPoint best = start;
    const auto keep = [&](const SearchPoint& point) {
      if (better(point.values, best.values)) best = point;
    };
    if (!start.values.exist()) return best;
    if (!start.values.equations.empty()) keep(restored(problem, start, budget));
    keep(descended(problem, best, budget));
    keep(restored(problem, best, budget));
    if (best.values.feasible()) return best;
    const SearchProblem violation = of_violation(problem);
    keep(evaluated(problem, descended(violation, evaluated(violation, best.x), budget).x));
    keep(restored(problem, best, budget));
    if (best.values.feasible()) keep(descended(problem, best, budget));
    return best;
  }

  SearchPoint from_starts(const SearchProblem& problem, const std::optional<std::vector<double>>& also = {}) const {
    std::vector<SearchPoint> points = starts(problem, also);
    starts_ = std::max(starts_, points.size());
    numeric::parallel(points.size(), options_.threads, options_.budget, "tuning",
                      [&](std::size_t k) { points[k] = from_start(problem, points[k]); });
    std::ranges::stable_sort(points, [](const SearchPoint& a, const SearchPoint& b) { return better(a.values, b.values); });
    const bool done = points.front().values.pieces.empty() && points.front().values.feasible();
    if (done || !points.front().values.exist()) return points.front();
    points.resize(std::min<std::size_t>(points.size(), 4));
    numeric::parallel(points.size(), options_.threads, options_.budget, "tuning",
                      [&](std::size_t k) { points[k] = refined(problem, points[k]); });
    for (const SearchPoint& point : points)
      if (better(point.values, points.front().values)) points.front() = point;
    return points.front();
  }

  /// A parameter that came next to a bound is put there where that costs nothing.
  SearchPoint at_bounds(const SearchProblem& problem, const SearchPoint& point) const {
    constexpr double next_to = 1e-4, nothing = 1e-6;  // more than what conditions are rounded by
    std::vector<double> x = point.x;
    for (double& each : x) each = each < next_to ? 0 : each > 1 - next_to ? 1 : each;
    if (x == point.x) return point;
    SearchPoint moved = restored(problem, evaluated(problem, x), options_.budget);
    moved = descended(problem, moved, options_.budget);
    if (!moved.values.exist() || moved.values.feasible() != point.values.feasible()) return point;
    const bool feasible = point.values.feasible();
    const double before = feasible ? point.values.objective() : point.values.violation();
    const double after = feasible ? moved.values.objective() : moved.values.violation();
    return after <= before + nothing * std::abs(before) ? moved : point;
  }

  SearchPoint refined(const SearchProblem& problem, SearchPoint point) const {
    const Budget& budget = options_.budget;
    const auto keep = [&](const SearchPoint& next) {
      if (better(next.values, point.values)) point = next;
    };
    if (point.values.feasible()) {
      keep(polished(problem, point, budget));
      keep(wandered(problem, point, budget));
      keep(polished(problem, point, budget));
      keep(descended(problem, point, budget));
    } else {
      const SearchProblem violation = of_violation(problem);
      SearchPoint least = polished(violation, evaluated(violation, point.x), budget);
      if (least.values.exist() && least.values.objective() > 0) least = wandered(violation, least, budget);
      keep(evaluated(problem, least.x));
      if (point.values.feasible()) keep(polished(problem, descended(problem, point, budget), budget));
    }
    point = at_bounds(problem, point);
    if (!point.values.equations.empty()) {
      const SearchPoint exact = restored(problem, point, budget);
      if (exact.values.feasible()) point = exact;
    }
    return point;
  }

  const TuningProblem& problem_;
  const TuningGoal& goal_;
  const TuningOptions& options_;
  Indices all_;
  mutable std::size_t starts_ = 0;
};

void require_goal(const std::vector<TunedRange>& ranges, const TuningGoal& goal, const TuningOptions& options) {
  using Kind = TuningGoal::Kind;
  const bool measured = goal.kind == Kind::minimize || goal.kind == Kind::maximize;
  if (ranges.empty()) throw std::invalid_argument("tuned: no parameter to tune");
  for (const TunedRange& range : ranges)
    if (!(range.low < range.high) || !std::isfinite(range.low) || !std::isfinite(range.high))
      throw std::invalid_argument("tuned: the bounds of " + range.name + " are none");
  if (measured != goal.objective.has_value() || (goal.kind == Kind::place) == goal.poles.empty())
    throw std::invalid_argument("tuned: the goal and what it asks for do not go together");
  if (goal.kind == Kind::specs && goal.specs.empty()) throw std::invalid_argument("tuned: the goal asks for nothing");
  if (options.starts < 2) throw std::invalid_argument("tuned: fewer than two starts");
}

/// Parameters that are there and do not follow from others; one without a value begins in the middle of its bounds.
MeasuredSystem with_stated(MeasuredSystem system, const std::vector<TunedRange>& ranges) {
  for (const TunedRange& range : ranges) {
    Symbol* const symbol = system.graph.symbols.find(range.name);
    if (!symbol || symbol->kind != SymbolKind::parameter)
      throw Error(
          Diagnostic{{}, "there is no parameter '" + range.name + "'", nearest(range.name, system.graph.symbols.names())});
    if (is_derived(*symbol)) {
      std::string bases;
      for (const std::string& base : bases_of(system.graph.symbols, *symbol)) bases += (bases.empty() ? "" : ", ") + base;
      throw Error(symbol->where, "the parameter '" + range.name + "' follows from " + bases, "tune " + bases + " instead");
    }
    if (symbol->value) continue;
    const GiNaC::ex middle = GiNaC::numeric(std::midpoint(range.low, range.high));
    symbol->value = middle;
    if (system.loop) system.loop->first.symbols.find(range.name)->value = middle;
  }
  return system;
}

std::optional<double> exists(double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; }

std::optional<double> greatest_distance(const PolePlacement& placement, const std::vector<double>& parameters) {
  const auto distances = placement.match(parameters).distances;
  return distances.empty() ? std::nullopt : std::optional(*std::ranges::max_element(distances));
}

Tuning result_at(const TuningProblem& problem, const std::vector<TunedRange>& ranges, const TuningGoal& goal,
                 const std::vector<double>& found, const SymbolTable& symbols) {
  Tuning result;
  result.kind = goal.kind;
  if (goal.objective) result.objective_text = goal.objective->text;
  const std::vector<double> stated(problem.program().nominal().begin(), problem.program().nominal().end());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const Symbol* symbol = symbols.find(ranges[i].name);
    const double before = symbol && symbol->value ? stated[i] : std::numeric_limits<double>::quiet_NaN();
    result.parameters.push_back({ranges[i].name, ranges[i].low, ranges[i].high, before, found[i]});
  }
  const std::vector<double> before = problem.measured(stated), after = problem.measured(found);
  const std::size_t first = goal.objective ? 1 : 0;
  if (goal.objective) result.before = exists(before[0]), result.objective = exists(after[0]);
  if (const PolePlacement* placement = problem.placement()) {
    result.before = greatest_distance(*placement, stated);
    result.objective = greatest_distance(*placement, found);
    result.poles = placement->match(found).poles;
  }
  for (std::size_t k = 0; k < goal.specs.size(); ++k)
    result.specs.push_back({goal.specs[k].text, before[first + k], after[first + k], problem.met(k, after[first + k])});
  return result;
}

}  // namespace

bool Tuning::met() const {
  return std::ranges::all_of(specs, [](const TunedSpec& spec) { return spec.met; });
}

Tuning tuned(const MeasuredSystem& system, const std::vector<TunedRange>& ranges, const TuningGoal& goal,
             const TuningOptions& options) {
  require_goal(ranges, goal, options);
  const TuningProblem problem(with_stated(system, ranges), ranges, goal, options.budget);
  const Tuner tuner(problem, goal, options);
  const SearchPoint best = tuner.best();
  Tuning result = result_at(problem, ranges, goal, problem.box().values(best.x), system.graph.symbols);
  if (!result.met())
    for (const std::size_t k : tuner.conflict()) result.conflicts.push_back(goal.specs[k].text);
  const bool nothing = goal.kind != TuningGoal::Kind::specs && !result.objective;
  if (nothing && result.met())
    throw NoAnswer("within the bounds no values were found at which " +
                       (goal.objective ? "'" + goal.objective->text + "' exists" : std::string("there are as many poles")),
                   "widen the bounds, or ask for another measure");
  result.starts = tuner.starts();
  result.evaluations = problem.evaluations();
  return result;
}

}  // namespace sfg
