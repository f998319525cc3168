#include "sfg/ring/multivariate.hpp"

#include <gtest/gtest.h>

#include <random>

#include "sfg/ring/modular.hpp"

namespace sfg::ring {
namespace {

Polynomial::Context context(std::vector<std::string> names = {"s", "a", "b", "c"}) {
  return std::make_shared<const PolynomialContext>(std::move(names));
}

Polynomial random_polynomial(const Polynomial::Context& context, std::mt19937_64& random, std::size_t terms = 6,
                             unsigned degree = 3) {
  std::vector<Polynomial::Term> list;
  for (std::size_t i = 0; i < terms; ++i) {
    const long p = static_cast<long>(random() % 19) - 9, q = static_cast<long>(random() % 5) + 1;
    Polynomial::Term term{exact::Rational(p) / q, {}};
    for (std::size_t v = 0; v < context->variables().size(); ++v)
      if (random() % 2 != 0) term.powers.emplace_back(v, random() % (degree + 1));
    list.push_back(std::move(term));
  }
  return Polynomial::sum_of(context, list);
}

class RandomPolynomials : public testing::Test {
 protected:
  Polynomial random() { return random_polynomial(ring, generator); }
  Polynomial::Context ring = context();
  std::mt19937_64 generator{20240607};
};

TEST_F(RandomPolynomials, ObeyTheLawsOfARing) {
  const Polynomial zero(ring), one = Polynomial::constant(ring, 1);
  for (int i = 0; i < 100; ++i) {
    const Polynomial x = random(), y = random(), z = random();
    EXPECT_EQ(x + y, y + x);
    EXPECT_EQ((x + y) + z, x + (y + z));
    EXPECT_EQ(x * y, y * x);
    EXPECT_EQ((x * y) * z, x * (y * z));
    EXPECT_EQ(x * (y + z), x * y + x * z);
    EXPECT_EQ(x + zero, x);
    EXPECT_EQ(x * one, x);
    EXPECT_EQ(x - x, zero);
    EXPECT_EQ(x + (-x), zero);
    Polynomial fused = z;
    fused.add_product(x, y);
    EXPECT_EQ(fused, z + x * y);
    fused.subtract_product(x, y);
    EXPECT_EQ(fused, z);
    Polynomial itself = x;
    itself *= itself;
    EXPECT_EQ(itself, x.power(2));
    itself += itself;
    EXPECT_EQ(itself, Polynomial::constant(ring, 2) * x * x);
  }
}

TEST_F(RandomPolynomials, ModuloIsAHomomorphism) {
  const ModularRing field;
  const std::uint64_t prime = field.prime();
  for (int i = 0; i < 100; ++i) {
    const Polynomial x = random(), y = random();
    std::vector<std::uint64_t> at;
    for (std::size_t v = 0; v < 4; ++v) at.push_back(generator() % prime);
    EXPECT_EQ(field.multiply(x.modulo(prime, at), y.modulo(prime, at)), (x * y).modulo(prime, at));
    EXPECT_EQ(field.add(x.modulo(prime, at), y.modulo(prime, at)), (x + y).modulo(prime, at));
  }
}

// Many variables in many words, and exponents of any size.
TEST(Polynomial, ModuloIsTheSumOfTheTerms) {
  std::mt19937_64 random(11);
  for (const std::uint64_t greatest : {1ULL, 3ULL, 200ULL, 1ULL << 40}) {
    std::vector<std::string> names;
    for (int i = 0; i < 37; ++i) names.push_back("x" + std::to_string(i));
    const auto context = std::make_shared<const PolynomialContext>(names);
    std::vector<Polynomial::Term> terms;
    for (int t = 0; t < 60; ++t) {
      Polynomial::Term term{exact::Rational(static_cast<long>(random() % 19) - 9) / 7, {}};
      for (std::size_t v = 0; v < names.size(); ++v)
        if (random() % 6 == 0) term.powers.emplace_back(v, 1 + random() % greatest);
      terms.push_back(term);
    }
    const Polynomial p = Polynomial::sum_of(context, terms);
    const ModularRing field(ModularRing::below61);
    std::vector<std::uint64_t> at;
    for (std::size_t v = 0; v < names.size(); ++v) at.push_back(random() % field.prime());
    std::uint64_t expected = 0;
    for (const Polynomial::Term& term : terms) {
      std::uint64_t product = field.divide(field.of(*term.coefficient.numerator().to_integer()),
                                           static_cast<std::uint64_t>(*term.coefficient.denominator().to_integer()));
      for (const auto& [v, power] : term.powers) product = field.multiply(product, field.power(at[v], power));
      expected = field.add(expected, product);
    }
    EXPECT_EQ(p.modulo(field.prime(), at), expected) << greatest;
    for (std::size_t v = 0; v < names.size(); ++v) EXPECT_EQ(p.degrees()[v], p.degree(v));
  }
}

TEST_F(RandomPolynomials, ThePlantedFactorIsFound) {
  for (int i = 0; i < 40; ++i) {
    const Polynomial x = random(), y = random(), planted = random();
    if (x.is_zero() || y.is_zero() || planted.is_zero()) continue;
    const Polynomial common = gcd(x * planted, y * planted);
    EXPECT_TRUE(exact_quotient(common, planted));
    const auto [g, rest_x, rest_y] = gcd_cofactors(x * planted, y * planted);
    EXPECT_EQ(g, common);
    EXPECT_EQ(g * rest_x, x * planted);
    EXPECT_EQ(g * rest_y, y * planted);
    EXPECT_TRUE(gcd(rest_x, rest_y).is_one());
    EXPECT_EQ(exact_quotient(x * planted, planted), x);
    EXPECT_FALSE(exact_quotient(x * planted + Polynomial::constant(ring, 1), planted) && !planted.is_constant());
  }
}

TEST_F(RandomPolynomials, FactorsMultiplyToThePolynomial) {
  for (int i = 0; i < 30; ++i) {
    const Polynomial x = random_polynomial(ring, generator, 3, 2), y = random_polynomial(ring, generator, 3, 2);
    const Polynomial product = x * x * y;
    const auto factorization = product.factor();
    Polynomial back = Polynomial::constant(ring, factorization.constant);
    for (const auto& [factor, multiplicity] : factorization.factors) {
      back *= factor.power(multiplicity);
      EXPECT_EQ(factor.content(), 1);
    }
    EXPECT_EQ(back, product);
  }
}

TEST_F(RandomPolynomials, DerivativeAgreesWithTheDifferenceQuotient) {
  // [p(s + h) − p(s)] / h at h = 0, exactly, with the variable c as h.
  const Polynomial s = Polynomial::variable(ring, 0), h = Polynomial::variable(ring, 3);
  for (int i = 0; i < 30; ++i) {
    const Polynomial p = random().substituted(3, Polynomial::constant(ring, 2));
    const auto quotient = exact_quotient(p.substituted(0, s + h) - p, h);
    ASSERT_TRUE(quotient);
    EXPECT_EQ(quotient->substituted(3, Polynomial(ring)), p.derivative(0));
  }
}

TEST_F(RandomPolynomials, TermsAndCoefficientsRebuildThePolynomial) {
  for (int i = 0; i < 30; ++i) {
    const Polynomial p = random();
    EXPECT_EQ(Polynomial::sum_of(ring, p.terms()), p);
    for (std::size_t v = 0; v < 4; ++v) {
      Polynomial back(ring);
      const auto coefficients = p.coefficients(v);
      EXPECT_EQ(coefficients.size(), p.is_zero() ? 0 : p.degree(v) + 1);
      for (const Polynomial& coefficient : coefficients) {
        EXPECT_FALSE(coefficient.depends_on(v));
        back = back * Polynomial::variable(ring, v) + coefficient;
      }
      EXPECT_EQ(back, p);
    }
    EXPECT_EQ(p.is_zero() ? p : Polynomial::constant(ring, p.content()) * p.primitive(), p);
  }
}

TEST(Polynomial, StatesTermsInDescendingOrder) {
  const auto ring = context({"s", "k"});
  const Polynomial s = Polynomial::variable(ring, 0), k = Polynomial::variable(ring, 1);
  const Polynomial p = Polynomial::constant(ring, exact::Rational(-1) / 2) * k * s + s * s + Polynomial::constant(ring, 3);
  const auto terms = p.terms();
  ASSERT_EQ(terms.size(), 3u);
  EXPECT_EQ(terms[0].coefficient, 1);
  EXPECT_EQ(terms[1].coefficient, exact::Rational(-1) / 2);
  EXPECT_EQ(terms[1].powers, (std::vector<std::pair<std::size_t, std::uint64_t>>{{0, 1}, {1, 1}}));
  EXPECT_EQ(terms[2].coefficient, 3);
  EXPECT_EQ(p.content(), exact::Rational(1) / 2);
  EXPECT_EQ((-p).content(), exact::Rational(-1) / 2);
}

TEST(Polynomial, HandlesTheEdges) {
  const auto empty = context({});
  EXPECT_EQ(Polynomial::constant(empty, exact::Rational(6) / 4) + Polynomial::constant(empty, exact::Rational(1) / 2),
            Polynomial::constant(empty, 2));
  EXPECT_TRUE(gcd(Polynomial(empty), Polynomial(empty)).is_zero());
  EXPECT_TRUE(gcd(Polynomial::constant(empty, 4), Polynomial::constant(empty, 6)).is_one());
  EXPECT_EQ(Polynomial(empty).content(), 0);
  EXPECT_EQ(Polynomial::constant(empty, exact::Rational(-6) / 4).factor().constant, exact::Rational(-3) / 2);
  const auto ring = context();
  EXPECT_TRUE(Polynomial(ring).coefficients(0).empty());
  EXPECT_TRUE(Polynomial(ring).power(0).is_one());
  EXPECT_EQ(Polynomial(ring).factor().constant, 0);
  EXPECT_EQ(Polynomial::variable(ring, 0).power(1'000'000).degree(0), 1'000'000u);
  EXPECT_THROW(Polynomial::variable(ring, 4), std::out_of_range);
  EXPECT_THROW(Polynomial(ring) + Polynomial(context()), std::invalid_argument);
  EXPECT_THROW(exact_quotient(Polynomial(ring), Polynomial(ring)), std::domain_error);
  EXPECT_THROW(Polynomial::constant(ring, exact::Rational(1) / 7).modulo(7, std::vector<std::uint64_t>(4)), std::domain_error);
}

}  // namespace
}  // namespace sfg::ring
