#pragma once
#include <cmath>
#include <complex>
#include <numbers>

#include "sfg/plot/plot.hpp"

// Not installed: the complex plane, of s and of z.
namespace sfg {

/// What a frequency in rad/s is divided by.
constexpr double per_hertz = 2 * std::numbers::pi;

/// With axes through 0 and one scale, in rad/s or Hz.
Panel plane(bool hertz = false);
/// Makes it the plane of z.
void make_discrete(Panel&);
void add_unit_circle(Panel&);
/// The distance of the furthest point from the origin.
double reach_of(const Panel&);

/// Number of the colour of what is marked on a curve: that of the curve, the second one where there is one curve alone.
inline std::size_t colour_of_marks(std::size_t index, std::size_t count) { return count == 1 ? 1 : index; }
inline bool is_finite(std::complex<double> z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); }

}  // namespace sfg
