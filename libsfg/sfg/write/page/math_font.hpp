#pragma once
#include <string>

// Not installed: the letters of formulas in pages.
namespace sfg {

/// `@font-face` of the family 'SFG Math', a subset of STIX Math, its data within.
std::string math_font_face();

}  // namespace sfg
