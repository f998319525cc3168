#include "sfg/study/boxes/box_step.hpp"

#include <algorithm>
#include <cmath>

#include "sfg/numeric/numbers.hpp"
#include "sfg/study/boxes/box_axis.hpp"
#include "sfg/study/boxes/pair_functions.hpp"

namespace sfg {

using ring::ComplexJet;
using ring::Interval;
using ring::Jet;
using ring::ParameterBox;

namespace {

using JetPolynomial = std::vector<Jet>;

constexpr double settling_band = 0.02, quiet = 1e-5;

ComplexJet jet_value_at(const JetPolynomial& p, const ComplexJet& s) {
  ComplexJet result;
  for (std::size_t k = p.size(); k-- > 0;) {
    result = result * s;
    result.real = result.real + p[k];
  }
  return result;
}

/// Σ c_j t^j + Σ e^(σt) (a cos ωt − b sin ωt); parts: the c_j, then σ, ω, a, b of every pole. Of two, σ ± √q, it is
/// e^(σt) (a cosh √q t + b t sinh √q t/√q t), with q in the place of ω.
Jet sum_of_modes(std::size_t powers, std::span<const char> two, std::span<const Jet> parts, const Jet& t) {
  Jet result = ring::polynomial(parts.first(powers), t);
  for (std::size_t k = powers, i = 0; k + 3 < parts.size(); k += 4, ++i) {
    const Jet decay = exp(parts[k] * t);
    if (two[i]) {
      const Jet x = parts[k + 1] * square(t);
      result = result + decay * (parts[k + 2] * cosh_of_root(x) + parts[k + 3] * t * sinh_of_root(x));
      continue;
    }
    if (parts[k + 1].constant() && parts[k + 1].value().zero()) {
      result = result + parts[k + 2] * decay;
      continue;
    }
    const Jet angle = parts[k + 1] * t;
    result = result + decay * (parts[k + 2] * cos(angle) - parts[k + 3] * sin(angle));
  }
  return result;
}

/// β + αs modulo s² − 2ms + n.
struct Residue {
  Jet constant, linear;
};

struct Modulus {
  Jet twice, norm;
  Residue times_s(const Residue& r) const { return {-(norm * r.linear), r.constant + twice * r.linear}; }
  Residue of(const JetPolynomial& p) const {
    Residue result;
    for (std::size_t k = p.size(); k-- > 0;) {
      result = times_s(result);
      result.constant = result.constant + p[k];
    }
    return result;
  }
  Residue quotient(const Residue& a, const Residue& b) const {
    const Jet size = square(b.constant) + twice * b.constant * b.linear + norm * square(b.linear);
    const Residue other{b.constant + twice * b.linear, -b.linear};
    return {(a.constant * other.constant - norm * a.linear * other.linear) / size,
            (a.constant * other.linear + a.linear * other.constant + twice * a.linear * other.linear) / size};
  }
  /// p/(s² − 2ms + n), which divides it.
  JetPolynomial out_of(const JetPolynomial& p) const {
    JetPolynomial q(p.size() - 2);
    for (std::size_t k = q.size(); k-- > 0;) {
      q[k] = p[k + 2];
      if (k + 1 < q.size()) q[k] = q[k] + twice * q[k + 1];
      if (k + 2 < q.size()) q[k] = q[k] - norm * q[k + 2];
    }
    return q;
  }
};

using JetMatrix = std::vector<std::vector<Jet>>;

JetMatrix operator*(const JetMatrix& a, const JetMatrix& b) {
  JetMatrix result(a.size(), std::vector<Jet>(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (a[i][k].constant() && a[i][k].value().zero()) continue;
      for (std::size_t j = 0; j < a.size(); ++j) result[i][j] = result[i][j] + a[i][k] * b[k][j];
    }
  return result;
}

double norm(const JetMatrix& m) {
  double result = 0;
  for (const auto& row : m) {
    double sum = 0;
    for (const Jet& x : row) sum += x.value().greatest();
    result = std::max(result, sum);
  }
  return result;
}

/// The response by e^(Mt), M the companion matrix with the input as one state more: no pole is asked for. Taylor's series of
/// M t/2^s with its remainder, and s squarings (Moler, Van Loan 2003, method 3).
/// @param parts  the numerator without what goes through at once, that, and the denominator, monic
Jet by_matrix(std::size_t order, std::span<const Jet> parts, const Jet& t) {
  constexpr int terms = 24;
  const std::size_t n = order;
  JetMatrix m(n + 1, std::vector<Jet>(n + 1));
  for (std::size_t i = 0; i + 1 < n; ++i) m[i][i + 1] = 1.0;
  for (std::size_t j = 0; j < n; ++j) m[n - 1][j] = -parts[n + 1 + j];
  m[n - 1][n] = 1.0;
  double size = norm(m) * t.value().greatest();
  int squarings = 0;
  for (; size > 0.5 && squarings < 40; size /= 2) ++squarings;
  if (!(size <= 0.5)) return Jet::rough(Interval::everything());
  const Jet step = t * Jet(std::ldexp(1.0, -squarings));
  for (auto& row : m)
    for (Jet& x : row) x = x * step;
  JetMatrix power(n + 1, std::vector<Jet>(n + 1)), sum = power;
  for (std::size_t i = 0; i <= n; ++i) power[i][i] = sum[i][i] = 1.0;
  for (int k = 1; k <= terms; ++k) {
    power = power * m;
    for (std::size_t i = 0; i <= n; ++i)
      for (std::size_t j = 0; j <= n; ++j) {
        power[i][j] = power[i][j] / Jet(static_cast<double>(k));
        sum[i][j] = sum[i][j] + power[i][j];
      }
  }
  // With X = M t/2^s, |X| ≤ 1/2: |R| ≤ 2·|X|^25/25!, |R_k| ≤ 2·|X_k|·|X|^24/24!, |R_kl| ≤ 2·(|X_kl| |X|^24/24! + |X_k| |X_l|
  // |X|^23/23!)
  constexpr double remainder = 1e-28;
  Jet disturbed;
  for (const auto& row : m)
    for (const Jet& x : row) disturbed = disturbed + x.disturbance(remainder * static_cast<double>((n + 1) * (n + 1)));
  for (auto& row : sum)
    for (Jet& x : row) x = x + disturbed;
  for (int k = 0; k < squarings; ++k) sum = sum * sum;
  Jet y = parts[n];
  for (std::size_t j = 0; j < n; ++j) y = y + parts[j] * sum[j][n];
  return y;
}

/// Coefficients over the lowest one, which is 1 itself then: what all have in common has no influence left.
JetPolynomial over_lowest(const JetPolynomial& p) {
  JetPolynomial result{1.0};
  for (std::size_t k = 1; k < p.size(); ++k) result.push_back(p[k] / p.front());
  return result;
}

}  // namespace

/// Whether the response goes to 1 times the factor.
bool BoxStep::normal() const { return !T_.below.empty() && T_.below.front().constant() && T_.below.front().value().low == 1; }

BoxStep::BoxStep(const ParameterBox& box, const BoxTransfer& T) : box_(box), T_(T), factor_(1.0) {
  stable_ = stable_over(T.below, T.discrete()) == 1;
  const auto vanishes = [](const JetPolynomial& p) { return p.empty() || p.front().value().contains(0); };
  if (!T.discrete() && !vanishes(T.above) && !vanishes(T.below)) {
    factor_ = T.above.front() / T.below.front();
    T_.above = over_lowest(T.above);
    T_.below = over_lowest(T.below);
  }
  if (T.discrete() || T.above.size() > T.below.size() || T.below.empty()) return;
  simple_ = expand();
  known_ = simple_;
  if (!simple_) expand_matrix();
}

bool BoxStep::expand() {
  auto poles = box_poles(box_, T_.below, true);
  if (!poles) return false;
  std::size_t at_zero = 0;
  for (const BoxPole& pole : *poles) {
    if (!pole.root && !pole.two) return false;
    if (pole.two && pole.two->product().value().contains(0)) return false;
    if (pole.on_axis && pole.real.zero())
      at_zero = pole.count;
    else if (pole.real.contains(0) && pole.on_axis)
      return false;
  }
  std::erase_if(*poles, [](const BoxPole& pole) { return pole.on_axis && pole.real.zero(); });
  const JetPolynomial rest(T_.below.begin() + static_cast<std::ptrdiff_t>(at_zero), T_.below.end());
  JetPolynomial series;
  for (std::size_t j = 0; j <= at_zero; ++j) {
    Jet term = j < T_.above.size() ? T_.above[j] : Jet();
    for (std::size_t i = 1; i <= j && i < rest.size(); ++i) term = term - rest[i] * series[j - i];
    series.push_back(term / rest.front());
  }
  powers_ = at_zero + 1;
  JetPolynomial parts, slopes;
  double factorial = 1;
  for (std::size_t j = 0; j <= at_zero; ++j) {
    if (j > 0) factorial *= static_cast<double>(j);
    parts.push_back(series[at_zero - j] / Jet(factorial));
    if (j > 0) slopes.push_back(Jet(static_cast<double>(j)) * parts.back());
  }
  const std::size_t slope_powers = slopes.size();
  for (const BoxPole& pole : *poles) {
    if (!add_pole(pole, rest, at_zero, parts, slopes)) return false;
    two_.push_back(pole.two.has_value());
  }
  const auto with = [two = two_](std::size_t powers) {
    return [powers, two](std::span<const Jet> all, const Jet& t) { return sum_of_modes(powers, two, all, t); };
  };
  response_ = {std::move(parts), with(powers_)};
  slope_ = {std::move(slopes), with(slope_powers)};
  poles_ = std::move(*poles);
  return true;
}

/// A part of the response and of its slope; D without its zeros at 0.
bool BoxStep::add_pole(const BoxPole& pole, const std::vector<Jet>& rest, std::size_t at_zero, std::vector<Jet>& parts,
                       std::vector<Jet>& slopes) const {
  const auto add = [](std::vector<Jet>& to, const Jet& rate, const Jet& turn, const Jet& a, const Jet& b) {
    to.insert(to.end(), {rate, turn, a, b});
    return a.smooth() && b.smooth();
  };
  if (pole.two) {
    const Jet &half = pole.two->half, &apart = pole.two->discriminant;
    const Modulus modulus{Jet(2.0) * half, pole.two->product()};
    Residue below = modulus.of(modulus.out_of(rest));
    for (std::size_t k = 0; k <= at_zero; ++k) below = modulus.times_s(below);
    const Residue part = modulus.quotient(modulus.of(T_.above), below), rate = modulus.times_s(part);
    const bool known = add(parts, half, apart, part.linear, part.constant + half * part.linear);
    return add(slopes, half, apart, rate.linear, rate.constant + half * rate.linear) && known;
  }
  const ComplexJet& p = *pole.root;
  ComplexJet below = jet_value_at(derivative(rest), p);
  for (std::size_t k = 0; k <= at_zero; ++k) below = below * p;
  const ComplexJet weight = jet_value_at(T_.above, p) / below, rate = weight * p;
  const Jet count(pole.on_axis ? 1.0 : 2.0);
  const bool known = add(parts, p.real, p.imaginary, count * weight.real, count * weight.imaginary);
  return add(slopes, p.real, p.imaginary, count * rate.real, count * rate.imaginary) && known;
}

void BoxStep::expand_matrix() {
  JetPolynomial d = T_.below;
  while (!d.empty() && d.back().constant() && d.back().value().zero()) d.pop_back();
  if (d.size() < 2 || d.back().value().contains(0) || T_.above.size() > d.size()) return;
  const std::size_t n = d.size() - 1;
  for (std::size_t k = 0; k < n; ++k) d[k] = d[k] / d[n];
  const Jet leading = T_.above.size() > n ? T_.above[n] / T_.below[n] : Jet();
  JetPolynomial parts, slopes;
  for (std::size_t k = 0; k < n; ++k) parts.push_back((k < T_.above.size() ? T_.above[k] / T_.below[n] : Jet()) - leading * d[k]);
  // y′ = C (A x + B): the state moves up by one place, the last is what the equation says
  for (std::size_t k = 0; k < n; ++k) slopes.push_back((k > 0 ? parts[k - 1] : Jet()) - parts[n - 1] * d[k]);
  slopes.push_back(parts[n - 1]);
  parts.push_back(leading);
  parts.insert(parts.end(), d.begin(), d.begin() + static_cast<std::ptrdiff_t>(n));
  slopes.insert(slopes.end(), d.begin(), d.begin() + static_cast<std::ptrdiff_t>(n));
  const auto of = [n](std::span<const Jet> all, const Jet& t) { return by_matrix(n, all, t); };
  response_ = {std::move(parts), of};
  slope_ = {std::move(slopes), of};
  known_ = true;
}

Jet BoxStep::sampled(double t) const {
  const double samples = std::floor(t / T_.period * (1 + 1e-12));
  if (samples < 0) return {};
  if (T_.below.back().value().contains(0) || T_.above.size() > T_.below.size() || samples > 2000)
    return Jet::rough(Interval::everything());
  const auto last = static_cast<std::size_t>(samples);
  const std::size_t m = T_.below.size() - 1;
  std::vector<Jet> y;
  for (std::size_t k = 0; k <= last; ++k) {
    Jet sum;
    for (std::size_t i = 0; i < T_.above.size(); ++i)
      if (k + i >= m) sum = sum + T_.above[i];
    for (std::size_t i = 0; i < m; ++i)
      if (k + i >= m) sum = sum - T_.below[i] * y[k + i - m];
    y.push_back(sum / T_.below[m]);
  }
  return y.back();
}

Jet BoxStep::at(double t) const {
  if (T_.discrete()) return sampled(t);
  const Jet time = Jet(t) - T_.delay;
  if (time.value().high < 0) return {};
  if (!known_) return Jet::rough(Interval::everything());
  if (time.value().low >= 0) return factor_ * response_(time);
  return Jet::rough(
      hull((factor_ * response_(Jet::rough({0, time.value().high}))).value(), 0.0));  // before or after the dead time
}

Jet BoxStep::final() const { return stable_ ? factor_ * dc_over(T_) : Jet::rough(Interval::everything()); }

BoxFunction BoxStep::less(double level) const {
  const std::function<Jet(std::span<const Jet>, const Jet&)> of = response_.of;
  return {response_.parts, [of, level](std::span<const Jet> all, const Jet& t) { return of(all, t) - Jet(level); }};
}

double BoxStep::quiet_after(double within) const {
  if (!simple_ || !normal()) return infinity;
  const auto rate = [&](std::size_t k) {  // of two, of the slower one
    const double apart =
        two_[(k - powers_) / 4] ? std::sqrt(std::max(0.0, response_.parts[k + 1].value().high)) * (1 + 1e-12) : 0;
    return response_.parts[k].value().high + apart;
  };
  const auto rest = [&](double t) {
    double sum = 0;
    for (std::size_t k = powers_; k + 3 < response_.parts.size(); k += 4) {
      const Interval &a = response_.parts[k + 2].value(), &b = response_.parts[k + 3].value();
      const double size = two_[(k - powers_) / 4] ? a.greatest() + b.greatest() * t : sqrt(square(a) + square(b)).high;
      sum += size * std::exp(rate(k) * t);
    }
    return sum * (1 + 1e-12);
  };
  double slowest = infinity, from = 0;  // a part t e^(−t/τ) falls after τ
  for (std::size_t k = powers_; k + 3 < response_.parts.size(); k += 4) {
    slowest = std::min(slowest, -rate(k));
    if (two_[(k - powers_) / 4]) from = std::max(from, -1 / rate(k));
  }
  if (!(slowest > 0)) return infinity;
  double t = std::max(0.25 / slowest, from);
  for (int k = 0; k < 200; ++k, t *= 1.1)
    if (rest(t) < within) return t;
  return infinity;
}

/// Whether y/y(∞) is below 1 from a time on: a real pole with a negative weight outlasts all others.
bool BoxStep::stays_below(double t) const {
  if (!simple_ || !normal() || powers_ != 1) return false;
  const std::vector<Jet>& parts = response_.parts;
  for (std::size_t last = powers_; last + 3 < parts.size(); last += 4) {
    const bool real = !two_[(last - powers_) / 4] && parts[last + 1].constant() && parts[last + 1].value().zero();
    if (!real || parts[last + 2].value().high >= 0) continue;
    double others = 0;
    bool slowest = true;
    for (std::size_t k = powers_; k + 3 < parts.size() && slowest; k += 4) {
      if (k == last) continue;
      const double faster = parts[k].value().high - parts[last].value().low;  // the weight of two grows with t: not compared
      slowest = faster < 0 && !two_[(k - powers_) / 4];
      others += sqrt(square(parts[k + 2].value()) + square(parts[k + 3].value())).high * std::exp(faster * t) * (1 + 1e-12);
    }
    if (slowest && others < -parts[last + 2].value().high) return true;
  }
  return false;
}

/// Of a sum of modes in plain numbers, of the other form by itself.
std::function<double(double)> BoxStep::central(const BoxFunction& F, std::size_t powers) const {
  std::vector<double> numbers;
  for (const Jet& part : F.parts) numbers.push_back(part.centre().middle());
  if (!simple_) {
    BoxFunction at_centre = F;
    for (std::size_t k = 0; k < numbers.size(); ++k) at_centre.parts[k] = Jet(numbers[k]);
    return [at_centre](double t) { return at_centre(Jet(t)).value().middle(); };
  }
  return [numbers, powers, two = two_](double t) {
    double sum = 0;
    for (std::size_t k = powers; k-- > 0;) sum = sum * t + numbers[k];
    for (std::size_t k = powers; k + 3 < numbers.size(); k += 4) {
      const double turn = numbers[k + 1], a = numbers[k + 2], b = numbers[k + 3], x = turn * t * t;
      sum += std::exp(numbers[k] * t) * (two[(k - powers) / 4] ? a * cosh_of_root(x) + b * t * sinh_of_root(x)
                                                               : a * std::cos(turn * t) - b * std::sin(turn * t));
    }
    return sum;
  };
}

std::vector<double> BoxStep::guesses(const std::function<double(double)>& value, double until) const {
  const int samples = simple_ ? 400 : 60;
  std::vector<double> result;
  double before = value(0), from = 0;
  for (int k = 1; k <= samples; ++k) {
    const double to = until * std::pow(static_cast<double>(k) / samples, 1.5), now = value(to);
    if ((before < 0) != (now < 0)) {
      double a = from, b = to;
      for (int halving = 0; halving < 50 && b - a > 1e-15 * b; ++halving) {
        const double middle = (a + b) / 2;
        ((value(middle) < 0) == (before < 0) ? a : b) = middle;
      }
      result.push_back((a + b) / 2);
    }
    before = now, from = to;
  }
  return result;
}

/// Times at which y/y(∞) passes a level.
std::vector<double> BoxStep::passes(double level, double until) const {
  const auto y = central(response_, powers_);
  return guesses([&](double t) { return y(t) - level; }, until);
}

/// Whether poles run into each other only because the box is wide: a smaller one tells more than the matrix does, in less time.
bool BoxStep::to_be_halved() const {
  if (simple_) return false;
  for (std::size_t k = 0; k < box_.size(); ++k)
    if (box_[k].width() > 1e-4 * box_[k].greatest()) return true;
  return false;
}

Jet BoxStep::rise() const {
  if (stable_ && to_be_halved()) return Jet::rough({0, infinity});
  const double end = stable_ ? quiet_after(0.05) : infinity;
  if (std::isinf(end)) return Jet::rough(Interval::everything());
  const auto first = [&](double level) -> Jet {
    const BoxFunction F = less(level);
    if (F(Jet(0.0)).value().low >= 0) return 0.0;
    double from = infinity;
    for (const BoxRoot& root : box_roots(box_, F, {0, end}, passes(level, end), {}, true)) {
      if (root.root && std::isinf(from)) return *root.root;
      from = std::min(from, root.where.low);
      if (root.root || F(Jet(root.where.high)).value().low > 0) return Jet::rough({from, root.where.high});
    }
    return Jet::rough({std::isinf(from) ? 0 : from, end});
  };
  return first(0.9) - first(0.1);
}

Jet BoxStep::settling() const {
  if (stable_ && to_be_halved()) return Jet::rough({0, infinity});
  const double end = stable_ ? quiet_after(settling_band / 2) : infinity;
  if (std::isinf(end)) return Jet::rough(Interval::everything());
  std::vector<double> all = passes(1 - settling_band, end), upper = passes(1 + settling_band, end);
  all.insert(all.end(), upper.begin(), upper.end());
  std::ranges::sort(all);
  if (all.empty()) return Jet::rough({0, end}) + T_.delay;
  // Only the last pass counts: what is before it need not be known, but that the response is outside once.
  const double from = all.size() > 1 ? (all[all.size() - 2] + 2 * all.back()) / 3 : all.back() / 2;
  const BoxFunction low = less(1 - settling_band), high = less(1 + settling_band);
  Jet last = Jet::rough({0, from});
  const auto outside = [&](double t) { return low(Jet(t)).value().high < 0 || high(Jet(t)).value().low > 0; };
  for (const BoxFunction* F : {&low, &high})
    for (const BoxRoot& root : box_roots(box_, *F, {from, end}, all)) {
      const Jet found = root.root ? *root.root : Jet::rough({0, root.where.high});
      last = max(last, found);
    }
  if (!last.smooth()) {
    double least = last.value().low;
    for (std::size_t k = 0; k < all.size(); ++k)
      for (const double t : {all[k] * 0.98, k > 0 ? (all[k - 1] + all[k]) / 2 : all[k] / 2})
        if (t > least && outside(t)) least = t;
    last = last.within({least, infinity});
  }
  return last + T_.delay;
}

Jet BoxStep::overshoot() const {
  if (!stable_) return Jet::rough(Interval::everything());
  if (to_be_halved()) return Jet::rough({0, infinity});
  double end = quiet_after(quiet);
  if (std::isinf(end)) return Jet::rough(Interval::everything());
  const double tail = stays_below(end) ? 0 : quiet;
  const BoxFunction F = less(1);
  Jet most;  // of y/y(∞) − 1; it ends at 0
  std::vector<double> turns = guesses(central(slope_, powers_ - 1), end);
  double least = 0;
  for (const double t : turns) least = std::max(least, F(Jet(t)).value().low);
  std::erase_if(turns, [&](double t) { return F(Jet(t)).value().high < least / 2; });
  end = std::min(end, quiet_after(std::max(quiet, least / 2)));
  most = max(Jet(), F(Jet(0.0)));
  const auto below = [&](const Interval& cell) { return F.over(box_.with(cell)).value().high < least; };
  for (const BoxRoot& root : box_roots(box_, slope_, {0, end}, turns, below)) {
    if (root.root) {
      most = max(most, F(*root.root));
      continue;
    }
    const ParameterBox wider = box_.with(root.where);
    const Jet height = F.over(wider);
    std::vector<Interval> slopes;
    for (std::size_t k = 0; k < box_.size(); ++k) slopes.push_back(height.slope(k));
    const Interval range{0, std::max(0.0, height.value().high)};
    most = max(most, height.smooth() ? Jet::steep(box_, range, slopes) : Jet::rough(range));
  }
  // What follows is within the band of quiet.
  if (most.value().low < tail) most = Jet::rough({std::max(least, most.value().low), std::max(most.value().high, tail)});
  return Jet(100.0) * most.within({least, infinity});
}

}  // namespace sfg
