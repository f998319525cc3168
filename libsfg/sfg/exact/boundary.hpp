#pragma once

namespace sfg::exact {

/// Where stability ends: the axis of roots in s, the circle of roots in z.
enum class Boundary { imaginary_axis, unit_circle };

}  // namespace sfg::exact
