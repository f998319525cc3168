#include "sfg/expr/exact_value.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/parse.hpp"

namespace sfg {
namespace {

TEST(ExactValue, IsTheNumberOfGiNaCAndBack) {
  std::mt19937 random(5);
  const auto whole = [&](int digits) {
    std::string text = random() % 2 == 0 ? "-" : "";
    text += static_cast<char>('1' + random() % 9);
    for (int i = 1; i < digits; ++i) text += static_cast<char>('0' + random() % 10);
    return text;
  };
  for (int trial = 0; trial < 500; ++trial) {
    const std::string text = whole(1 + trial % 60) + "/" + whole(1 + trial % 41).substr(1) + "1";
    const GiNaC::numeric number = parse_number(text);
    const exact::Rational value = *exact::Rational::parse(text);
    EXPECT_EQ(exact_value(number), value) << text;
    EXPECT_TRUE(numeric_value(value).is_equal(number)) << text;
  }
  for (const char* edge : {"0", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "-4611686018427387904"}) {
    EXPECT_EQ(exact_value(parse_number(edge)).text(), edge);
    EXPECT_TRUE(numeric_value(*exact::Rational::parse(edge)).is_equal(parse_number(edge))) << edge;
  }
}

TEST(ExactValue, OfAFloatIsRefused) { EXPECT_THROW(exact_value(GiNaC::numeric(0.5)), std::invalid_argument); }

TEST(DecimalRational, IsTheShortestThatReadsBack) {
  EXPECT_EQ(decimal_rational(0.1), exact::Rational(1) / 10);
  EXPECT_EQ(decimal_rational(-2.5e-7), exact::Rational(-1) / 4000000);
  EXPECT_EQ(decimal_rational(1e300), exact::Rational(10).power(300));
  EXPECT_EQ(decimal_rational(0), 0);
  EXPECT_EQ(decimal_rational(0.30000000000000004), *exact::Rational::parse("30000000000000004/100000000000000000"));
}

}  // namespace
}  // namespace sfg
