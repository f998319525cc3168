// Identities that hold and near misses that do not, from trigonometry, radicals and logarithms; roots that are known beforehand.

#include <gtest/gtest.h>

#include <random>

#include "sfg/exact/exact_polynomial.hpp"
#include "sfg/exact/roots.hpp"

namespace sfg::exact {
namespace {

ExactNumber number(long p, long q = 1) { return ExactNumber(Rational(p) / q); }

class ExactNumbers : public testing::Test {
 protected:
  ExactNumber root(const ExactNumber& x, long degree = 2) const { return field.power(x, number(1, degree)); }
  ExactNumber root(long x, long degree = 2) const { return root(number(x), degree); }

  ExactField field;
  std::mt19937 random{20240607};
  long draw(long low, long high) { return std::uniform_int_distribution<long>(low, high)(random); }
};

TEST_F(ExactNumbers, IdentitiesAreZero) {
  const ExactNumber one = number(1), quarter_turn = number(1, 4) * field.pi();
  EXPECT_TRUE((root(2) * root(3) - root(6)).is_zero());
  EXPECT_TRUE((root(number(3) + number(2) * root(2)) - one - root(2)).is_zero());
  EXPECT_TRUE((root(2, 3) * root(4, 3) - number(2)).is_zero());
  EXPECT_TRUE((field.atan(number(1, 2)) + field.atan(number(1, 3)) - quarter_turn).is_zero());  // Euler
  EXPECT_TRUE((field.exp(field.log(number(5))) - number(5)).is_zero());
  EXPECT_TRUE((field.exp(root(2)) * field.exp(root(3)) - field.exp(root(2) + root(3))).is_zero());
  EXPECT_TRUE((field.sin(number(1, 6) * field.pi()) - number(1, 2)).is_zero());
  EXPECT_TRUE((field.asin(root(2) * root(2) * number(1, 2)) - number(1, 2) * field.pi()).is_zero());  // at the edge
}

TEST_F(ExactNumbers, NearMissesAreNotZero) {
  ExactNumber tiny = number(1);
  for (int i = 0; i < 700; ++i) tiny = tiny * number(1, 1000000);  // 10^-4200: far below what 120 digits show
  const ExactNumber miss = root(2) * root(3) - root(6) + tiny;
  EXPECT_EQ(miss.sign(), 1);
  EXPECT_EQ((root(6) - root(2) * root(3) - tiny * root(5)).sign(), -1);
  EXPECT_EQ((field.pi() - number(355, 113)).sign(), -1);
}

TEST_F(ExactNumbers, RandomIdentitiesAreDecided) {
  for (int i = 0; i < 40; ++i) {
    const ExactNumber a = number(draw(2, 90), draw(1, 9)), b = number(draw(2, 90), draw(1, 9));
    SCOPED_TRACE("draw " + std::to_string(i));
    EXPECT_TRUE((root(a) * root(b) - root(a * b)).is_zero());
    EXPECT_TRUE((root(a + b + number(2) * root(a * b)) - root(a) - root(b)).is_zero());
    EXPECT_TRUE((field.sin(a) * field.sin(a) + field.cos(a) * field.cos(a) - number(1)).is_zero());
    EXPECT_TRUE((field.log(a) + field.log(b) - field.log(a * b)).is_zero());
    EXPECT_FALSE((root(a) * root(b) - root(a * b) + number(1, 1000000007)).is_zero());
  }
}

TEST_F(ExactNumbers, RationalOnesAreFound) {
  EXPECT_EQ((root(2) * root(8)).rational(), 4);
  EXPECT_EQ((root(number(9, 4)) + number(1, 6)).rounded(), Rational(5) / 3);
  EXPECT_EQ(root(2).rational(), std::nullopt);
}

TEST_F(ExactNumbers, WhatIsNotRealIsRefused) {
  EXPECT_THROW(root(-2), std::domain_error);
  EXPECT_THROW(field.log(root(2) * root(3) - root(6)), std::domain_error);
  EXPECT_THROW(number(1) / (root(2) * root(3) - root(6)), std::domain_error);
  EXPECT_THROW(field.asin(root(2)), std::domain_error);
}

TEST_F(ExactNumbers, WhatCannotBeDecidedIsRefused) {
  const ExactNumber tiny = field.exp(number(-9000));  // cos(tiny) is 1 but for 10^-7800
  EXPECT_THROW((field.cos(tiny) - number(1)).is_zero(), Undecided);
}

ExactPolynomial factor(const ExactNumber& root) { return ExactPolynomial({ExactNumber(1), -root}); }

TEST_F(ExactNumbers, MultipleRootsStayMultiple) {
  for (int i = 0; i < 20; ++i) {
    const ExactNumber a = -root(draw(2, 30)), b = -root(draw(31, 60), 3) - root(2);
    ExactPolynomial p = factor(a) * factor(a) * factor(b) * ExactPolynomial({root(7)});
    if (i % 2 == 0) p = p * factor(b) * factor(b);
    std::size_t simple = 0;
    const RationalPolynomial rational = rounded(p, Boundary::imaginary_axis);
    for (const auto& [f, multiplicity] : rational.factors())
      if (multiplicity == 1) simple += static_cast<std::size_t>(f.degree());
    EXPECT_EQ(simple, i % 2 == 0 ? 0U : 1U) << "draw " << i;
    EXPECT_EQ(rational.root_counts().left, i % 2 == 0 ? 5U : 3U);
  }
}

TEST_F(ExactNumbers, RootsOnTheAxisStayOnIt) {
  for (int i = 0; i < 20; ++i) {
    const ExactNumber square = root(draw(2, 50)) + root(draw(2, 50), 3), one = number(1);
    const ExactPolynomial pair({one, number(0), square}), p = pair * factor(-root(draw(2, 20))) * factor(root(draw(21, 40)));
    const auto counts = rounded(i % 2 == 0 ? p : p * pair, Boundary::imaginary_axis).root_counts();
    EXPECT_EQ(counts.axis, i % 2 == 0 ? 2U : 4U) << "draw " << i;
    EXPECT_EQ(counts.right, 1U);
    EXPECT_EQ(counts.left, 1U);
  }
}

TEST_F(ExactNumbers, RootsOnTheUnitCircleStayOnIt) {
  for (int i = 0; i < 20; ++i) {
    const ExactNumber cosine = field.cos(number(draw(1, 30), 10)), one = number(1);
    const ExactPolynomial pair({one, number(-2) * cosine, one});
    const RationalPolynomial p = rounded(pair * factor(one) * factor(root(draw(2, 20)) / number(5)), Boundary::unit_circle);
    const RationalPolynomial circle = rounded(pair * factor(one), Boundary::unit_circle);
    EXPECT_TRUE(divided(p, circle).second.is_zero()) << "draw " << i;
    EXPECT_EQ(circle.coefficient(0), -1);
    EXPECT_EQ(p.sign_at(1), 0);
  }
}

TEST_F(ExactNumbers, CommonFactorsAreFound) {
  for (int i = 0; i < 20; ++i) {
    const ExactNumber a = root(draw(2, 40)), b = root(draw(2, 40), 3);
    const ExactPolynomial common = factor(a + b), p = common * factor(-a), q = common * factor(b + number(1)) * factor(-b);
    EXPECT_EQ(gcd(p, q).degree(), 1) << "draw " << i;
    EXPECT_TRUE((gcd(p, q) - common).is_zero());
    EXPECT_EQ(gcd(p + ExactPolynomial({number(1, 1000000007)}), q).degree(), 0);
  }
}

}  // namespace
}  // namespace sfg::exact
