#include "sfg/study/measures/measure.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <limits>

#include "sfg/expr/tolerance.hpp"

namespace sfg {
namespace {

SymbolTable symbols_with(std::initializer_list<const char*> names) {
  SymbolTable symbols;
  for (const char* name : names) symbols.symbol(name);
  return symbols;
}

std::string error_of(const std::string& text, const SymbolTable& symbols = {}) {
  try {
    measure_of(text, symbols);
  } catch (const Error& error) {
    return error.diagnostics().front().message;
  }
  return "";
}

TEST(Measure, EveryNameIsRead) {
  for (const char* text : {"dc",
                           "gain@10",
                           "db@0.5",
                           "phase@20",
                           "peak",
                           "peak-frequency",
                           "bandwidth",
                           "gain-margin",
                           "phase-margin",
                           "modulus-margin",
                           "delay-margin",
                           "rise",
                           "settling",
                           "overshoot",
                           "final",
                           "step@2",
                           "abscissa",
                           "damping",
                           "frequency:1",
                           "damping:2",
                           "disk-margin",
                           "dc-error",
                           "gain-crossover",
                           "phase-crossover",
                           "Kp",
                           "Kv",
                           "Ka",
                           "type"}) {
    const Measure measure = measure_of(text, {});
    ASSERT_NE(measure.base(), nullptr) << text;
    EXPECT_EQ(to_string(*measure.base()), text);
  }
  EXPECT_EQ(measure_of("gain@2k", {}).base()->at, 2000);
  EXPECT_EQ(measure_of("gain@1.5e-3", {}).base()->at, 0.0015);
  EXPECT_EQ(measure_of("frequency:3", {}).base()->mode, 3U);
  EXPECT_EQ(measure_of("db@7", {}).unit, "dB");
}

TEST(Measure, HyphensJoinNamesAndSubtractOtherwise) {
  const Measure joined = measure_of("peak-frequency", {});
  EXPECT_EQ(joined.bases.size(), 1U);
  const Measure difference = measure_of("peak - frequency:1", {});
  ASSERT_EQ(difference.bases.size(), 2U);
  EXPECT_TRUE((difference.expression - (difference.symbols[0] - difference.symbols[1])).expand().is_zero());
  EXPECT_EQ(measure_of("gain@1e-3-dc", {}).bases.size(), 2U);
}

TEST(Measure, ParametersStandBesideMeasures) {
  const SymbolTable symbols = symbols_with({"R", "dc"});
  const Measure mixed = measure_of("R*bandwidth^2 - dc/parameter:dc", symbols);
  EXPECT_EQ(mixed.bases.size(), 2U);
  EXPECT_TRUE(mixed.expression.has(symbols.at("R").expr));
  EXPECT_TRUE(mixed.expression.has(symbols.at("dc").expr));
  EXPECT_EQ(measure_of("peak/peak + peak", {}).bases.size(), 1U);  // one measure, asked three times
}

TEST(Measure, AConstantLeavesItsNameToAParameter) {
  const SymbolTable symbols = symbols_with({"Kp", "type"});
  const Measure parameter = measure_of("Kp", symbols), constant = measure_of("constant:Kp", symbols);
  EXPECT_TRUE(parameter.bases.empty());
  EXPECT_TRUE(parameter.expression.is_equal(symbols.at("Kp").expr));
  ASSERT_NE(constant.base(), nullptr);
  EXPECT_EQ(constant.base()->kind, MeasureKind::position_constant);
  EXPECT_EQ(measure_of("Kv + Kp*type", symbols).bases.size(), 1U);
  EXPECT_EQ(measure_of("constant:type", {}).base()->kind, MeasureKind::type);
  EXPECT_EQ(measure_of("dc-error + disk-margin - dc", {}).bases.size(), 3U);
  EXPECT_NE(error_of("constant:dc").find("'dc'"), std::string::npos);
}

TEST(Measure, WhatIsWrongIsQuoted) {
  for (const char* text : {"peek", "gain@", "gain", "dc +* 2", "frequency:0", "frequency:1.5", "gain@-1", "Q", "", "step@x"})
    EXPECT_NE(error_of(text).find("'" + std::string(text) + "'"), std::string::npos) << error_of(text);
}

TEST(Spec, ComparesWithANumber) {
  const Spec spec = spec_of("overshoot <= 5", {});
  EXPECT_EQ(spec.relation, Spec::Relation::less_equal);
  EXPECT_TRUE(spec.met(5));
  EXPECT_FALSE(spec.met(5.1));
  EXPECT_FALSE(spec.met(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_EQ(spec_of("db@1 > -3", {}).value, -3);
  EXPECT_TRUE(spec_of("phase-margin = 45", {}, true).met(45.00001));
  for (const char* text : {"dc <", "dc", "dc = 1", "dc < x", "peek < 3", "< 3"}) EXPECT_THROW(spec_of(text, {}), Error) << text;
}

TEST(Tolerance, RelativeOrAbsolute) {
  EXPECT_EQ(parse_tolerance("5%"), (Tolerance{exact::Rational(1) / 20, true}));
  EXPECT_EQ(parse_tolerance("0.05"), (Tolerance{exact::Rational(1) / 20, true}));
  EXPECT_EQ(parse_tolerance("±2"), (Tolerance{2, false}));
  EXPECT_EQ(parse_tolerance("+-2"), (Tolerance{2, false}));
  EXPECT_EQ(parse_tolerance(to_string(Tolerance{2, false})), (Tolerance{2, false}));
  for (const char* text : {"-5%", "x", "", "±", "5%%"}) EXPECT_THROW(parse_tolerance(text), Error) << text;
  EXPECT_EQ(parse_distribution("lognormal"), Distribution::lognormal);
  EXPECT_THROW(parse_distribution("gaussian"), Error);
}

}  // namespace
}  // namespace sfg
