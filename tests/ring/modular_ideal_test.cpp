// Ideals modulo a prime, against numbers of solutions that are known beforehand: by Bézout's theorem, or because the points were
// chosen first.
#include "sfg/ring/modular_ideal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace sfg::ring::ideals {
namespace {

const ModularRing field;

ModularTerm term(std::uint64_t coefficient, std::initializer_list<unsigned> exponents) {
  ModularTerm result{{}, coefficient};
  std::size_t i = 0;
  for (const unsigned e : exponents) {
    result.power.exponents[i++] = static_cast<std::uint8_t>(e);
    result.power.degree = static_cast<std::uint16_t>(result.power.degree + e);
  }
  return result;
}

/// All products of powers up to the degree, with random coefficients.
ModularPolynomial random_polynomial(std::size_t variables, unsigned degree, std::mt19937_64& random) {
  ModularPolynomial all{term(random() % field.prime(), {})};
  for (std::size_t first = 0, d = 0; d < degree; ++d) {
    const std::size_t end = all.size();
    for (; first < end; ++first)
      for (std::size_t i = 0; i < variables; ++i) {
        ModularTerm next = all[first];
        ++next.power.exponents[i], ++next.power.degree;
        next.coefficient = random() % field.prime();
        if (std::ranges::none_of(all, [&](const ModularTerm& t) { return t.power == next.power; })) all.push_back(next);
      }
  }
  return ordered(std::move(all), field);
}

std::uint64_t at(const ModularPolynomial& p, const std::vector<std::uint64_t>& x) {
  std::uint64_t sum = 0;
  for (const ModularTerm& t : p) {
    std::uint64_t product = t.coefficient;
    for (std::size_t i = 0; i < x.size(); ++i) product = field.multiply(product, field.power(x[i], t.power.exponents[i]));
    sum = field.add(sum, product);
  }
  return sum;
}

TEST(ModularIdeal, HasAsManySolutionsAsBezoutSays) {
  std::mt19937_64 random(1);
  for (const std::vector<unsigned>& degrees :
       std::vector<std::vector<unsigned>>{{3}, {2, 3}, {2, 2, 2}, {1, 3, 2}, {2, 2, 2, 2}}) {
    std::vector<ModularPolynomial> generators;
    std::size_t expected = 1;
    for (const unsigned d : degrees) generators.push_back(random_polynomial(degrees.size(), d, random)), expected *= d;
    const auto ideal = ModularIdeal::finite(generators, {}, {.variables = degrees.size()});
    ASSERT_TRUE(ideal);
    EXPECT_EQ(ideal->solutions(), expected);
    for (const ModularPolynomial& g : generators) EXPECT_TRUE(ideal->rest(g).empty());
    EXPECT_FALSE(ideal->rest(random_polynomial(degrees.size(), 2, random)).empty());
  }
}

/// x − a for random points a: their products vanish at all of them.
TEST(ModularIdeal, KnowsTheValuesAtTheSolutions) {
  std::mt19937_64 random(2);
  std::vector<std::uint64_t> a{random() % field.prime(), random() % field.prime()};
  // x² = a₀², y = x·a₁/a₀: (a₀, a₁) and (−a₀, −a₁)
  const ModularPolynomial square{term(1, {2, 0}), term(field.negate(field.multiply(a[0], a[0])), {})};
  const ModularPolynomial line = ordered({term(1, {0, 1}), term(field.negate(field.divide(a[1], a[0])), {1, 0})}, field);
  const auto ideal = ModularIdeal::finite({square, line}, {}, {.variables = 2});
  ASSERT_TRUE(ideal);
  EXPECT_EQ(ideal->solutions(), 2U);
  const ModularPolynomial product{term(1, {1, 1})};
  const ModularPolynomial rest = ideal->rest(product);
  ASSERT_EQ(rest.size(), 1U) << "x·y has one value";
  EXPECT_EQ(rest.front().coefficient, field.multiply(a[0], a[1]));
  EXPECT_NE(ideal->rest({term(1, {1, 0})}).front().power.degree, 0) << "x has two";
  EXPECT_EQ(at(line, a), 0U);
}

TEST(ModularIdeal, LeavesOutWhereNothingMayVanish) {
  // x·y = x, x² = x: (0, any y) and (1, 1)
  const std::vector<ModularPolynomial> generators{ordered({term(1, {1, 1}), term(field.negate(1), {1, 0})}, field),
                                                  ordered({term(1, {2, 0}), term(field.negate(1), {1, 0})}, field)};
  EXPECT_FALSE(ModularIdeal::finite(generators, {}, {.variables = 2})) << "infinitely many";
  const auto units = ModularIdeal::finite(generators, {}, {.variables = 2, .units = true});
  ASSERT_TRUE(units);
  EXPECT_EQ(units->solutions(), 1U);
  // (x − 1)(x − 2) without x = 2, (x − 1)² (x − 2) without it
  const ModularPolynomial two = ordered({term(1, {1}), term(field.negate(2), {})}, field);
  const ModularPolynomial simple = ordered({term(1, {2}), term(field.negate(3), {1}), term(2, {})}, field);
  const auto one = ModularIdeal::finite({simple}, {two}, {.variables = 1});
  ASSERT_TRUE(one);
  EXPECT_EQ(one->solutions(), 1U);
  const ModularPolynomial cubic =
      ordered({term(1, {3}), term(field.negate(4), {2}), term(5, {1}), term(field.negate(2), {})}, field);
  const auto twice = ModularIdeal::finite({cubic}, {two}, {.variables = 1});
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->solutions(), 2U) << "1, twice";
}

TEST(ModularIdeal, GivesUpWhenItIsToldTo) {
  std::mt19937_64 random(3);
  std::vector<ModularPolynomial> generators;
  for (int i = 0; i < 4; ++i) generators.push_back(random_polynomial(4, 3, random));
  EXPECT_FALSE(ModularIdeal::finite(generators, {}, {.variables = 4, .effort = 1000}));
  EXPECT_FALSE(ModularIdeal::finite({generators.front()}, {}, {.variables = 4})) << "a surface";
  EXPECT_FALSE(ModularIdeal::finite(generators, {}, {.variables = 4, .solutions = 80})) << "81 of them";
  const auto none = ModularIdeal::finite({{term(5, {})}}, {}, {.variables = 1});
  ASSERT_TRUE(none);
  EXPECT_EQ(none->solutions(), 0U);
}

}  // namespace
}  // namespace sfg::ring::ideals
