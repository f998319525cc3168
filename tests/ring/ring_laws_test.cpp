// One suite for all rings: the laws of a commutative ring on random values, and determinants by diagram and by definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "sfg/ddd/determinant_diagram.hpp"
#include "sfg/numeric/tape.hpp"
#include "sfg/ring/integer.hpp"
#include "sfg/ring/modular.hpp"
#include "sfg/ring/multivariate.hpp"

namespace sfg::ring {
namespace {

using Random = std::mt19937_64;

// How a ring is tested: random values, and what counts as equal.
template <class R>
struct Trial;

int small(Random& random) { return static_cast<int>(random() % 19) - 9; }
bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(a) + std::abs(b)); }

template <>
struct Trial<IntegerRing> {
  IntegerRing ring;
  Integer value(Random& random) const {
    const Integer a(static_cast<std::int64_t>(random()));
    return random() % 2 == 0 ? Integer(small(random)) : a * a * a;
  }
  bool equal(const Integer& a, const Integer& b) const { return a == b; }
};

template <>
struct Trial<CountRing> : Trial<IntegerRing> {
  CountRing ring;
};

template <>
struct Trial<ModularRing> {
  ModularRing ring;
  std::uint64_t value(Random& random) const { return random() % ring.prime(); }
  bool equal(std::uint64_t a, std::uint64_t b) const { return a == b; }
};

struct OtherModularRing : ModularRing {
  OtherModularRing() : ModularRing(below61) {}
};
template <>
struct Trial<OtherModularRing> : Trial<ModularRing> {
  OtherModularRing ring;
  std::uint64_t value(Random& random) const { return random() % ring.prime(); }
};

template <>
struct Trial<PolynomialRing> {
  Polynomial::Context context = std::make_shared<PolynomialContext>(std::vector<std::string>{"a", "b"});
  PolynomialRing ring{context};
  Polynomial value(Random& random) const {
    Polynomial sum(context);
    for (std::size_t i = 0; i < random() % 4; ++i)
      sum += Polynomial::constant(context, small(random)) * Polynomial::variable(context, 0).power(random() % 3) *
             Polynomial::variable(context, 1).power(random() % 3);
    return sum;
  }
  bool equal(const Polynomial& a, const Polynomial& b) const { return a == b; }
};

// Values of a tape with inputs: equal when they are equal at a point.
template <>
struct Trial<numeric::TapeRing> {
  numeric::TapeBuilder builder;
  numeric::TapeRing ring{&builder};
  numeric::TapeBuilder::Value value(Random& random) {
    return random() % 3 == 0 ? builder.constant(small(random)) : builder.input("x" + std::to_string(random() % 6));
  }
  bool equal(numeric::TapeBuilder::Value a, numeric::TapeBuilder::Value b) {
    const numeric::Tape tape = builder.tape(std::vector{a, b});
    std::vector<double> point;
    for (std::size_t i = 0; i < tape.inputs().size(); ++i) point.push_back(0.3 + 0.7 * static_cast<double>(i));
    const auto values = tape.values<double>(point);
    return near(values[0], values[1]);
  }
};

template <class R>
class RingLaws : public testing::Test {};

using Rings = testing::Types<IntegerRing, CountRing, ModularRing, OtherModularRing, PolynomialRing, numeric::TapeRing>;
TYPED_TEST_SUITE(RingLaws, Rings);

TYPED_TEST(RingLaws, SumsAndProducts) {
  Trial<TypeParam> trial;
  const TypeParam ring = trial.ring;
  Random random(1);
  for (int k = 0; k < 100; ++k) {
    const auto a = trial.value(random), b = trial.value(random), c = trial.value(random);
    EXPECT_TRUE(trial.equal(ring.add(a, b), ring.add(b, a)));
    EXPECT_TRUE(trial.equal(ring.add(ring.add(a, b), c), ring.add(a, ring.add(b, c))));
    EXPECT_TRUE(trial.equal(ring.add(a, ring.zero()), a));
    EXPECT_TRUE(trial.equal(ring.multiply(a, b), ring.multiply(b, a)));
    EXPECT_TRUE(trial.equal(ring.multiply(ring.multiply(a, b), c), ring.multiply(a, ring.multiply(b, c))));
    EXPECT_TRUE(trial.equal(ring.multiply(a, ring.one()), a));
    EXPECT_TRUE(trial.equal(ring.multiply(a, ring.zero()), ring.zero()));
    EXPECT_TRUE(trial.equal(ring.multiply(a, ring.add(b, c)), ring.add(ring.multiply(a, b), ring.multiply(a, c))));
    EXPECT_TRUE(trial.equal(ring.negate(ring.negate(a)), a));
    EXPECT_TRUE(trial.equal(ring.multiply(ring.negate(a), b), ring.negate(ring.multiply(a, b))));
    constexpr bool is_semiring = std::is_base_of_v<CountRing, TypeParam>;
    if constexpr (!is_semiring) {
      EXPECT_TRUE(trial.equal(ring.add(a, ring.negate(a)), ring.zero()));
    }
    if constexpr (ddd::FusedRing<TypeParam>) {
      auto sum = c, difference = c;
      ring.add_product(sum, a, b);
      ring.subtract_product(difference, a, b);
      EXPECT_TRUE(trial.equal(sum, ring.add(c, ring.multiply(a, b))));
      EXPECT_TRUE(trial.equal(difference, ring.add(c, ring.negate(ring.multiply(a, b)))));
    }
  }
}

// Leibniz: the sum over all permutations.
template <class Ring, class Value>
Value by_definition(const Ring& ring, const ddd::Pattern& pattern, const std::vector<Value>& entries) {
  std::vector<std::uint32_t> permutation(pattern.size());
  std::iota(permutation.begin(), permutation.end(), 0U);
  Value sum = ring.zero();
  do {
    Value product = ring.one();
    bool complete = true, odd = false;
    for (std::uint32_t i = 0; i < pattern.size() && complete; ++i) {
      const auto entry = pattern.find(i, permutation[i]);
      complete = entry.has_value();
      if (complete) product = ring.multiply(product, entries[*entry]);
      for (std::uint32_t j = 0; j < i; ++j) odd = odd != (permutation[j] > permutation[i]);
    }
    if (complete) sum = ring.add(sum, odd ? ring.negate(product) : product);
  } while (std::next_permutation(permutation.begin(), permutation.end()));
  return sum;
}

TYPED_TEST(RingLaws, DeterminantsAreThoseOfTheDefinition) {
  Trial<TypeParam> trial;
  Random random(2);
  for (int k = 0; k < 60; ++k) {
    const auto n = static_cast<std::uint32_t>(random() % 6);
    std::vector<ddd::Entry> places;
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < n; ++j)
        if (random() % 3 != 0) places.push_back({i, j});
    const ddd::Pattern pattern(n, places);
    std::vector<typename TypeParam::Value> entries;
    for (std::size_t e = 0; e < pattern.entries().size(); ++e) entries.push_back(trial.value(random));
    const ddd::DeterminantDiagram diagram(pattern);
    EXPECT_TRUE(trial.equal(ddd::evaluate(diagram, trial.ring, entries), by_definition(trial.ring, pattern, entries)));
  }
}

TEST(Integer, ReadsAndWritesDecimals) {
  for (const std::string text : {"0", "-1", "4611686018427387903", "4611686018427387904", "-123456789012345678901234567890"})
    EXPECT_EQ(to_string(Integer(text)), text);
  EXPECT_THROW(Integer("12x"), std::invalid_argument);
  EXPECT_THROW(Integer(""), std::invalid_argument);
  EXPECT_LT(Integer("-99999999999999999999"), Integer(3));
  EXPECT_EQ(Integer("18446744073709551617").modulo(1'000'000'007), 582344009U);  // 2^64 + 1
  EXPECT_EQ(Integer("-1").modulo(7), 6U);
  EXPECT_EQ(Integer("36893488147419103232").to_double(), 36893488147419103232.0);
}

TEST(ModularRing, InvertsAndPowers) {
  Random random(3);
  for (const std::uint64_t prime : {ModularRing::mersenne61, ModularRing::below61, std::uint64_t{7}}) {
    const ModularRing ring(prime);
    for (int k = 0; k < 100; ++k) {
      const std::uint64_t a = 1 + random() % (prime - 1);
      EXPECT_EQ(ring.multiply(a, ring.inverse(a)), 1U);
      EXPECT_EQ(ring.power(a, prime - 1), 1U);  // Fermat: fails if the modulus is not prime
      EXPECT_EQ(ring.of(-3), prime - 3);
    }
    EXPECT_THROW(ring.inverse(0), std::domain_error);
  }
}

}  // namespace
}  // namespace sfg::ring
