#pragma once
#include <string>
#include <string_view>

namespace sfg {

/// A unit as it is printed: a space between factors, exponents raised. "kg*m^2" is kg m², "N*s/m" N s/m,
/// "kOhm" kΩ, "uF" µF. What is no unit stays.
std::string unit_text(std::string_view);

}  // namespace sfg
