#include "sfg/expr/dimension.hpp"

#include <gtest/gtest.h>

namespace sfg {
namespace {

Dimension of(const std::string& unit) {
  const auto dimension = dimension_of_unit(unit);
  EXPECT_TRUE(dimension.has_value()) << unit;
  return dimension.value_or(Dimension::base(6));
}

// BIPM, The International System of Units, 9th edition, table 4.
TEST(Dimension, DerivedUnitsOfTheSI) {
  EXPECT_EQ(of("N"), of("kg*m/s^2"));
  EXPECT_EQ(of("J"), of("N*m"));
  EXPECT_EQ(of("W"), of("J/s"));
  EXPECT_EQ(of("Pa"), of("N/m^2"));
  EXPECT_EQ(of("V"), of("W/A"));
  EXPECT_EQ(of("Ohm"), of("V/A"));
  EXPECT_EQ(of("S"), of("1/Ω"));
  EXPECT_EQ(of("F"), of("C/V"));
  EXPECT_EQ(of("Wb"), of("V*s"));
  EXPECT_EQ(of("T"), of("Wb/m^2"));
  EXPECT_EQ(of("H"), of("Wb/A"));
  EXPECT_EQ(of("Hz"), of("1/s"));
}

TEST(Dimension, OneUnitInManySpellings) {
  for (const char* unit : {"kg.m^2", "kg m2", "kg·m²", "kg*m**2", "(kg*m)*m", "kg*m^4/m^2"})
    EXPECT_EQ(of(unit), of("kg*m^2")) << unit;
  for (const char* unit : {"m/s^2", "m/s/s", "m s^-2", "m·s⁻²", "m*s^(-2)", "m/(s*s)"}) EXPECT_EQ(of(unit), of("m/s^2")) << unit;
  EXPECT_EQ(of("N*m/rad"), of("J"));
  EXPECT_EQ(of("V/sqrt(Hz)").power(2), of("V^2*s"));
  EXPECT_EQ(of("m^(1/2)").power(2), of("m"));
}

TEST(Dimension, Prefixes) {
  EXPECT_EQ(of("kOhm"), of("MΩ"));
  EXPECT_EQ(of("µF"), of("uF"));
  EXPECT_EQ(of("mm"), of("km"));
  EXPECT_EQ(of("min"), of("ms"));  // not milli-inches
  EXPECT_EQ(of("Pa"), of("mPa"));  // not peta-years
  EXPECT_EQ(of("rpm"), of("rad/s"));
  for (const char* number : {"rad", "deg", "%", "1", "", "-", "mrad"}) EXPECT_TRUE(of(number).is_number()) << number;
}

TEST(Dimension, WhatIsNoUnit) {
  for (const char* text : {"foo", "N/", "N//m", "m^", "(m", "m)", "2*m", "m^x", "kkg", "N/m+1", "m^(1/0)"})
    EXPECT_FALSE(dimension_of_unit(text).has_value()) << text;
}

TEST(Dimension, TextIsReadBackAsTheSame) {
  for (const char* unit : {"N/m", "N*s/m", "kg*m^2", "J", "V/A", "1/s", "m/N", "kg/s", "m^(1/2)", "A*s", "K", "1", "N*m^2"})
    EXPECT_EQ(of(of(unit).text()), of(unit)) << of(unit).text();
  EXPECT_EQ(of("V/A").text(), "Ohm");
  EXPECT_EQ(of("kg*m/s^2").text(), "N");
}

// BIPM, The International System of Units, 9th edition, tables 7 and 8.
TEST(Dimension, SizesOfUnits) {
  for (const char* one : {"kg", "N*m/rad", "Ohm", "1/s", "m^2/m", "", "mm/mm"}) EXPECT_TRUE(size_of_unit(one).is_one()) << one;
  EXPECT_EQ(size_of_unit("mm").text(), "10^-3");
  EXPECT_EQ(size_of_unit("kN/mm").text(), "10^6");
  EXPECT_EQ(size_of_unit("g*cm^2").text(), "10^-7");
  EXPECT_EQ(size_of_unit("t"), size_of_unit("Mg"));
  EXPECT_EQ(size_of_unit("bar"), size_of_unit("hPa").power(exact::Rational(5) / 2));
  EXPECT_EQ(size_of_unit("km/h").text(), "10^3*60^-2");
  EXPECT_EQ(size_of_unit("rpm"), size_of_unit("rev/min"));
  EXPECT_EQ(size_of_unit("deg").text(), "deg");
}

TEST(Dimension, QuotientOfUnitsInTheirWords) {
  EXPECT_EQ(unit_quotient("m", "N"), "m/N");
  EXPECT_EQ(unit_quotient("rad", "N*m"), "rad/(N*m)");
  EXPECT_EQ(unit_quotient("rad/s", "V"), "rad/(s*V)");
  EXPECT_EQ(unit_quotient("V", "V"), "");
  EXPECT_EQ(unit_quotient("m", "1"), "m");
}

}  // namespace
}  // namespace sfg
