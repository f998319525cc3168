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
  for (const char* unit : {"kg*m^2", "N*s/m", "N*m/rad", "m/s^2", "1/s", "kg*m^2/s^3", "A^-1", "V*s", "m^10", "Ohm", "kOhm",
                           "ohm/m", "uF", "us^2"}) {
    ASSERT_TRUE(dimension_of_unit(unit)) << unit;
    EXPECT_EQ(dimension_of_unit(unit_text(unit)), dimension_of_unit(unit)) << unit;
  }
}

/// Every word of up to three letters that the reader takes behind u is set with µ, and no other.
TEST(UnitText, TheMillionthHasItsSign) {
  const auto letter = [](int k) { return static_cast<char>(k < 26 ? 'a' + k : 'A' + k - 26); };
  int taken = 0;
  for (int k = 0; k < 53 * 53 * 52; ++k) {
    std::string word(1, letter(k % 52));
    for (int rest = k / 52; rest > 0 && word.size() < 3; rest /= 53)
      if (rest % 53 > 0) word += letter(rest % 53 - 1);
    if (word == "Ohm" || word == "ohm") continue;
    const std::string written = "u" + word;
    const bool known = dimension_of_unit(written).has_value();
    ASSERT_EQ(unit_text(written), known ? "µ" + word : written);
    taken += known ? 1 : 0;
  }
  EXPECT_GT(taken, 30);
}

}  // namespace
}  // namespace sfg
