#include "sfg/transfer/printed_formula.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "sfg/error.hpp"

namespace sfg {
namespace {

constexpr std::uint64_t prime = 1000003;

TEST(PrintedFormula, ValueModuloAPrime) {
  const PrintedFormula::Values values{{"a", 5}, {"b", 7}, {"φ", 11}};
  EXPECT_EQ(PrintedFormula("-a^2 + 3*(b - φ)").modulo(prime, values), prime - 37);
  EXPECT_EQ(PrintedFormula("a - b - 1").modulo(prime, values), prime - 3);
  EXPECT_EQ(PrintedFormula("70/b/a").modulo(prime, values), 2U);
  EXPECT_EQ(PrintedFormula("1000003000004").modulo(prime, values), 1U + 3U);
  EXPECT_EQ(PrintedFormula("1/(a*b - 35)").modulo(prime, values), std::nullopt);
  EXPECT_THROW((void)PrintedFormula("c").modulo(prime, values), std::out_of_range);
}

TEST(PrintedFormula, DegreesOfFractions) {
  const PrintedFormula::Degrees degrees{{"a", {1, 0}}, {"b", {1, 0}}, {"d", {2, 3}}};
  const auto bound = [&](const char* text) {
    const DegreeBound found = PrintedFormula(text).degree(degrees);
    return std::pair(cln::cl_I_to_int(found.above), cln::cl_I_to_int(found.below));
  };
  EXPECT_EQ(bound("7"), std::pair(0, 0));
  EXPECT_EQ(bound("-a*b^3"), std::pair(4, 0));
  EXPECT_EQ(bound("a/b + 1/a^2"), std::pair(3, 3));
  EXPECT_EQ(bound("1 + d"), std::pair(3, 3));
  EXPECT_EQ(bound("a/d"), std::pair(4, 2));
}

TEST(PrintedFormula, DecimalsAreFractions) {
  EXPECT_EQ(PrintedFormula("a2e3 - 2.5e-3*b + 1e2").text(), "a2e3 - (1/400)*b + (100/1)");
}

TEST(PrintedFormula, NamesOnce) { EXPECT_EQ(PrintedFormula("b*a + b^2").names(), (std::vector<std::string>{"a", "b"})); }

TEST(PrintedFormula, NothingButFourOperationsAndPowers) {
  for (const char* text : {"exp(a)", "a^b", "a^0.5", "a^1234567"}) EXPECT_THROW(PrintedFormula{text}, std::logic_error) << text;
  EXPECT_THROW(PrintedFormula{"a +"}, Error);
}

}  // namespace
}  // namespace sfg
