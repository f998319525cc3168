#include "sfg/study/variation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sfg/error.hpp"
#include "sfg/read/toml.hpp"

namespace sfg {
namespace {

SymbolTable symbols_of(const std::string& parameters) {
  return std::get<SignalFlowGraph>(
             read_toml("[graph]\nbranches = [[\"u\", \"y\", \"A*B*C*D\"]]\n[parameters]\n" + parameters, "m.toml"))
      .symbols;
}

TEST(Variation, TakesTolerancesOfTheModelAndOfTheQuestion) {
  const SymbolTable symbols = symbols_of(
      "A = { value = -4, tolerance = \"5%\" }\nB = { value = 10, tolerance = \"±2\", distribution = \"normal\" }\nC = 7\nD = "
      "\"2*A\"\n");
  const Variation model = variation_of(symbols);
  ASSERT_EQ(model.names(), (std::vector<std::string>{"A", "B"}));
  EXPECT_DOUBLE_EQ(model.parameters[0].half_width, 0.2);
  EXPECT_DOUBLE_EQ(model.parameters[1].half_width, 2);
  EXPECT_EQ(model.parameters[1].distribution, Distribution::normal);
  StatedVariation stated{.everything = Tolerance{exact::Rational(1) / 10, true}};
  stated.tolerances["B"] = Tolerance{exact::Rational(1), false};
  stated.distributions["C"] = Distribution::triangular;
  const Variation both = variation_of(symbols, stated);
  ASSERT_EQ(both.names(), (std::vector<std::string>{"A", "B", "C"}));
  EXPECT_DOUBLE_EQ(both.parameters[0].half_width, 0.4);
  EXPECT_DOUBLE_EQ(both.parameters[1].half_width, 1);
  EXPECT_EQ(both.parameters[2].distribution, Distribution::triangular);
}

TEST(Variation, CholeskyFactorGivesTheCorrelationsBack) {
  const SymbolTable symbols = symbols_of(
      "A = { value = 1, tolerance = 0.1 }\nB = { value = 1, tolerance = 0.1 }\nC = { value = 1, tolerance = 0.1 }\nD = 1\n"
      "[correlations]\n\"A,B\" = 1\n\"C,A\" = -0.25\n\"B,C\" = -0.25\n\"A,D\" = 0.9\n");
  const Variation variation = variation_of(symbols);
  ASSERT_TRUE(variation.correlated());
  const auto entry = [&](std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += variation.cholesky[3 * i + k] * variation.cholesky[3 * j + k];
    return sum;
  };
  EXPECT_NEAR(entry(0, 1), 1, 1e-14);
  EXPECT_NEAR(entry(0, 2), -0.25, 1e-14);
  EXPECT_NEAR(entry(1, 2), -0.25, 1e-14);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(entry(i, i), 1, 1e-14);
}

TEST(Variation, RefusesCorrelationsThatContradictEachOther) {
  const SymbolTable symbols = symbols_of(
      "A = { value = 1, tolerance = 0.1 }\nB = { value = 1, tolerance = 0.1 }\nC = { value = 1, tolerance = 0.1 }\nD = 1\n"
      "[correlations]\n\"A,B\" = 1\n\"A,C\" = 0.5\n\"B,C\" = 0.4\n");
  try {
    variation_of(symbols);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().front().where.line, 11U);
  }
}

TEST(Variation, RefusesATolerancesOfWhatFollowsFromOthers) {
  const SymbolTable symbols = symbols_of("A = 1\nB = 1\nC = 1\nD = \"2*A\"\n");
  StatedVariation stated;
  stated.tolerances["D"] = Tolerance{exact::Rational(1), false};
  EXPECT_THROW(variation_of(symbols, stated), Error);
}

TEST(Variation, ACovarianceStandsInPlaceOfTolerances) {
  const SymbolTable symbols =
      symbols_of("A = { value = 4, tolerance = \"5%\" }\nB = 10\nC = { value = 1, tolerance = 0.1 }\nD = \"2*A\"\n");
  const Variation found = variation_of(symbols, {.covariance = parse_covariance({"A,A=0.04; B,B=0.09", "A,B=-0.03"})});
  ASSERT_EQ(found.names(), (std::vector<std::string>{"A", "B", "C"}));
  EXPECT_DOUBLE_EQ(found.parameters[0].half_width, 0.6);
  EXPECT_EQ(found.parameters[1].distribution, Distribution::normal);
  EXPECT_EQ(found.parameters[2].distribution, Distribution::uniform);
  ASSERT_TRUE(found.correlated());
  EXPECT_NEAR(found.cholesky[3], -0.5, 1e-15);
  const Covariance normal = normal_covariance(found);
  EXPECT_EQ(normal.names, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(normal.matrix[1], exact::Rational(-3) / 100);
}

TEST(Variation, ACovarianceStandsInPlaceOfTheCorrelationsOfTheModel) {
  const SymbolTable symbols =
      symbols_of("A = 4\nB = 10\nC = { value = 1, tolerance = 0.1 }\nD = 1\n[correlations]\n\"A,B\" = 0.9\n\"A,C\" = 0.5\n");
  const Covariance both = parse_covariance({"A,A=4; B,B=1; A,B=1"});
  EXPECT_THROW(static_cast<void>(variation_of(symbols, {.covariance = both})), Error);  // what of A and C?
  StatedVariation stated{.covariance = both};
  stated.tolerances["C"] = Tolerance{exact::Rational(), false};
  const Variation found = variation_of(symbols, stated);
  EXPECT_NEAR(found.cholesky[2], 0.5, 1e-15);
  stated.correlations = {{"A", "B", 0.9}};
  EXPECT_THROW(static_cast<void>(variation_of(symbols, stated)), Error);
  stated.covariance.reset();
  stated.everything = Tolerance{exact::Rational(1) / 10, true};
  stated.correlations = {{"B", "A", 0.2}};
  EXPECT_NEAR(variation_of(symbols, stated).cholesky[3], 0.2, 1e-15);  // in place of 0.9
}

TEST(Variation, RefusesACovarianceThatCannotBe) {
  const SymbolTable symbols = symbols_of("A = 4\nB = 10\nC = 1\nD = \"2*A\"\n");
  const auto refused = [&](const char* entries) {
    try {
      static_cast<void>(variation_of(symbols, {.covariance = parse_covariance({entries})}));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refused("A,A=1; B,B=1; A,B=2").find("the variance of -2*A + B would be -3"), std::string::npos);
  EXPECT_NE(refused("A,A=-1").find("the variance of A would be -1"), std::string::npos);
  EXPECT_NE(refused("A,A=0; B,B=1; A,B=1").find("would be -1"), std::string::npos);
  EXPECT_NE(refused("A,A=1; A,B=1").find("the variance of 'B' is not stated"), std::string::npos);
  EXPECT_NE(refused("A,A=1; A,A=1").find("stated twice"), std::string::npos);
  EXPECT_NE(refused("A,A=1; D,D=1").find("follows from others"), std::string::npos);
  EXPECT_NE(refused("A,A=1; X,X=1").find("no parameter"), std::string::npos);
  EXPECT_NE(refused("A=1").find("no number of two parameters"), std::string::npos);
  EXPECT_EQ(refused("A,A=1; B,B=4; A,B=2"), "");  // singular
}

TEST(VaryingParameter, QuantilesAreThoseOfItsDistribution) {
  for (const Distribution kind :
       {Distribution::uniform, Distribution::triangular, Distribution::normal, Distribution::lognormal}) {
    const VaryingParameter p{"p", 6, 1.5, kind};
    EXPECT_NEAR(p.quantile(0.5), 6, 1e-14) << to_string(kind);
    EXPECT_NEAR(p.of_normal(0.3), p.quantile(std::erfc(-0.3 / std::sqrt(2.0)) / 2), 1e-13) << to_string(kind);
    EXPECT_NEAR(p.of_normal(3),
                kind == Distribution::normal || kind == Distribution::lognormal ? 7.5 : p.quantile(0.99865010196837), 1e-9);
  }
  EXPECT_NEAR((VaryingParameter{"p", 6, 1.5, Distribution::triangular}).quantile(0.125), 5.25, 1e-14);
  EXPECT_NEAR((VaryingParameter{"p", 6, 1.5, Distribution::lognormal}).low(), 6 / 1.25, 1e-14);
}

}  // namespace
}  // namespace sfg
