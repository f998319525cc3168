// Disk margins against a dense search along the axis in long double, and what follows from a radius against the disk itself: the
// gain f moves L to −1 at a frequency where f = −1/L, and f is in the disk of radius |δ(f)|.
#include "sfg/control/margins.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"

namespace sfg {
namespace {

using Real = long double;
using Complex = std::complex<Real>;
using Verdict = ClosedLoop::Verdict;

/// |δ| of f = (2 + (1 − σ)δ)/(2 − (1 + σ)δ).
Real size_of(int skew, const Complex& f) {
  const Complex below = Real(1 - skew) + Real(1 + skew) * f;
  return below == Complex(0) ? INFINITY : Real(2) * std::abs(f - Real(1)) / std::abs(below);
}

/// gain·Π(x + zeros)/Π(x + poles)·e^(−τs), x = s or z; quadratic factors as pairs (b, c) of x² + b x + c.
struct RandomLoop {
  int gain = 1;
  std::vector<int> zeros = {}, poles = {};           // tenths
  std::vector<std::pair<int, int>> resonances = {};  // of the denominator, tenths
  int delay = 0;                                     // tenths
  bool discrete = false;

  std::string text() const {
    const std::string x = discrete ? "z" : "s";
    const auto factor = [&](int c) { return "(" + x + "+" + std::to_string(c) + "/10)"; };
    std::string text = std::to_string(gain) + "/10";
    for (const int c : zeros) text += "*" + factor(c);
    text += "/(1";
    for (const int c : poles) text += "*" + factor(c);
    for (const auto& [b, c] : resonances)
      text += "*(" + x + "^2+" + std::to_string(b) + "/10*" + x + "+" + std::to_string(c) + "/10)";
    return text + ")" + (delay > 0 ? "*exp(-" + std::to_string(delay) + "/10*s)" : "");
  }
  Complex at(Real w) const {
    const Complex x = discrete ? std::polar(Real(1), w) : Complex(0, w);
    Complex value = Real(gain) / 10;
    for (const int c : zeros) value *= x + Real(c) / 10;
    for (const int c : poles) value /= x + Real(c) / 10;
    for (const auto& [b, c] : resonances) value /= x * x + Real(b) / 10 * x + Real(c) / 10;
    return value * std::polar(Real(1), -w * Real(delay) / 10);
  }
};

ExactTransfer transfer_of(const std::string& gain, bool discrete = false) {
  SignalFlowGraph graph;
  graph.op = discrete ? "z" : "s";
  graph.op.declare(graph.symbols);
  graph.add_branch(graph.node("u"), graph.node("y"), parse(gain, graph.symbols));
  const Question question{*graph.find("u"), *graph.find("y"), Question::Mode::source, {}};
  return exact_transfers(graph, std::span(&question, 1)).front();
}
std::vector<DiskMargin> disks(const std::string& gain, bool discrete = false) {
  return margins(transfer_of(gain, discrete)).disk;
}

/// The least of f on a dense grid, each low point refined.
Real least(const std::function<Real(Real)>& f, Real from, Real to, Real ratio) {
  std::vector<Real> w, value;
  for (Real x = from; x < to * ratio; x *= ratio) w.push_back(std::min(x, to)), value.push_back(f(w.back()));
  Real best = std::min({f(from * 1e-6L), value.front(), value.back(), to > 1e4L ? f(to * 1e6L) : f(to)});
  for (std::size_t i = 1; i + 1 < w.size(); ++i) {
    if (value[i] > value[i - 1] || value[i] > value[i + 1]) continue;
    Real a = w[i - 1], b = w[i + 1];
    for (int k = 0; k < 120; ++k)
      (f(a + (b - a) / 3) < f(b - (b - a) / 3) ? b : a) =
          f(a + (b - a) / 3) < f(b - (b - a) / 3) ? b - (b - a) / 3 : a + (b - a) / 3;
    best = std::min({best, f((a + b) / 2), value[i]});
  }
  return best;
}

void expect_least(const RandomLoop& loop, const std::vector<DiskMargin>& found) {
  SCOPED_TRACE(loop.text());
  ASSERT_EQ(found.size(), 3U);
  for (const DiskMargin& disk : found) {
    SCOPED_TRACE(disk.skew);
    const auto radius = [&](Real w) { return size_of(disk.skew, -Real(1) / loop.at(w)); };
    const Real dense = least(radius, 1e-5L, loop.discrete ? std::numbers::pi_v<Real> : 1e5L, loop.delay > 0 ? 1.001L : 1.004L);
    EXPECT_LE(disk.radius, static_cast<double>(dense) * (1 + 1e-9));
    EXPECT_GE(disk.radius, static_cast<double>(dense) * (1 - 1e-6));
    if (disk.frequency && *disk.frequency > 0) {
      EXPECT_NEAR(static_cast<double>(radius(*disk.frequency)), disk.radius, 1e-9 * disk.radius);
    }
  }
}

class DiskMargins : public ::testing::Test {
 protected:
  std::mt19937 random_{17};
  int stable_ = 0, unstable_ = 0;
  int number(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
  void expect_least_of(const RandomLoop& loop) {
    const Margins found = margins(transfer_of(loop.text(), loop.discrete));
    if (found.closed_loop.verdict == Verdict::stable) {
      ++stable_;
      expect_least(loop, found.disk);
      EXPECT_NEAR(found.disk[1].radius, *found.modulus_margin, 1e-12);
    } else {
      ++unstable_;
      EXPECT_TRUE(found.disk.empty());
    }
  }
};

TEST_F(DiskMargins, OfRationalLoopsAreTheLeastOnADenseGrid) {
  for (int trial = 0; trial < 70; ++trial) {
    RandomLoop loop{.gain = number(1, 80)};
    for (int i = number(0, 2); i-- > 0;) loop.zeros.push_back(number(-20, 60));
    for (int i = number(1, 3); i-- > 0;) loop.poles.push_back(number(0, 3) > 0 ? number(1, 60) : 0);
    if (number(0, 1) > 0) loop.resonances.emplace_back(number(0, 20), number(1, 90));
    expect_least_of(loop);
  }
  EXPECT_GT(stable_, 20);
  EXPECT_GT(unstable_, 5);
}

TEST_F(DiskMargins, OfLoopsWithDeadTimeAreTheLeastOnADenseGrid) {
  for (int trial = 0; trial < 14; ++trial) {
    RandomLoop loop{.gain = number(1, 30), .poles = {number(0, 20), number(1, 40)}, .delay = number(1, 15)};
    if (number(0, 1) > 0) loop.zeros.push_back(number(5, 60));
    if (number(0, 2) == 0) loop.resonances.emplace_back(number(1, 20), number(5, 90));
    expect_least_of(loop);
  }
  EXPECT_GT(stable_, 4);
  EXPECT_GE(unstable_, 1);
}

TEST_F(DiskMargins, OfSampledLoopsAreTheLeastOnADenseGrid) {
  for (int trial = 0; trial < 100; ++trial) {
    RandomLoop loop{.gain = number(1, 20), .poles = {number(0, 2) > 0 ? number(-9, 9) : -10}, .discrete = true};
    if (number(0, 1) > 0) loop.zeros.push_back(number(-15, 15));
    if (number(0, 1) > 0) loop.resonances.emplace_back(number(-14, 14), number(5, 9));
    expect_least_of(loop);
  }
  EXPECT_GT(stable_, 20);
  EXPECT_GT(unstable_, 10);
}

TEST_F(DiskMargins, WhatFollowsFromARadiusIsOnTheRimOfTheDisk) {
  for (int trial = 0; trial < 600; ++trial) {
    const int skew = number(-1, 1);
    const double radius = trial % 4 == 0 ? number(1, 8) / 2.0 : number(1, 400) / 100.0;
    SCOPED_TRACE(std::to_string(skew) + ", " + std::to_string(radius));
    const DiskMargin disk = disk_margin(skew, radius, {});
    const auto on_rim = [&](const Complex& f) { EXPECT_NEAR(static_cast<double>(size_of(skew, f)), radius, 1e-9 * radius); };
    const auto within = [&](const Complex& f) { EXPECT_LE(static_cast<double>(size_of(skew, f)), radius * (1 + 1e-12)); };
    if (disk.gain_low_db) on_rim(std::pow(Real(10), Real(*disk.gain_low_db) / 20));
    if (disk.gain_high_db) on_rim(std::pow(Real(10), Real(*disk.gain_high_db) / 20));
    if (disk.phase_deg) on_rim(std::polar(Real(1), Real(*disk.phase_deg) * std::numbers::pi_v<Real> / 180));
    for (Real x = 1e-9L; x < 1; x += 0.01L) {
      if (!disk.gain_low_db) within(x);
      if (!disk.gain_high_db) within(1 / x);
      if (!disk.phase_deg) within(std::polar(Real(1), std::numbers::pi_v<Real> * x));
    }
  }
}

void expect_disk(const DiskMargin& disk, double radius, std::optional<double> low, std::optional<double> high,
                 std::optional<double> phase, std::optional<double> frequency) {
  EXPECT_EQ(disk.radius, radius);
  const auto same = [](const std::optional<double>& got, const std::optional<double>& wanted) {
    ASSERT_EQ(got.has_value(), wanted.has_value());
    if (got) {
      EXPECT_NEAR(*got, *wanted, 1e-12 * (1 + std::abs(*wanted)));
    }
  };
  same(disk.gain_low_db, low);
  same(disk.gain_high_db, high);
  same(disk.phase_deg, phase);
  same(disk.frequency, frequency);
}

TEST_F(DiskMargins, AtLimitsTheyAreExact) {
  const double half = 20 * std::log10(0.5);
  {  // a lag: the norms of σ = 0 and 1 are reached at infinity only
    const std::vector<DiskMargin> found = disks("1/(s+1)");
    expect_disk(found[0], 2, {}, {}, 90, {});
    expect_disk(found[1], 1, half, {}, 60, {});
    expect_disk(found[2], 2, {}, 20 * std::log10(3.0), 180, 0);
  }
  {  // Re L >= 0, and 0 where L is: the radius 2 is reached there
    const std::vector<DiskMargin> found = disks("(s^2+2)/((s+1)*(s+2))");
    expect_disk(found[0], 2, {}, {}, 90, std::sqrt(2.0));
  }
  {  // of constants: reached everywhere
    const std::vector<DiskMargin> one = disks("1"), third = disks("1/3");
    EXPECT_TRUE(std::isinf(one[0].radius));
    EXPECT_FALSE(one[0].gain_low_db || one[0].gain_high_db);
    expect_disk(one[1], 2, 20 * std::log10(1 / 3.0), {}, 180, 0);
    expect_disk(third[0], 4, {}, {}, std::acos(-12 / 20.0) * 180 / std::numbers::pi, 0);
  }
  {  // no loop at all
    const std::vector<DiskMargin> found = disks("0");
    expect_disk(found[0], 2, {}, {}, 90, 0);
    expect_disk(found[1], 1, half, {}, 60, 0);
    EXPECT_TRUE(std::isinf(found[2].radius));
    EXPECT_FALSE(found[2].phase_deg);
  }
  {  // in z at half the sampling frequency
    const std::vector<DiskMargin> found = disks("1/(2*z)", true);
    expect_disk(found[1], 0.5, 20 * std::log10(2 / 3.0), -half, std::acos(1 - 0.125) * 180 / std::numbers::pi, std::numbers::pi);
  }
  {  // with dead time, at rest and at infinity
    const std::vector<DiskMargin> found = disks("1/2*exp(-s/10)");
    EXPECT_NEAR(found[0].radius, 2 / 3.0, 1e-12);
    const std::vector<DiskMargin> slow = disks("1/2*exp(-s/100)/(s+1)");
    expect_disk(slow[2], 3, {}, 20 * std::log10(4.0), {}, 0);
  }
  EXPECT_TRUE(disks("8/(s+1)^3").empty());  // on the edge
  EXPECT_TRUE(disks("9/(s+1)^3").empty());
}

}  // namespace
}  // namespace sfg
