#include "sfg/control/routh.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sfg/exact/roots.hpp"
#include "sfg/numeric/numbers.hpp"

namespace sfg {

namespace {

using exact::RationalPolynomial;
using Roots = std::vector<std::complex<double>>;

Roots all_roots(const RationalPolynomial& p) { return exact::root_values(p.coefficients()); }

RationalPolynomial polynomial_at(std::span<const RationalPolynomial> coefficients, double k) {
  std::vector<exact::Rational> values;
  for (const RationalPolynomial& c : coefficients) values.push_back(c.at(exact::Rational::of(k)));
  return RationalPolynomial(values);
}

/// The part of P with k^power, as a polynomial in s.
RationalPolynomial part(std::span<const RationalPolynomial> coefficients, std::size_t power) {
  std::vector<exact::Rational> values;
  for (const RationalPolynomial& c : coefficients) values.push_back(c.coefficient(power));
  return RationalPolynomial(values);
}

bool linear(std::span<const RationalPolynomial> coefficients) {
  return std::all_of(coefficients.begin(), coefficients.end(), [](const RationalPolynomial& c) { return c.degree() <= 1; });
}

/// `next` in the order that continues `previous`: nearest first, each used once.
Roots continued(const Roots& previous, Roots next) {
  Roots result(previous.size(), {undefined, undefined});
  std::vector<char> taken(next.size(), 0);
  struct Pair {
    double distance;
    std::size_t i, j;
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < previous.size(); ++i)
    for (std::size_t j = 0; j < next.size(); ++j)
      pairs.push_back(
          {std::isnan(previous[i].real()) ? std::numeric_limits<double>::infinity() : std::abs(previous[i] - next[j]), i, j});
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.distance < b.distance; });
  std::vector<char> filled(previous.size(), 0);
  for (const Pair& pair : pairs) {
    if (filled[pair.i] || taken[pair.j]) continue;
    result[pair.i] = next[pair.j];
    filled[pair.i] = taken[pair.j] = 1;
  }
  return result;
}

double largest_step(const Roots& a, const Roots& b, double size) {
  double step = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double moved = std::abs(a[i] - b[i]);
    if (std::isfinite(moved)) step = std::max(step, moved / (size + std::min(std::abs(a[i]), std::abs(b[i]))));
  }
  return step;
}

double typical_size(const RootLocus& locus) {
  double size = 0;
  for (const Roots* list : {&locus.start, &locus.end})
    for (const auto& root : *list) size = std::max(size, std::abs(root));
  return size > 0 ? size : 1.0;
}

/// Where A + k B has a root twice A'B - AB' vanishes. It does, too, at multiple roots of A, where k is exactly 0, at those of B,
/// where there is no k, and where both vanish, which roots do not leave: of these a quotient of values would be one of roundings.
void find_breakaway(RootLocus& locus, const RationalPolynomial& A, const RationalPolynomial& B, double low, double high) {
  if (A.is_zero() || B.is_zero()) return;
  const RationalPolynomial common = gcd(A, B), P = divided(A, common).first, Q = divided(B, common).first;
  const RationalPolynomial at_start = gcd(P, P.derivative()), at_end = gcd(Q, Q.derivative());
  const RationalPolynomial between = divided(divided(P.derivative() * Q - P * Q.derivative(), at_start).first, at_end).first;
  if (low <= 0 && high >= 0 && at_start.degree() > 0)
    for (const exact::Root& root : exact::roots(at_start.coefficients()))
      if (root.value.imag() >= 0) locus.breakaway.push_back({root.value, 0.0});
  if (between.degree() < 1) return;
  for (const exact::Root& root : exact::roots(between.coefficients())) {
    const std::complex<double> s = root.value;
    if (s.imag() < 0) continue;
    const std::complex<double> k = -P.at(s) / Q.at(s);
    if (std::abs(k.imag()) <= 1e-9 * std::abs(k) && k.real() >= low && k.real() <= high) locus.breakaway.push_back({s, k.real()});
  }
}

void find_asymptotes(RootLocus& locus, const RationalPolynomial& A, const RationalPolynomial& B, bool negative) {
  const long m = A.degree() - B.degree();
  if (m <= 0 || B.degree() < 0) return;
  const auto sum_of_roots = [](const RationalPolynomial& p) {
    const auto n = static_cast<std::size_t>(p.degree());
    return n == 0 ? 0.0 : -(p.coefficient(n - 1) / p.coefficient(n)).to_double();
  };
  locus.centroid = (sum_of_roots(A) - sum_of_roots(B)) / static_cast<double>(m);
  const bool opposite = A.sign_of(static_cast<std::size_t>(A.degree())) * B.sign_of(static_cast<std::size_t>(B.degree())) < 0;
  const int offset = opposite != negative ? 0 : 1;  // s^m = −k for k > 0
  for (long q = 0; q < m; ++q) {
    double angle = (2.0 * static_cast<double>(q) + offset) * 180.0 / static_cast<double>(m);
    if (angle > 180.0) angle -= 360.0;
    locus.asymptotes_deg.push_back(angle);
  }
  std::sort(locus.asymptotes_deg.begin(), locus.asymptotes_deg.end());
}

/// Near a root r of P of multiplicity m, P(s) + q Q(s) = 0 with small q goes by (s − r)^m = −q Q(r) m!/P⁽ᵐ⁾(r).
/// @param sign  of q
std::vector<RootLocus::Angles> angles_at_roots(const RationalPolynomial& P, const RationalPolynomial& Q, int sign) {
  std::vector<RootLocus::Angles> found;
  if (P.degree() < 1 || Q.is_zero()) return found;
  const RationalPolynomial common = gcd(P, Q);  // roots that stand still
  const RationalPolynomial moving = divided(P, common).first, by = divided(Q, common).first;
  if (moving.degree() < 1) return found;
  for (const exact::Root& root : exact::roots(moving.coefficients())) {
    RationalPolynomial derivative = moving;
    for (std::size_t i = 0; i < root.multiplicity; ++i) derivative = derivative.derivative();
    const std::complex<double> r = root.on_axis ? std::complex<double>(0, root.value.imag()) : root.value;
    const auto side = by.scaled_at(r).mantissa, slope = derivative.scaled_at(r).mantissa;
    const double m = static_cast<double>(root.multiplicity);
    const double whole = std::arg(-static_cast<double>(sign) * side / slope) * 180 / std::numbers::pi;
    RootLocus::Angles angles{root.value, {}};
    for (std::size_t q = 0; q < root.multiplicity; ++q) {
      double angle = std::remainder((whole + 360.0 * static_cast<double>(q)) / m, 360.0);
      angle = std::round(angle * 1e11) / 1e11;  // beyond that, rounding of the argument
      if (angle <= -180 + 1e-9) angle = 180;
      angles.degrees.push_back(angle);
    }
    std::sort(angles.degrees.begin(), angles.degrees.end());
    found.push_back(std::move(angles));
  }
  return found;
}

std::vector<exact::RealRoot> boundaries(std::span<const RationalPolynomial> coefficients, exact::Boundary boundary) {
  if (boundary == exact::Boundary::imaginary_axis) return boundary_values(coefficients);
  const std::vector<RationalPolynomial> mapped = bilinear_image(coefficients);
  if (mapped.front().is_zero()) return {};  // z = −1 is a root for every value
  return boundary_values(mapped);
}

/// At the ends of the stable ranges (and every other real root of the boundary) roots lie on the axis.
void find_axis_crossings(RootLocus& locus, std::span<const RationalPolynomial> coefficients, double low, double high) {
  for (const exact::RealRoot& k : boundaries(coefficients, locus.boundary)) {
    if (k.value < low || k.value > high) continue;
    for (const std::complex<double> s : all_roots(polynomial_at(coefficients, k.value)))
      if (locus.boundary == exact::Boundary::unit_circle) {
        if (s.imag() >= 0 && std::abs(std::abs(s) - 1) <= 1e-7) locus.axis_crossings.push_back({s, k.value});
      } else if (s.imag() >= 0 && std::abs(s.real()) <= 1e-7 * (1e-3 + std::abs(s)))
        locus.axis_crossings.push_back({{0.0, s.imag()}, k.value});
  }
}

/// The middle of two values of the parameter: where they lie decades apart, in their decades.
double between(double low, double high) {
  if (low > 0 && high > 4 * low) return std::sqrt(low) * std::sqrt(high);
  if (high < 0 && low < 4 * high) return -std::sqrt(-low) * std::sqrt(-high);
  return (low + high) / 2;
}

/// Values of the parameter to begin with: those that are known to matter, and more towards 0.
std::vector<double> first_values(const RootLocus& locus, double low, double high) {
  std::vector<double> values{low, high};
  for (const auto& list : {locus.breakaway, locus.axis_crossings})
    for (const auto& point : list) values.push_back(point.parameter);
  constexpr int per_side = 60;
  for (int i = 0; i <= per_side; ++i) values.push_back(low + (high - low) * std::pow(10.0, -6.0 * i / per_side));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// The roots at values of the parameter, which are written into the locus: so many that the branches are smooth; where that takes
/// too many, the rest is coarse.
std::vector<Roots> followed(RootLocus& locus, std::span<const RationalPolynomial> coefficients, double low, double high) {
  constexpr double smooth = 0.05;  // of the size of the picture
  constexpr std::size_t most = 2000;
  std::vector<double> values = first_values(locus, low, high);
  const double size = typical_size(locus);
  Roots previous = all_roots(polynomial_at(coefficients, values.front()));
  previous.resize(coefficients.size() - 1, {undefined, undefined});
  std::vector<Roots> samples{previous};
  locus.parameter = {values.front()};
  for (std::size_t i = 1; i < values.size(); ++i) {
    const Roots next = continued(samples.back(), all_roots(polynomial_at(coefficients, values[i])));
    const double last = locus.parameter.back();
    const bool divisible = values[i] - last > 1e-9 * std::max(std::abs(values[i]), std::abs(last));
    if (samples.size() < most && divisible && largest_step(samples.back(), next, size) > smooth) {
      values.insert(values.begin() + static_cast<std::ptrdiff_t>(i), between(last, values[i]));
      --i;
      continue;
    }
    samples.push_back(next);
    locus.parameter.push_back(values[i]);
  }
  return samples;
}

/// −0 is written like 0.
void drop_signs_of_zero(RootLocus& locus) {
  const auto drop = [](std::complex<double>& z) { z = {z.real() + 0.0, z.imag() + 0.0}; };
  for (auto* roots : {&locus.start, &locus.end}) std::for_each(roots->begin(), roots->end(), drop);
  for (auto* list : {&locus.departures, &locus.arrivals})
    for (RootLocus::Angles& angles : *list) {
      drop(angles.root);
      for (double& angle : angles.degrees) angle += 0.0;
    }
  for (auto& branch : locus.branches) std::for_each(branch.begin(), branch.end(), drop);
  for (auto* points : {&locus.breakaway, &locus.axis_crossings})
    for (RootLocus::Point& point : *points) {
      drop(point.root);
      point.parameter += 0.0;
    }
  for (double& k : locus.parameter) k += 0.0;
  locus.centroid += 0.0;
  for (double& angle : locus.asymptotes_deg) angle += 0.0;
}

/// Raised until the roots that go to infinity are several times as far as all others.
double until_far(std::span<const RationalPolynomial> coefficients, double high) {
  if (!linear(coefficients)) return high;
  const Roots open = all_roots(part(coefficients, 0)), zeros = all_roots(part(coefficients, 1));
  const std::size_t away = open.size() > zeros.size() ? open.size() - zeros.size() : 0;
  double size = 0;
  for (const Roots* list : {&open, &zeros})
    for (const auto& z : *list) size = std::max(size, std::abs(z));
  constexpr double several = 4;
  constexpr int most = 60;
  for (int i = 0; i < most && away > 0 && size > 0; ++i, high *= 4) {
    const Roots roots = all_roots(polynomial_at(coefficients, high));
    const auto far = std::ranges::count_if(roots, [&](const auto& z) { return std::abs(z) > several * size; });
    if (static_cast<std::size_t>(far) >= away) break;
  }
  return high;
}

}  // namespace

double locus_range(std::span<const RationalPolynomial> coefficients, exact::Boundary boundary) {
  double largest = 0;
  for (const exact::RealRoot& k : boundaries(coefficients, boundary)) largest = std::max(largest, k.value);
  if (linear(coefficients)) {
    RootLocus locus;
    find_breakaway(locus, part(coefficients, 0), part(coefficients, 1), 0, std::numeric_limits<double>::max());
    for (const auto& point : locus.breakaway) largest = std::max(largest, point.parameter);
  }
  return until_far(coefficients, largest > 0 ? 10 * largest : 100.0);
}

RootLocus root_locus(std::span<const RationalPolynomial> coefficients, double low, double high, exact::Boundary boundary) {
  RootLocus locus;
  locus.boundary = boundary;
  const RationalPolynomial A = part(coefficients, 0), B = part(coefficients, 1);
  locus.start = all_roots(A);
  if (linear(coefficients)) {
    locus.end = all_roots(B);
    find_breakaway(locus, A, B, low, high);
    find_asymptotes(locus, A, B, high <= 0);
    locus.departures = angles_at_roots(A, B, high <= 0 ? -1 : 1);
    locus.arrivals = angles_at_roots(B, A, high <= 0 ? -1 : 1);
  }
  find_axis_crossings(locus, coefficients, low, high);

  const std::vector<Roots> samples = followed(locus, coefficients, low, high);
  const std::size_t branch_count = coefficients.size() - 1;
  locus.branches.assign(branch_count, {});
  for (const Roots& sample : samples)
    for (std::size_t b = 0; b < branch_count; ++b) locus.branches[b].push_back(sample[b]);
  drop_signs_of_zero(locus);
  return locus;
}

}  // namespace sfg
