#include "sfg/study/boxes/box_axis.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sfg/numeric/numbers.hpp"
#include "sfg/numeric/polynomial_roots.hpp"

namespace sfg {

using ring::Interval;
using ring::Jet;
using ring::ParameterBox;

namespace {

using JetPolynomial = std::vector<Jet>;

const Interval pi_interval = Interval::rounded(std::numbers::pi);
const Jet degrees_of_radian(Interval(180.0) / pi_interval);
const Jet ten_decibels(Interval::rounded(10 / std::numbers::ln10) + Interval(-1e-14, 1e-14));

/// Real and imaginary part over ω of a polynomial at jω, in x = ω².
std::pair<JetPolynomial, JetPolynomial> parts(const JetPolynomial& p) {
  JetPolynomial even, odd;
  for (std::size_t k = 0; k < p.size(); ++k) (k % 2 == 0 ? even : odd).push_back(k % 4 < 2 ? p[k] : -p[k]);
  return {even, odd};
}

JetPolynomial times_axis(JetPolynomial p) {
  if (!p.empty()) p.insert(p.begin(), Jet());
  return p;
}

JetPolynomial polynomial_sum(const JetPolynomial& p, const JetPolynomial& q) { return combination(1.0, p, 1.0, q); }
JetPolynomial difference(const JetPolynomial& p, const JetPolynomial& q) { return combination(1.0, p, -1.0, q); }

/// T_k(1 − 2y) or U_k(1 − 2y), by powers of y: whole numbers.
std::vector<std::vector<double>> chebyshev(std::size_t count, double second) {
  std::vector<std::vector<double>> all{{1}, {second, -2 * second}};
  while (all.size() < count) {
    const std::vector<double>&a = all.back(), &b = all[all.size() - 2];
    std::vector<double> next(a.size() + 1);
    for (std::size_t k = 0; k < a.size(); ++k) next[k] += 2 * a[k], next[k + 1] -= 4 * a[k];
    for (std::size_t k = 0; k < b.size(); ++k) next[k] -= b[k];
    all.push_back(std::move(next));
  }
  return all;
}

JetPolynomial expanded(const std::vector<Jet>& weights, const std::vector<std::vector<double>>& basis) {
  JetPolynomial result(weights.size());
  for (std::size_t k = 0; k < weights.size(); ++k)
    for (std::size_t j = 0; j < basis[k].size(); ++j) result[j] = result[j] + Jet(basis[k][j]) * weights[k];
  return result;
}

/// Real part of p·conj(q) on the circle, and imaginary part over sin θ, in y = sin²(θ/2).
std::pair<JetPolynomial, JetPolynomial> on_circle(const JetPolynomial& p, const JetPolynomial& q) {
  const std::size_t n = std::max<std::size_t>({p.size(), q.size(), 2});
  std::vector<Jet> cosines(n), sines(n);
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = 0; j < q.size(); ++j) {
      const std::size_t k = i > j ? i - j : j - i;
      const Jet term = &p == &q && i == j ? square(p[i]) : p[i] * q[j];
      cosines[k] = cosines[k] + term;
      if (k > 0) sines[k - 1] = i > j ? sines[k - 1] + term : sines[k - 1] - term;
    }
  return {expanded(cosines, chebyshev(n, 1)), expanded(sines, chebyshev(n, 2))};
}

std::vector<double> guesses_of(const JetPolynomial& p) {
  std::vector<double> centre;
  for (const Jet& coefficient : p) centre.push_back(coefficient.centre().middle());
  while (!centre.empty() && centre.back() == 0) centre.pop_back();
  numeric::PositiveRoots roots;
  const auto found = roots(centre);
  return {found.begin(), found.end()};
}

/// a′b − ab′; what cancels in it for all polynomials is left out.
JetPolynomial stationary(const JetPolynomial& a, const JetPolynomial& b) {
  JetPolynomial result(a.empty() || b.empty() ? 0 : a.size() + b.size() - 2);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      if (i != j) result[i + j - 1] = result[i + j - 1] + Jet(static_cast<double>(i) - static_cast<double>(j)) * (a[i] * b[j]);
  while (!result.empty() && result.back().constant() && result.back().value().zero()) result.pop_back();
  return result;
}

Jet axis_value_at(const JetPolynomial& p, const Jet& x) { return ring::polynomial(p, x); }

BoxFunction axis_quotient(const JetPolynomial& above, const JetPolynomial& below) {
  JetPolynomial all = above;
  all.insert(all.end(), below.begin(), below.end());
  const std::size_t n = above.size();
  return {all, [n](std::span<const Jet> parts, const Jet& x) {
            return ring::polynomial(parts.first(n), x) / ring::polynomial(parts.subspan(n), x);
          }};
}

Interval not_negative(const Interval& x) { return {std::max(0.0, x.low), std::max(0.0, x.high)}; }

}  // namespace

BoxAxis::BoxAxis(const ParameterBox& box, const BoxTransfer& T) : box_(box), T_(T) {
  const JetPolynomial whole = polynomial_sum(T.above, T.below);
  if (T.discrete()) {
    above_ = on_circle(T.above, T.above).first;
    below_ = on_circle(T.below, T.below).first;
    closed_ = on_circle(whole, whole).first;
    std::tie(real_, imaginary_) = on_circle(T.above, T.below);
    return;
  }
  const auto [ne, no] = parts(T.above);
  const auto [de, odd] = parts(T.below);
  const auto [we, wo] = parts(whole);
  above_ = polynomial_sum(product(ne, ne), times_axis(product(no, no)));
  below_ = polynomial_sum(product(de, de), times_axis(product(odd, odd)));
  closed_ = polynomial_sum(product(we, we), times_axis(product(wo, wo)));
  real_ = polynomial_sum(product(ne, de), times_axis(product(no, odd)));
  imaginary_ = difference(product(no, de), product(ne, odd));
}

Jet BoxAxis::frequency(const Jet& x) const {
  if (!T_.discrete()) return sqrt(x);
  if (x.value().high >= 1) return Jet::rough({0, (pi_interval / Interval::rounded(T_.period)).high});
  return Jet(2.0) * atan(sqrt(x / (Jet(1.0) - x))) / Jet(Interval::rounded(T_.period));
}

Jet BoxAxis::sine(const Jet& x) const { return T_.discrete() ? Jet(2.0) * sqrt(x * (Jet(1.0) - x)) : sqrt(x); }

double BoxAxis::end(const JetPolynomial& p) const { return T_.discrete() ? 1.0 : root_bound(p) * (1 + 1e-9); }

BoxAxis::Peak BoxAxis::greatest(const JetPolynomial& above, const JetPolynomial& below, const BoxFunction& slope,
                                const std::optional<Jet>& limit, bool limit_counts) const {
  const Interval everywhere{0, T_.discrete() ? (pi_interval / Interval::rounded(T_.period)).high : infinity};
  const BoxFunction G = axis_quotient(above, below);
  const std::vector<double> guesses = guesses_of(slope.parts);
  const Jet start = above.empty() ? Jet() : above.front() / below.front();
  double least = std::max(0.0, start.value().low);
  for (const double x : guesses)
    if (x < (T_.discrete() ? 1 : infinity)) least = std::max(least, G(Jet(x)).value().low);
  const double last = end(slope.parts);
  if (std::isinf(last)) return {Jet::rough({least, infinity}), Jet::rough(everywhere)};

  std::vector<Peak> all{{start, Jet()}};
  if (T_.discrete())
    all.push_back({axis_value_at(above, 1.0) / axis_value_at(below, 1.0), Jet(pi_interval / Interval::rounded(T_.period))});
  if (limit && limit_counts) all.push_back({*limit, Jet::rough(everywhere)});
  const auto skip = [&](const Interval& cell) {
    const Interval height = G.over(box_.with(cell)).value();
    return height.high < least;
  };
  for (const BoxRoot& root : box_roots(box_, slope, {0, last}, guesses, skip)) {
    if (root.root) {
      const Jet height = G(*root.root);
      least = std::max(least, height.value().low);
      all.push_back({height, frequency(*root.root)});
    } else {
      // a maximum has the slopes of what it is the maximum of (Danskin 1966)
      const ParameterBox wider = box_.with(root.where);
      const Jet height = G.over(wider);
      std::vector<Interval> slopes;
      for (std::size_t k = 0; k < box_.size(); ++k) slopes.push_back(height.slope(k));
      const Interval range = not_negative({0, height.value().high});
      all.push_back({height.smooth() ? Jet::steep(box_, range, slopes) : Jet::rough(range),
                     Jet::rough(frequency(Jet::rough(root.where)).value())});
    }
  }
  // whether the supremum may lie at infinite frequency
  const bool open = limit && !limit_counts && limit->value().high >= least && !slope.parts.empty();
  std::erase_if(all, [&](const Peak& p) { return p.height.value().high < least; });
  Peak result = all.front();
  for (std::size_t k = 1; k < all.size(); ++k) {
    result.height = max(result.height, all[k].height);
    result.frequency = Jet::rough(hull(result.frequency.value(), all[k].frequency.value()));
  }
  result.height = open ? Jet::rough({least, infinity}) : result.height.within({least, infinity});
  if (open) result.frequency = Jet::rough(everywhere);
  return result;
}

BoxAxis::Peak BoxAxis::peak() const {
  const bool pole = !T_.below.empty() && T_.below.front().constant() && T_.below.front().value().zero();
  if (pole && !T_.discrete()) return {Jet::rough({infinity, infinity}), Jet::rough({infinity, infinity})};
  std::optional<Jet> limit;
  if (!T_.discrete() && above_.size() >= below_.size())
    limit = above_.size() > below_.size() ? Jet::rough(Interval::everything()) : above_.back() / below_.back();
  Peak found = greatest(above_, below_, {stationary(above_, below_), ring::polynomial}, limit, false);
  found.height = sqrt(found.height);
  return found;
}

Jet BoxAxis::modulus_margin() const {
  // |1 + L|² − 1 = (|N|² + 2 Re N D̄)/|D|² has its stationary points where |1 + L| has them, and no powers that cancel.
  const JetPolynomial less = combination(1.0, above_, 2.0, real_);
  std::optional<Jet> limit;
  if (!T_.discrete()) limit = above_.size() < below_.size() ? Jet(1.0) : below_.back() / closed_.back();
  if (!T_.discrete() && above_.size() > below_.size()) limit = {};
  const Jet inverse = greatest(below_, closed_, {stationary(below_, less), ring::polynomial}, limit, true).height;
  return Jet(1.0) / sqrt(inverse);
}

Jet BoxAxis::disk_margin() const {
  const int stable = stable_over(polynomial_sum(T_.above, T_.below), T_.discrete());
  if (stable < 0) return Jet::rough({infinity, infinity});
  if (stable == 0) return Jet::rough(Interval::everything());
  // 4/α² is the greatest of |N − D|²/|N + D|², |N ± D|² = |N|² + |D|² ± 2 Re N D̄: stationary where Re N D̄/(|N|² + |D|²) is
  const JetPolynomial sum = polynomial_sum(above_, below_), apart = combination(1.0, sum, -2.0, real_);
  std::optional<Jet> limit;
  if (!T_.discrete()) limit = above_.size() == below_.size() ? apart.back() / closed_.back() : Jet(1.0);
  const Jet inverse = greatest(apart, closed_, {stationary(sum, real_), ring::polynomial}, limit, true).height;
  return Jet(2.0) / sqrt(inverse);
}

Jet BoxAxis::bandwidth() const {
  if (!below_.empty() && below_.front().constant() && below_.front().value().zero()) return Jet::rough({infinity, infinity});
  if (above_.empty() || above_.front().value().low <= 0 || below_.front().value().low <= 0) return Jet::rough({0, infinity});
  const BoxFunction F{combination(Jet(2.0) * below_.front(), above_, -above_.front(), below_), ring::polynomial};
  const std::vector<double> guesses = guesses_of(F.parts);
  double last = end(F.parts);
  if (!guesses.empty()) last = std::min(last, 4 * guesses.front());
  if (std::isinf(last)) return Jet::rough({0, infinity});
  const auto frequency_at = [&](double x) { return frequency(Jet::rough(x)).value(); };
  double from = infinity;
  for (const BoxRoot& root : box_roots(box_, F, {0, last}, guesses, {}, true)) {
    if (root.root && std::isinf(from)) return frequency(*root.root);
    from = std::min(from, root.where.low);
    // where the magnitude is below, it has fallen
    if (root.root || F(Jet(root.where.high)).value().high < 0)
      return Jet::rough({std::max(0.0, frequency_at(from).low), frequency_at(root.where.high).high});
  }
  if (std::isinf(from) && last < end(F.parts)) from = last;
  return Jet::rough({std::isinf(from) ? infinity : std::max(0.0, frequency_at(from).low), infinity});
}

std::vector<BoxRoot> BoxAxis::gain_crossovers() const {
  const BoxFunction F{difference(above_, below_), ring::polynomial};
  const double last = end(F.parts);
  if (std::isinf(last)) return {{Interval(0, infinity), {}}};
  return box_roots(box_, F, {0, last}, guesses_of(F.parts));
}

Jet BoxAxis::angle_at(const Jet& x) const {
  const Jet angle = argument({-axis_value_at(real_, x), -(sine(x) * axis_value_at(imaginary_, x))}) - frequency(x) * T_.delay;
  const Jet whole = degrees_of_radian * angle;
  if (!whole.smooth()) return Jet::rough({-180, 180});
  const Jet wrapped = whole - Jet(360 * std::round(whole.centre().middle() / 360));
  return wrapped.value().low <= -180 || wrapped.value().high > 180 ? Jet::rough({-180, 180}) : wrapped;
}

/// The least in absolute value; towards +∞ where there may be none.
Jet BoxAxis::least(const std::vector<Candidate>& all) {
  double most = infinity;
  for (const Candidate& c : all)
    if (c.certain) most = std::min(most, c.value.value().greatest());
  const Jet* only = nullptr;
  Interval range{infinity, -infinity};
  std::size_t kept = 0;
  bool certain = true;
  for (const Candidate& c : all) {
    const Interval& v = c.value.value();
    if ((v.contains(0) ? 0 : std::min(std::abs(v.low), std::abs(v.high))) > most) continue;
    ++kept, only = &c.value, certain = certain && c.certain;
    range = hull(range, v);
  }
  if (kept == 0) return Jet::rough({infinity, infinity});
  if (kept == 1 && certain) return *only;
  if (std::isinf(most)) return Jet::rough({range.low, infinity});
  return Jet::rough({std::max(range.low, -most), std::min(range.high, most)});
}

Jet BoxAxis::phase_margin() const {
  std::vector<Candidate> all;
  for (const BoxRoot& root : gain_crossovers())
    all.push_back({root.root ? angle_at(*root.root) : Jet::rough({-180, 180}), root.root.has_value()});
  return least(all);
}

Jet BoxAxis::delay_margin() const {
  const Jet unknown = Jet::rough(Interval::everything());
  const int stable = stable_over(polynomial_sum(T_.above, T_.below), T_.discrete());
  if (stable < 0) return Jet::rough({infinity, infinity});
  if (stable == 0) return unknown;
  if (!T_.discrete() && above_.size() >= below_.size()) return unknown;
  std::vector<Candidate> all;
  for (const BoxRoot& root : gain_crossovers()) {
    if (!root.root) {
      all.push_back({Jet::rough({0, infinity}), false});
      continue;
    }
    Jet angle = angle_at(*root.root);
    if (angle.value().high < 0)
      angle = angle + Jet(360.0);
    else if (angle.value().low < 0)
      angle = Jet::rough({0, 360});
    all.push_back({angle / degrees_of_radian / frequency(*root.root), true});
  }
  return least(all);
}

Jet BoxAxis::decibels(const Jet& x) const {
  const Jet above = axis_value_at(above_, x), below = axis_value_at(below_, x);
  const Interval a = not_negative(above.value()), b = not_negative(below.value());
  if (a.low > 0 && b.low > 0) return -(ten_decibels * log(above / below));
  const auto bound = [](double up, double down) { return -10 * std::log10(up / down) * (1 + 1e-12); };
  return Jet::rough({a.high > 0 && b.low > 0 ? bound(a.high, b.low) - 1e-9 : -infinity,
                     a.low > 0 && b.high > 0 ? bound(a.low, b.high) + 1e-9 : infinity});
}

/// L e^(−jωτ) is real where V ω cos ωτ − U sin ωτ is 0: without end, but beyond a frequency |L| is so small that no crossing
/// there is the least.
Jet BoxAxis::delayed_gain_margin() const {
  const Jet unknown = Jet::rough(Interval::everything());
  const double late = T_.delay.value().high;
  if (above_.size() >= below_.size() || !(T_.delay.value().low >= 0) || !(late > 0)) return unknown;
  BoxFunction F{real_, {}};
  const std::size_t n = real_.size();
  F.parts.insert(F.parts.end(), imaginary_.begin(), imaginary_.end());
  F.parts.push_back(T_.delay);
  const auto value = [n](std::span<const Jet> all, const Jet& w, bool quarter) {
    const Jet x = square(w), angle = w * all.back(), U = ring::polynomial(all.first(n), x),
              V = w * ring::polynomial(all.subspan(n, all.size() - 1 - n), x);
    return quarter ? U * cos(angle) + V * sin(angle) : V * cos(angle) - U * sin(angle);
  };
  F.of = [value](std::span<const Jet> all, const Jet& w) { return value(all, w, false); };

  BoxFunction central = F;
  for (Jet& part : central.parts) part = Jet(part.centre().middle());
  std::vector<double> guesses;
  double least = infinity;  // of the margins at guesses, as magnitudes
  const double first = 1e-3 / late;
  const auto crosses = [&](double w) { return value(central.parts, w, true).value().high < 0; };
  double before = central(first).value().middle(), from = first;
  for (double w = first * 1.02; w < 1e5 * first && guesses.size() < 20;
       before = central(w).value().middle(), from = w, w += std::min(0.02 * w, 0.05 / late)) {
    if ((central(w).value().middle() < 0) == (before < 0)) continue;
    double a = from, b = w;
    for (int k = 0; k < 50; ++k) ((central((a + b) / 2).value().middle() < 0) == (before < 0) ? a : b) = (a + b) / 2;
    guesses.push_back(b);
    if (crosses(b)) least = std::min(least, decibels(Jet(b * b)).value().greatest());
    if (guesses.size() > 6 && std::isfinite(least)) break;
  }
  if (!std::isfinite(least)) return unknown;
  least *= 1.5;
  const Jet small(std::pow(10.0, -least / 10));
  const double last = std::sqrt(root_bound(combination(1.0, above_, -small, below_)));
  if (std::isinf(last)) return unknown;
  // near 0, F/ω = V − U τ (1 − (ωτ)²/6 …)
  const Jet start(Interval(0, first * first));
  const Interval still =
      (axis_value_at(imaginary_, start) - axis_value_at(real_, start) * T_.delay * Jet(Interval(1 - 1e-6, 1))).value();
  if (still.contains(0)) return unknown;
  std::erase_if(guesses, [&](double w) { return w > last; });
  std::vector<Candidate> all{{Jet::rough({least, infinity}), false}};
  const auto skip = [&](const Interval& cell) {
    const Jet w = Jet::rough(cell);
    return value(F.parts, w, true).value().low > 0 || decibels(square(w)).value().low > least;
  };
  for (const BoxRoot& root : box_roots(box_, F, {first, last}, guesses, skip)) {
    const Jet w = root.root ? *root.root : Jet::rough(root.where);
    const Interval real = value(F.parts, w, true).value();
    if (real.low < 0) all.push_back({decibels(square(w)), root.root.has_value() && real.high < 0});
  }
  return BoxAxis::least(all);
}

Jet BoxAxis::gain_margin() const {
  if (!(T_.delay.constant() && T_.delay.value().zero())) return delayed_gain_margin();
  std::vector<Candidate> all;
  const auto real_point = [&](double x) {
    const Jet U = axis_value_at(real_, x);
    if (axis_value_at(below_, x).value().high == 0) return;
    if (U.value().low < 0 && !(U.constant() && U.value().zero()))
      all.push_back({decibels(x), U.value().high < 0 && axis_value_at(below_, x).value().low > 0});
  };
  const bool pole_at_zero = below_.front().constant() && below_.front().value().zero();
  if (!pole_at_zero) real_point(0);
  if (T_.discrete()) real_point(1);
  for (const BoxRoot& root : real_values()) {
    if (std::isinf(root.where.high)) return Jet::rough(Interval::everything());
    const Jet x = root.root ? *root.root : Jet::rough(root.where);
    const Interval U = axis_value_at(real_, x).value();
    if (U.low >= 0) continue;
    all.push_back({decibels(x), root.root.has_value() && U.high < 0});
  }
  return least(all);
}

std::vector<BoxRoot> BoxAxis::real_values() const {
  BoxFunction F{imaginary_, ring::polynomial};
  while (!F.parts.empty() && F.parts.front().constant() && F.parts.front().value().zero()) F.parts.erase(F.parts.begin());
  const double last = end(F.parts);
  if (std::isinf(last)) return {{Interval(0, infinity), {}}};
  return box_roots(box_, F, {0, last}, guesses_of(F.parts));
}

/// The first of what may be crossings, in ascending order; towards +∞ where there may be none.
Jet BoxAxis::lowest(const std::vector<Candidate>& all) {
  Interval range{infinity, infinity};
  for (const Candidate& c : all) {
    if (c.certain && std::isinf(range.low)) return c.value;
    range = {std::min(range.low, c.value.value().low), infinity};
    if (c.certain) return Jet::rough({range.low, c.value.value().high});
  }
  return Jet::rough(range);
}

Jet BoxAxis::gain_crossover() const {
  std::vector<Candidate> all;
  for (const BoxRoot& root : gain_crossovers()) {
    if (std::isinf(root.where.high)) return Jet::rough({0, infinity});
    all.push_back({frequency(root.root ? *root.root : Jet::rough(root.where)), root.root.has_value()});
  }
  return lowest(all);
}

Jet BoxAxis::phase_crossover() const {
  std::vector<Candidate> all;
  const Jet start = axis_value_at(real_, 0.0);
  const bool pole_at_zero = below_.front().constant() && below_.front().value().zero();
  if (!pole_at_zero && start.value().low < 0) all.push_back({Jet(), start.value().high < 0 && below_.front().value().low > 0});
  for (const BoxRoot& root : real_values()) {
    if (std::isinf(root.where.high)) return Jet::rough({0, infinity});
    const Jet x = root.root ? *root.root : Jet::rough(root.where);
    const Interval U = axis_value_at(real_, x).value();
    if (U.low < 0) all.push_back({frequency(x), root.root.has_value() && U.high < 0});
  }
  if (T_.discrete() && axis_value_at(real_, 1.0).value().low < 0)
    all.push_back({Jet(pi_interval / Interval::rounded(T_.period)),
                   axis_value_at(real_, 1.0).value().high < 0 && axis_value_at(below_, 1.0).value().low > 0});
  return lowest(all);
}

int stable_over(std::span<const Jet> ascending, bool discrete) {
  std::vector<Jet> p(ascending.begin(), ascending.end());
  while (!p.empty() && p.back().constant() && p.back().value().zero()) p.pop_back();
  if (p.size() < 2) return 1;
  if (discrete) {  // z = (1 + w)/(1 − w)
    std::vector<Jet> image;
    const std::size_t n = p.size() - 1;
    for (std::size_t k = 0; k <= n; ++k) {
      JetPolynomial factor{1.0};
      for (std::size_t j = 0; j < n; ++j) factor = product(factor, JetPolynomial{1.0, j < k ? 1.0 : -1.0});
      image = combination(1.0, image, p[k], factor);
    }
    p = std::move(image);
  }
  std::ranges::reverse(p);
  if (p.front().value().high < 0)
    for (Jet& coefficient : p) coefficient = -coefficient;
  if (p.front().value().low <= 0) return 0;
  std::vector<Jet> upper, lower;
  for (std::size_t k = 0; k < p.size(); ++k) (k % 2 == 0 ? upper : lower).push_back(p[k]);
  while (!lower.empty()) {
    if (lower.front().value().high < 0) return -1;
    if (lower.front().value().low <= 0) return 0;
    std::vector<Jet> next;
    for (std::size_t k = 1; k < upper.size(); ++k)
      next.push_back(k < lower.size() ? upper[k] - upper.front() / lower.front() * lower[k] : upper[k]);
    upper = std::exchange(lower, std::move(next));
  }
  return 1;
}

}  // namespace sfg
