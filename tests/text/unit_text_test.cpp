#include "sfg/text/unit_text.hpp"

#include <gtest/gtest.h>

#include <string>

#include "sfg/expr/dimension.hpp"

namespace sfg {
namespace {

TEST(UnitText, FactorsStandApartAndExponentsAreRaised) {
  for (const auto& [written, set] : {std::pair{"kg*m^2", "kg m²"},
                                     {"N*s/m", "N s/m"},
                                     {"N·m/rad", "N m/rad"},
                                     {"kg.m^2", "kg m²"},
                                     {"m s^-2", "m s⁻²"},
                                     {"m/s**2", "m/s²"},
                                     {"m^12", "m¹²"},
                                     {"V/sqrt(Hz)", "V/sqrt(Hz)"},
                                     {"1.5 m", "1.5 m"},
                                     {"m^0.5", "m^0.5"},
                                     {"", ""},
                                     {"%", "%"},
                                     {"N * m", "N m"},
                                     {"µF", "µF"},
                                     {"Ohm", "Ω"},
                                     {"kohm", "kΩ"},
                                     {"uOhm*m", "µΩ m"},
                                     {"V/Ohm^2", "V/Ω²"},
                                     {"nohm", "nΩ"},
                                     {"Bohm", "Bohm"},
                                     {"Ohmmeter", "Ohmmeter"},
                                     {"uF", "µF"},
                                     {"us", "µs"},
                                     {"user", "user"}})
    EXPECT_EQ(unit_text(written), set) << written;
}

TEST(UnitText, IsTheSameUnit) {
  for (const char* unit : {"kg*m^2", "N*s/m", "N*m/rad", "m/s^2", "1/s", "kg*m^2/s^3", "A^-1", "V*s", "m^10", "Ohm", "kOhm", "ohm/m", "uF", "us^2"})
    EXPECT_EQ(dimension_of_unit(unit_text(unit)), dimension_of_unit(unit)) << unit;
}

}  // namespace
}  // namespace sfg
