// With simple poles p, y(t) = N(0)/D(0) + Σ N(p)/(p D′(p)) e^(pt). The response moves with the coefficients by
//   ∂y/∂N_i = L⁻¹{s^(i − 1)/D},   ∂y/∂D_i = −L⁻¹{N s^(i − 1)/D²}, of double poles: e^(pt) (t f(p) + f′(p)), f = N s^(i − 1)/Q²,
// Q = D/(s − p). A time that is defined by y(t) = level·y(∞) moves by (level·dy(∞) − dy)/y′.
#include "sfg/study/measures/step_measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sfg/numeric/numbers.hpp"
#include "sfg/study/measures/number_polynomials.hpp"

namespace sfg {

namespace {

constexpr double band = 0.02;
constexpr std::size_t most_samples = 1'000'000;

}  // namespace

StepMeasures::StepMeasures(const Operator& op, double unit)
    : op_(op), unit_(op.discrete() ? 1 : unit), period_(op.period().to_double()) {}

void StepMeasures::set(const NumberFraction& T, std::span<const Complex> poles) {
  scale(n_, T.numerator, unit_);
  scale(d_, T.denominator, unit_);
  above_ = n_.size(), below_ = d_.size();
  while (!n_.empty() && n_.back() == 0) n_.pop_back();
  while (d_.size() > 1 && d_.back() == 0) d_.pop_back();
  delay_ = T.delay * unit_;
  poles_.assign(poles.begin(), poles.end());
  known_ = figures_known_ = false;
  samples_.clear();
}

/// Partial fractions; false where poles are so close that these lose digits.
bool StepMeasures::expand() {
  if (known_) return simple_;
  known_ = true;
  simple_ = false;
  parts_.clear();
  if (d_.size() > 1 && poles_.size() + 1 != d_.size()) return false;
  if (n_.size() > d_.size() || d_[0] == 0) return false;
  final_ = n_.empty() ? 0 : n_[0] / d_[0];
  stable_ = true;
  double sum = 0;
  for (const Complex& root : poles_) {
    const Complex p = root / unit_;
    stable_ = stable_ && p.real() < 0;
    if (p.imag() < 0) continue;
    const Derivatives D(d_, p);
    parts_.push_back({p, horner(n_, p) / (p * D.first), p.imag() > 0 ? 2.0 : 1.0});
    sum += parts_.back().count * std::abs(parts_.back().weight);
  }
  constexpr double greatest = 1e5;  // as many digits are lost as this has
  return simple_ = sum <= greatest * std::abs(final_) || sum == 0;
}

StepMeasures::Values StepMeasures::at(double t) const {
  Values result{final_, 0, 0};
  for (const Part& part : parts_) {
    const Complex now = part.weight * std::exp(part.pole * t);
    result.y += part.count * now.real();
    const Complex moving = now * part.pole;
    result.slope += part.count * moving.real();
    result.curvature += part.count * (moving * part.pole).real();
  }
  return result;
}

/// y at k h: D y = N u, by the recursion. In samples_ as far as it was needed.
double StepMeasures::sampled(double t) {
  const double count = std::floor(t / period_ * (1 + 1e-12));
  if (count < 0) return 0;
  const auto last = static_cast<std::size_t>(count);
  const std::size_t m = d_.size() - 1;
  for (std::size_t k = samples_.size(); k <= last; ++k) {
    double sum = 0;
    for (std::size_t i = 0; i < n_.size(); ++i)
      if (k + i >= m) sum += n_[i];  // the step at k + i − m
    for (std::size_t i = 0; i < m; ++i)
      if (k + i >= m) sum -= d_[i] * samples_[k + i - m];
    samples_.push_back(sum / d_[m]);
  }
  return samples_[last];
}

FoundMeasure StepMeasures::operator()(const BaseMeasure& base) {
  if (op_.discrete()) {
    if (base.kind != MeasureKind::step || n_.size() > d_.size() || d_.back() == 0) return {undefined, false};
    if (base.at / period_ > static_cast<double>(most_samples)) return {undefined, false};
    return {sampled(base.at - delay_)};
  }
  if (!expand()) return {undefined, false};
  if (base.kind == MeasureKind::step) {
    const double t = base.at * unit_ - delay_;
    if (t < 0) return {0};
    const double y = at(t).y;
    return {std::isfinite(y) ? y : undefined};
  }
  if (!stable_) return {undefined};
  if (base.kind == MeasureKind::final) return {final_};
  if (final_ == 0) return {undefined};
  if (!figures()) return {undefined, false};
  switch (base.kind) {
    case MeasureKind::rise: return {(high_ - low_) / unit_};
    case MeasureKind::settling: return {(settled_ + delay_) / unit_};
    default: return {std::max(0.0, (peak_ / final_ - 1) * 100)};
  }
}

double StepMeasures::crossing(double a, double b, double level) const {
  const bool rising = at(a).y < level;
  double t = (a + b) / 2;
  for (int k = 0; k < 100; ++k) {
    const Values now = at(t);
    ((now.y < level) == rising ? a : b) = t;
    double next = t - (now.y - level) / now.slope;
    if (!(next > a && next < b)) next = (a + b) / 2;
    if (std::abs(next - t) <= 1e-15 * t || next <= a || next >= b) return next;
    t = next;
  }
  return t;
}

double StepMeasures::extremum(double a, double b) const {
  const bool rising = at(a).slope < 0;
  double t = (a + b) / 2;
  for (int k = 0; k < 60; ++k) {
    const Values now = at(t);
    ((now.slope < 0) == rising ? a : b) = t;
    double next = t - now.slope / now.curvature;
    if (!(next > a && next < b)) next = (a + b) / 2;
    if (std::abs(next - t) <= 1e-12 * t) return next;
    t = next;
  }
  return t;
}

/// One walk along the response, step by step, that notes what is passed on the way.
class StepMeasures::Walk {
 public:
  explicit Walk(StepMeasures& step) : step_(step), sign_(step.final_ < 0 ? -1 : 1), size_(std::abs(step.final_)) {
    for (const Part& part : step.parts_) state_.push_back(part.weight);
    factor_.resize(state_.size());
    now_ = step.at(0);
    step.low_ = sign_ * now_.y >= 0.1 * size_ ? 0 : undefined;
    step.high_ = sign_ * now_.y >= 0.9 * size_ ? 0 : undefined;
    step.peak_ = now_.y, step.peak_time_ = 0;
    if (std::abs(now_.y - step.final_) > band * size_) outside_from_ = 0;
  }

  /// Chooses the step by the fastest part that lasts. False where what is left of the response decides nothing any more.
  bool choose_step() {
    double rate = 0, rest = 0, slowest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < state_.size(); ++k) {
      const double amplitude = step_.parts_[k].count * std::abs(state_[k]), modulus = std::abs(step_.parts_[k].pole);
      rest += amplitude;
      slowest = std::min(slowest, modulus);
      if (amplitude > 1e-6 * size_) rate = std::max(rate, modulus);
    }
    const double above = sign_ * step_.peak_ - size_;
    if (rest <= 0.99 * band * size_ && (above > rest || rest <= 1e-10 * size_)) return false;
    const double dt = 0.15 / (rate == 0 ? slowest : rate);
    if (dt == dt_) return true;
    dt_ = dt;
    for (std::size_t k = 0; k < state_.size(); ++k) factor_[k] = std::exp(step_.parts_[k].pole * dt);
    return true;
  }

  void advance() {
    const double before = t_, slope = now_.slope;
    t_ += dt_;
    now_ = {step_.final_, 0, 0};
    for (std::size_t k = 0; k < state_.size(); ++k) {
      const Part& part = step_.parts_[k];
      state_[k] *= factor_[k];
      now_.y += part.count * state_[k].real();
      now_.slope += part.count * (state_[k] * part.pole).real();
    }
    if ((slope < 0) != (now_.slope < 0)) {
      const double turn = step_.extremum(before, t_);
      reach(before, turn, step_.at(turn).y);
      reach(turn, t_, now_.y);
    } else {
      reach(before, t_, now_.y);
    }
  }

  /// False where the walk was too short for a figure.
  bool finish() {
    if (std::isnan(step_.low_) || std::isnan(step_.high_)) return false;
    if (!std::isnan(outside_from_) && std::isnan(outside_to_)) return false;
    if (sign_ * step_.peak_ <= size_) step_.peak_ = step_.final_, step_.peak_time_ = undefined;
    step_.settled_ = 0;
    if (std::isnan(outside_from_)) return true;
    step_.settled_level_ = 1 + (sign_ * step_.at(outside_from_).y > size_ ? band : -band);
    step_.settled_ = step_.crossing(outside_from_, outside_to_, step_.settled_level_ * step_.final_);
    return true;
  }

 private:
  /// From a to b the response goes one way, to y.
  void reach(double a, double b, double y) {
    if (std::isnan(step_.low_) && sign_ * y >= 0.1 * size_) step_.low_ = step_.crossing(a, b, 0.1 * step_.final_);
    if (std::isnan(step_.high_) && sign_ * y >= 0.9 * size_) step_.high_ = step_.crossing(a, b, 0.9 * step_.final_);
    if (sign_ * y > sign_ * step_.peak_) step_.peak_ = y, step_.peak_time_ = b;
    if (std::abs(y - step_.final_) > band * size_)
      outside_from_ = b, outside_to_ = undefined;
    else if (!std::isnan(outside_from_) && std::isnan(outside_to_))
      outside_to_ = b;
  }

  StepMeasures& step_;
  double sign_, size_, t_ = 0, dt_ = 0, outside_from_ = undefined, outside_to_ = undefined;
  Values now_;
  std::vector<Complex> state_, factor_;
};

bool StepMeasures::figures() {
  if (figures_known_) return figures_found_;
  figures_known_ = true;
  constexpr std::size_t most_steps = 400'000, judged = 4;  // the step is chosen anew after so many
  Walk walk(*this);
  for (std::size_t step = 0; step < most_steps; ++step) {
    if (step % judged == 0 && !walk.choose_step()) break;
    walk.advance();
  }
  return figures_found_ = walk.finish();
}

/// Adds factor · ∂y(t)/∂c.
void StepMeasures::add_slopes(double t, double factor, CoefficientSlopes& result) {
  natural_ = std::max(natural_, std::abs(factor * final_));
  if (!n_.empty()) {
    result.numerator[0] += factor / d_[0];
    result.denominator[0] -= factor * n_[0] / (d_[0] * d_[0]);
  }
  for (const Part& part : parts_) {
    const Complex p = part.pole, now = part.count * factor * std::exp(p * t);
    const Derivatives N(n_, p), D(d_, p);
    const Complex q = 1.0 / D.first, inner = D.second / (2.0 * D.first);
    double size = 0;
    for (std::size_t i = d_.size(); i-- > 0;) size = size * std::abs(p) + std::abs(d_[i]);
    constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
    constexpr double close = 15;  // |p| over the distance to the next ones
    const double relative =
        std::abs(inner * p) > close ? rounding * size * std::abs(q * inner) : 0;  // of q, as the pole is rounded
    Complex power = 1.0 / p, below = -1.0 / (p * p);                              // s^(i − 1) and its derivative
    for (std::size_t i = 0; i < std::max(above_, below_); ++i) {
      if (i < above_) result.numerator[i] += (now * power * q).real();
      if (i < below_) {
        const Complex change =
            now * q * q * (t * N.value * power + N.first * power + N.value * below - 2.0 * N.value * power * inner);
        result.denominator[i] -= change.real();
        if (i < d_.size()) lost_ = std::max(lost_, relative * std::abs(change * d_[i]));
      }
      below = i == 0 ? 0 : static_cast<double>(i) * power;
      power = i == 0 ? 1 : power * p;
    }
  }
}

/// ∂y/∂N_i is the response of z^i/D to the step, ∂y/∂D_i minus that of z^i/D to y.
bool StepMeasures::sampled_slopes(double t, CoefficientSlopes& result) const {
  if (n_.size() < above_ || d_.size() < below_) return false;
  const double count = std::floor(t / period_ * (1 + 1e-12));
  if (count < 0) return true;
  const auto last = static_cast<std::size_t>(count);
  const std::size_t m = d_.size() - 1;
  const auto filtered = [&](const auto& input) {  // by 1/D
    std::vector<double> v(last + m + 1, 0.0);     // v at k is v[k + m] before
    std::vector<double> out(last + m + 1, 0.0);
    for (std::size_t k = 0; k <= last; ++k) {  // out at k + m from the input at k
      double sum = input(k);
      for (std::size_t i = 0; i < m; ++i) sum -= d_[i] * out[k + i];
      out[k + m] = sum / d_[m];
    }
    return out;
  };
  const std::vector<double> step = filtered([](std::size_t) { return 1.0; });
  const std::vector<double> again = filtered([&](std::size_t k) { return samples_[k]; });
  for (std::size_t i = 0; i < n_.size(); ++i) result.numerator[i] = last + i < step.size() ? step[last + i] : 0;
  for (std::size_t i = 0; i < d_.size(); ++i) result.denominator[i] = last + i < again.size() ? -again[last + i] : 0;
  return true;
}

bool StepMeasures::slopes(const BaseMeasure& base, CoefficientSlopes& result) {
  result.numerator.assign(above_, 0.0);
  result.denominator.assign(below_, 0.0);
  result.delay = lost_ = natural_ = 0;
  if (op_.discrete()) return base.kind == MeasureKind::step && sampled_slopes(base.at - delay_, result);
  // Times below are in 1/unit; so are their slopes, until the end.
  const auto level_time = [&](double t, double level, double weight) {
    if (t == 0) return;  // the response begins above
    const double slope = at(t).slope;
    add_slopes(t, -weight / slope, result);
    result.numerator[0] += weight * level / slope / d_[0];
    result.denominator[0] -= weight * level / slope * n_[0] / (d_[0] * d_[0]);
  };
  switch (base.kind) {
    case MeasureKind::final:
      if (n_.empty()) break;
      result.numerator[0] = 1 / d_[0];
      result.denominator[0] = -n_[0] / (d_[0] * d_[0]);
      break;
    case MeasureKind::step: {
      const double t = base.at * unit_ - delay_;
      if (t < 0) break;
      add_slopes(t, 1, result);
      result.delay = -at(t).slope * unit_;
      break;
    }
    case MeasureKind::rise:
      level_time(high_, 0.9, 1 / unit_);
      level_time(low_, 0.1, -1 / unit_);
      break;
    case MeasureKind::settling:
      level_time(settled_, settled_level_, 1 / unit_);
      result.delay = 1;
      break;
    case MeasureKind::overshoot: {
      if (std::isnan(peak_time_)) break;
      add_slopes(peak_time_, 100 / final_, result);
      const double factor = -100 * peak_ / (final_ * final_);
      result.numerator[0] += factor / d_[0];
      result.denominator[0] -= factor * n_[0] / (d_[0] * d_[0]);
      break;
    }
    default: return false;
  }
  double most = natural_;
  for (std::size_t i = 0; i < d_.size(); ++i) most = std::max(most, std::abs(result.denominator[i] * d_[i]));
  constexpr double tolerable = 1e-4;  // of what is a bound, and seldom reached
  if (lost_ > tolerable * most) return false;
  double power = 1;
  for (double& slope : result.numerator) slope *= power, power *= unit_;
  power = 1;
  for (double& slope : result.denominator) slope *= power, power *= unit_;
  return std::ranges::all_of(result.numerator, [](double x) { return std::isfinite(x); }) &&
         std::ranges::all_of(result.denominator, [](double x) { return std::isfinite(x); });
}

}  // namespace sfg
