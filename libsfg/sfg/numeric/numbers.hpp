#pragma once
#include <limits>
#include <numbers>

// Not installed: numbers that several rooms name.
namespace sfg {

constexpr double degrees = 180.0 / std::numbers::pi;  ///< of a radian
constexpr double radians_of_degree = std::numbers::pi / 180;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

}  // namespace sfg
