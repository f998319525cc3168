/// Laws that jump, and inputs that are short: against closed forms, on random instances.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/nonlinear/run/transient.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/response/time_scales.hpp"

namespace {

using namespace sfg;

std::vector<NamedResponse> responses_of(const std::string& text, const std::string& input, const std::string& signal,
                                        const std::vector<std::string>& outputs, const std::vector<double>& times,
                                        const std::vector<InitialValue>& initial = {}, double rtol = 1e-9) {
  SignalFlowGraph graph = read_dot(text, "test.dot");
  SimulationQuestion asked;
  SymbolTable symbols;
  asked.time = symbols.symbol("t");
  asked.drives.push_back({*graph.find(input), parse(signal, symbols)});
  asked.initial = initial;
  for (const std::string& output : outputs) asked.outputs.push_back(*graph.find(output));
  return transient(graph, asked, times, {.rtol = rtol});
}

std::string number(double value) { return print(value); }

/// m ẍ + k x = F − Fc sign(ẋ): half a swing after the other about (F ∓ Fc)/k, until the spring no longer overcomes the friction.
double swinging(double m, double k, double friction, double x, double t) {
  const double half = std::numbers::pi * std::sqrt(m / k);
  while (k * std::abs(x) > friction) {
    const double middle = (x > 0 ? 1 : -1) * friction / k;
    if (t <= half) return middle + (x - middle) * std::cos(std::sqrt(k / m) * t);
    x = 2 * middle - x;
    t -= half;
  }
  return x;
}

TEST(Switching, AnOscillatorWithDryFrictionComesToRestByHalfSwings) {
  const unsigned seed = 4711;
  std::mt19937 random(seed);
  const auto between = [&](double low, double high) {
    return low * std::pow(high / low, std::uniform_real_distribution<>()(random));
  };
  for (int i = 0; i < 25; ++i) {
    const double m = between(0.01, 100), k = between(0.1, 1e4), friction = between(0.1, 100),
                 x0 = between(0.2, 30) * friction / k * (i % 2 == 0 ? 1 : -1), until = between(0.3, 40) * std::sqrt(m / k);
    std::vector<double> times;
    for (int j = 0; j <= 20; ++j) times.push_back(until * j / 20);
    const auto found = responses_of("digraph { input=F; output=x; F -> f; w -> f [nonlinear=\"-coulomb(u, " + number(friction) +
                                        ")\"]; x -> f [gain=\"-" + number(k) + "\"]; f -> w [gain=\"1/(" + number(m) +
                                        "*s)\"]; w -> x [gain=\"1/s\"]; }",
                                    "F", "0", {"x"}, times, {{"x", x0}})
                           .front()
                           .value;
    ASSERT_TRUE(found.error);
    for (std::size_t j = 0; j < times.size(); ++j)
      EXPECT_NEAR(found.value[j], swinging(m, k, friction, x0, times[j]), 2e-8 * std::abs(x0))
          << "seed " << seed << ", instance " << i << ", t = " << times[j];
  }
}

/// From rest under F = r t: it sticks until r t = Fc, then x = r (t − Fc/r)³/(6 m), at any tolerance.
TEST(Switching, FrictionHoldsFromRestUntilItIsOvercome) {
  std::mt19937 random(815);
  std::uniform_real_distribution<> part;
  for (int i = 0; i < 20; ++i) {
    const double m = std::pow(10, 4 * part(random) - 2), rate = std::pow(10, 2 * part(random) - 1),
                 friction = rate * (0.2 + part(random));
    const double away = friction / rate, rtol = std::pow(10, -4 - 7 * part(random));
    const std::string law = i % 2 == 0 ? "-coulomb(u, Fc)" : "-Fc*sign(u)";
    const auto found =
        responses_of("digraph { input=F; output=x; parameters=\"Fc=" + number(friction) + "\"; F -> f; w -> f [nonlinear=\"" +
                         law + "\"]; f -> w [gain=\"1/(" + number(m) + "*s)\"]; w -> x [gain=\"1/s\"]; }",
                     "F", number(rate) + "*t", {"x"}, {0, away / 2, away, 2 * away, 3 * away}, {}, rtol)
            .front()
            .value.value;
    EXPECT_NEAR(found[1], 0, 1e-14);
    EXPECT_NEAR(found[2], 0, 1e-14);
    EXPECT_NEAR(found[3], rate * std::pow(away, 3) / (6 * m), 1e-3 * rtol + 5 * rtol * rate * std::pow(2 * away, 3) / (6 * m))
        << i;
    EXPECT_NEAR(found[4], rate * std::pow(2 * away, 3) / (6 * m), 5 * rtol * rate * std::pow(2 * away, 3) / (6 * m)) << i;
  }
}

/// Three masses, springs between them, friction at each: the energy never rises, and at the end every spring is held.
TEST(Switching, SeveralFrictionsNeverRaiseTheEnergy) {
  const std::string chain =
      "digraph { input=F; output=x3; F -> f1;"
      "w1 -> f1 [nonlinear=\"-coulomb(u, 0.3)\"]; w2 -> f2 [nonlinear=\"-0.2*sign(u)\"]; w3 -> f3 [nonlinear=\"-stribeck(u, 0.1, "
      "0.25, 0.05)\"];"
      "f1 -> w1 [gain=\"1/s\"]; f2 -> w2 [gain=\"1/(2*s)\"]; f3 -> w3 [gain=\"1/s\"];"
      "w1 -> x1 [gain=\"1/s\"]; w2 -> x2 [gain=\"1/s\"]; w3 -> x3 [gain=\"1/s\"];"
      "x1 -> f1 [gain=-20]; x2 -> f1 [gain=20]; x1 -> f2 [gain=20]; x2 -> f2 [gain=-50]; x3 -> f2 [gain=30];"
      "x2 -> f3 [gain=30]; x3 -> f3 [gain=-40]; }";  // 20 between 1 and 2, 30 between 2 and 3, 10 to the frame
  std::mt19937 random(99);
  std::uniform_real_distribution<> part(-1, 1);
  std::vector<double> times;
  for (int j = 0; j <= 400; ++j) times.push_back(j * 0.05);
  for (int i = 0; i < 4; ++i) {
    const auto found =
        responses_of(chain, "F", "0", {"x1", "x2", "x3", "w1", "w2", "w3"}, times,
                     {{"x1", 0.2 * part(random)}, {"x2", 0.2 * part(random)}, {"x3", 0.2 * part(random)}, {"w1", part(random)}});
    const auto at = [&](std::size_t signal, std::size_t j) { return found[signal].value.value[j]; };
    double before = HUGE_VAL;
    for (std::size_t j = 0; j < times.size(); ++j) {
      const double energy =
          (at(3, j) * at(3, j) + 2 * at(4, j) * at(4, j) + at(5, j) * at(5, j) + 20 * std::pow(at(0, j) - at(1, j), 2) +
           30 * std::pow(at(1, j) - at(2, j), 2) + 10 * std::pow(at(2, j), 2)) /
          2;
      EXPECT_LE(energy, before + 1e-9) << i << ", t = " << times[j];
      before = energy;
    }
    const std::size_t end = times.size() - 1;
    for (const std::size_t speed : {3, 4, 5}) EXPECT_NEAR(at(speed, end), 0, 1e-12) << i;
    EXPECT_LE(std::abs(20 * (at(0, end) - at(1, end))), 0.3 + 1e-8);
  }
}

/// ẋ = 1 − 2 sign(x) slides along 0 from where it comes to it; a relay on a second-order plant goes on along its jump.
TEST(Switching, RelaysSlide) {
  const auto x = responses_of("digraph { input=r; output=x; r -> a; x -> a [nonlinear=\"-2*sign(u)\"]; a -> x [gain=\"1/s\"]; }",
                              "r", "1", {"x"}, {0, 0.5, 1, 5}, {{"x", 1}})
                     .front()
                     .value.value;
  EXPECT_NEAR(x[1], 0.5, 1e-9);
  EXPECT_NEAR(x[2], 0, 1e-9);
  EXPECT_NEAR(x[3], 0, 1e-12);
  const auto held =
      responses_of(
          "digraph { input=r; output=x; r -> a; x -> a [nonlinear=\"-sign(u)\"]; a -> w [gain=\"1/s\"]; w -> x [gain=\"1/s\"]; }",
          "r", "t/2", {"x"}, {0, 1, 1.9, 3, 4})
          .front()
          .value.value;
  EXPECT_NEAR(held[2], 0, 1e-9);
  EXPECT_NEAR(held[4], std::pow(2.0, 3) / 12, 1e-7);
}

/// Gauss' pulses through a law, at any place and however narrow: the integral.
TEST(Switching, NoPulseIsSteppedOver) {
  std::mt19937 random(31);
  std::uniform_real_distribution<> part;
  for (int i = 0; i < 20; ++i) {
    const double width = std::pow(10, -5 * part(random)), place = 20 * part(random), height = 10 * part(random);
    const auto y = responses_of("digraph { input=r; output=x; r -> y [nonlinear=\"u*abs(u)\"]; y -> x [gain=\"1/s\"]; }", "r",
                                number(height) + "*exp(-((t - " + number(place) + ")/" + number(width) + ")^2)", {"x"}, {0, 30})
                       .front()
                       .value.value;
    const double whole = height * height * width * std::sqrt(std::numbers::pi / 2);
    const double before = (1 + std::erf(-std::numbers::sqrt2 * place / width)) / 2;
    EXPECT_NEAR(y[1], whole * (1 - before), 1e-7 * whole + 1e-11) << "width " << width << " at " << place;
  }
}

TEST(TimeScales, FindWhatIsShort) {
  SymbolTable symbols;
  const GiNaC::ex t = symbols.symbol("t");
  const auto scales = [&](const char* text) {
    const GiNaC::ex e = parse(text, symbols);
    return TimeScales(std::span(&e, 1), t, 20);
  };
  EXPECT_EQ(scales("3").longest_step(1), HUGE_VAL);
  EXPECT_GT(scales("t").longest_step(1), 10);
  const TimeScales pulse = scales("exp(-((t - 13.7)/0.001)^2)");
  EXPECT_GT(pulse.longest_step(1), 0.1);
  EXPECT_LT(pulse.longest_step(13.7), 0.002);
  EXPECT_LT(pulse.longest_step(13.6995), 0.002);
  for (const double from : {0.0, 5.0, 13.0, 13.69}) {  // no step jumps over it
    double at = from;
    bool seen = false;
    for (int i = 0; i < 100'000 && at < 20; ++i) {
      at += pulse.longest_step(at);
      seen = seen || std::abs(at - 13.7) < 0.002;
    }
    EXPECT_TRUE(seen) << from;
  }
  EXPECT_LT(scales("sin(50*t)").longest_step(3), 0.05);
  EXPECT_TRUE(scales("sin(t^2)").complete());
}

}  // namespace
