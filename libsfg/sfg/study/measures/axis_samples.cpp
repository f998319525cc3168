// At one frequency the real and imaginary parts of N and D are sums of coefficients with fixed weights. So the points of a block
// are taken side by side. Whole turns of the phase are counted where the argument passes 180°: by the signs at the frequencies
// where these show all there is, else by the roots, as for one point.
#include "sfg/study/measures/axis_samples.hpp"

#include <algorithm>
#include <cmath>
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
  double unit;  ///< rad/s, for good numbers
  numeric::AxisFan on_axis;
};

AxisSamples::AxisSamples(const MeasuredSystem& system, const std::vector<std::string>& parameters, std::vector<double> frequency,
                         const Budget& budget)
    : frequency_(std::move(frequency)), program_(system, axis_measures(system.graph.symbols, frequency_), parameters, budget) {
  if (system.anew || system.simulated || frequency_.empty()) return;
  const std::size_t n = frequency_.size();
  std::vector<double> quick(2 * n), known(2 * n);
  program_.evaluate(1, program_.nominal(), known);  // says so where T is nothing that can be sampled
  if (!std::ranges::is_sorted(frequency_) || frequency_.front() <= 0) return;
  try {
    CoefficientProgram program(system.graph, system.question, parameters, budget);
    const std::size_t N = program.numerator_size(), D = program.denominator_size();
    if (program.op().discrete() || program.delayed() || N == 0) return;
    const double unit = std::exp2(std::round(std::log2(frequency_[frequency_.size() / 2])));
    const auto [zeros, poles] = program.at_rest();
    if (zeros >= N || poles >= D) return;
    fan_ = std::make_unique<Fan>(Fan{std::move(program), unit, numeric::AxisFan(frequency_, N, D, zeros, poles, unit)});
  } catch (const NoAnswer&) {
    return;
  } catch (const LimitReached&) {
    budget.check("the samples");
    return;
  }
  // Trusted where it agrees with the other way at the stated values.
  const bool decided = fan_out(1, program_.nominal(), quick);
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

/// Whole turns of the arguments of some points, as the frequency goes up.
class Turns {
 public:
  void add(std::size_t point, double whole, const std::vector<std::pair<double, int>>& crossings) {
    points_.push_back({point, 4 * whole, all_.size()});
    all_.insert(all_.end(), crossings.begin(), crossings.end());
    all_.emplace_back(infinity, 0);
  }
  bool empty() const { return points_.empty(); }

  /// @param put  of a point and its whole turns, 4 each
  template <class Put>
  void to(double x, const Put& put) {
    for (Point& point : points_) {
      for (; all_[point.next].first < x; ++point.next) point.whole += 4 * all_[point.next].second;
      put(point.point, point.whole);
    }
  }

 private:
  struct Point {
    std::size_t point;
    double whole;
    std::size_t next;  ///< crossing
  };
  std::vector<Point> points_;
  std::vector<std::pair<double, int>> all_;
};

}  // namespace

bool AxisSamples::fan_out(std::size_t points, std::span<const double> parameters, std::span<double> values) const {
  const numeric::Tape& tape = fan_->program.tape();
  const std::size_t N = fan_->program.numerator_size(), D = fan_->program.denominator_size(), frequencies = frequency_.size();
  std::vector<std::span<const double>> inputs;
  for (std::size_t k = 0; k < program_.parameters().size(); ++k) inputs.push_back(parameters.subspan(k * points, points));
  std::vector<double> c(tape.outputs().size() * points), workspace(tape.slot_count() * numeric::Tape::batch_size);
  tape.run_batch<double>(points, inputs, c, workspace);
  std::vector<char> undecided(points);
  fan_->on_axis(points, c, values, undecided);
  AxisMeasures axis(fan_->program, fan_->unit);
  std::vector<double> point(N + D);
  const auto set = [&](std::size_t p) {
    for (std::size_t k = 0; k < N + D; ++k) point[k] = c[k * points + p];
  };
  std::vector<std::pair<double, int>> crossings;
  Turns turns;
  for (std::size_t p = 0; p < points; ++p) {
    if (undecided[p] == 0) continue;
    set(p);
    axis.set({std::span(point).first(N), std::span(point).subspan(N), 0});
    const auto whole = axis.turns(crossings);
    if (!whole) return false;
    turns.add(p, *whole, crossings);
  }
  bool phases = true;
  for (std::size_t f = 0; f < frequencies && !turns.empty(); ++f) {
    const double nu = frequency_[f] / fan_->unit;
    turns.to(nu * nu, [&](std::size_t p, double whole) {
      phases = phases && values[f * points + p] != 0;  // else there is none to follow
      double& turn = values[(frequencies + f) * points + p];
      constexpr double almost_half = 1.999;
      if (std::abs(turn - whole) < almost_half) return;
      set(p);
      turn = fan_->on_axis.turn(f, point) + whole;
    });
  }
  return phases;
}

}  // namespace sfg
