#include "sfg/nonlinear/rest/operating_points.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

#include "sfg/control/poles.hpp"
#include "sfg/nonlinear/absolute_stability.hpp"
#include "sfg/nonlinear/rest/rest_equations.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace {

using namespace sfg;

constexpr const char* two_masses = R"dot(digraph {
  variable="p"; input="w"; output="x2";
  parameters="m1=2, m2=1, k1=100, c1=0.8, k2=40, c2=0.3, k3=30, c3=0.2, al=5000";
  w -> F1; F1 -> x1 [gain="1/(m1*p^2)"]; F2 -> x2 [gain="1/(m2*p^2)"];
  x1 -> y; x2 -> y [gain=-1];
  x1 -> s1 [gain="c1*p+k1"]; s1 -> F1 [gain=-1];
  y -> s2 [gain="c2*p+k2"]; s2 -> F1 [gain=-1]; s2 -> F2;
  x2 -> s3 [gain="c3*p+k3"]; s3 -> F2 [gain=-1];
  y -> n [nonlinear="al*u^3"]; n -> F1 [gain=-1]; n -> F2;
})dot";

OperatingPoints points(const char* text, const std::map<std::string, double>& inputs,
                       std::map<std::string, std::pair<double, double>> box = {}) {
  const SignalFlowGraph graph = read_dot(text, "test.dot");
  RestQuestion question{.inputs = {}, .box = std::move(box), .outputs = {}, .budget = {}};
  for (const auto& [name, value] : inputs) question.inputs[*graph.find(name)] = value;
  return operating_points(graph, question);
}

TEST(OperatingPoints, AgreeWithThePublishedCase) {
  const OperatingPoints found = points(two_masses, {{"w", 4}});
  ASSERT_EQ(found.points.size(), 1u);
  EXPECT_TRUE(found.complete);
  EXPECT_NEAR(found.points[0].signals.at("y"), 0.014397572186086519, 1e-15);
  EXPECT_NEAR(found.points[0].signals.at("x2"), 0.01969417524147191, 1e-15);
  EXPECT_EQ(found.points[0].stable, true);
}

/// A mass that only a cubic spring holds: the transmittances at 0 do not exist.
TEST(OperatingPoints, NeedNoStiffnessInTheLinearPart) {
  const OperatingPoints found = points(
      R"dot(digraph { input=w; output=x; w -> F; F -> x [gain="1/(s^2+s/10)"]; x -> f [nonlinear="u^3"]; f -> F [gain=-1]; })dot",
      {{"w", 8}});
  ASSERT_EQ(found.points.size(), 1u);
  EXPECT_TRUE(found.complete);
  EXPECT_NEAR(found.points[0].signals.at("x"), 2, 1e-14);
}

/// The box in which a point is proven to be alone may be wide: it is closed in upon the point all the same.
TEST(OperatingPoints, SolveTheEquationsHoweverTheBoxIsStated) {
  const char* buckled =
      R"dot(digraph { input=w; output=x; w -> F; F -> x [gain="1/(s^2+s/5-1)"]; x -> f [nonlinear="u^3"]; f -> F [gain=-1]; })dot";
  for (double w = -0.6; w < 0.6; w += 0.05)
    for (const double reach : {2.0, 3.0, 5.0, 1e6}) {
      const OperatingPoints found = points(buckled, {{"w", w}}, {{"x", {-reach, reach}}});
      EXPECT_EQ(found.points.size(), std::abs(w) < 2 / std::sqrt(27) ? 3u : 1u) << w << ' ' << reach;
      EXPECT_TRUE(found.complete);
      for (const auto& point : found.points) {
        const double x = point.signals.at("x");
        EXPECT_NEAR(x * x * x - x, w, 1e-13) << w << ' ' << reach;
      }
    }
}

/// A rate is 0 at rest, whatever the law does with it: van der Pol's oscillator.
TEST(OperatingPoints, KnowThatRatesAreZero) {
  const OperatingPoints found = points(
      R"dot(digraph { input=w; output=x; w -> r; r -> x [gain="1/(s^2+1)"]; x -> r [nonlinear="(1-u^2)*v"]; })dot", {{"w", 3}});
  ASSERT_EQ(found.points.size(), 1u);
  EXPECT_TRUE(found.complete);
  EXPECT_NEAR(found.points[0].signals.at("x"), 3, 1e-13);
  EXPECT_EQ(found.points[0].stable, true);
}

TEST(OperatingPoints, OfALinearGraphAreItsGainAtZero) {
  const OperatingPoints found = points(R"dot(digraph { input=w; output=x; w -> x [gain="6/(s+2)"]; })dot", {{"w", 5}});
  ASSERT_EQ(found.points.size(), 1u);
  EXPECT_EQ(found.points[0].signals.at("x"), 15);
}

/// Buckled: x³ − x = w has three states of rest, the middle one unstable.
TEST(OperatingPoints, AreAllFoundWithTheirStability) {
  const char* buckled =
      R"dot(digraph { input=w; output=x; w -> F; F -> x [gain="1/(s^2+s/5-1)"]; x -> f [nonlinear="u^3"]; f -> F [gain=-1]; })dot";
  const OperatingPoints found = points(buckled, {});
  ASSERT_EQ(found.points.size(), 3u);
  EXPECT_TRUE(found.complete);
  EXPECT_NEAR(found.points[0].signals.at("x"), -1, 1e-14);
  EXPECT_NEAR(found.points[1].signals.at("x"), 0, 1e-14);
  EXPECT_NEAR(found.points[2].signals.at("x"), 1, 1e-14);
  EXPECT_EQ(found.points[0].stable, true);
  EXPECT_EQ(found.points[1].stable, false);
  EXPECT_EQ(points(buckled, {}, {{"x", {0.5, 5}}}).points.size(), 1u);
}

TEST(OperatingPoints, AreProvenToBeMissing) {
  const OperatingPoints found =
      points(R"dot(digraph { input=w; output=x; w -> a; a -> x [gain="1/(s+1)"]; x -> f [nonlinear="exp(u)"]; f -> a; })dot",
             {{"w", 0}}, {{"x", {-50, 50}}});
  EXPECT_TRUE(found.points.empty());
  EXPECT_TRUE(found.complete);
}

/// Where two states of rest meet nothing is proven, and it is said.
TEST(OperatingPoints, OfAFoldAreNotProven) {
  const OperatingPoints found =
      points(R"dot(digraph { input=w; output=x; w -> a; a -> x [gain="1/s"]; x -> f [nonlinear="u^2"]; f -> a [gain=-1]; })dot",
             {{"w", 0}}, {{"x", {-3, 2}}});
  EXPECT_FALSE(found.complete);
}

// ---- sets, jumps, and laws without a value

/// Every signal is x = law(x) of the text's one law; states by hand.
OperatingPoints tank(const std::string& law, double q, std::map<std::string, std::pair<double, double>> box = {}) {
  return points(("digraph { input=q; output=h; q -> n; n -> h [gain=\"1/(2*s)\"]; h -> n [nonlinear=\"" + law + "\"]; }").c_str(),
                {{"q", q}}, std::move(box));
}

TEST(OperatingPoints, AreNotWhereALawHasNoValue) {
  const std::vector<std::tuple<const char*, double, double>> cases{
      {"-1.5*sqrt(u)", 3, 4},  {"-u^1.5", 8, 4},      {"-asin(u)", 1, std::sin(1)},         {"-log(1+u)", 1, std::exp(1) - 1},
      {"-u/(1+u)", 0.5, 1},    {"1/(u-2)", 0.5, 0},   {"-acos(u)", 1, std::cos(1)},         {"-1/sqrt(u)", 2, 0.25},
      {"-(u-1)^(-3)", 8, 1.5}, {"-sqrt(u-7)", 2, 11}, {"-log(u)/u", -1, 0.5671432904097838}};
  for (const auto& [law, q, h] : cases) {
    const OperatingPoints found = tank(law, q);
    ASSERT_EQ(found.points.size(), 1u) << law;
    EXPECT_NEAR(found.points[0].signals.at("h"), h, 1e-12) << law;
    EXPECT_TRUE(found.complete) << law;
    EXPECT_TRUE(found.box.empty()) << law;
    for (const double reach : {1.0, 1.01, 1.7, 3.0, 12.0, 1e3, 1e6}) {
      const OperatingPoints within = tank(law, q, {{"h", {-reach, reach}}});
      ASSERT_EQ(within.points.size(), h <= reach ? 1u : 0u) << law << ' ' << reach;
      for (const auto& point : within.points) EXPECT_NEAR(point.signals.at("h"), h, 1e-12) << law << ' ' << reach;
    }
  }
}

TEST(OperatingPoints, AreNotAtTheEndOfTheBoxNorAtAPole) {
  EXPECT_TRUE(tank("-sqrt(u)", -1).points.empty());
  EXPECT_TRUE(tank("-u/(1+u)", 2).points.at(0).signals.at("h") < -1);  // h = -2
  EXPECT_TRUE(tank("1/u^2", 1).points.empty());
}

/// Dead zones of every width around every place: the flat part is a set, and what is added to it moves it.
TEST(OperatingPoints, FillTheFlatPartOfALaw) {
  for (const double width : {1e-3, 0.1, 1.0, 30.0})
    for (const double centre : {-5.0, 0.0, 0.7}) {
      const std::string law = "-dead_zone(u - (" + std::to_string(centre) + "), " + std::to_string(width) + ")";
      const OperatingPoints found = tank(law, 0);
      ASSERT_EQ(found.points.size(), 1u) << law;
      const auto [low, high] = found.points[0].set.at("h");
      EXPECT_NEAR(low, centre - width, 1e-9 * std::max(1.0, std::abs(centre - width))) << law;
      EXPECT_NEAR(high, centre + width, 1e-9 * std::max(1.0, std::abs(centre + width))) << law;
      EXPECT_TRUE(found.complete) << law;
      EXPECT_EQ(found.points[0].stable, true) << law;
      const OperatingPoints pushed = tank(law, 2);
      ASSERT_EQ(pushed.points.size(), 1u) << law;
      EXPECT_TRUE(pushed.points[0].set.empty()) << law;
      EXPECT_NEAR(pushed.points[0].signals.at("h"), centre + width + 2, 1e-9 * std::max(1.0, std::abs(centre) + width)) << law;
    }
}

/// A mass on a spring with dry friction rests anywhere the spring is weaker: (F ± R)/k, and two of them on a chain fill a
/// polygon.
TEST(OperatingPoints, OfDryFrictionAreRanges) {
  const char* one = R"dot(digraph { input=F; output=x; F -> a; a -> v [gain="1/s"]; v -> x [gain="1/s"]; x -> a [gain="-4"];
    v -> a [nonlinear="-R*sign(u)"]; parameters="R=1"; })dot";
  const OperatingPoints found = points(one, {{"F", 2}});
  ASSERT_EQ(found.points.size(), 1u);
  EXPECT_NEAR(found.points[0].set.at("x").first, 0.25, 1e-12);
  EXPECT_NEAR(found.points[0].set.at("x").second, 0.75, 1e-12);
  EXPECT_EQ(found.points[0].stable, true);
  EXPECT_TRUE(found.complete);
  const char* two = R"dot(digraph { input=F; output="x1,x2"; F -> a2; a1 -> v1 [gain="1/s"]; v1 -> x1 [gain="1/s"];
    a2 -> v2 [gain="1/s"]; v2 -> x2 [gain="1/s"]; x1 -> a1 [gain="-3"]; x2 -> a1 [gain="2"]; x1 -> a2 [gain="2"]; x2 -> a2 [gain="-2"];
    v1 -> a1 [nonlinear="-sign(u)"]; v2 -> a2 [nonlinear="-sign(u)/2"]; })dot";
  const SignalFlowGraph graph = read_dot(two, "test.dot");
  const OperatingPoints both =
      operating_points(graph, {.inputs = {{*graph.find("F"), 0.0}}, .outputs = {*graph.find("x1"), *graph.find("x2")}});
  ASSERT_EQ(both.points.size(), 1u);
  EXPECT_NEAR(both.points[0].set.at("x1").second, 1.5, 1e-9);  // x1 = r1 + r2, x2 = x1 + r2/2 with |r1| ≤ 1, |r2| ≤ 1/2
  EXPECT_NEAR(both.points[0].set.at("x2").second, 1.75, 1e-9);
  EXPECT_EQ(both.points[0].stable, true);
}

/// The sign of a law that jumps says which way the argument is pushed.
TEST(OperatingPoints, AtAJumpAreStableOnlyWhereItHolds) {
  const auto at_zero = [](const char* law, const char* gain) {
    const std::string text =
        std::string("digraph { input=F; output=x; F -> r; r -> x [gain=\"") + gain + "\"]; x -> r [nonlinear=\"" + law + "\"]; }";
    const OperatingPoints found = points(text.c_str(), {{"F", 0}});
    for (const auto& point : found.points)
      if (std::abs(point.signals.at("x")) < 1e-9) return point;
    return OperatingPoints::Point{};
  };
  EXPECT_EQ(at_zero("sign(u)", "1/(s^2+s+1)").stable, false);
  EXPECT_EQ(at_zero("sign(u)", "1/(s+1)").stable, false);
  EXPECT_EQ(at_zero("-sign(u)", "1/(s+1)").stable, true);
  EXPECT_EQ(at_zero("-sign(u)", "(s+2)/(s^2+s+1)").stable, true);
  EXPECT_EQ(at_zero("-sign(u)", "(s-2)/(s^2+s+1)").stable, false);  // what is left when it is held grows
  const auto open = at_zero("-sign(u)", "1/(s^2+s)");
  EXPECT_FALSE(open.stable.has_value());
  EXPECT_FALSE(open.open.empty());
}

/// Smooth laws in random boxes, with poles and places without a value: sign changes of a fine grid, closed in by bisection.
TEST(OperatingPoints, OfRandomSmoothLawsAreThoseOfAFineGrid) {
  std::mt19937 random(11);
  const auto any = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  using Function = double (*)(double);
  const std::vector<std::pair<const char*, Function>> laws{
      {"log(u)/u", [](double u) { return std::log(u) / u; }},
      {"u^3 - 4*u", [](double u) { return u * u * u - 4 * u; }},
      {"exp(-u)*sin(3*u)", [](double u) { return std::exp(-u) * std::sin(3 * u); }},
      {"u/(1 + u^2)", [](double u) { return u / (1 + u * u); }},
      {"tanh(3*u) - u/2", [](double u) { return std::tanh(3 * u) - u / 2; }},
      {"sqrt(u + 1) - u^2/3", [](double u) { return std::sqrt(u + 1) - u * u / 3; }},
      {"1/(u - 1/2) + u", [](double u) { return 1 / (u - 0.5) + u; }},
      {"u^1.5 - 2*u", [](double u) { return std::pow(u, 1.5) - 2 * u; }},
      {"asin(u/3)*cos(2*u)", [](double u) { return std::asin(u / 3) * std::cos(2 * u); }}};
  for (int trial = 0; trial < 900; ++trial) {
    const auto& [law, f] = laws[static_cast<std::size_t>(trial) % laws.size()];
    const double q = std::round(any(-1, 1) * 50) / 50 + 0.00713, grid = trial % 2 == 0 ? 2 : 1e6;
    const double low = std::round(any(-3, 1) * grid) / grid, high = low + std::round(any(1, 4) * grid) / grid;
    const auto sum = [&, &f = f](double u) { return q + f(u); };
    std::vector<double> expected;
    constexpr int steps = 4'000;
    for (int k = 0; k < steps; ++k) {
      double a = low + (high - low) * k / steps, b = low + (high - low) * (k + 1) / steps;
      if (std::isnan(sum(a)) && !std::isnan(sum(b))) {  // from where the law has a value
        double none = a;
        a = b;
        while (std::midpoint(none, a) != none && std::midpoint(none, a) != a)
          (std::isnan(sum(std::midpoint(none, a))) ? none : a) = std::midpoint(none, a);
      }
      if (!(sum(a) * sum(b) < 0)) continue;
      for (int halving = 0; halving < 80; ++halving) (sum(a) * sum((a + b) / 2) <= 0 ? b : a) = (a + b) / 2;
      if (std::abs(sum(a)) < 1e-6) expected.push_back(a);  // else a pole
    }
    const OperatingPoints found = points(
        (std::string("digraph { input=q; output=h; q -> n; n -> h [gain=\"1/(2*s)\"]; h -> n [nonlinear=\"") + law + "\"]; }")
            .c_str(),
        {{"q", q}}, {{"h", {low, high}}});
    SCOPED_TRACE(std::string(law) + " + " + std::to_string(q) + " in " + std::to_string(low) + ", " + std::to_string(high));
    ASSERT_EQ(found.points.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(found.points[k].signals.at("h"), expected[k], 1e-9);
    EXPECT_TRUE(found.complete);
  }
}

/// x' = q − k x + c f(x) with laws that jump: states where the sum changes its sign, stable where it falls.
TEST(OperatingPoints, OfRandomJumpsAreWhereTheSumChangesItsSign) {
  std::mt19937 random(3);
  const auto any = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  const auto sign = [](double u) { return u > 0 ? 1.0 : u < 0 ? -1.0 : 0.0; };
  const std::vector<std::pair<const char*, std::function<double(double)>>> laws{
      {"sign(u)", sign},
      {"sign(sin(u))", [&](double u) { return sign(std::sin(u)); }},
      {"relay(u, 0.5, 2)", [&](double u) { return sign(u - 0.5) + sign(u + 0.5); }},
      {"step(u + 1)", [](double u) { return u >= -1 ? 1.0 : 0.0; }},
      {"floor(u)", [](double u) { return std::floor(u); }},
      {"u*sign(u - 1)", [&](double u) { return u * sign(u - 1); }},
      {"sign(u)*(1 + u^2)/3", [&](double u) { return sign(u) * (1 + u * u) / 3; }}};
  for (int trial = 0; trial < 140; ++trial) {
    const auto& [law, f] = laws[static_cast<std::size_t>(trial) % laws.size()];
    const int k = std::uniform_int_distribution<int>(1, 4)(random), c = trial % 2 == 0 ? 1 : -1;
    const double q = std::round(any(-2, 2) * 50) / 50 + 0.00713;
    const auto sum = [&, &f = f](double x) { return q - k * x / 2 + c * f(x); };
    std::vector<std::pair<double, bool>> expected;
    constexpr int steps = 12'007;  // the grid meets no jump
    for (int i = 0; i < steps; ++i) {
      double a = -15 + 30.0 * i / steps, b = -15 + 30.0 * (i + 1) / steps;
      const bool falls = sum(a) > 0;
      if (!(sum(a) * sum(b) < 0)) continue;
      for (int halving = 0; halving < 60; ++halving) ((sum((a + b) / 2) > 0) == falls ? a : b) = (a + b) / 2;
      expected.emplace_back(a, falls);
    }
    const std::string text = "digraph { input=q; output=x; q -> n; n -> x [gain=\"1/s\"]; x -> n [gain=\"-" + std::to_string(k) +
                             "/2\"]; x -> n [nonlinear=\"" + std::to_string(c) + "*(" + law + ")\"]; }";
    const OperatingPoints found = points(text.c_str(), {{"q", q}}, {{"x", {-15, 15}}});
    SCOPED_TRACE(text + " q = " + std::to_string(q));
    ASSERT_EQ(found.points.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(found.points[i].signals.at("x"), expected[i].first, 1e-9);
      EXPECT_EQ(found.points[i].stable, expected[i].second);
    }
  }
}

/// Near and far, without a box: that there is no other holds everywhere.
TEST(OperatingPoints, WithoutABoxAreAllRootsOfAPolynomial) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 60; ++trial) {
    std::set<double> roots;
    std::string law = "-1";
    for (int k = std::uniform_int_distribution<int>(1, 5)(random); k > 0; --k) {
      const double size = std::pow(10, std::uniform_real_distribution<double>(0, 8)(random));
      const double root = std::round(random() % 2 == 0 ? size : -size);
      if (roots.insert(root).second) law += "*(u - (" + std::to_string(static_cast<long>(root)) + "))";
    }
    if (trial % 3 == 0) law += "*(u^2 + 7)";
    const OperatingPoints found = tank(law, 0);
    SCOPED_TRACE(law);
    ASSERT_EQ(found.points.size(), roots.size());
    std::size_t i = 0;
    for (const double root : roots) EXPECT_NEAR(found.points[i++].signals.at("h"), root, 1e-12 * std::abs(root));
    EXPECT_TRUE(found.complete);
    EXPECT_TRUE(found.box.empty());
  }
  const OperatingPoints none = tank("-u^4 - 3", 0);
  EXPECT_TRUE(none.points.empty() && none.complete);
}

/// A force between two masses stands in two branches; far away only what it does not do to both counts.
TEST(OperatingPoints, OfForcesWithReactionsAreProven) {
  const std::vector<std::pair<const char*, std::function<double(double)>>> laws{
      {"u + u^3", [](double u) { return u + u * u * u; }},
      {"2*tanh(u) + u/4", [](double u) { return 2 * std::tanh(u) + u / 4; }},
      {"u*abs(u)", [](double u) { return u * std::abs(u); }},
      {"sin(u) + u", [](double u) { return std::sin(u) + u; }}};
  for (const auto& [f, f_of] : laws)
    for (const auto& [g, g_of] : laws)
      for (const auto& [h, h_of] : laws) {
        const std::string text =
            std::string("digraph { input=q; output=\"x, y\"; q -> a; a -> x [gain=\"1/s\"]; b -> y [gain=\"1/s\"]; ") +
            "x -> d; y -> d [gain=-1]; x -> a [nonlinear=\"-(" + f + ")\"]; d -> a [nonlinear=\"-(" + g +
            ")\"]; d -> b [nonlinear=\"" + g + "\"]; y -> b [nonlinear=\"-(" + h + ")\"]; }";
        const OperatingPoints found = points(text.c_str(), {{"q", 1.3}});
        SCOPED_TRACE(text);
        ASSERT_EQ(found.points.size(), 1u);  // every force rises
        const double x = found.points[0].signals.at("x"), y = found.points[0].signals.at("y");
        EXPECT_NEAR(f_of(x) + h_of(y), 1.3, 1e-11);
        EXPECT_NEAR(g_of(x - y), h_of(y), 1e-11);
        EXPECT_TRUE(found.complete);
        EXPECT_TRUE(found.box.empty());
      }
}

/// A pendulum rests after every turn: what was searched is said.
TEST(OperatingPoints, WithoutEndAreThoseOfABox) {
  const OperatingPoints found = tank("-sin(u)", 0.5);
  EXPECT_FALSE(found.complete);
  EXPECT_TRUE(found.complete_in_box);
  ASSERT_TRUE(found.box.contains("h"));
  std::size_t expected = 0;
  for (int turn = -100; turn <= 100; ++turn)
    for (const double h : {std::asin(0.5), std::numbers::pi - std::asin(0.5)})
      expected += std::abs(h + 2 * std::numbers::pi * turn) <= found.box.at("h").second ? 1 : 0;
  EXPECT_EQ(found.points.size(), expected);
}

/// What a law depends on may be a sum of signals that are stated.
TEST(OperatingPoints, OfSumsFollowFromTheirTerms) {
  const SignalFlowGraph graph = read_dot(
      R"dot(digraph { input=w; output=x; w -> x; w -> y [gain=2]; x -> d; y -> d [gain="-1/2"]; d -> x [nonlinear="u^3"]; })dot",
      "d.dot");
  const SignalFlowGraph linear = linearized(graph, {{"x", exact::Rational(3)}, {"y", exact::Rational(2)}});
  const GiNaC::ex slope = linear[linear.entering(*linear.find("x")).back()].gain();
  EXPECT_TRUE((slope - 12).is_zero()) << slope;  // 3 (3 − 2/2)²
}

/// To first order nothing is decided where nothing damps.
TEST(OperatingPoints, NeitherStableNorUnstableWithoutDamping) {
  const OperatingPoints found = points(
      R"dot(digraph { input=w; output=x; w -> F; F -> x [gain="1/s^2"]; x -> f [nonlinear="u+u^3"]; f -> F [gain=-1]; })dot",
      {{"w", 0}});
  ASSERT_EQ(found.points.size(), 1u);
  EXPECT_FALSE(found.points[0].stable.has_value());
  EXPECT_FALSE(found.points[0].open.empty());
}

/// Random broken lines: every place where the sum is 0 by sign changes between the corners, and every flat part at 0.
TEST(OperatingPoints, OfRandomBrokenLinesAreAllOfThem) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> step(-3, 3);
  for (int trial = 0; trial < 40; ++trial) {
    // f through (k, y_k), k = -4 … 4, straight beyond; whole numbers, so that flat parts at 0 occur.
    std::vector<int> y(9);
    for (int& value : y) value = step(random);
    std::string law = std::to_string(y[0]) + " + " + std::to_string(y[1] - y[0]) + "*(u + 4)";
    for (int k = 1; k < 8; ++k)
      law += " + " + std::to_string(y[k + 1] - 2 * y[k] + y[k - 1]) + "*max(u - (" + std::to_string(k - 4) + "), 0)";
    const auto f = [&](double u) {
      const auto k = static_cast<std::size_t>(std::clamp(std::floor(u) + 4, 0.0, 7.0));
      return y[k] + (y[k + 1] - y[k]) * (u + 4 - static_cast<double>(k));
    };
    const OperatingPoints found = tank(law, 0);
    const auto covered = [&](double u) {
      return std::ranges::any_of(found.points, [&](const OperatingPoints::Point& point) {
        const auto [low, high] = point.set.empty() ? std::pair(point.signals.at("h"), point.signals.at("h")) : point.set.at("h");
        return low - 1e-7 <= u && u <= high + 1e-7;
      });
    };
    for (int k = 0; k < 8; ++k) {
      EXPECT_TRUE(y[k] != 0 || covered(k - 4)) << law;
      EXPECT_TRUE(y[k] != 0 || y[k + 1] != 0 || covered(k - 3.5)) << law;
      EXPECT_TRUE(y[k] * y[k + 1] >= 0 || covered(k - 4 - static_cast<double>(y[k]) / (y[k + 1] - y[k]))) << law;
    }
    for (const auto& point : found.points) {
      EXPECT_NEAR(f(point.signals.at("h")), 0, 1e-6) << law;
      for (const auto& end : point.ends) EXPECT_NEAR(f(end.at("h")), 0, 1e-6) << law;
    }
  }
}

/// The implicit function theorem against states of rest that are solved again.
TEST(OperatingPoints, MoveWithTheirParameters) {
  const auto solved = [&](const std::string& parameter, double factor) {
    SignalFlowGraph graph = read_dot(two_masses, "test.dot");
    Symbol* symbol = graph.symbols.find(parameter);
    symbol->value = GiNaC::ex_to<GiNaC::numeric>(*symbol->value) * GiNaC::numeric(factor);
    RestQuestion question;
    question.inputs[*graph.find("w")] = 4;
    question.sensitivities = factor == 1;
    return operating_points(graph, question).points.at(0);
  };
  const std::map<std::string, double> size{{"k1", 100}, {"k2", 40}, {"k3", 30}, {"al", 5000}};
  const OperatingPoints::Point point = solved("k1", 1);
  for (const auto& [parameter, value] : size) {
    constexpr double h = 1e-4;
    const auto more = solved(parameter, 1 + h), less = solved(parameter, 1 - h);
    for (const char* signal : {"y", "x2"}) {
      const double difference = (more.signals.at(signal) - less.signals.at(signal)) / (2 * h * value);
      EXPECT_NEAR(point.derivatives.at(signal).at(parameter), difference, 1e-6 * std::abs(difference) + 1e-15) << parameter;
    }
  }
  EXPECT_NEAR(point.derivatives.at("y").at("m1"), 0, 1e-15);
}

TEST(Linearized, HasThePolesOfTheSlopes) {
  const SignalFlowGraph graph = read_dot(two_masses, "test.dot");
  const SignalFlowGraph linear = linearized(graph, {{"y", exact::Rational(1) / 50}});
  ASSERT_TRUE(linear.linear());
  const auto ids = linear.branch_ids();
  const auto slope = std::ranges::find_if(ids, [&](BranchId id) { return linear[linear[id].to].name == "n"; });
  EXPECT_TRUE((linear[*slope].gain() - linear.symbols.at("al").expr * GiNaC::numeric(3, 2500)).expand().is_zero());
}

TEST(Linearized, RefusesCornersAndMissingValues) {
  const SignalFlowGraph corner = read_dot(R"dot(digraph { input=r; output=y; r -> y [nonlinear="abs(u)"]; })dot", "test.dot");
  EXPECT_THROW(linearized(corner, {{"r", exact::Rational(0)}}), NoAnswer);
  EXPECT_NO_THROW(linearized(corner, {{"r", exact::Rational(1)}}));
  EXPECT_THROW(linearized(corner, {}), Error);
  const SignalFlowGraph smooth =
      read_dot(R"dot(digraph { input=r; output=y; r -> y [nonlinear="v*abs(v) + u"]; })dot", "test.dot");
  EXPECT_NO_THROW(linearized(smooth, {{"r", exact::Rational(0)}}));
}

constexpr const char* third_order =
    R"dot(digraph { input=r; output=y; r -> e; e -> f [nonlinear="LAW"]; f -> y [gain="1/((s+1)*(s+2)*(s+3))"];
  y -> e [gain=-1]; })dot";

AbsoluteStability judged(const std::string& law, SectorQuestion question = {}) {
  std::string text = third_order;
  return absolute_stability(read_dot(text.replace(text.find("LAW"), 3, law), "test.dot"), question);
}

/// s³ + 6 s² + 11 s + 6 + k is Hurwitz up to k = 60.
TEST(AbsoluteStability, CriteriaAreWithinTheLinearOnes) {
  const AbsoluteStability found = judged("tanh(u)");
  EXPECT_NEAR(found.linear.largest.value(), 60, 1e-4);
  ASSERT_TRUE(found.popov.has_value());
  EXPECT_LE(found.circle.largest.value(), found.popov->largest.value() * (1 + 1e-6));
  EXPECT_LE(found.popov->largest.value(), 60 * (1 + 1e-6));
  EXPECT_TRUE(found.circle.holds);
  EXPECT_NEAR(found.sector.low.to_double(), 0, 1e-6);
  EXPECT_NEAR(found.sector.high->to_double(), 1, 1e-4);
  // Re G(jω) = (6 − 6ω²)/|…|² is least where the circle ends: independently by sampling.
  double least = 0;
  for (double w = 0.01; w < 100; w *= 1.0005) {
    const std::complex<double> s(0, w);
    least = std::min(least, (1.0 / ((s + 1.0) * (s + 2.0) * (s + 3.0))).real());
  }
  EXPECT_NEAR(found.circle.largest.value(), -1 / least, 1e-3 * -1 / least);
}

TEST(AbsoluteStability, SaysWhereItDoesNotHold) {
  const AbsoluteStability found = judged("u", {.sector = Sector{0, exact::Rational(100)}, .range = {}, .budget = {}});
  EXPECT_FALSE(found.linear.holds);
  EXPECT_FALSE(found.circle.holds);
  EXPECT_FALSE(found.popov->holds);
  EXPECT_THROW(judged("u + 1"), NoAnswer);
}

}  // namespace
