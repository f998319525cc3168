// One suite for all rings: the laws of a commutative ring on random values, and determinants by diagram and by definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "sfg/ddd/determinant_diagram.hpp"
#include "sfg/numeric/tape.hpp"
#include "sfg/ring/dominant.hpp"
#include "sfg/ring/dual.hpp"
#include "sfg/ring/integer.hpp"
#include "sfg/ring/interval.hpp"
#include "sfg/ring/modular.hpp"
#include "sfg/ring/multivariate.hpp"
#include "sfg/ring/real.hpp"
#include "sfg/ring/univariate.hpp"

namespace sfg::ring {
namespace {

using Random = std::mt19937_64;

// How a ring is tested: random values, and what counts as equal.
template <class R>
struct Trial;

int small(Random& random) { return static_cast<int>(random() % 19) - 9; }
double uniform(Random& random) { return std::uniform_real_distribution<double>(-2, 2)(random); }
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
struct Trial<RealRing> {
  RealRing ring;
  double value(Random& random) const { return uniform(random); }
  bool equal(double a, double b) const { return near(a, b); }
};

template <>
struct Trial<ComplexRing> {
  ComplexRing ring;
  std::complex<double> value(Random& random) const { return {uniform(random), uniform(random)}; }
  bool equal(const std::complex<double>& a, const std::complex<double>& b) const {
    return near(a.real(), b.real()) && near(a.imag(), b.imag());
  }
};

template <>
struct Trial<RealBatchRing<8>> {
  RealBatchRing<8> ring;
  RealBatch<8> value(Random& random) const {
    RealBatch<8> v;
    for (double& x : v.lane) x = uniform(random);
    return v;
  }
  bool equal(const RealBatch<8>& a, const RealBatch<8>& b) const { return std::ranges::equal(a.lane, b.lane, near); }
};

template <>
struct Trial<ComplexBatchRing<8>> {
  ComplexBatchRing<8> ring;
  ComplexBatch<8> value(Random& random) const {
    ComplexBatch<8> v;
    for (double& x : v.real) x = uniform(random);
    for (double& x : v.imaginary) x = uniform(random);
    return v;
  }
  bool equal(const ComplexBatch<8>& a, const ComplexBatch<8>& b) const {
    return std::ranges::equal(a.real, b.real, near) && std::ranges::equal(a.imaginary, b.imaginary, near);
  }
};

template <>
struct Trial<RationalPolynomialRing> {
  RationalPolynomialRing ring;
  exact::RationalPolynomial value(Random& random) const {
    std::vector<exact::Rational> coefficients;
    for (std::size_t i = 0; i < random() % 5; ++i) coefficients.push_back(exact::Rational(small(random)) / (1 + random() % 5));
    return exact::RationalPolynomial(coefficients);
  }
  bool equal(const exact::RationalPolynomial& a, const exact::RationalPolynomial& b) const { return a == b; }
};

template <>
struct Trial<RealPolynomialRing> {
  RealPolynomialRing ring;
  std::vector<double> value(Random& random) const {
    std::vector<double> v;  // small integers: no rounding, hence equal or not
    for (std::size_t i = 0; i < random() % 5; ++i) v.push_back(small(random));
    while (!v.empty() && v.back() == 0) v.pop_back();
    return v;
  }
  bool equal(const std::vector<double>& a, const std::vector<double>& b) const { return a == b; }
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

// Balls of numbers that doubles hold: both sides of a law enclose the same number, so they overlap.
template <>
struct Trial<BallRing> {
  BallRing ring;
  Ball value(Random& random) const {
    const double low = uniform(random);
    return random() % 2 == 0 ? Ball(low) : Ball::interval(low, low + 0.01);
  }
  bool equal(const Ball& a, const Ball& b) const { return a.overlaps(b) && std::isfinite(a.upper()); }
};

template <>
struct Trial<ComplexBallRing> {
  ComplexBallRing ring;
  Trial<BallRing> part;
  ComplexBall value(Random& random) const { return {part.value(random), part.value(random)}; }
  bool equal(const ComplexBall& a, const ComplexBall& b) const {
    return part.equal(a.real, b.real) && part.equal(a.imaginary, b.imaginary);
  }
};

template <>
struct Trial<DualRing<ModularRing>> {
  DualRing<ModularRing> ring;
  Trial<ModularRing> part;
  Dual<std::uint64_t> value(Random& random) const { return {part.value(random), part.value(random)}; }
  bool equal(const Dual<std::uint64_t>& a, const Dual<std::uint64_t>& b) const { return a == b; }
};

template <>
struct Trial<MaxTimesRing> {
  MaxTimesRing ring;
  double value(Random& random) const { return random() % 8 == 0 ? ring.zero() : uniform(random); }
  bool equal(double a, double b) const { return a == b || near(a, b); }
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

using Rings = testing::Types<IntegerRing, CountRing, ModularRing, OtherModularRing, RealRing, ComplexRing, RealBatchRing<8>,
                             ComplexBatchRing<8>, RationalPolynomialRing, RealPolynomialRing, PolynomialRing, BallRing,
                             ComplexBallRing, DualRing<ModularRing>, MaxTimesRing, numeric::TapeRing>;
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
    constexpr bool is_semiring = std::is_base_of_v<CountRing, TypeParam> || std::is_same_v<MaxTimesRing, TypeParam>;
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

TEST(BallRing, EnclosesEveryPoint) {
  Random random(4);
  const BallRing ring;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Ball> balls;
    std::vector<double> points;
    for (int i = 0; i < 4; ++i) {
      const double low = uniform(random), high = low + 0.5;
      balls.push_back(Ball::interval(low, high));
      points.push_back(std::uniform_real_distribution<double>(low, high)(random));
    }
    const Ball det = ring.add(ring.multiply(balls[0], balls[3]), ring.negate(ring.multiply(balls[1], balls[2])));
    const double point = points[0] * points[3] - points[1] * points[2];
    EXPECT_LE(det.lower(), point + 1e-15);
    EXPECT_GE(det.upper(), point - 1e-15);
    if (!balls[1].contains_zero()) {
      EXPECT_TRUE(ring.divide(balls[0], balls[1]).overlaps(Ball(points[0] / points[1])));
    }
  }
  EXPECT_TRUE(Ball(exact::Rational(1) / 3, 64).contains(Ball(exact::Rational(1) / 3, 128)));
  EXPECT_TRUE(std::isinf(ring.divide(Ball(1.0), Ball::interval(-1, 1)).upper()));
  EXPECT_THROW(Ball::interval(1, 0), std::invalid_argument);
}

TEST(DualRing, DerivativeIsTheCofactor) {
  Random random(5);
  const DualRing<ModularRing> dual;
  for (int trial = 0; trial < 100; ++trial) {
    const std::uint32_t n = 1 + random() % 5;
    std::vector<ddd::Entry> places;
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < n; ++j)
        if (random() % 3 != 0) places.push_back({i, j});
    const ddd::Pattern pattern(n, places);
    const ddd::DeterminantDiagram diagram(pattern);
    std::vector<std::uint64_t> values;
    for (std::size_t e = 0; e < pattern.entries().size(); ++e) values.push_back(random() % ModularRing::mersenne61);
    const auto all = ddd::cofactors(diagram, ModularRing(), values);
    for (std::size_t e = 0; e < values.size(); ++e) {
      std::vector<Dual<std::uint64_t>> entries;
      for (std::size_t k = 0; k < values.size(); ++k) entries.push_back({values[k], k == e ? 1U : 0U});
      EXPECT_EQ(ddd::evaluate(diagram, dual, entries).derivative, all[e]);
    }
  }
}

// All products of a small determinant, by expansion, against the lazily ordered ones.
TEST(DominantTerms, AreAllProductsLargestFirst) {
  Random random(6);
  for (int trial = 0; trial < 200; ++trial) {
    const std::uint32_t n = random() % 6;
    std::vector<ddd::Entry> places;
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < n; ++j)
        if (random() % 2 != 0 || i == j) places.push_back({i, j});
    const ddd::Pattern pattern(n, places);
    std::vector<std::vector<double>> logs(pattern.entries().size());
    std::vector<Integer> counts;
    for (auto& list : logs) {
      for (std::size_t k = 0; k < random() % 3; ++k) list.push_back(uniform(random));
      counts.emplace_back(static_cast<std::int64_t>(list.size()));
    }
    const ddd::DeterminantDiagram diagram(pattern);
    DominantTerms terms(diagram, logs);
    std::vector<std::vector<DominantTerm::Factor>> seen;
    double determinant = 0, previous = std::numeric_limits<double>::infinity();
    while (const auto term = terms.next()) {
      EXPECT_LE(term->log_magnitude, previous + 1e-12);
      previous = term->log_magnitude;
      double sum = 0;
      for (const auto& factor : term->factors) sum += logs[factor.entry].at(factor.addend);
      EXPECT_NEAR(sum, term->log_magnitude, 1e-9);
      EXPECT_EQ(term->factors.size(), n);
      determinant += (term->negative ? -1 : 1) * std::exp(sum);
      seen.push_back(term->factors);
    }
    std::ranges::sort(seen);
    EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());
    EXPECT_EQ(Integer(static_cast<std::int64_t>(seen.size())), ddd::evaluate(diagram, CountRing(), counts));
    std::vector<double> values;
    for (const auto& list : logs) {
      values.push_back(0);
      for (const double x : list) values.back() += std::exp(x);
    }
    EXPECT_TRUE(near(determinant, ddd::evaluate(diagram, RealRing(), values)));
  }
}

TEST(DominantTerms, FirstOnesOfALargeDeterminantComeAtOnce) {
  std::vector<ddd::Entry> places;
  for (std::uint32_t i = 0; i < 3000; ++i) {
    places.push_back({i, i});
    if (i > 0) places.insert(places.end(), {{i, i - 1}, {i - 1, i}});
  }
  const ddd::Pattern pattern(3000, places);
  const ddd::DeterminantDiagram diagram(pattern);
  std::vector<std::vector<double>> logs;
  for (const auto& entry : pattern.entries())
    logs.push_back({entry.row == entry.column ? 0.0 : -1.0 - 0.001 * (entry.row + entry.column)});
  DominantTerms terms(diagram, logs);
  EXPECT_EQ(terms.next()->log_magnitude, 0);
  EXPECT_NEAR(terms.next()->log_magnitude, -2 - 0.002, 1e-9);  // the pair (0,1), (1,0)
  for (int k = 0; k < 100; ++k) EXPECT_TRUE(terms.next());
}

}  // namespace
}  // namespace sfg::ring
