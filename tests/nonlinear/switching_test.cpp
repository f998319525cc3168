/// Laws that jump, and inputs that are short: against closed forms, on random instances.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <array>
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

/// What is 0 where it would jump does not stick there: the same law without a jump moves in the same way.
TEST(Switching, AJumpOfNoHeightHoldsNothing) {
  std::mt19937 random(31);
  std::uniform_real_distribution<> part(0.2, 2);
  const std::vector<double> times{0, 0.7, 1.5, 3, 5};
  for (int i = 0; i < 12; ++i) {
    const std::string c = number(part(random)), lag = number(part(random)), threshold = number(0.3 * part(random)),
                      side = i % 2 == 0 ? "" : "-";
    const auto moving = [&](const std::string& drag) {
      return responses_of("digraph { input=r; output=v; r -> p [gain=\"1/(s + 1)\"]; p -> a [nonlinear=\"" + side + "max(u - " +
                              threshold + ", 0)\"]; a -> v [gain=\"1/(" + lag + "*s + 1)\"]; v -> a [nonlinear=\"" + drag +
                              "\"]; }",
                          "r", "t", {"v"}, times)
          .front()
          .value.value;
    };
    const auto jumping = moving("-" + c + "*u^2*sign(u)"), smooth = moving("-" + c + "*u*abs(u)");
    const auto difference = moving("-sqrt(abs(u) + " + c + ")*sign(u) + sqrt(" + c + ")*sign(u)"),
               quotient = moving("-u/(sqrt(abs(u) + " + c + ") + sqrt(" + c + "))");
    for (std::size_t j = 0; j < times.size(); ++j) {
      EXPECT_NEAR(jumping[j], smooth[j], 1e-7 * (1 + std::abs(smooth[j]))) << "instance " << i << ", t = " << times[j];
      EXPECT_NEAR(difference[j], quotient[j], 1e-7 * (1 + std::abs(quotient[j]))) << "instance " << i << ", t = " << times[j];
    }
  }
}

/// A square wave is 1 from its beginning on, though sign(0) = 0: a relay far in front of what it moves does not wait.
TEST(Switching, ASquareWaveBeginsAtOnce) {
  const std::string loop =
      "digraph { input=r; output=x; r -> e; x -> e [gain=\"-1\"]; e -> d [nonlinear=\"relay(u, 2)\"]; d -> x "
      "[gain=\"1/((s + 1)^2*(s + 2))\"]; }";
  const std::vector<double> times{0, 0.5, 1, 2, 3};
  const auto wanted = responses_of(loop, "r", "1", {"x"}, times).front().value.value;
  EXPECT_GT(wanted[2], 0.1);
  for (const char* square : {"sign(t)", "sign(sin(t))", "max(0, sign(sin(t)))"}) {
    const auto found = responses_of(loop, "r", square, {"x"}, times).front().value.value;
    for (std::size_t j = 0; j < times.size(); ++j) EXPECT_NEAR(found[j], wanted[j], 1e-9) << square << ", t = " << times[j];
  }
}

/// A corner of an input and that of a law of it are one corner: ẋ = q − x under pulses of the width h.
TEST(Switching, CornersThatLieARoundingApartAreOne) {
  std::mt19937 random(12);
  for (int i = 0; i < 12; ++i) {
    const double w = std::uniform_real_distribution<>(0.8, 8)(random), h = std::numbers::pi / w;
    std::vector<double> times;
    for (int j = 0; j <= 8; ++j) times.push_back(5.0 * j);
    const auto found =
        responses_of("digraph { input=q; output=x; d -> x [gain=\"1/(s + 1)\"]; q -> d [nonlinear=\"max(u, 0)\"]; }", "q",
                     "sign(sin(" + number(w) + "*t))", {"x"}, times)
            .front()
            .value.value;
    for (std::size_t j = 0; j < times.size(); ++j) {
      double x = 0, t = 0;
      for (int k = 0; t < times[j]; ++k) {
        const double to = std::min(times[j], (k + 1) * h), on = k % 2 == 0 ? 1 : 0;
        x = on + (x - on) * std::exp(t - to);
        t = to;
      }
      EXPECT_NEAR(found[j], x, 1e-8) << "w = " << w << ", t = " << times[j];
    }
  }
}

/// √t has no rate at 0, which nothing asks for here.
TEST(Switching, AnInputMayBeginWithAnInfiniteRate) {
  const std::vector<double> times{0, 0.5, 1, 2};
  const auto found =
      responses_of("digraph { input=r; output=\"x, y\"; r -> d; d -> x [gain=\"1/s\"]; x -> y [nonlinear=\"sign(u - 1/2)\"]; }",
                   "r", "sqrt(t)", {"x", "y"}, times);
  for (std::size_t j = 0; j < times.size(); ++j) {
    const double x = 2.0 / 3 * std::pow(times[j], 1.5);
    EXPECT_NEAR(found[0].value.value[j], x, 1e-8);
    EXPECT_EQ(found[1].value.value[j], x > 0.5 ? 1 : -1);
  }
}

/// An input that is infinite where it begins is no large number; one that is real up to the end alone has its end.
TEST(Switching, AnInputIsFiniteWhereItBegins) {
  const std::string lag =
      "digraph { input=r; output=x; r -> d [nonlinear=\"saturation(u, 100)\"]; d -> x [gain=\"1/(s + 1)\"]; }";
  for (const char* input : {"1/t", "1/sqrt(t)", "log(t)"})
    EXPECT_THROW(responses_of(lag, "r", input, {"x"}, {0, 0.5, 1}), Failure) << input;
  const auto found = responses_of(lag, "r", "sqrt(1 - t)", {"x"}, {0, 0.5, 1}).front().value.value;
  EXPECT_NEAR(found[2], 0.378944691, 1e-7);  // exp(-1) times the integral of exp(t) sqrt(1 - t)
}

/// Jumps that are 0 by another jump, or along another factor, still hold: x' = -1 + law comes to rest at 0 and stays.
TEST(Switching, WhatAnotherJumpHidesStillHolds) {
  for (const char* law : {"-3*sign(u)*(1 - step(u))", "2*floor(u)*sign(u)"}) {
    const auto found = responses_of("digraph { input=r; output=x; r -> a; a -> x [gain=\"1/s\"]; x -> a [nonlinear=\"" +
                                        std::string(law) + "\"]; }",
                                    "r", "-1", {"x"}, {0, 2, 4}, {{"x", 0.5}})
                           .front()
                           .value.value;
    EXPECT_NEAR(found[1], 0, 1e-9) << law;
    EXPECT_NEAR(found[2], 0, 1e-9) << law;
  }
}

/// What is a state by itself is one with a law behind it, too.
TEST(Switching, AStateBeforeALawHasAnInitialValue) {
  const std::vector<double> times{0, 1, 2};
  const auto found = responses_of(
      "digraph { input=r; output=\"x, y\"; r -> x [gain=\"1/s\"]; x -> d; d -> y [gain=\"(2*s + 1)/(3*s + 1)\"]; r -> k "
      "[gain=\"1/s\"]; k -> d [nonlinear=\"sin(u)\"]; }",
      "r", "0", {"x", "y"}, times, {{"x", 1}});
  for (std::size_t j = 0; j < times.size(); ++j) {
    EXPECT_NEAR(found[0].value.value[j], 1, 1e-12);
    EXPECT_NEAR(found[1].value.value[j], 1 - std::exp(-times[j] / 3), 1e-9);
  }
}

/// A relay holds x at r; when r jumps x follows as fast as the relay drives it against friction, and does not jump with r.
TEST(Switching, WhatIsHeldAtAnInputDoesNotJumpWithIt) {
  std::mt19937 random(55);
  std::uniform_real_distribution<> part(0.5, 2);
  for (int i = 0; i < 12; ++i) {
    const double friction = i % 2 == 0 ? 0 : 0.5 * part(random), M = 0.2 + friction + part(random), r = part(random),
                 t0 = part(random);
    std::string text = "digraph { input=r; output=x; r -> e; x -> e [gain=\"-1\"]; e -> d [nonlinear=\"relay(u, " + number(M) +
                       ")\"]; d -> x [gain=\"1/s\"]; ";
    if (friction > 0) text += "x -> d [nonlinear=\"-coulomb(u, " + number(friction) + ")\"]; ";
    const std::vector<double> times{0, t0, t0 + 0.1, t0 + 0.3, t0 + 1, t0 + 20};
    const auto found =
        responses_of(text + "}", "r", number(r) + "*step(t - " + number(t0) + ")", {"x"}, times).front().value.value;
    for (std::size_t j = 0; j < times.size(); ++j)
      EXPECT_NEAR(found[j], std::clamp((M - friction) * (times[j] - t0), 0.0, r), 1e-7)
          << "instance " << i << ", t = " << times[j];
  }
}

/// What stands on an edge that nothing at the edge moves has the law's own value there: floor(n) = n, step(0) = 1, sign(0) = 0.
TEST(Switching, OnAnEdgeWithoutSlidingALawHasItsOwnValue) {
  struct Law {
    const char *law, *input;
    double at, value;
  };
  const std::vector<double> times{0, 0.5, 1};
  for (const Law& each : {Law{"floor(u)", "2", 2, 2},
                          {"floor(u)", "0", 0, 0},
                          {"step(u)", "0", 0, 1},
                          {"step(-u)", "0", 0, 1},
                          {"step(u) + 3*step(-u) + 5*sign(u)", "0", 0, 4},
                          {"quantise(u, 1)", "1/2", 0.5, 1},
                          {"relay(u, 3)", "0", 0, 0}})
    for (const char* way : {"1", "1/(s + 1)", "exp(-s/3)/(s + 1)"}) {
      if (way[0] == 'e' && each.input[0] != '0') continue;  // what is on its way at first is 0
      const auto found =
          responses_of("digraph { r -> x [gain=\"" + std::string(way) + "\"]; x -> a [nonlinear=\"" + each.law +
                           "\"]; a -> y [gain=\"1/s\"]; }",
                       "r", each.input, {"y"}, times,
                       way[0] == '1' && way[1] == '/' ? std::vector<InitialValue>{{"x", each.at}} : std::vector<InitialValue>());
      for (std::size_t j = 0; j < times.size(); ++j)
        EXPECT_NEAR(found.front().value.value[j], each.value * times[j], 1e-9) << each.law << " behind " << way;
    }
}

/// What leaves its edge by a high derivative leaves it at once, and what is moved later, then.
TEST(Switching, WhatRestsOnAnEdgeIsSeenToLeaveIt) {
  const auto integral = [](const std::string& way, const std::string& law, const std::string& input) {
    return responses_of("digraph { r -> x [gain=\"" + way + "\"]; x -> a [nonlinear=\"" + law + "\"]; a -> y [gain=\"1/s\"]; }",
                        "r", input, {"y"}, {0, 1, 2})
        .front()
        .value.value;
  };
  for (const char* way : {"1/s", "1/s^2", "1/s^3", "1/(s + 1)^4"}) {
    EXPECT_NEAR(integral(way, "sign(u)", "1")[2], 2, 1e-9) << way;
    EXPECT_NEAR(integral(way, "floor(u/100)", "-1")[2], -2, 1e-9) << way;
    EXPECT_NEAR(integral(way, "sign(u)", "(t - 1)^2*step(t - 1)")[2], 1, 1e-6) << way;
  }
  const auto pulse = integral("1/(s + 1)", "sign(u)", "exp(-((t - 1)/0.03)^2)");  // 0 in double until t = 0.19
  EXPECT_NEAR(pulse[2] - pulse[1], 1, 1e-9);
}

/// Relays in a chain: those before one that slides do not slide for it, and of two that hold one another neither is let go by
/// half.
TEST(Switching, OnlyWhatActsOnItselfSlides) {
  const std::vector<double> times{0, 0.5, 1};
  const auto chain = responses_of(
      "digraph { r -> x [gain=\"1/(s + 1)\"]; x -> a [nonlinear=\"step(u)\"]; a -> y [gain=\"1/s\"]; a -> b; b -> z "
      "[gain=\"1/s\"]; z -> b [nonlinear=\"-3/2*sign(u)\"]; }",
      "r", "0", {"y", "z"}, times);
  EXPECT_NEAR(chain[0].value.value[2], 1, 1e-9);
  EXPECT_NEAR(chain[1].value.value[2], 0, 1e-9);
  // x = 4 sin²(2t) − z, ż = 1.6 sign(x) − 0.7 sign(z): x is held at 0 until ż = 0.9, at sin 4t = 0.9/8; then x > 0.
  const auto held = responses_of(
      "digraph { r -> x [nonlinear=\"u*abs(u)\"]; z -> x [gain=\"-1\"]; x -> a [nonlinear=\"relay(u, 1.6)\"]; z -> a "
      "[nonlinear=\"-relay(u, 0.7)\"]; a -> z [gain=\"1/s\"]; }",
      "r", "2*sin(2*t)", {"z"}, times);
  const double slips = std::asin(0.9 / 8) / 4, there = 4 * std::pow(std::sin(2 * slips), 2);
  EXPECT_NEAR(held.front().value.value[1], there + 0.9 * (0.5 - slips), 1e-6);
}

/// A jump that pushes away from itself holds nothing: the law's own value says which way the motion leaves.
TEST(Switching, WhatPushesAwayFromItselfIsLeft) {
  const std::vector<double> times{0, 0.25, 0.5, 1};
  const auto motion = [&](const std::string& law, const std::string& input) {
    return responses_of("digraph { F -> a; x -> a [nonlinear=\"" + law + "\"]; a -> x [gain=\"1/s\"]; }", "F", input, {"x"},
                        times)
        .front()
        .value.value;
  };
  for (std::size_t j = 0; j < times.size(); ++j) {
    const double t = times[j];
    EXPECT_NEAR(motion("sign(u)", "1/2")[j], 1.5 * t, 1e-9);
    EXPECT_NEAR(motion("sign(u)", "0")[j], 0, 1e-12);
    EXPECT_NEAR(motion("sign(u)", "t")[j], t + t * t / 2, 1e-9);
    EXPECT_NEAR(motion("floor(u)", "1/2")[j], t / 2, 1e-9);
    EXPECT_NEAR(motion("step(u)", "-t")[j], t - t * t / 2, 1e-9);
  }
}

/// x(0−) is what is stated, and a law on a direct way to x acts before 0, too: b − a integrates.
TEST(Switching, AStateBehindALawsDirectWayHasAnInitialValue) {
  const std::vector<double> times{0, 0.5, 1};
  const auto after = [&](const std::string& law, double a0, double x0, double b0) {
    const auto found = responses_of("digraph { r -> x [gain=\"1/(s + 1)\"]; x -> a [nonlinear=\"" + law +
                                        "\"]; a -> b [gain=\"(s + 2)/(s + 1)\"]; }",
                                    "r", number(x0), {"b"}, times, {{"x", x0}, {"b", b0}})
                           .front()
                           .value.value;
    for (std::size_t j = 0; j < times.size(); ++j)  // a stays: ḃ + b = 2 a
      EXPECT_NEAR(found[j], 2 * a0 + (b0 - 2 * a0) * std::exp(-times[j]), 1e-9) << law << ", t = " << times[j];
  };
  after("u^2", 1, 1, 1);
  after("u^2", 4, 2, -3);
  after("sign(u)", 1, 2, 0.5);
  after("3*step(u - 1)", 3, 2, 0.25);
}

/// A block that sticks moves nothing behind it, and what leaves its edge only later stands there until then.
TEST(Switching, WhatNothingMovesYetWaits) {
  const std::string block = "digraph { F -> f; w -> f [nonlinear=\"-sign(u)\"]; f -> w [gain=\"1/s\"]; w -> x [gain=\"1/s\"]; ",
                    behind = "a -> y [gain=\"1/s\"]; }";
  const auto last = [](const std::string& text, const std::string& input, const std::vector<double>& times) {
    return responses_of(text, "F", input, {"y"}, times).front().value.value.back();
  };
  const std::vector<double> second{0, 0.5, 1};
  EXPECT_NEAR(last(block + "x -> a [nonlinear=\"sign(u)\"]; " + behind, "t", second), 0, 1e-9);
  EXPECT_NEAR(last(block + "x -> p [gain=\"1/s\"]; p -> a [nonlinear=\"sign(u)\"]; " + behind, "1/2", second), 0, 1e-9);
  EXPECT_NEAR(last("digraph { F -> w [gain=\"1/s\"]; w -> d [nonlinear=\"max(u - 1/2, 0)\"]; d -> x [gain=\"1/s\"]; "
                   "x -> a [nonlinear=\"sign(u)\"]; " +
                       behind,
                   "10", second),
              0.95, 1e-4);
  // What holds statically has its share of a step at the same edge: s from -1 to 1 is 0 to 1 of it.
  const std::string held =
      "digraph { F -> f; y -> f [nonlinear=\"-(friction(u, 1, 1.6) + 0.5*step(u))\"]; f -> y [gain=\"1/s\"]; }";
  EXPECT_NEAR(last(held, "-t", {0, 1, 1.55}), 0, 1e-9);
  EXPECT_NEAR(last(held, "t", {0, 1, 2.05}), 0, 1e-9);
}

/// T² ẍ = −sign(x) from x = 1/2 at rest: parabolas, over every T the first one below 0 like that above it, in any unit of time.
TEST(Switching, ARelayBehindTwoIntegratorsSwitchesInTimeWhateverTheUnitOfTime) {
  for (const double T : {1e-12, 1e-9, 1e-6, 1e-3, 1.0, 1e6}) {
    std::vector<double> times;
    for (int j = 0; j <= 30; ++j) times.push_back(T * j / 5);
    const std::string gain = "[gain=\"1/(" + number(T) + "*s)\"]";
    const auto found = responses_of("digraph { input=F; output=x; F -> f; x -> f [nonlinear=\"-sign(u)\"]; f -> w " + gain +
                                        "; w -> x " + gain + "; }",
                                    "F", "0", {"x"}, times, {{"x", 0.5}})
                           .front()
                           .value;
    for (std::size_t j = 0; j < times.size(); ++j) {
      const double t = std::fmod(times[j] / T, 4.0), from_top = t > 2 ? t - 2 : t;  // a half swing takes 2 T
      const double height = from_top <= 1 ? 0.5 - from_top * from_top / 2 : (2 - from_top) * (2 - from_top) / 2 - 0.5;
      EXPECT_NEAR(found.value[j], t > 2 ? -height : height, 1e-8) << "T = " << T << ", t = " << times[j];
    }
  }
}

/// Before something begins an input is 0 for a time, and so is the argument of a switch behind it: that is one part.
/// ẋ = y + a sign y, ẏ = −w² x: arcs of y = R cos(w t + φ) ∓ a, one after the other. Each jump is met late by a little, always to
/// the same side, and that adds up over hundreds of them.
TEST(Switching, TheStatedErrorIsThatOfJumpsMetLateToo) {
  const auto exact = [](double w, double a, double v, double t) {
    const double R = std::hypot(a, v / w), phase = -std::acos(a / R), half = 2 / w * std::acos(a / R);
    const double arc = std::floor(t / half), within = t - arc * half, side = std::fmod(arc, 2) == 0 ? 1 : -1;
    return side * (R * std::cos(w * within + phase) - a);
  };
  std::vector<double> times;
  for (const auto& [w, a, v, until] : {std::array{3.0, 2.0, 1.0, 20.0}, {3.0, 0.5, 2.0, 30.0}, {1.0, 1.0, 1.0, 100.0}}) {
    times.clear();
    for (int i = 0; i <= 40; ++i) times.push_back(until * i / 40);
    const auto found = responses_of("digraph { input=q; output=y; q -> dx; y -> dx; y -> dx [nonlinear=\"" + number(a) +
                                        "*sign(u)\"]; dx -> x [gain=\"1/s\"]; x -> dy [gain=\"-" + number(w * w) +
                                        "\"]; dy -> y [gain=\"1/s\"]; }",
                                    "q", "0", {"y"}, times, {{"x", -v / (w * w)}})
                           .front()
                           .value;
    ASSERT_TRUE(found.error);
    for (std::size_t i = 0; i < times.size(); ++i)
      EXPECT_NEAR(found.value[i], exact(w, a, v, times[i]), *found.error) << "w = " << w << ", a = " << a << ", t = " << times[i];
  }
}

TEST(TimeScales, WhatIsZeroForATimeIsSeen) {
  SymbolTable symbols;
  const GiNaC::ex time = symbols.symbol("t");
  for (const char* text : {"sign(2*sin(t)*step(t - 1/2))", "abs(step(t - 1) - step(t - 21/20))", "max(t*step(t - 1), 0)"}) {
    const GiNaC::ex function = parse(text, symbols);
    EXPECT_TRUE(TimeScales(std::span(&function, 1), time, 5).complete()) << text;
  }
}

}  // namespace
