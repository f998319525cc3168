#include "sfg/study/tuning/tuning_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sfg/error.hpp"

namespace sfg {

namespace {

constexpr double equal = 1e-6;    // relative: what counts as met
constexpr double inside = 1e-7;   // relative: how far within an inequality a search stays, more than its rounding
constexpr double far_apart = 10;  // a ratio of bounds

MeasureProgram program_of(const MeasuredSystem& system, const std::vector<TunedRange>& ranges, const TuningGoal& goal,
                          const Budget& budget) {
  std::vector<Measure> measures;
  if (goal.objective) measures.push_back(*goal.objective);
  for (const Spec& spec : goal.specs) measures.push_back(spec.measure);
  std::vector<std::string> names;
  for (const TunedRange& range : ranges) names.push_back(range.name);
  return {system, std::move(measures), std::move(names), budget};
}

std::optional<PolePlacement> placement_of(const MeasuredSystem& system, const MeasureProgram& program, const TuningGoal& goal,
                                          const Budget& budget) {
  if (goal.kind != TuningGoal::Kind::place) return {};
  return PolePlacement(system.graph, system.question, program.parameters(), goal.poles, budget);
}

}  // namespace

TuningBox::TuningBox(std::vector<TunedRange> ranges, std::vector<double> stated)
    : ranges_(std::move(ranges)), stated_(std::move(stated)) {
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    ratio_.push_back(ranges_[i].low > 0 && ranges_[i].high >= far_apart * ranges_[i].low);
    start_.push_back(std::clamp(x_of(i, stated_[i]), 0.0, 1.0));
    if (std::isnan(start_[i])) start_[i] = 0;  // below 0 on a scale of ratios
  }
}

double TuningBox::x_of(std::size_t i, double value) const {
  const auto& [name, low, high] = ranges_[i];
  return ratio_[i] ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

std::vector<double> TuningBox::values(std::span<const double> x) const {
  std::vector<double> result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto& [name, low, high] = ranges_[i];
    const bool stated = x[i] == start_[i] && low <= stated_[i] && stated_[i] <= high;
    const double between = ratio_[i] ? low * std::pow(high / low, x[i]) : std::lerp(low, high, x[i]);
    result[i] = stated ? stated_[i] : x[i] <= 0 ? low : x[i] >= 1 ? high : std::clamp(between, low, high);
  }
  return result;
}

double TuningBox::slope(std::size_t i, double value) const {
  const auto& [name, low, high] = ranges_[i];
  return ratio_[i] ? value * std::log(high / low) : high - low;
}

TuningProblem::TuningProblem(const MeasuredSystem& system, const std::vector<TunedRange>& ranges, const TuningGoal& goal,
                             const Budget& budget)
    : budget_(budget),
      goal_(goal),
      program_(program_of(system, ranges, goal, budget)),
      placement_(placement_of(system, program_, goal, budget)),
      box_(ranges, {program_.nominal().begin(), program_.nominal().end()}) {
  const std::vector<double> stated = measured({program_.nominal().begin(), program_.nominal().end()});
  for (std::size_t k = 0; k < goal_.specs.size(); ++k) {
    const double size = std::abs(stated[stated.size() - goal_.specs.size() + k]);
    const double value = std::abs(goal_.specs[k].value);
    unit_.push_back(value > 0 ? value : std::isfinite(size) && size > 0 ? size : 1);
  }
}

bool TuningProblem::met(std::size_t spec, double value) const {
  const Spec& asked = goal_.specs[spec];
  const double off = value - asked.value, slack = equal * std::abs(asked.value);
  if (asked.relation == Spec::Relation::equal) return std::abs(off) <= equal * unit_[spec];
  return asked.met(value) || std::abs(off) <= slack;
}

std::vector<double> TuningProblem::measured(const std::vector<double>& parameters) const {
  std::vector<double> values(program_.size());
  evaluate(1, parameters, values);
  return values;
}

void TuningProblem::evaluate(std::size_t points, std::span<const double> parameters, std::span<double> values) const {
  evaluations_ += points;
  if (values.empty()) return;  // poles alone are asked for
  try {
    program_.evaluate(points, parameters, values);
  } catch (const LimitReached&) {
    budget_.check("tuning");
    std::ranges::fill(values, std::numeric_limits<double>::quiet_NaN());
  }
}

std::set<std::uint64_t> TuningProblem::met_together() const {
  const std::lock_guard lock(mutex_);
  return met_;
}

void TuningProblem::note_met(const std::vector<double>& measured) const {
  constexpr std::size_t most = 64;
  if (goal_.specs.empty() || goal_.specs.size() > most) return;
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < goal_.specs.size(); ++k)
    if (met(k, measured[measured.size() - goal_.specs.size() + k])) bits |= std::uint64_t{1} << k;
  const std::lock_guard lock(mutex_);
  met_.insert(bits);
}

LocalMeasures TuningProblem::at(const std::vector<double>& parameters) const {
  ++evaluations_;
  try {
    return program_.at(parameters);
  } catch (const LimitReached&) {
    budget_.check("tuning");
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    return {std::vector<double>(program_.size(), none), std::vector<double>(program_.size() * parameters.size(), none)};
  }
}

TuningProblem::Rows TuningProblem::rows(const std::vector<double>& x, bool slopes) const {
  const std::vector<double> parameters = box_.values(x);
  Rows result;
  if (!slopes || program_.size() == 0) {
    result.values = measured(parameters);
    result.slopes.assign(slopes ? program_.size() * x.size() : 0, 0.0);
  } else {
    LocalMeasures local = at(parameters);
    for (std::size_t k = 0; k < local.derivative.size(); ++k)
      local.derivative[k] *= box_.slope(k % x.size(), parameters[k % x.size()]);
    result = {std::move(local.value), std::move(local.derivative)};
    add_differences(x, result);
  }
  note_met(result.values);
  return result;
}

/// Where the program knows no derivative, differences take its place.
void TuningProblem::add_differences(const std::vector<double>& x, Rows& rows) const {
  const std::size_t n = x.size(), points = 2 * n;
  const auto lacks = [&](std::size_t k) { return std::isfinite(rows.values[k / n]) && !std::isfinite(rows.slopes[k]); };
  bool any = false;
  for (std::size_t k = 0; k < rows.slopes.size(); ++k) any = any || lacks(k);
  if (!any) return;
  constexpr double step = 1e-5;
  std::vector<double> parameters(points * n), values(points * program_.size()), width(n);
  for (std::size_t p = 0; p < points; ++p) {
    std::vector<double> moved = x;
    moved[p / 2] = std::clamp(x[p / 2] + (p % 2 == 0 ? -step : step), 0.0, 1.0);
    width[p / 2] = p % 2 == 0 ? -moved[p / 2] : width[p / 2] + moved[p / 2];
    const std::vector<double> at = box_.values(moved);
    for (std::size_t i = 0; i < n; ++i) parameters[i * points + p] = at[i];
  }
  evaluate(points, parameters, values);
  for (std::size_t k = 0; k < rows.slopes.size(); ++k) {
    if (!lacks(k)) continue;
    const double* const around = &values[k / n * points + 2 * (k % n)];
    const double slope = (around[1] - around[0]) / width[k % n];
    rows.slopes[k] = std::isfinite(slope) ? slope : 0;
  }
}

/// ≤ 0 (of equality: 0) where the spec is met.
double TuningProblem::condition(std::size_t spec, double value) const {
  const Spec& asked = goal_.specs[spec];
  const double off = (value - asked.value) / unit_[spec];
  switch (asked.relation) {
    case Spec::Relation::less:
    case Spec::Relation::less_equal: return off + inside;
    case Spec::Relation::greater:
    case Spec::Relation::greater_equal: return inside - off;
    case Spec::Relation::equal: return off;
  }
  return off;
}

void TuningProblem::add_placement(SearchValues& values, const std::vector<double>& parameters, bool distances, bool exact,
                                  bool slopes) const {
  const std::size_t n = parameters.size();
  const auto add_slopes = [&](std::span<const double> row) {
    for (std::size_t i = 0; slopes && i < n; ++i) values.slopes.push_back(row[i] * box_.slope(i, parameters[i]));
  };
  if (distances) {
    const PolePlacement::Match match = placement_->match(parameters);
    if (match.poles.empty()) values.pieces.assign(1, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < match.poles.size(); ++k) {
      values.pieces.push_back(match.distances[k]);
      add_slopes(std::span(match.slopes).subspan(k * n, n));
    }
  }
  if (exact) {
    const PolePlacement::Residuals residuals = placement_->residuals(parameters);
    values.equations.insert(values.equations.end(), residuals.values.begin(), residuals.values.end());
    for (std::size_t k = 0; k < residuals.values.size(); ++k) add_slopes(std::span(residuals.slopes).subspan(k * n, n));
  }
}

SearchProblem TuningProblem::problem(Aim aim, std::vector<std::size_t> specs, bool exact) const {
  // Equations stand last, as their slopes do.
  std::stable_partition(specs.begin(), specs.end(),
                        [&](std::size_t k) { return goal_.specs[k].relation != Spec::Relation::equal; });
  return {box_.size(), [this, aim, specs, exact](std::span<const double> at, bool slopes) {
            const std::vector<double> x(at.begin(), at.end());
            const std::size_t n = x.size(), first = goal_.objective ? 1 : 0;
            const Rows found = rows(x, slopes);
            SearchValues result;
            const auto add_slopes = [&](std::size_t row, double factor) {
              for (std::size_t i = 0; slopes && i < n; ++i) result.slopes.push_back(factor * found.slopes[row * n + i]);
            };
            if (aim == Aim::change) {
              double square = 0;
              for (std::size_t i = 0; i < n; ++i) {
                const double off = x[i] - box_.stated()[i];
                square += off * off;
                if (slopes) result.slopes.push_back(2 * off);
              }
              result.pieces.push_back(square);
            } else if (aim == Aim::objective) {
              const double sign = goal_.kind == TuningGoal::Kind::maximize ? -1 : 1;
              result.pieces.push_back(sign * found.values[0]);
              add_slopes(0, sign);
            } else if (aim == Aim::distance) {
              add_placement(result, box_.values(x), true, false, slopes);
            }
            for (const std::size_t k : specs) {
              const Spec::Relation relation = goal_.specs[k].relation;
              const bool above = relation == Spec::Relation::greater || relation == Spec::Relation::greater_equal;
              auto& conditions = relation == Spec::Relation::equal ? result.equations : result.inequalities;
              conditions.push_back(condition(k, found.values[first + k]));
              add_slopes(first + k, (above ? -1 : 1) / unit_[k]);
            }
            if (exact) add_placement(result, box_.values(x), false, true, slopes);
            return result;
          }};
}

}  // namespace sfg
