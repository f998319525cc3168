#include "sfg/expr/exact_value.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/random_point.hpp"
#include "sfg/ring/modular.hpp"

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

/// Where words, longs and FLINT's short numbers end, and far beyond.
const std::vector<std::string>& at_the_ends_of_words() {
  static const std::vector<std::string> ends = [] {
    std::vector<std::string> all{"5000000000", "123456789012345678901234567890"};
    for (const int bits : {29, 31, 32, 61, 62, 63, 64})
      for (const int off : {-1, 0, 1}) all.push_back((exact::Rational(2).power(bits) + off).text());
    for (std::size_t i = 0, positive = all.size(); i < positive; ++i) all.push_back("-" + all[i]);
    return all;
  }();
  return ends;
}

TEST(ExactValue, IsWholeBeyondTheWordsOfAnyMachine) {
  for (const std::string& text : at_the_ends_of_words()) {
    const exact::Rational value = *exact::Rational::parse(text);
    SymbolTable symbols;
    EXPECT_EQ(value.text(), text);
    EXPECT_EQ(exact_value(parse_number(text)), value) << text;
    EXPECT_TRUE(numeric_value(value).is_equal(GiNaC::numeric(text.c_str()))) << text;
    EXPECT_EQ(print(parse(text, symbols)), text);
    // Modulo a prime the number and its digits, by Horner's rule, are the same.
    const ModularPoint point = random_point(3);
    const ring::ModularRing field(point.prime());
    std::uint64_t residue = 0;
    for (const char digit : text)
      if (digit != '-') residue = field.add(field.multiply(residue, 10), static_cast<std::uint64_t>(digit - '0'));
    if (text[0] == '-') residue = field.multiply(field.prime() - 1, residue);
    EXPECT_EQ(point(GiNaC::ex(parse_number(text))), residue) << text;
  }
}

TEST(ExactValue, WholeNumbersOf64BitsComeBack) {
  using Limits = std::numeric_limits<std::int64_t>;
  for (const std::int64_t value :
       {std::int64_t{5'000'000'000}, std::int64_t{1} << 31, (std::int64_t{1} << 62) - 1, std::int64_t{1} << 62,
        (std::int64_t{1} << 62) + 1, Limits::max(), Limits::min(), Limits::min() + 1, std::int64_t{-1} - (std::int64_t{1} << 31),
        std::int64_t{0}, std::int64_t{-1}}) {
    const exact::Rational rational = value;
    EXPECT_EQ(rational.text(), std::to_string(value));
    EXPECT_EQ(rational.to_integer(), value);
    EXPECT_EQ(whole_value(numeric_value(rational)), value);
  }
  EXPECT_EQ(exact::Rational(std::numeric_limits<std::uint64_t>::max()).text(), "18446744073709551615");
  EXPECT_FALSE(exact::Rational(std::numeric_limits<std::uint64_t>::max()).to_integer());
  EXPECT_FALSE((exact::Rational(Limits::min()) - 1).to_integer());
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
