// Phases against the sum of the angles of all factors, one frequency at a time.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/response/frequency_response.hpp"

namespace sfg {
namespace {

using Complex = std::complex<double>;
using exact::RationalPolynomial;

constexpr double degrees = 180 / M_PI;

/// A polynomial by its roots, tenths exactly.
struct Roots {
  std::vector<Complex> values;
  RationalPolynomial polynomial = RationalPolynomial::constant(1);

  static exact::Rational tenths(int n) { return exact::Rational(n) / 10; }
  void add_real(int n) {
    values.emplace_back(n / 10.0, 0);
    polynomial *= RationalPolynomial(std::vector<exact::Rational>{1, tenths(-n)});
  }
  /// The roots of s² + b s + c.
  void add_pair(int b, int c) {
    const Complex root = std::sqrt(Complex(b * b / 400.0 - c / 10.0));
    values.push_back(-b / 20.0 + root);
    values.push_back(-b / 20.0 - root);
    polynomial *= RationalPolynomial(std::vector<exact::Rational>{1, tenths(b), tenths(c)});
  }
};

ExactTransfer transfer(const Roots& above, const Roots& below, const exact::Rational& gain, const exact::Rational& delay = 0) {
  ExactTransfer T;
  RationalPolynomial n = above.polynomial * RationalPolynomial::constant(gain), d = below.polynomial;
  const RationalPolynomial common = gcd(n, d);
  T.numerator.parts = {{delay, divided(n, common).first}};
  T.denominator.parts = {{0, divided(d, common).first}};
  return T;
}

double phase_at(const ExactTransfer& T, double w) { return frequency_response(T, std::span(&w, 1)).phase_deg.front(); }

/// How far jω − r turns from ω = 0 on; a root on the axis lies a little to its left.
double turn(Complex r, double w) {
  if (r == 0.0) return M_PI / 2;
  if (r.real() > 0) return -turn(-std::conj(r), w);
  const double left = r.real() == 0 ? 1e-300 : -r.real();
  return std::atan2(w - r.imag(), left) - std::atan2(-r.imag(), left);
}

TEST(Phase, IsTheSumOfTheAnglesAndOfTheDeadTime) {
  std::mt19937 random(20);
  const auto number = [&](int low, int high) { return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)); };
  for (int trial = 0; trial < 60; ++trial) {
    Roots above, below;
    for (Roots* side : {&above, &below})
      for (int i = number(0, 3); i-- > 0;) {
        const int kind = number(0, 3), repeated = number(1, 2), a = number(-40, -1), b = number(1, 30), c = number(300, 900);
        for (int k = 0; k < repeated; ++k) {
          if (kind == 0) side->add_real(side == &above ? -a : a);
          if (kind == 1) side->add_real(0);
          if (kind == 2) side->add_pair(side == &above ? -b : b, c);
          if (kind == 3) side->add_pair(0, side == &above ? c : c + 1);
        }
      }
    const int sign = number(0, 1), delay = number(0, 30);
    const ExactTransfer T = transfer(above, below, sign ? -3 : 3, Roots::tenths(delay));
    const auto lowest = [](const Roots& side) {  // of the coefficient that is left when the roots at 0 are taken out
      std::size_t power = 0;
      while (side.polynomial.sign_of(power) == 0) ++power;
      return side.polynomial.sign_of(power);
    };
    for (const double w : {0.01, 1.7, 6.6, 99.0, 1234.5}) {
      double want = (sign ? 180 : 0) + (lowest(above) * lowest(below) < 0 ? 180 : 0) - w * delay / 10 * degrees;
      for (const Complex r : above.values) want += turn(r, w) * degrees;
      for (const Complex r : below.values) want -= turn(r, w) * degrees;
      const double found = phase_at(T, w);
      if (sign && lowest(above) * lowest(below) < 0) want -= 360;  // c > 0 starts at 0
      EXPECT_NEAR(found, want, 1e-9 * std::max(1.0, std::abs(want))) << "trial " << trial << " at " << w;
    }
  }
}

TEST(Phase, OfSampledSystemsIsTheSumOfTheAngles) {
  std::mt19937 random(21);
  const auto number = [&](int low, int high) { return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1)); };
  for (int trial = 0; trial < 60; ++trial) {
    Roots above, below;
    for (int i = number(1, 3); i-- > 0;) {
      const int kind = number(0, 3);
      if (kind == 0) below.add_real(number(-9, 9));
      if (kind == 1) below.add_real(10);
      if (kind == 2) below.add_pair(number(-19, 19), 10);  // on the unit circle, at no round angle
      if (kind == 3) below.add_pair(number(-9, 9), 8);
    }
    if (number(0, 1)) above.add_real(number(0, 1) ? 13 : -8);
    const ExactTransfer T = [&] {
      ExactTransfer t = transfer(above, below, 2);
      t.op = Operator("z", exact::Rational(1) / 2);
      return t;
    }();
    const auto turned = [](Complex r, double angle) {  // of e^{jθ} − r from 0 on, r on the circle a little inside
      if (std::abs(std::abs(r) - 1) < 1e-12) r *= 1 - 1e-11;
      const auto arg = [&](double a) {
        return std::abs(r) < 1 ? a + std::arg(1.0 - r * std::polar(1.0, -a)) : std::arg(1.0 - std::polar(1.0, a) / r);
      };
      return r.imag() == 0 && std::abs(r.real() - 1) < 1e-9 ? arg(angle) : arg(angle) - arg(0);
    };
    const int sign = above.values.empty() || above.values.front().real() < 1 ? 1 : -1;  // at z = 1, where the roots at 1 are out
    for (const double angle : {0.1, 1.234, 2.9, 3.5, 6.1, 9.4}) {
      double want = sign < 0 ? 180 : 0;
      for (const Complex r : above.values) want += turned(r, angle) * degrees;
      for (const Complex r : below.values) want -= turned(r, angle) * degrees;
      EXPECT_NEAR(phase_at(T, angle / 0.5), want, 1e-6) << "trial " << trial << " at " << angle;
    }
  }
}

TEST(Phase, OfSampledSystemsIsExactToDoublePrecision) {
  ExactTransfer T;
  T.op = "z";
  T.numerator.parts = {{0, {1}}};
  T.denominator.parts = {{0, {1, exact::Rational(-6) / 5, 1}}};
  const Complex z = std::polar(1.0, 1.67);
  EXPECT_NEAR(phase_at(T, 1.67), std::arg(1.0 / (z * z - 1.2 * z + 1.0)) * degrees - 360, 1e-11);
}

/// Unwrapped from dense samples.
double brute(const std::function<Complex(double)>& f, double start, double w) {
  double phase = start;
  Complex before = f(1e-4);
  phase += std::remainder(std::arg(before) * degrees - start, 360);
  for (double x = 1e-4; x < w;) {
    x = std::min(w, x + std::min(x, 1e-3));
    const Complex here = f(x);
    phase += std::arg(here / before) * degrees;
    before = here;
  }
  return phase;
}

TEST(Phase, OfSeveralDeadTimesIsFollowedForASingleFrequencyToo) {
  std::mt19937 random(22);
  for (int trial = 0; trial < 8; ++trial) {
    const int a = 1 + static_cast<int>(random() % 30), k = 1 + static_cast<int>(random() % 50),
              delay = 1 + static_cast<int>(random() % 40);
    ExactTransfer T;  // K e^(−τs)/(s² + s + a + K e^(−τs)), in tenths
    const exact::Rational K = Roots::tenths(k), tau = Roots::tenths(delay);
    T.numerator.parts = {{tau, {K}}};
    T.denominator.parts = {{0, {1, 1, Roots::tenths(a)}}, {tau, {K}}};
    const auto f = [&](double w) {
      const Complex s(0, w), late = k / 10.0 * std::exp(-s * (delay / 10.0));
      return late / (s * s + s + a / 10.0 + late);
    };
    for (const double w : {0.3, 7.0, 40.0}) EXPECT_NEAR(phase_at(T, w), brute(f, 0, w), 1e-6) << trial << " at " << w;
  }
}

TEST(Phase, OfAZeroOrderHoldTurnsUpAtEachOfItsZeros) {
  ExactTransfer T;  // (1 − e^(−s))/s
  T.numerator.parts = {{0, {1}}, {1, {-1}}};
  T.denominator.parts = {{0, {1, 0}}};
  for (const double w : {0.5, 6.0, 6.5, 100.0})
    EXPECT_NEAR(phase_at(T, w), -w / 2 * degrees + 180 * std::floor(w / (2 * M_PI)), 1e-6) << w;
}

TEST(Phase, IsMissingAtPolesAndZerosOnTheAxisAndOfZero) {
  Roots above, below;
  above.add_pair(0, 90);
  below.add_pair(0, 20);
  const std::vector<double> w{1, std::sqrt(2.0), 2, 3, 4};
  const FrequencyResponse r = frequency_response(transfer(above, below, 1), w);
  EXPECT_TRUE(std::isinf(r.magnitude_db[1]) && r.magnitude_db[1] > 0);
  EXPECT_TRUE(std::isinf(r.magnitude_db[3]) && r.magnitude_db[3] < 0);
  EXPECT_TRUE(std::isnan(r.phase_deg[1]) && std::isnan(r.phase_deg[3]));
  EXPECT_EQ(r.phase_deg[0], 0);
  EXPECT_EQ(r.phase_deg[2], -180);
  EXPECT_EQ(r.phase_deg[4], 0);
  EXPECT_EQ(r.breaks.size(), 2u);
  ExactTransfer nothing = transfer(above, below, 1);
  nothing.numerator.parts.clear();
  const FrequencyResponse zero = frequency_response(nothing, w);
  EXPECT_TRUE(std::isnan(zero.phase_deg[0]));
  EXPECT_EQ(zero.notes.size(), 1u);
}

/// (s + 1)^400 over or under 1: 10^400 and 10^-400 are no double numbers, their magnitudes in dB are.
TEST(Phase, MagnitudesBeyondTheRangeOfDoubleNumbers) {
  Roots power, none;
  for (int k = 0; k < 400; ++k) power.add_real(-10);
  const std::vector<double> w{1, 10};
  for (const int sign : {1, -1}) {
    const FrequencyResponse r = frequency_response(sign > 0 ? transfer(power, none, 1) : transfer(none, power, 1), w);
    EXPECT_NEAR(r.magnitude_db[0], sign * 4000 * std::log10(2.0), 1e-7);
    EXPECT_NEAR(r.magnitude_db[1], sign * 4000 * std::log10(101.0), 1e-7);
    EXPECT_NEAR(r.group_delay[1], -sign * 400 / 101.0, 1e-9);
    EXPECT_EQ(r.notes.size(), 1U);
  }
}

}  // namespace
}  // namespace sfg
