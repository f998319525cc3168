#include "sfg/control/margins.hpp"

#include <cmath>
#include <numbers>

#include "sfg/control/on_axis.hpp"
#include "sfg/control/routh.hpp"

namespace sfg {

namespace {

using exact::RationalPolynomial;
using Verdict = ClosedLoop::Verdict;

/// Outside of the region of stability, and on its edge.
struct Counts {
  std::size_t outside = 0, on = 0;
};

Counts counts(const RationalPolynomial& p, bool discrete) {
  if (discrete) {
    const CircleCounts c = circle_counts(p);
    return {c.outside, c.on};
  }
  const RationalPolynomial::RootCounts c = p.root_counts();
  return {c.right, c.axis};
}

std::string poles_text(std::size_t count, const std::string& where) {
  return std::to_string(count) + (count == 1 ? " pole " : " poles ") + where;
}

ClosedLoop verdict(const Counts& c, bool discrete) {
  if (c.outside > 0)
    return {Verdict::unstable, poles_text(c.outside, discrete ? "outside of the unit circle" : "right of the axis")};
  if (c.on > 0) return {Verdict::on_the_edge, poles_text(c.on, discrete ? "on the unit circle" : "on the axis")};
  return {Verdict::stable, ""};
}

ClosedLoop rational(const RationalPolynomial& N, const RationalPolynomial& D, bool discrete) {
  const RationalPolynomial sum = N + D;
  if (sum.is_zero()) return {Verdict::unknown, "L is -1 at every frequency: the loop has no closed one"};
  ClosedLoop result = verdict(counts(sum, discrete), discrete);
  if (N.degree() <= D.degree() && sum.degree() < D.degree() && result.verdict == Verdict::stable)
    return discrete ? ClosedLoop{Verdict::unknown, "L is -1 at z = infinity: the loop cannot be computed sample by sample"}
                    : ClosedLoop{Verdict::on_the_edge, "L is -1 at infinite frequency"};
  return result;
}

/// How many roots pass to the right while the dead time grows from 0 to τ. Nothing when one is on the axis at τ.
std::optional<long> crossed(const RationalPolynomial& N, const RationalPolynomial& D, double tau) {
  const OnAxis n(N), d(D);
  const RationalPolynomial difference = d.squared_magnitude() - n.squared_magnitude();
  const RationalPolynomial touching = gcd(difference, OnAxis(N + D).squared_magnitude());
  const std::vector<exact::RealRoot> roots = real_roots(difference);
  long count = 0;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (roots[i].value <= 0) continue;
    const int before = difference.sign_at(rational_between(i > 0 ? &roots[i - 1] : nullptr, &roots[i])),
              after = difference.sign_at(rational_between(&roots[i], i + 1 < roots.size() ? &roots[i + 1] : nullptr));
    const double w = std::sqrt(roots[i].value);
    const std::complex<double> R = N.at(std::complex<double>(0, w)) / D.at(std::complex<double>(0, w));
    const bool from_the_start = is_root(touching, roots[i]);
    const double full = 2 * std::numbers::pi;
    double first = from_the_start ? 0 : std::arg(-R);
    if (first < 0) first += full;
    const double crossings = (w * tau - first) / full;
    constexpr double rounding = 1e-12;
    if (std::abs(crossings - std::round(crossings)) < rounding * std::max(1.0, w * tau) && std::round(crossings) >= 0) return {};
    if (crossings < 0 || before == after) continue;
    const long times = static_cast<long>(std::floor(crossings)) + 1;
    count +=
        after > before ? 2 * times : -2 * (from_the_start ? times - 1 : times);  // a root that starts on the axis only leaves it
  }
  return count;
}

ClosedLoop delayed(const RationalPolynomial& N, const RationalPolynomial& D, double tau) {
  if (N.degree() > D.degree())
    return {Verdict::unstable, "a dead time with a derivative: infinitely many poles right of the axis"};
  if (N.degree() == D.degree()) {
    const auto n = static_cast<std::size_t>(D.degree());
    const double ratio = std::abs((N.coefficient(n) / D.coefficient(n)).to_double());
    if (ratio > 1) return {Verdict::unstable, "|L| is above 1 at infinite frequency: infinitely many poles right of the axis"};
    if (ratio == 1) return {Verdict::unknown, "|L| is 1 at infinite frequency: infinitely many poles approach the axis"};
  }
  const RationalPolynomial sum = N + D;
  if (sum.sign_of(0) == 0) return {Verdict::unknown, "not stable: a pole at 0; others were not counted"};
  const Counts start = counts(sum, false);
  if (const auto more = crossed(N, D, tau))
    return verdict({static_cast<std::size_t>(static_cast<long>(start.outside) + *more), 0}, false);
  return {Verdict::on_the_edge, "a pair of poles on the axis"};
}

/// Modes that cancel in L stay in the closed loop.
void add_hidden(ClosedLoop& result, const ExactTransfer& L) {
  if (L.cancelled.is_zero() && result.verdict == Verdict::stable)
    result = {Verdict::unknown, "a loop with dead time cancels in L"};
  if (L.cancelled.degree() < 1) return;
  const bool discrete = L.op.discrete();
  const Counts hidden = counts(L.cancelled, discrete);
  if (hidden.outside > 0 && result.verdict != Verdict::unstable)
    result = {Verdict::unstable, "a mode that cancels in L is not stable"};
  else if (hidden.on > 0 && result.verdict == Verdict::stable)
    result = {Verdict::on_the_edge, "a mode that cancels in L is undamped"};
}

}  // namespace

ClosedLoop closed_loop(const ExactTransfer& L) {
  if (L.numerator.parts.size() > 1 || !L.denominator.rational()) return {Verdict::unknown, "dead times in the open loop"};
  const bool discrete = L.op.discrete();
  const RationalPolynomial D = L.denominator.polynomial();
  RationalPolynomial N;
  double tau = 0;
  if (!L.numerator.parts.empty()) {
    N = L.numerator.parts.front().polynomial;
    tau = L.numerator.parts.front().delay.to_double();
  }
  ClosedLoop result = tau > 0 ? delayed(N, D, tau) : rational(N, D, discrete);
  add_hidden(result, L);
  return result;
}

const char* name_of(ClosedLoop::Verdict verdict) {
  switch (verdict) {
    case Verdict::stable: return "stable";
    case Verdict::unstable: return "unstable";
    case Verdict::on_the_edge: return "on the edge";
    case Verdict::unknown: break;
  }
  return "unknown";
}

}  // namespace sfg
