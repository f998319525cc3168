#include "sfg/numeric/axis_batch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "sfg/study/measures/axis_samples.hpp"

namespace sfg::numeric {
namespace {

using Complex = std::complex<double>;

/// A polynomial by its roots, and what its argument gains from ω = 0 on: root by root, without a cut.
struct Factors {
  std::vector<double> coefficients{1};
  std::vector<Complex> roots = {};

  void times(const std::vector<double>& factor) {
    std::vector<double> product(coefficients.size() + factor.size() - 1);
    for (std::size_t i = 0; i < coefficients.size(); ++i)
      for (std::size_t j = 0; j < factor.size(); ++j) product[i + j] += coefficients[i] * factor[j];
    coefficients = std::move(product);
  }
  double gained(double w) const {
    double angle = 0;
    for (const Complex& r : roots) {
      const double way = std::atan((w - r.imag()) / std::abs(r.real())) - std::atan(-r.imag() / std::abs(r.real()));
      angle += r.real() < 0 ? way : -way;
    }
    return angle * 180 / std::numbers::pi;
  }
  double square(double w) const {
    double product = 1;
    for (const Complex& r : roots) product *= std::norm(Complex(0, w) - r);
    return product;
  }
};

Factors drawn(std::mt19937_64& generator, std::size_t pairs, std::size_t single, double unstable) {
  std::uniform_real_distribution<double> place(0.3, 8), damping(0.02, 0.9), unit(0, 1);
  Factors result;
  for (std::size_t k = 0; k < pairs + single; ++k) {
    const double w = place(generator), side = unit(generator) < unstable ? 1 : -1;
    if (k >= pairs) {
      result.roots.emplace_back(side * w);
      result.times({-side * w, 1});
      continue;
    }
    const double re = side * damping(generator) * w, im = std::sqrt(w * w - re * re);
    result.roots.insert(result.roots.end(), {{re, im}, {re, -im}});
    result.times({w * w, -2 * re, 1});
  }
  return result;
}

// Phases of fractions with known roots: the sum of what all roots turn, which has no whole turns to lose.
TEST(AxisFan, FollowsThePhaseThatTheRootsTurn) {
  std::mt19937_64 generator(7);
  std::vector<double> frequencies;
  for (int k = 0; k < 60; ++k) frequencies.push_back(0.1 * std::pow(10.0, k / 20.0));
  std::size_t decided = 0, all = 0;
  for (int round = 0; round < 60; ++round) {
    const std::size_t n_pairs = generator() % 3, n_single = generator() % 2, d_pairs = generator() % 4,
                      d_single = 1 + generator() % 2;
    const std::size_t zeros = generator() % 2, poles = zeros == 0 ? generator() % 2 : 0, points = 1 + generator() % 70;
    const std::size_t N = 2 * n_pairs + n_single + zeros + 1, D = 2 * d_pairs + d_single + poles + 1;
    std::vector<Factors> n, d;
    std::vector<double> c((N + D) * points), values(2 * frequencies.size() * points);
    std::vector<char> undecided(points);
    for (std::size_t p = 0; p < points; ++p) {
      n.push_back(drawn(generator, n_pairs, n_single, 0.2));
      d.push_back(drawn(generator, d_pairs, d_single, 0.2));
      for (std::size_t k = zeros; k < N; ++k) c[k * points + p] = n[p].coefficients[k - zeros];
      for (std::size_t k = poles; k < D; ++k) c[(N + k) * points + p] = d[p].coefficients[k - poles];
    }
    const AxisFan fan(frequencies, N, D, zeros, poles, 2);
    fan(points, c, values, undecided);
    for (std::size_t p = 0; p < points; ++p) {
      ++all;
      if (undecided[p] != 0) continue;
      ++decided;
      const double start = 90 * (static_cast<double>(zeros) - static_cast<double>(poles)) +
                           ((n[p].coefficients[0] < 0) != (d[p].coefficients[0] < 0) ? 180 : 0);
      double before = 0;
      for (std::size_t f = 0; f < frequencies.size(); ++f) {
        const double w = frequencies[f], turn = values[(frequencies.size() + f) * points + p];
        const double phase = start + n[p].gained(w) - d[p].gained(w), found = AxisSamples::degrees(turn);
        if (f == 0) before = std::round((found - phase) / 360) * 360;  // 180° and −180° are the same start
        EXPECT_NEAR(found - before, phase, 1e-6) << round << " " << p << " " << w;
        const double power = std::pow(w, 2 * (static_cast<double>(zeros) - static_cast<double>(poles)));
        const double square = n[p].square(w) / d[p].square(w) * power;
        EXPECT_NEAR(values[f * points + p], square, 1e-9 * square);
        std::vector<double> one;
        for (std::size_t k = 0; k < N + D; ++k) one.push_back(c[k * points + p]);
        EXPECT_NEAR(std::remainder(fan.turn(f, one) - turn, 4), 0, 1e-14);
      }
      EXPECT_LE(std::abs(before), 360);
    }
  }
  EXPECT_GT(decided, all * 9 / 10);
}

}  // namespace
}  // namespace sfg::numeric
