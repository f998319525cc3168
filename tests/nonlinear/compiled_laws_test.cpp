#include "sfg/nonlinear/compiled_laws.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>

#include "sfg/read/dot.hpp"

namespace {

using namespace sfg;

PrincipalForm form_of(const std::string& law, const std::string& parameters = "") {
  return principal_form(read_dot("digraph { input=w; output=y; parameters=\"" + parameters +
                                     "\"; w -> x [gain=\"1/(s+1)\"]; x -> y [nonlinear=\"" + law + "\"]; }",
                                 "test.dot"));
}

CompiledLaws laws_of(const PrincipalForm& form) { return CompiledLaws(form, form.linear.parameter_values()); }

double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

struct Case {
  const char* law;
  std::function<double(double u, double v)> formula;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"dead_zone(u, 1/2)", [](double u, double) { return std::abs(u) <= 0.5 ? 0 : u - 0.5 * sign_of(u); }},
      {"dead_zone(u, -1, 1/2)", [](double u, double) { return u > 0.5  ? u - 0.5
                                                              : u < -1 ? u + 1
                                                                       : 0; }},
      {"saturation(2*u, 1)", [](double u, double) { return std::clamp(2 * u, -1.0, 1.0); }},
      {"saturation(u, -1/2, 1)", [](double u, double) { return std::clamp(u, -0.5, 1.0); }},
      {"coulomb(v, 3)", [](double, double v) { return 3 * sign_of(v); }},
      {"stribeck(v, 2, 3, 1/10)", [](double, double v) { return sign_of(v) * (2 + std::exp(-100 * v * v)); }},
      {"quantise(u, 1/4)", [](double u, double) { return 0.25 * std::floor(u / 0.25 + 0.5); }},
      {"relay(u, 2)", [](double u, double) { return 2 * sign_of(u); }},
      {"relay(u, 1/2, 2)", [](double u, double) { return u >= 0.5    ? 2
                                                         : u <= -0.5 ? -2
                                                                     : 0; }},
      {"floor(u) + u*v^3 - abs(u)*sin(v) + sqrt(u^2+1)/(v^2+2)",
       [](double u, double v) {
         return std::floor(u) + u * v * v * v - std::abs(u) * std::sin(v) + std::sqrt(u * u + 1) / (v * v + 2);
       }},
      {"table(u, [-1, 2], [0, 0], [1, 1], [2, 5])",
       [](double u, double) { return u < 0   ? -2 * u
                                     : u < 1 ? u
                                             : 1 + 4 * (u - 1); }},
  };
  return all;
}

/// The arguments of a law in the order of its form: u, v.
std::array<double, 2> pick(const PrincipalForm& form, double u, double v) {
  std::array<double, 2> at{};
  for (std::size_t i = 0; i < form.arguments.size(); ++i) at[i] = form.arguments[i].rate ? v : u;
  return at;
}

TEST(CompiledLaws, GiveTheLawsOfNonlinearElements) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-3, 3);
  for (const Case& one : cases()) {
    const PrincipalForm form = form_of(one.law);
    const CompiledLaws laws = laws_of(form);
    for (int trial = 0; trial < 1000; ++trial) {
      const double u = uniform(random), v = uniform(random);
      const auto at = pick(form, u, v);
      double f = 0;
      laws.values({std::span(at).first(form.arguments.size())}, {&f, 1});
      EXPECT_NEAR(f, one.formula(u, v), 1e-12 * (1 + std::abs(f))) << one.law << " at " << u << ", " << v;
    }
  }
}

TEST(CompiledLaws, EncloseValuesAndSlopesOfRandomBoxes) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform(-3, 3);
  for (const Case& one : cases()) {
    const PrincipalForm form = form_of(one.law);
    const CompiledLaws laws = laws_of(form);
    const std::size_t n = form.arguments.size();
    for (int trial = 0; trial < 1000; ++trial) {
      std::vector<ring::Bounds> box;
      for (std::size_t i = 0; i < n; ++i) {
        const double a = uniform(random), b = trial % 2 == 0 ? uniform(random) : a + 0.01;
        box.push_back({std::min(a, b), std::max(a, b)});
      }
      const Enclosure bounds = laws.enclosure(box);
      for (int point = 0; point < 10; ++point) {
        std::array<double, 2> at{}, other{};
        double f = 0, g = 0;
        for (std::size_t i = 0; i < n; ++i) at[i] = std::uniform_real_distribution<double>(box[i].low, box[i].high)(random);
        laws.values({std::span(at).first(n)}, {&f, 1});
        EXPECT_TRUE(widened(bounds.values[0]).contains(f)) << one.law;
        for (std::size_t i = 0; i < n; ++i) {
          other = at;
          other[i] = box[i].low;
          if (other[i] == at[i]) continue;
          laws.values({std::span(other).first(n)}, {&g, 1});
          const double slope = (f - g) / (at[i] - other[i]), rounding = 1e-13 * (1 + std::abs(f)) / std::abs(at[i] - other[i]);
          EXPECT_LE(bounds.slopes[i].low, slope + rounding) << one.law;
          EXPECT_GE(bounds.slopes[i].high, slope - rounding) << one.law;
        }
      }
    }
  }
}

TEST(CompiledLaws, BacklashFollowsBehindAndRests) {
  const PrincipalForm form = form_of("k*backlash(u, w)", "k=3, w=1/2");
  const CompiledLaws laws = laws_of(form);
  ASSERT_EQ(laws.memories().size(), 1u);
  EXPECT_EQ(laws.memories()[0].kind, CompiledLaws::Memory::Kind::backlash);
  std::vector<double> z = laws.initial_memory();
  double rest = 0;
  for (const double u : {0.1, 0.2, 1.0, 0.8, 0.6, 0.0, -2.0, -1.8, -1.4}) {
    rest = std::clamp(rest, u - 0.25, u + 0.25);
    double f = 0, next = 0, slope = 0, followed = 0;
    laws.values({{&u, 1}, 0, {}, z}, {&f, 1}, {&slope, 1});
    laws.remember({{&u, 1}, 0, {}, z}, {&next, 1});
    laws.followed({{&u, 1}, 0, {}, z}, {&followed, 1});
    EXPECT_DOUBLE_EQ(f, 3 * rest);
    EXPECT_DOUBLE_EQ(next, rest);
    EXPECT_DOUBLE_EQ(slope, z[0] == rest ? 0 : 3);
    EXPECT_EQ(followed, u);
    z[0] = next;
  }
  const ring::Bounds box{1, 2};
  const Enclosure bounds = laws.enclosure({&box, 1});
  EXPECT_NEAR(bounds.values[0].low, 3 * 0.75, 1e-12);
  EXPECT_NEAR(bounds.values[0].high, 3 * 2.25, 1e-12);
  EXPECT_TRUE(bounds.slopes[0].contains(0) && bounds.slopes[0].contains(3));
}

TEST(CompiledLaws, RelayWithHysteresisKeepsItsState) {
  const PrincipalForm form = form_of("hysteresis(u, 1, -1/2, 5)");
  const CompiledLaws laws = laws_of(form);
  std::vector<double> z = laws.initial_memory();
  const std::vector<std::pair<double, double>> path{{0, -5}, {0.9, -5}, {1.1, 5}, {0, 5}, {-0.4, 5}, {-0.6, -5}, {0.9, -5}};
  for (const auto& [u, expected] : path) {
    double f = 0;
    laws.values({{&u, 1}, 0, {}, z}, {&f, 1});
    EXPECT_EQ(f, expected) << u;
    laws.remember({{&u, 1}, 0, {}, z}, z);
  }
  ASSERT_EQ(laws.switches(), 2u);
  EXPECT_TRUE(laws.jumps(0) && laws.jumps(1));
  const ring::Bounds between{0, 0.5}, above{1.5, 2};
  EXPECT_EQ(laws.enclosure({&between, 1}).values[0], (ring::Bounds{-5, 5}));
  EXPECT_EQ(laws.enclosure({&above, 1}).values[0], (ring::Bounds{5, 5}));
}

TEST(CompiledLaws, MemoriesFollowEachOther) {
  const PrincipalForm form = form_of("hysteresis(backlash(u, 2), 1, 2) + backlash(u, 2)");
  const CompiledLaws laws = laws_of(form);
  ASSERT_EQ(laws.memories().size(), 2u);  // the two backlashes are one
  std::vector<double> z = laws.initial_memory();
  const double u = 2.5;
  double f = 0;
  laws.values({{&u, 1}, 0, {}, z}, {&f, 1});
  EXPECT_EQ(f, 1.5 + 2);
  laws.remember({{&u, 1}, 0, {}, z}, z);
  EXPECT_EQ(z, (std::vector<double>{1.5, 1}));
}

TEST(CompiledLaws, SwitchesAreZeroAtCornersAndJumps) {
  const PrincipalForm form = form_of("dead_zone(u, 1/2) + coulomb(v, 2) + quantise(u, 1/4) + step(t - 3)");
  const CompiledLaws laws = laws_of(form);
  ASSERT_EQ(laws.switches(), 5u);
  const auto at = [&](double u, double v, double t) {
    const auto arguments = pick(form, u, v);
    std::vector<double> g(laws.switches());
    laws.switching({arguments, t}, g);
    return g;
  };
  const auto crossings = [&](const std::vector<double>& a, const std::vector<double>& b) {
    int count = 0;
    for (std::size_t i = 0; i < a.size(); ++i) count += a[i] * b[i] < 0 ? 1 : 0;
    return count;
  };
  EXPECT_EQ(crossings(at(0.45, 1, 0), at(0.55, 1, 0)), 1);   // the edge of the dead zone
  EXPECT_EQ(crossings(at(0.05, 1, 0), at(0.07, -1, 0)), 1);  // friction turns around
  EXPECT_EQ(crossings(at(0.12, 1, 0), at(0.13, 1, 0)), 1);   // a step of the quantiser, at 1/8
  EXPECT_EQ(crossings(at(0.12, 1, 2.9), at(0.12, 1, 3.1)), 1);
  EXPECT_EQ(std::ranges::count_if(std::vector<std::size_t>{0, 1, 2, 3, 4}, [&](std::size_t i) { return laws.jumps(i); }), 3);
}

TEST(CompiledLaws, KeepASignalApartFromAParameterOfItsName) {
  const PrincipalForm form = form_of("x*u", "x=3");
  const CompiledLaws laws(form, form.linear.parameter_values(), std::vector<GiNaC::ex>{form.linear.symbols.at("x").expr});
  const double u = 2, x = 5;
  double f = 0;
  laws.values({{&u, 1}, 0, {&x, 1}}, {&f, 1});
  EXPECT_EQ(f, 10);
}

TEST(Laws, WrongSizesAreErrorsWithTheirPlace) {
  for (const char* law : {"dead_zone(u, -1)", "quantise(u, 0)", "hysteresis(u, 1, 2, 3)", "backlash(u, -1)", "slope(u)",
                          "table(u, [1, 2])", "table(u, [1, 2], [1, 3])", "table(u)", "saturation(u)"}) {
    try {
      form_of(law);
      ADD_FAILURE() << law;
    } catch (const Error& problem) {
      EXPECT_GT(problem.where().line, 0u) << law;
      EXPECT_GT(problem.where().column, 80u) << law << ": " << problem.what();
    }
  }
}

}  // namespace
