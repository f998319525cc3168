#include "sfg/exact/rational.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cmath>
#include <random>
#include <thread>

namespace sfg::exact {
namespace {

TEST(Rational, IsInLowestTermsWithAPositiveDenominator) {
  EXPECT_EQ(Rational::parse("6/8")->text(), "3/4");
  EXPECT_EQ((Rational(6) / -8).text(), "-3/4");
  EXPECT_EQ((Rational(6) / -8).denominator(), 4);
  EXPECT_EQ(Rational().text(), "0");
  EXPECT_EQ(Rational(std::numeric_limits<std::uint64_t>::max()).text(), "18446744073709551615");
  EXPECT_EQ(Rational(std::numeric_limits<std::int64_t>::min()).text(), "-9223372036854775808");
}

TEST(Rational, ReadsFractionsAndNothingElse) {
  for (const char* text : {"", "-", "/", "1/", "/2", "1/0", "1.5", "1e3", " 1", "1 ", "+1", "--1", "1/-2", "0x10", "1/2/3"})
    EXPECT_FALSE(Rational::parse(text)) << text;
  for (const char* text : {"0", "-1", "22/7", "123456789012345678901234567891/7"}) EXPECT_EQ(Rational::parse(text)->text(), text);
}

TEST(Rational, ArithmeticAgreesWithWholeNumbersOf128Bits) {
  __extension__ using Wide = __int128;
  std::mt19937_64 random(7);
  const auto draw = [&] { return static_cast<std::int64_t>(random() >> 34) - (std::int64_t{1} << 29); };
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t a = draw(), c = draw();
    const std::int64_t b = std::abs(draw()) + 1, d = std::abs(draw()) + 1;
    const Rational x = Rational(a) / b, y = Rational(c) / d;
    const auto whole = [](Wide n) {
      return Rational(static_cast<std::int64_t>(n >> 32)) * (std::int64_t{1} << 32) +
             Rational(static_cast<std::int64_t>(n & 0xFFFFFFFF));
    };
    EXPECT_EQ(x + y, whole(Wide{a} * d + Wide{c} * b) / whole(Wide{b} * d));
    EXPECT_EQ(x - y, whole(Wide{a} * d - Wide{c} * b) / whole(Wide{b} * d));
    EXPECT_EQ(x * y, whole(Wide{a} * c) / whole(Wide{b} * d));
    EXPECT_EQ(x < y, Wide{a} * d < Wide{c} * b);
    EXPECT_EQ(x.sign(), a < 0 ? -1 : a > 0);
    if (c != 0) {
      EXPECT_EQ(x / y * y, x);
    }
  }
}

TEST(Rational, LongNumbersAreValuesToo) {
  Rational x = Rational(10).power(40), copy = x;
  copy += 1;
  EXPECT_EQ(x.text(), "1" + std::string(40, '0'));
  EXPECT_EQ(copy - x, 1);
  Rational moved = std::move(copy);
  x = moved;
  x = x;  // NOLINT(misc-redundant-expression)
  EXPECT_EQ(x, moved);
  EXPECT_EQ(Rational(10).power(-2), Rational(1) / 100);
  EXPECT_FALSE(x.to_integer());
  EXPECT_EQ(Rational(-5).to_integer(), -5);
}

TEST(Rational, DoublesAreExactOneWayAndNearestTheOther) {
  EXPECT_EQ(Rational::of(0.1).text(), "3602879701896397/36028797018963968");
  EXPECT_EQ((Rational(1) / 10).to_double(), 0.1);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> mantissa(-1, 1);
  for (int i = 0; i < 500; ++i) {
    const double value = std::ldexp(mantissa(random), static_cast<int>(random() % 2000) - 1000);
    EXPECT_EQ(Rational::of(value).to_double(), value);
  }
  EXPECT_EQ(Rational(10).power(400).to_double(), std::numeric_limits<double>::infinity());
  EXPECT_THROW(Rational::of(std::nan("")), std::invalid_argument);
}

TEST(Rational, DivisionByZeroIsRefused) {
  EXPECT_THROW(Rational(1) / 0, std::domain_error);
  EXPECT_THROW(Rational(0).power(-1), std::domain_error);
}

TEST(Rational, RoundsToSignificantDigits) {
  EXPECT_EQ(rounded(Rational(2) / 3, 4), Rational(6667) / 10000);
  EXPECT_EQ(rounded(Rational(-1999999), 3), -2000000);
  EXPECT_EQ(rounded(Rational(99996) / 100000, 4), 1);
  EXPECT_EQ(rounded(Rational(1) / 8, 17), Rational(1) / 8);
  EXPECT_EQ(rounded(Rational(10).power(-400) * 7 / 3, 2), Rational(10).power(-401) * 23);
  EXPECT_EQ(rounded(0, 5), 0);
}

TEST(Rational, AThreadThatEndsKeepsNoMemory) {
  const auto count = [] {
    std::thread([] { EXPECT_GT(Rational(7).power(300) + Rational(1) / 3, 1); }).join();
    return mallinfo2().uordblks;
  };
  const std::size_t before = count();
  for (int i = 0; i < 100; ++i) count();
  EXPECT_LT(count(), before + 1'000'000);
}

TEST(Rational, DecimalsHaveNoZerosAtTheirEnd) {
  EXPECT_EQ(decimal(Rational(1) / 3, 5), "0.33333");
  EXPECT_EQ(decimal(-450, 20), "-450");
  EXPECT_EQ(decimal(Rational(5) / 4, 20), "1.25");
  EXPECT_EQ(decimal(0, 20), "0");
}

}  // namespace
}  // namespace sfg::exact
