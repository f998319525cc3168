#include "sfg/numeric/polynomial_roots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sfg::numeric {

namespace {

using Complex = std::complex<double>;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// A bound of the moduli of all roots (Fujiwara 1916), or of their reciprocals.
double bound(std::span<const double> p, bool reciprocal) {
  const std::size_t n = p.size() - 1;
  const double leading = std::abs(reciprocal ? p.front() : p.back());
  double largest = 0;
  for (std::size_t k = 1; k <= n; ++k) {
    const double c = std::abs(reciprocal ? p[k] : p[n - k]);
    if (c != 0) largest = std::max(largest, std::exp2(std::log2(c / leading) / static_cast<double>(k)));
  }
  return 2 * largest;
}

std::size_t sign_changes(std::span<const double> p) {
  std::size_t count = 0;
  double last = 0;
  for (const double c : p) {
    if (c == 0) continue;
    if (last != 0 && (c < 0) != (last < 0)) ++count;
    last = c;
  }
  return count;
}

struct Valued {
  double value, slope;
};

Valued evaluate(std::span<const double> p, double x) {
  double value = 0, slope = 0;
  for (std::size_t i = p.size(); i-- > 0;) {
    slope = slope * x + value;
    value = value * x + p[i];
  }
  return {value, slope};
}

double value(std::span<const double> p, double x) {
  double result = 0;
  for (std::size_t i = p.size(); i-- > 0;) result = result * x + p[i];
  return result;
}

/// The root between a and b, where the signs differ: Newton's steps as long as they stay inside and shrink the interval.
double root_between(std::span<const double> p, double a, double b, bool rising) {
  double x = a > 0 && b > 4 * a ? std::sqrt(a) * std::sqrt(b) : (a + b) / 2;
  constexpr int most = 200;
  for (int k = 0; k < most; ++k) {
    const Valued f = evaluate(p, x);
    if (f.value == 0) return x;
    ((f.value < 0) == rising ? a : b) = x;
    double next = x - f.value / f.slope;
    if (!(next > a && next < b)) {
      next = a > 0 && b > 4 * a ? std::sqrt(a) * std::sqrt(b) : (a + b) / 2;
      if (next <= a || next >= b) return x;
    }
    if (std::abs(next - x) <= epsilon * x) return next;
    x = next;
  }
  return x;
}

}  // namespace

std::span<const double> PositiveRoots::operator()(std::span<const double> coefficients) {
  roots_.clear();
  while (!coefficients.empty() && coefficients.back() == 0) coefficients = coefficients.first(coefficients.size() - 1);
  while (!coefficients.empty() && coefficients.front() == 0) coefficients = coefficients.subspan(1);
  if (coefficients.size() < 2 || sign_changes(coefficients) == 0) return {};
  coefficients_.assign(coefficients.begin(), coefficients.end());
  const double high = bound(coefficients_, false), low = 1 / bound(coefficients_, true);
  if (!std::isfinite(high) || !(low > 0)) return {};
  differentiate();
  level(0, low / 2, high);
  return roots_;
}

/// Coefficients of all derivatives, one behind the other, each divided by what keeps it in range.
void PositiveRoots::differentiate() {
  const std::size_t n = coefficients_.size();
  derivatives_.assign(coefficients_.begin(), coefficients_.end());
  for (std::size_t k = 1, before = 0; k < n; ++k) {
    const std::size_t size = n - k;
    const double factor = 1.0 / static_cast<double>(size);
    for (std::size_t i = 0; i < size; ++i)
      derivatives_.push_back(derivatives_[before + i + 1] * (static_cast<double>(i + 1) * factor));
    before += size + 1;
  }
}

std::span<const double> PositiveRoots::derivative(std::size_t k) const {
  const std::size_t n = coefficients_.size();
  return std::span(derivatives_).subspan(k * n - k * (k - 1) / 2, n - k);
}

/// The roots of the derivative between the ends, in roots_.
void PositiveRoots::level(std::size_t k, double low, double high) {
  const std::span<const double> p = derivative(k);
  const std::size_t changes = sign_changes(p);
  roots_.clear();
  if (changes == 0) return;
  if (changes > 1) level(k + 1, low, high);
  finer_.clear();
  double a = low, at_a = value(p, a);
  const auto piece = [&](double b) {
    const double at_b = value(p, b);
    if (at_a != 0 && at_b != 0 && (at_a < 0) != (at_b < 0)) finer_.push_back(root_between(p, a, b, at_a < 0));
    if (at_b == 0) finer_.push_back(b);
    a = b, at_a = at_b;
  };
  for (const double root : roots_) piece(root);
  piece(high);
  std::swap(roots_, finer_);
}

std::span<const Complex> ComplexRoots::operator()(std::span<const double> coefficients, std::span<const Complex> starts) {
  const std::size_t n = coefficients.size() - 1;
  roots_.assign(starts.begin(), starts.end());
  // Off the symmetry about the real axis, which the iteration would keep: a pair can become two real roots.
  double size = 0;
  for (const Complex& root : roots_) size = std::max(size, std::abs(root));
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = 1 + 2.4 * static_cast<double>(i);
    constexpr double aside = 1e-4;
    roots_[i] += aside * std::max(std::abs(roots_[i]), 1e-6 * size) * Complex(std::cos(angle), std::sin(angle));
  }
  if (!iterate(coefficients)) return {};
  pair();
  return roots_;
}

bool ComplexRoots::iterate(std::span<const double> p) {
  const std::size_t n = p.size() - 1;
  done_.assign(n, 0);
  std::size_t left = n;
  constexpr int most = 100;
  for (int round = 0; round < most && left > 0; ++round) {
    for (std::size_t i = 0; i < n; ++i) {
      if (done_[i]) continue;
      const Complex z = roots_[i];
      const double modulus = std::abs(z);
      double re = 0, im = 0, slope_re = 0, slope_im = 0, rounding = 0;
      for (std::size_t k = n + 1; k-- > 0;) {
        const double a = slope_re * z.real() - slope_im * z.imag() + re, b = slope_re * z.imag() + slope_im * z.real() + im;
        slope_re = a, slope_im = b;
        const double c = re * z.real() - im * z.imag() + p[k], d = re * z.imag() + im * z.real();
        re = c, im = d;
        rounding = rounding * modulus + std::abs(p[k]);
      }
      const Complex value(re, im), slope(slope_re, slope_im);
      const bool small = std::abs(re) + std::abs(im) <= 2 * epsilon * rounding;
      if (value == 0.0 || (small && round > 0)) {
        done_[i] = 1, --left;
        if (value == 0.0) continue;
      }
      const Complex newton = value / slope;
      Complex others = 0;
      for (std::size_t j = 0; j < n; ++j)
        if (j != i) others += 1.0 / (z - roots_[j]);
      const Complex step = newton / (1.0 - newton * others);
      if (!std::isfinite(step.real()) || !std::isfinite(step.imag())) return false;
      roots_[i] = z - step;
      if (!done_[i] && std::abs(step) <= 2 * epsilon * modulus) done_[i] = 1, --left;
    }
  }
  return left == 0;
}

/// Each root with the one next to its conjugate; a root that is next to its own is real.
void ComplexRoots::pair() {
  const std::size_t n = roots_.size();
  done_.assign(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (done_[i]) continue;
    done_[i] = 1;
    const Complex mirrored = std::conj(roots_[i]);
    std::size_t nearest = i;
    double distance = std::abs(mirrored - roots_[i]);
    for (std::size_t j = i + 1; j < n; ++j)
      if (const double d = std::abs(mirrored - roots_[j]); !done_[j] && d < distance) nearest = j, distance = d;
    if (nearest == i) {
      roots_[i] = roots_[i].real();
    } else {
      done_[nearest] = 1;
      roots_[i] = (roots_[i] + std::conj(roots_[nearest])) / 2.0;
      roots_[nearest] = std::conj(roots_[i]);
    }
  }
}

}  // namespace sfg::numeric
