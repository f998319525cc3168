#pragma once
#include <string>

#include "sfg/expr/symbol_table.hpp"

namespace sfg {

// Slopes of a law at an operating point that the field has names for, gm and rp of a triode: parameters without a value, whose
// text says what they become where the law is linearised.

inline std::string meaning_of_slope(const std::string& law, const std::string& signal) {
  return "slope of " + law + " by " + signal;
}
inline std::string meaning_of_resistance(const std::string& law, const std::string& signal) {
  return "1/(slope of " + law + " by " + signal + ")";
}

}  // namespace sfg
