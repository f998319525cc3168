// Values at which the structure of a transfer function is not that of values in general: a time constant 0, equal poles, a pole
// on a zero, a coefficient that vanishes. Derivatives against central differences of computations of the test's own: crossings of
// the loop from its factors in long double, step responses by Runge and Kutta's method.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <map>
#include <numbers>
#include <random>

#include "sfg/expr/parse.hpp"
#include "sfg/study/local/local_study.hpp"
#include "sfg/study/measures/measure.hpp"
#include "sfg/study/study_parameters.hpp"

namespace sfg {
namespace {

using Real = long double;
using Complex = std::complex<Real>;
using Values = std::map<std::string, double>;

MeasuredSystem system_of(const std::string& gain, const Values& values) {
  MeasuredSystem system;
  SignalFlowGraph& graph = system.graph;
  graph.op.declare(graph.symbols);
  graph.add_branch(graph.node("u"), graph.node("y"), parse(gain, graph.symbols));
  for (const auto& [name, value] : values) graph.symbols.find(name)->value = parse(std::to_string(value), graph.symbols);
  system.question = question(graph, "u", "y");
  return system;
}

LocalStudy studied_at(const MeasuredSystem& system, std::initializer_list<const char*> texts) {
  const StudiedGraph graph = studied(system.graph, {}, StudyParameter::Role::factor);
  std::vector<Measure> measures;
  for (const char* text : texts) measures.push_back(measure_of(text, system.graph.symbols));
  return local_study({graph.graph, system.question}, graph.parameters, measures);
}

double slope_of(const LocalStudy& study, std::size_t measure, const std::string& parameter) {
  const auto at = std::ranges::find(study.parameters, parameter) - study.parameters.begin();
  return study.measures[measure].derivative[static_cast<std::size_t>(at)];
}
const SidedSlope& sides_of(const LocalStudy& study, std::size_t measure, const std::string& parameter) {
  const auto at = std::ranges::find(study.parameters, parameter) - study.parameters.begin();
  return study.measures[measure].sided[static_cast<std::size_t>(at)];
}

/// K (1 + Tz s)/(s (s + a) (s + b) (1 + T s)).
constexpr const char* loop_text = "K*(1+Tz*s)/(s*(s+a)*(s+b)*(1+T*s))";
Complex loop_at(const Values& v, Real w) {
  const Complex s(0, w);
  const auto k = [&](const char* name) { return static_cast<Real>(v.at(name)); };
  return k("K") * (Real(1) + k("Tz") * s) / (s * (s + k("a")) * (s + k("b")) * (Real(1) + k("T") * s));
}

/// The lowest frequency at which f changes its sign.
Real first_change(const std::function<Real(Real)>& f, Real from = 1e-3L, Real to = 1e4L) {
  constexpr int steps = 4000;
  Real a = from;
  for (int i = 1; i <= steps; ++i) {
    Real b = from * std::pow(to / from, static_cast<Real>(i) / steps), low = a;
    if ((f(a) < 0) != (f(b) < 0)) {
      for (int k = 0; k < 120; ++k) ((f((low + b) / 2) < 0) == (f(a) < 0) ? low : b) = (low + b) / 2;
      return (low + b) / 2;
    }
    a = b;
  }
  return std::numeric_limits<Real>::quiet_NaN();
}

Real gain_crossover(const Values& v) {
  return first_change([&](Real w) { return std::abs(loop_at(v, w)) - 1; });
}
Real phase_crossover(const Values& v) {
  return first_change([&](Real w) { return loop_at(v, w).imag(); });
}
Real phase_margin(const Values& v) { return 180 + std::arg(loop_at(v, gain_crossover(v))) * 180 / std::numbers::pi_v<Real>; }
Real gain_margin(const Values& v) { return -20 * std::log10(std::abs(loop_at(v, phase_crossover(v)))); }
Real modulus_margin(const Values& v) {
  const auto distance = [&](Real w) { return std::abs(Real(1) + loop_at(v, w)); };
  Real best = 1e-2L;
  for (Real w = 1e-2L; w < 1e3L; w *= 1.002L)
    if (distance(w) < distance(best)) best = w;
  Real a = best / 1.002L, b = best * 1.002L;
  for (int k = 0; k < 100; ++k)
    (distance(a + (b - a) / 3) < distance(b - (b - a) / 3) ? b : a) =
        distance(a + (b - a) / 3) < distance(b - (b - a) / 3) ? b - (b - a) / 3 : a + (b - a) / 3;
  return distance((a + b) / 2);
}

Real central_difference(const std::function<Real(const Values&)>& f, Values v, const std::string& name) {
  const double at = v.at(name), h = 1e-5 * std::max(std::abs(at), 0.1);
  v[name] = at + h;
  const Real above = f(v);
  v[name] = at - h;
  return (above - f(v)) / (2 * static_cast<Real>(h));
}

TEST(DegenerateValues, MarginsOfRandomLoopsHaveTheirDerivatives) {
  std::mt19937 random(11);
  const auto any = [&](double low, double high) {
    return std::round(std::uniform_real_distribution(low, high)(random) * 1000) / 1000;
  };
  for (int trial = 0; trial < 12; ++trial) {
    Values v{{"K", any(2, 12)}, {"a", any(0.6, 2)}, {"b", any(3, 7)}, {"T", any(0.02, 0.1)}, {"Tz", any(0.05, 0.2)}};
    if (trial % 4 == 0) v["T"] = 0;
    if (trial % 4 == 1) v["Tz"] = v["T"] = 0;
    if (trial % 4 == 2) v["a"] = v["b"] = any(1, 3);
    if (trial % 4 == 3) v["Tz"] = 0.25, v["b"] = 4;  // a zero on a pole
    const LocalStudy study = studied_at(system_of(loop_text, v),
                                        {"phase-margin", "gain-crossover", "phase-crossover", "gain-margin", "modulus-margin"});
    const std::function<Real(const Values&)> own[]{phase_margin, gain_crossover, phase_crossover, gain_margin, modulus_margin};
    for (std::size_t m = 0; m < std::size(own); ++m) {
      const double value = static_cast<double>(own[m](v));
      EXPECT_NEAR(study.measures[m].value, value, 1e-6 * std::abs(value)) << study.measures[m].name << ", trial " << trial;
      for (const auto& [name, k] : v) {
        const double wanted = static_cast<double>(central_difference(own[m], v, name));
        EXPECT_NEAR(slope_of(study, m, name), wanted, 2e-5 * std::abs(wanted) + 1e-5 * std::abs(value))
            << study.measures[m].name << " by " << name << ", trial " << trial;
      }
    }
  }
}

/// 1/(s³ + b s² + c s + a): its step response and the times at which it passes levels, by small steps.
Real level_time(const Values& v, Real level, bool last) {
  const Real a = v.at("a"), b = v.at("b"), c = v.at("c"), h = 5e-4L;
  using State = std::array<Real, 3>;
  const auto f = [&](const State& x) { return State{x[1], x[2], 1 - a * x[0] - c * x[1] - b * x[2]}; };
  const auto moved = [](const State& x, const State& d, Real t) {
    return State{x[0] + t * d[0], x[1] + t * d[1], x[2] + t * d[2]};
  };
  const auto step = [&](const State& x, Real t) {
    const State k1 = f(x), k2 = f(moved(x, k1, t / 2)), k3 = f(moved(x, k2, t / 2)), k4 = f(moved(x, k3, t));
    State next = x;
    for (std::size_t i = 0; i < 3; ++i) next[i] += t / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    return next;
  };
  State x{};
  Real found = 0;
  const Real wanted = level / a;
  for (int k = 0; k < 60'000; ++k) {
    const State next = step(x, h);
    if ((x[0] < wanted) != (next[0] < wanted)) {
      Real low = 0, high = h;
      for (int i = 0; i < 60; ++i) ((step(x, (low + high) / 2)[0] < wanted) == (x[0] < wanted) ? low : high) = (low + high) / 2;
      found = k * h + low;
      if (!last) return found;
    }
    x = next;
  }
  return found;
}

TEST(DegenerateValues, RiseAndSettlingAtATriplePole) {
  for (const double p : {1.0, 2.0}) {
    const Values v{{"a", p * p * p}, {"b", 3 * p}, {"c", 3 * p * p}};
    const LocalStudy study = studied_at(system_of("1/(s^3+b*s^2+c*s+a)", v), {"rise", "settling"});
    const std::function<Real(const Values&)> own[]{
        [](const Values& w) { return level_time(w, 0.9L, false) - level_time(w, 0.1L, false); },
        [](const Values& w) { return level_time(w, 0.98L, true); }};
    for (std::size_t m = 0; m < 2; ++m)
      for (const auto& [name, k] : v) {
        const double wanted = static_cast<double>(central_difference(own[m], v, name));
        EXPECT_NEAR(slope_of(study, m, name), wanted, 1e-4 * std::abs(wanted)) << study.measures[m].name << " by " << name;
      }
  }
}

TEST(DegenerateValues, CornersHaveSlopesToBothSides) {
  const LocalStudy tie = studied_at(system_of("1/((s+a)*(s+b))", {{"a", 1}, {"b", 1}}), {"abscissa"});
  for (const char* name : {"a", "b"}) {
    EXPECT_TRUE(std::isnan(slope_of(tie, 0, name)));
    EXPECT_NEAR(sides_of(tie, 0, name).below.value_or(9), -1, 1e-5);
    EXPECT_NEAR(sides_of(tie, 0, name).above.value_or(9), 0, 1e-5);
  }
  const LocalStudy critical = studied_at(system_of("w^2/(s^2+2*z*w*s+w^2)", {{"w", 2}, {"z", 1}}), {"abscissa"});
  EXPECT_TRUE(std::isnan(slope_of(critical, 0, "z")));
  EXPECT_NEAR(sides_of(critical, 0, "z").below.value_or(9), -2, 1e-3);
  EXPECT_FALSE(sides_of(critical, 0, "z").above);
  EXPECT_NE(sides_of(critical, 0, "z").why.find("without bound above"), std::string::npos);
  EXPECT_NEAR(slope_of(critical, 0, "w"), -1, 1e-9);  // both poles move together

  // through −1 the distance has a corner: L = K/(s+1)^3 touches at K = 8, where |1 + L| = |δK|·|Im(L_K/L_ω)|…
  const LocalStudy touching = studied_at(system_of("K/(s+1)^3", {{"K", 8}}), {"modulus-margin"});
  EXPECT_NEAR(touching.measures[0].value, 0, 1e-12);
  EXPECT_TRUE(std::isnan(slope_of(touching, 0, "K")));
  const SidedSlope& sides = sides_of(touching, 0, "K");
  ASSERT_TRUE(sides.below && sides.above);
  const Complex s(0, std::sqrt(3.0L)), by_K = Real(1) / std::pow(s + Real(1), 3),
                                       by_w = Complex(0, -24) / std::pow(s + Real(1), 4);
  const double wanted = static_cast<double>(std::abs((std::conj(by_w) * by_K).imag()) / std::abs(by_w));
  EXPECT_NEAR(*sides.above, wanted, 1e-4 * wanted);
  EXPECT_NEAR(*sides.below, -wanted, 1e-4 * wanted);

  const LocalStudy along = studied_at(system_of("K/(s^2+4)", {{"K", 2}}), {"modulus-margin"});
  EXPECT_NEAR(slope_of(along, 0, "K"), 0, 1e-9);  // 0 whatever K
  const LocalStudy settled = studied_at(system_of("K", {{"K", 3}}), {"settling", "rise"});
  EXPECT_EQ(settled.measures[0].value, 0);
  EXPECT_EQ(slope_of(settled, 0, "K"), 0);
}

TEST(DegenerateValues, WhatCancelsOrVanishesIsSaidWhereItMatters) {
  // beside a = b another pole appears, slower than all: the abscissa jumps by b
  const LocalStudy study = studied_at(system_of("(s+a)/((s+b)*(s+2))", {{"a", 1}, {"b", 1}}), {"abscissa"});
  EXPECT_NEAR(study.measures[0].value, -2, 1e-12);
  EXPECT_TRUE(std::isnan(slope_of(study, 0, "a")));
  EXPECT_NE(sides_of(study, 0, "a").why.find("jumps"), std::string::npos);
  // a step response with a time constant below 0 is unstable
  const LocalStudy late = studied_at(system_of("1/((s+1)*(1+T*s))", {{"T", 0}}), {"rise"});
  EXPECT_TRUE(std::isnan(slope_of(late, 0, "T")));
  EXPECT_NE(sides_of(late, 0, "T").why.find("does not exist below"), std::string::npos) << sides_of(late, 0, "T").why;
}

/// Beside such values doubles decide everything: no sample of a study goes the slow way.
TEST(DegenerateValues, StudiesBesideThemAreCompiled) {
  const std::pair<const char*, Values> systems[]{
      {loop_text, {{"K", 5}, {"a", 1}, {"b", 5}, {"T", 0}, {"Tz", 0.1}}},
      {loop_text, {{"K", 5}, {"a", 2}, {"b", 2}, {"T", 0.01}, {"Tz", 0.5}}},
      {"(R2*R3-R1*R4)/(R1*R4+R1*R3)/(s+1)", {{"R1", 1}, {"R2", 2}, {"R3", 1}, {"R4", 2}}},
      {"w^2/(s^2+2*z*w*s+w^2)", {{"w", 2}, {"z", 1}}}};
  std::mt19937 random(5);
  for (const auto& [text, values] : systems) {
    const bool loop = text == loop_text;
    const MeasuredSystem system = system_of(text, values);
    std::vector<Measure> measures{measure_of("dc", system.graph.symbols)};
    if (loop) measures = {measure_of("phase-margin", system.graph.symbols), measure_of("gain-margin", system.graph.symbols)};
    if (values.contains("z")) measures = {measure_of("rise", system.graph.symbols), measure_of("abscissa", system.graph.symbols)};
    std::vector<std::string> names;
    for (const auto& [name, value] : values) names.push_back(name);
    const MeasureProgram program(system, measures, names);
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<double> point;
      for (const double k : program.nominal())
        point.push_back(k * std::uniform_real_distribution(0.95, 1.05)(random) +
                        (k == 0 ? std::uniform_real_distribution(0.0, 0.01)(random) : 0));
      const LocalMeasures found = program.at(point, false);
      for (std::size_t m = 0; m < measures.size(); ++m) EXPECT_TRUE(found.decided[m]) << text << ": " << measures[m].text;
    }
  }
}

}  // namespace
}  // namespace sfg
