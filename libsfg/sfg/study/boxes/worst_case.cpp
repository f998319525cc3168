#include "sfg/study/boxes/worst_case.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

#include "sfg/error.hpp"
#include "sfg/numeric/numbers.hpp"
#include "sfg/numeric/parallel.hpp"
#include "sfg/study/boxes/box_measures.hpp"
#include "sfg/study/boxes/tolerance_region.hpp"

namespace sfg {

namespace {

using ring::Interval;
using ring::Jet;
using ring::ParameterBox;

constexpr double smallest = 0x1p-36;  // of the width of the whole box: what is not known there stays unknown
// Where a measure jumps, its bounds never come as close as is asked: so many boxes that bring them no nearer end a search.
constexpr std::size_t patience = 5'000;
constexpr double nearer = 0.99;

/// What differences of a measure are too small to matter, whatever its size: an overshoot of a hundredth of a per mille is none.
double resolution(const Measure& measure) {
  constexpr double overshoot = 2e-3;  // per cent
  return measure.base() && measure.base()->kind == MeasureKind::overshoot ? overshoot : 0;
}

using CellSides = std::vector<Interval>;

/// A measure as a function to be made great: itself, or its negative.
struct Objective {
  const BoxMeasures& over;
  const ToleranceRegion& region;
  std::size_t measure;
  double sign;

  /// What it surely is at a point; −∞ where nothing is known, or it does not exist.
  double at(const std::vector<double>& point) const {
    const std::vector<Jet> parameters = region.parameters(std::vector<Jet>(point.begin(), point.end()));
    const Interval value = over.over(measure, ParameterBox(std::vector<Interval>()), parameters).value();
    const double least = sign > 0 ? value.low : -value.high;
    return std::isfinite(least) && std::isfinite(value.width()) ? least : -infinity;
  }
};

/// Over a box, with the coordinates that are left free there.
struct Ranged {
  std::vector<std::size_t> free;
  std::unique_ptr<ParameterBox> box;  // where the jet finds it
  Jet value;
};

Ranged ranged(const Objective& f, const CellSides& sides, const std::vector<double>& centre, bool all_free = false) {
  Ranged result;
  std::vector<Interval> open;
  std::vector<double> middle;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    if (sides[k].width() == 0 && !all_free) continue;
    result.free.push_back(k);
    open.push_back(sides[k]);
    middle.push_back(centre[k]);
  }
  result.box = std::make_unique<ParameterBox>(std::move(open), std::move(middle));
  std::vector<Jet> coordinates;
  for (std::size_t k = 0, j = 0; k < sides.size(); ++k) {
    const bool free = j < result.free.size() && result.free[j] == k;
    coordinates.push_back(free ? Jet::variable(*result.box, j++) : Jet(sides[k]));
  }
  result.value = f.over.over(f.measure, *result.box, f.region.parameters(coordinates));
  if (f.sign < 0) result.value = -result.value;
  return result;
}

std::vector<double> middles_of(const CellSides& sides) {
  std::vector<double> result;
  for (const Interval& side : sides) result.push_back(side.middle());
  return result;
}

/// The search for one end.
class EndSearch {
 public:
  explicit EndSearch(Objective objective) : f_(objective), whole_(objective.region.sides()), at_(objective.region.start()) {
    open_.push({whole_, infinity, 0});
    climb(at_);
  }

  double bound() const { return std::max({best_, unresolved_, open_.empty() ? -infinity : open_.top().bound}); }
  double best() const { return best_; }
  std::vector<double> at() const { return f_.region.values(at_); }
  std::size_t boxes() const { return boxes_; }
  /// A point about which the measure has no bound, though it was not shown to fail there; empty for none.
  std::vector<double> lost() const { return lost_.empty() ? lost_ : f_.region.values(lost_); }
  bool fails() const { return unresolved_ == infinity; }
  bool closed(double tolerance) const { return fails() || bound() == -infinity || bound() - best_ <= tolerance; }
  bool ended(double tolerance) const { return open_.empty() || closed(tolerance); }

  /// Whether the last boxes have brought bound and best value nearer to each other.
  bool gains() {
    if (boxes_ < judged_ + patience) return gains_;
    const double gap = bound() - best_;
    gains_ = gap < nearer * gap_;
    judged_ = boxes_, gap_ = gap;
    return gains_;
  }

  /// Looks at the box with the greatest bound.
  void step() {
    Part part = open_.top();
    open_.pop();
    ++boxes_;
    if (!f_.region.draw_in(part.sides)) return;
    Ranged range = ranged(f_, part.sides, middles_of(part.sides));
    while (collapse(part.sides, range)) range = ranged(f_, part.sides, middles_of(part.sides));
    part.bound = std::min(part.bound, std::isnan(range.value.value().high) ? infinity : range.value.value().high);
    if (part.bound > best_ && !f_.region.holds(part.sides))
      part.bound = std::min(part.bound, f_.region.bound(range.value, range.free, part.sides, middles_of(part.sides)));
    if (part.bound <= best_) return;
    if (range.value.value().low == infinity) {  // it fails everywhere there
      unresolved_ = infinity;
      lost_.clear();
      return;
    }
    std::vector<double> centre = middles_of(part.sides);
    const bool elsewhere = f_.region.pull_in(centre);
    if (range.value.smooth() && !elsewhere ? range.value.centre().high > best_ : f_.at(centre) > best_) climb(std::move(centre));
    split(std::move(part), range);
  }

 private:
  struct Part {
    CellSides sides;
    double bound;
    std::size_t number;  // the last of equals: the way down to where there is no bound is not searched in its whole width
    bool operator<(const Part& other) const { return bound != other.bound ? bound < other.bound : number < other.number; }
  };

  /// Coordinates in which the measure only rises or only falls go to an end, where that is one of the region. Says whether one
  /// did.
  bool collapse(CellSides& sides, const Ranged& range) const {
    bool any = false;
    if (!range.value.smooth()) return any;
    const bool all = f_.region.holds(sides);
    for (std::size_t j = 0; j < range.free.size(); ++j) {
      if (!all && f_.region.in_ball(range.free[j])) continue;
      const Interval slope = range.value.slope(j);
      Interval& side = sides[range.free[j]];
      if (slope.low >= 0)
        side = side.high;
      else if (slope.high <= 0)
        side = side.low;
      else
        continue;
      any = true;
    }
    return any;
  }

  /// From a point upwards by Newton's steps, of every coordinate alone, within the region; half of one that leads down.
  void climb(std::vector<double> point) {
    const int rounds = f_.region.round() ? 24 : 6;
    double reached = -infinity;
    std::vector<double> from;
    for (int round = 0; round < rounds; ++round) {
      const double value = f_.at(point);
      if (value > best_) best_ = value, at_ = point;
      if (!(value > reached)) {
        if (from.empty() || !f_.region.round()) return;
        for (std::size_t k = 0; k < point.size(); ++k) point[k] = from[k] + (point[k] - from[k]) / 2;
        continue;
      }
      reached = value;
      CellSides sides(point.begin(), point.end());
      const Ranged here = ranged(f_, sides, point, true);
      if (!here.value.smooth()) return;
      std::vector<double> slopes, bends;
      for (std::size_t k = 0; k < point.size(); ++k) {
        slopes.push_back(here.value.centre_slope(k).middle());
        bends.push_back(here.value.second(k, k).middle());
      }
      from = point;
      f_.region.ascend(point, slopes, bends);
    }
  }

  void split(Part part, const Ranged& range) {
    const bool smooth = range.value.smooth();
    const std::vector<double> centre = middles_of(part.sides);
    const Ranged here = smooth ? Ranged{} : ranged(f_, CellSides(centre.begin(), centre.end()), centre, true);
    // What the slope varies by is what a range is overestimated by; where there is none, what moves the measure most.
    const auto weight = [&](std::size_t j) {
      const std::size_t k = range.free[j];
      const double slope = smooth                ? range.value.slope(j).width()
                           : here.value.smooth() ? here.value.centre_slope(k).greatest()
                                                 : 0;
      return std::isfinite(slope) ? slope * part.sides[k].width() : 0;
    };
    double greatest = 0;
    for (std::size_t j = 0; j < range.free.size(); ++j) greatest = std::max(greatest, weight(j));
    std::size_t along = 0;
    double most = -1;
    for (std::size_t j = 0; j < range.free.size(); ++j) {
      const std::size_t k = range.free[j];
      const double relative = part.sides[k].width() / whole_[k].width();
      const double share = greatest > 0 ? weight(j) / greatest : 1,
                   wanted = smooth ? share + 1e-9 * relative : (share == 0 ? 1e-3 : 0.1 + share) * relative;
      if (relative > smallest && wanted > most) along = k, most = wanted;
    }
    if (most < 0) {  // a point: nothing more can be known
      unresolved_ = std::max(unresolved_, part.bound);
      if (unresolved_ == infinity) lost_ = middles_of(part.sides);
      return;
    }
    Part other = part;
    const double middle = part.sides[along].middle();
    part.sides[along].high = other.sides[along].low = middle;
    part.number = ++count_, other.number = ++count_;
    open_.push(std::move(part));
    open_.push(std::move(other));
  }

  Objective f_;
  CellSides whole_;
  std::vector<double> at_, lost_;
  double best_ = -infinity, unresolved_ = -infinity;
  std::priority_queue<Part> open_;
  std::size_t boxes_ = 0, count_ = 0, judged_ = 0;
  double gap_ = infinity;  // when it was judged last
  bool gains_ = true;
};

/// Both ends of one measure, side by side, since the width of the range says how close they have to be.
class Search {
 public:
  Search(const BoxMeasures& over, const ToleranceRegion& region, std::size_t measure, double resolution)
      : resolution_(resolution), lower_({over, region, measure, -1}), upper_({over, region, measure, 1}) {
    lower_.step();
    upper_.step();
  }

  void run(double gap, const Budget& budget) {
    try {
      while (!lower_.ended(tolerance(gap, lower_)) || !upper_.ended(tolerance(gap, upper_))) {
        budget.check("the worst case");
        bool stepped = false;
        for (EndSearch* end : {&lower_, &upper_})
          if (!end->ended(tolerance(gap, *end)) && end->gains()) end->step(), stepped = true;
        if (!stepped) return;
      }
    } catch (const LimitReached&) {
    }
  }

  /// Whether there is no bound because the measure fails: it does not exist nearby, or has no limit.
  bool fails_if_unbounded(const MeasureProgram& program, std::size_t measure) const {
    std::vector<double> values(program.size());
    const auto unexplained = [&](const EndSearch& end) {
      const std::vector<double> lost = end.lost();
      if (lost.empty()) return false;
      program.evaluate(1, lost, values);
      constexpr double without_limit = 1e6;
      return std::abs(values[measure]) < without_limit * std::max(1.0, std::abs(end.best()));
    };
    return !unexplained(lower_) && !unexplained(upper_);
  }

  WorstCase result(const Measure& measure, double gap) const {
    return {measure, undefined, end(lower_, -1), end(upper_, 1), closed(gap), lower_.boxes() + upper_.boxes()};
  }

 private:
  double tolerance(double gap, const EndSearch& end) const {
    const double width = upper_.best() + lower_.best(), size = std::max(std::abs(end.best()), std::isfinite(width) ? width : 0);
    return std::max(resolution_, std::isfinite(size) ? gap * size : 0);
  }
  bool closed(double gap) const { return lower_.closed(tolerance(gap, lower_)) && upper_.closed(tolerance(gap, upper_)); }
  static WorstCaseEnd end(const EndSearch& found, double sign) {
    WorstCaseEnd result{std::nullopt, std::isfinite(found.best()) ? sign * found.best() : undefined, found.at()};
    if (std::isfinite(found.bound())) result.bound = sign * found.bound();
    return result;
  }

  double resolution_;
  EndSearch lower_, upper_;
};

/// The values of the measures at their points, as every study has them.
void evaluate(WorstCases& found, const MeasureProgram& program) {
  std::vector<double> values(program.size());
  const auto at = [&](std::span<const double> point, std::size_t m) {
    program.evaluate(1, point, values);
    return values[m];
  };
  at(program.nominal(), 0);
  for (std::size_t m = 0; m < values.size(); ++m) found.measures[m].nominal = values[m];
  for (std::size_t m = 0; m < values.size(); ++m) {
    WorstCaseEnd &lower = found.measures[m].lower, &upper = found.measures[m].upper;
    lower.attained = at(lower.at, m);
    upper.attained = at(upper.at, m);
    if (lower.bound) lower.bound = std::min(*lower.bound, std::isfinite(lower.attained) ? lower.attained : *lower.bound);
    if (upper.bound) upper.bound = std::max(*upper.bound, std::isfinite(upper.attained) ? upper.attained : *upper.bound);
  }
}

}  // namespace

bool WorstCases::complete() const { return std::ranges::all_of(measures, &WorstCase::complete); }

WorstCases worst_cases(const MeasuredSystem& system, const std::vector<Measure>& measures, const Variation& variation,
                       const WorstCaseOptions& options) {
  if (system.simulated) throw NoAnswer("a simulated response has no guaranteed bounds", "ask for samples of the tolerances");
  if (system.anew)
    throw NoAnswer(
        "the equations are linearised at a point that moves with the parameters: there are no guaranteed bounds of them",
        "state the point as expressions of the parameters, or ask for samples of the tolerances");
  const BoxMeasures over(system, measures, variation.names(), options.budget);
  const ToleranceRegion region(variation, options.level);
  WorstCases result{system.graph[system.question.input].name,
                    system.graph[system.question.output].name,
                    variation.parameters,
                    {},
                    region.ellipsoid()};
  const MeasureProgram program(system, measures, variation.names());
  std::vector<std::optional<Search>> searches(measures.size());
  const Budget untimed({.seconds = {}, .memory_bytes = options.budget.limits().memory_bytes, .terms = 1});
  const auto parallel = [&](const auto& work) {
    numeric::parallel(measures.size(), options.threads, untimed, "the worst case", work);
  };
  parallel([&](std::size_t m) { searches[m].emplace(over, region, m, resolution(measures[m])); });
  parallel([&](std::size_t m) { searches[m]->run(options.gap, options.budget); });
  for (std::size_t m = 0; m < measures.size(); ++m) {
    result.measures.push_back(searches[m]->result(measures[m], options.gap));
    if (!searches[m]->fails_if_unbounded(program, m)) result.measures.back().complete = false;
  }
  evaluate(result, program);
  return result;
}

}  // namespace sfg
