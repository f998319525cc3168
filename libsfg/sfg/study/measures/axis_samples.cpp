// At one frequency the real and imaginary parts of N and D are sums of coefficients with fixed weights. So the points of a block
// are taken side by side, frequency after frequency. The phase is a turn, a number that grows with the angle as y/(|x| + |y|)
// does within a quadrant, and 4 a whole turn; whole turns are counted where the argument passes 180°, as for one point.
#include "sfg/study/measures/axis_samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sfg/error.hpp"
#include "sfg/numeric/axis_batch.hpp"
#include "sfg/numeric/numbers.hpp"
#include "sfg/study/measures/axis_measures.hpp"
#include "sfg/study/measures/coefficient_program.hpp"

namespace sfg {

namespace {

/// y and x of an angle of at most 180° as a turn between −2 and 2.
double turn_of(double y, double x) {
  const double part = y / (std::abs(x) + std::abs(y));
  return x >= 0 ? part : std::copysign(2.0, y) - part;
}

double turn_of_degrees(double phase) {
  const double whole = std::round(phase / 360), angle = (phase - 360 * whole) * std::numbers::pi / 180;
  return 4 * whole + turn_of(std::sin(angle), std::cos(angle));
}

std::vector<Measure> axis_measures(const SymbolTable& symbols, const std::vector<double>& frequency) {
  std::vector<Measure> result;
  for (const MeasureKind kind : {MeasureKind::gain, MeasureKind::phase})
    for (const double w : frequency) result.push_back(measure_of(to_string(BaseMeasure{kind, w, 0}), symbols));
  return result;
}

}  // namespace

struct AxisSamples::Fan {
  CoefficientProgram program;
  double unit = 1;                   ///< rad/s, for good numbers
  std::vector<double> weights = {};  ///< of the coefficients of N and D in real and imaginary parts, frequency by frequency
};

AxisSamples::AxisSamples(const MeasuredSystem& system, const std::vector<std::string>& parameters, std::vector<double> frequency,
                         const Budget& budget)
    : frequency_(std::move(frequency)), program_(system, axis_measures(system.graph.symbols, frequency_), parameters, budget) {
  if (system.anew || system.simulated || frequency_.empty() || !std::ranges::is_sorted(frequency_) || frequency_.front() <= 0)
    return;
  try {
    Fan fan{CoefficientProgram(system.graph, system.question, parameters, budget), 1};
    if (fan.program.op().discrete() || fan.program.delayed() || fan.program.numerator_size() == 0) return;
    fan.unit = std::exp2(std::round(std::log2(frequency_[frequency_.size() / 2])));
    for (const double w : frequency_)
      for (const std::size_t size : {fan.program.numerator_size(), fan.program.denominator_size()})
        for (std::size_t k = 0; k < size; ++k) fan.weights.push_back(std::pow(w, static_cast<double>(k)) * (k % 4 < 2 ? 1 : -1));
    fan_ = std::make_unique<Fan>(std::move(fan));
  } catch (const NoAnswer&) {
    return;
  } catch (const LimitReached&) {
    budget.check("the samples");
    return;
  }
  // Trusted where it agrees with the other way at the stated values.
  const std::size_t n = frequency_.size();
  std::vector<double> quick(2 * n), known(2 * n);
  const bool decided = fan_out(1, program_.nominal(), quick);
  program_.evaluate(1, program_.nominal(), known);
  constexpr double slack = 1e-9;
  bool agrees = decided;
  for (std::size_t i = 0; i < n && agrees; ++i)
    agrees = std::abs(std::sqrt(quick[i]) - known[i]) <= slack * known[i] &&
             std::abs(degrees(quick[n + i]) - known[n + i]) <= slack * (1 + std::abs(known[n + i]));
  if (!agrees) fan_.reset();
}

AxisSamples::~AxisSamples() = default;
AxisSamples::AxisSamples(AxisSamples&&) noexcept = default;

double AxisSamples::decibels(double square) { return 10 * std::log10(square); }

double AxisSamples::degrees(double turn) {
  const double whole = std::round(turn / 4), rest = turn - 4 * whole, part = std::abs(rest);
  const double y = part <= 1 ? part : 2 - part, x = part <= 1 ? 1 - part : part - 2 < 0 ? -(1 - y) : -1;
  return 360 * whole + std::copysign(std::atan2(y, x), rest) * 180 / std::numbers::pi;
}

void AxisSamples::evaluate(std::size_t points, std::span<const double> parameters, std::span<double> values) const {
  if (fan_ && fan_out(points, parameters, values)) return;
  program_.evaluate(points, parameters, values);
  const std::size_t half = frequency_.size() * points;
  for (double& x : values.first(half)) x *= x;
  for (double& x : values.subspan(half)) x = std::isfinite(x) ? turn_of_degrees(x) : undefined;
}

namespace {

/// Whole turns of the arguments of many points, as the frequency goes up.
class Turns {
 public:
  Turns(std::size_t points) : whole_(points), next_(points), ends_(points) {}

  void start(std::size_t point, double whole, const std::vector<std::pair<double, int>>& crossings) {
    whole_[point] = 4 * whole;
    next_[point] = crossings.empty() ? infinity : crossings.front().first;
    ends_[point] = all_.size() + 1;
    all_.insert(all_.end(), crossings.begin(), crossings.end());
    all_.emplace_back(infinity, 0);
  }

  const std::vector<double>& to(double x) {
    if (least_ >= x) return whole_;
    least_ = infinity;
    for (std::size_t p = 0; p < next_.size(); ++p) {
      while (next_[p] < x) {
        whole_[p] += 4 * all_[ends_[p] - 1].second;
        next_[p] = all_[ends_[p]++].first;
      }
      least_ = std::min(least_, next_[p]);
    }
    return whole_;
  }

 private:
  std::vector<double> whole_, next_;  ///< 4 a turn; x of the next crossing of a point
  std::vector<std::size_t> ends_;     ///< behind its place in all_
  std::vector<std::pair<double, int>> all_;
  double least_ = -infinity;
};

}  // namespace

bool AxisSamples::fan_out(std::size_t points, std::span<const double> parameters, std::span<double> values) const {
  const numeric::Tape& tape = fan_->program.tape();
  const std::size_t N = fan_->program.numerator_size(), D = fan_->program.denominator_size();
  std::vector<std::span<const double>> inputs;
  for (std::size_t k = 0; k < program_.parameters().size(); ++k) inputs.push_back(parameters.subspan(k * points, points));
  std::vector<double> c(tape.outputs().size() * points), workspace(tape.slot_count() * numeric::Tape::batch_size);
  tape.run_batch<double>(points, inputs, c, workspace);
  AxisMeasures axis(fan_->program, fan_->unit);
  Turns turns(points);
  std::vector<double> point(N + D);
  std::vector<std::pair<double, int>> crossings;
  for (std::size_t p = 0; p < points; ++p) {
    for (std::size_t k = 0; k < N + D; ++k) point[k] = c[k * points + p];
    axis.set({std::span(point).first(N), std::span(point).subspan(N), 0});
    const auto whole = axis.turns(crossings);
    if (!whole) return false;
    turns.start(p, *whole, crossings);
  }
  std::vector<double> parts(4 * points);
  const auto part = [&](std::size_t k) { return std::span(parts).subspan(k * points, points); };
  const std::vector<double>& weights = fan_->weights;
  for (std::size_t f = 0; f < frequency_.size(); ++f) {
    std::fill(parts.begin(), parts.end(), 0.0);
    for (std::size_t k = 0; k < N + D; ++k) {
      const std::size_t power = k < N ? k : k - N;
      numeric::add_weighted(part((k < N ? 0 : 2) + power % 2), std::span(c).subspan(k * points, points),
                            weights[f * (N + D) + k]);
    }
    const std::span<double> square = values.subspan(f * points, points);
    const std::span<double> turn = values.subspan((frequency_.size() + f) * points, points);
    numeric::squares_and_turns(part(0), part(1), part(2), part(3), square, turn);
    const double x = frequency_[f] / fan_->unit;
    numeric::add_weighted(turn, turns.to(x * x), 1);
    if (std::ranges::find(square, 0.0) != square.end()) return false;  // no phase to follow
  }
  return true;
}

}  // namespace sfg
