// With simple poles p, y(t) = N(0)/D(0) + Σ N(p)/(p D′(p)) e^(pt). The response moves with the coefficients by
//   ∂y/∂N_i = L⁻¹{s^(i − 1)/D},   ∂y/∂D_i = −L⁻¹{N s^(i − 1)/D²}, of double poles: e^(pt) (t f(p) + f′(p)), f = N s^(i − 1)/Q²,
// Q = D/(s − p). A time that is defined by y(t) = level·y(∞) moves by (level·dy(∞) − dy)/y′.
#include "sfg/study/step_measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sfg {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr double band = 0.02;
constexpr std::size_t most_samples = 1'000'000;

void scale(std::vector<double>& to, std::span<const double> from, double unit) {
  to.resize(from.size());
  double power = 1;
  for (std::size_t i = 0; i < from.size(); ++i, power *= unit) to[i] = from[i] * power;
}

std::complex<double> horner(std::span<const double> p, std::complex<double> s) {
  std::complex<double> value = 0;
  for (std::size_t i = p.size(); i-- > 0;) value = value * s + p[i];
  return value;
}

/// p, p′ and p″.
struct Derivatives {
  std::complex<double> value = 0, first = 0, second = 0;
  Derivatives(std::span<const double> p, std::complex<double> s) {
    for (std::size_t i = p.size(); i-- > 0;) {
      second = second * s + first;
      first = first * s + value;
      value = value * s + p[i];
    }
    second *= 2.0;
  }
};

}  // namespace

StepMeasures::StepMeasures(const Operator& op, double unit)
    : op_(op), unit_(op.discrete() ? 1 : unit), period_(op.period().to_double()) {}

void StepMeasures::set(const NumberFraction& T, std::span<const Complex> poles) {
  scale(n_, T.numerator, unit_);
  scale(d_, T.denominator, unit_);
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
    if (base.kind != MeasureKind::step || n_.size() > d_.size() || d_.back() == 0) return {nothing, false};
    if (base.at / period_ > static_cast<double>(most_samples)) return {nothing, false};
    return {sampled(base.at - delay_)};
  }
  if (!expand()) return {nothing, false};
  if (base.kind == MeasureKind::step) {
    const double t = base.at * unit_ - delay_;
    if (t < 0) return {0};
    const double y = at(t).y;
    return {std::isfinite(y) ? y : nothing};
  }
  if (!stable_) return {nothing};
  if (base.kind == MeasureKind::final) return {final_};
  if (final_ == 0) return {nothing};
  if (!figures()) return {nothing, false};
  switch (base.kind) {
    case MeasureKind::rise: return {(high_ - low_) / unit_};
    case MeasureKind::settling: return {(settled_ + delay_) / unit_};
    default: return {std::max(0.0, (peak_ / final_ - 1) * 100)};
  }
}

void StepMeasures::along(std::span<const BaseMeasure> times, std::span<double> values) {
  for (std::size_t i = 0; i < times.size(); ++i) values[i] = (*this)(times[i]).value;
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

/// One walk along the response in steps that its fastest lasting part allows, until what is left of it decides nothing.
bool StepMeasures::figures() {
  if (figures_known_) return figures_found_;
  figures_known_ = true;
  figures_found_ = false;
  const double sign = final_ < 0 ? -1 : 1, size = std::abs(final_);
  double t = 0, last_dt = 0;
  Values now = at(0);
  low_ = sign * now.y >= 0.1 * size ? 0 : nothing;
  high_ = sign * now.y >= 0.9 * size ? 0 : nothing;
  double outside_from = nothing, outside_to = nothing;
  if (std::abs(now.y - final_) > band * size) outside_from = 0;
  peak_ = now.y, peak_time_ = 0;
  std::vector<Complex> state, factor(parts_.size());
  for (const Part& part : parts_) state.push_back(part.weight);
  const auto reach = [&](double a, double b, double y) {
    if (std::isnan(low_) && sign * y >= 0.1 * size) low_ = crossing(a, b, 0.1 * final_);
    if (std::isnan(high_) && sign * y >= 0.9 * size) high_ = crossing(a, b, 0.9 * final_);
    if (sign * y > sign * peak_) peak_ = y, peak_time_ = b;
    if (std::abs(y - final_) > band * size)
      outside_from = b, outside_to = nothing;
    else if (!std::isnan(outside_from) && std::isnan(outside_to))
      outside_to = b;
  };
  constexpr std::size_t most_steps = 400'000;
  double dt = 0;
  for (std::size_t step = 0; step < most_steps; ++step) {
    constexpr std::size_t judged = 4;  // steps
    if (step % judged == 0) {
      double rate = 0, rest = 0, slowest = std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < parts_.size(); ++k) {
        const double amplitude = parts_[k].count * std::abs(state[k]), modulus = std::abs(parts_[k].pole);
        rest += amplitude;
        slowest = std::min(slowest, modulus);
        if (amplitude > 1e-6 * size) rate = std::max(rate, modulus);
      }
      const double above = sign * peak_ - size;
      if (rest <= 0.99 * band * size && (above > rest || rest <= 1e-10 * size)) break;
      dt = 0.15 / (rate == 0 ? slowest : rate);
    }
    if (dt != last_dt)
      for (std::size_t k = 0; k < parts_.size(); ++k) factor[k] = std::exp(parts_[k].pole * dt);
    last_dt = dt;
    const double before = t, slope = now.slope;
    t += dt;
    now = {final_, 0, 0};
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      state[k] *= factor[k];
      now.y += parts_[k].count * state[k].real();
      now.slope += parts_[k].count * (state[k] * parts_[k].pole).real();
    }
    if ((slope < 0) != (now.slope < 0)) {
      const double turn = extremum(before, t);
      reach(before, turn, at(turn).y);
      reach(turn, t, now.y);
    } else {
      reach(before, t, now.y);
    }
  }
  if (std::isnan(low_) || std::isnan(high_)) return false;
  if (!std::isnan(outside_from) && std::isnan(outside_to)) return false;
  if (sign * peak_ <= size) peak_ = final_, peak_time_ = nothing;
  settled_ = nothing;
  if (!std::isnan(outside_from)) {
    settled_level_ = 1 + (sign * at(outside_from).y > size ? band : -band);
    settled_ = crossing(outside_from, outside_to, settled_level_ * final_);
  }
  return figures_found_ = true;
}

/// Adds factor · ∂y(t)/∂c.
void StepMeasures::add_slopes(double t, double factor, CoefficientSlopes& result) const {
  if (!n_.empty()) {
    result.numerator[0] += factor / d_[0];
    result.denominator[0] -= factor * n_[0] / (d_[0] * d_[0]);
  }
  for (const Part& part : parts_) {
    const Complex p = part.pole, now = part.count * factor * std::exp(p * t);
    const Derivatives N(n_, p), D(d_, p);
    const Complex q = 1.0 / D.first, inner = D.second / (2.0 * D.first);
    Complex power = 1.0 / p, below = -1.0 / (p * p);  // s^(i − 1) and its derivative
    for (std::size_t i = 0; i < std::max(n_.size(), d_.size()); ++i) {
      if (i < n_.size()) result.numerator[i] += (now * power * q).real();
      if (i < d_.size())
        result.denominator[i] -=
            (now * q * q * (t * N.value * power + N.first * power + N.value * below - 2.0 * N.value * power * inner)).real();
      below = i == 0 ? 0 : static_cast<double>(i) * power;
      power = i == 0 ? 1 : power * p;
    }
  }
}

/// ∂y/∂N_i is the response of z^i/D to the step, ∂y/∂D_i minus that of z^i/D to y.
bool StepMeasures::sampled_slopes(double t, CoefficientSlopes& result) const {
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
  result.numerator.assign(n_.size(), 0.0);
  result.denominator.assign(d_.size(), 0.0);
  result.delay = 0;
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
  double power = 1;
  for (double& slope : result.numerator) slope *= power, power *= unit_;
  power = 1;
  for (double& slope : result.denominator) slope *= power, power *= unit_;
  return std::ranges::all_of(result.numerator, [](double x) { return std::isfinite(x); }) &&
         std::ranges::all_of(result.denominator, [](double x) { return std::isfinite(x); });
}

}  // namespace sfg
