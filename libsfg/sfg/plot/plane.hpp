#pragma once
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

}  // namespace sfg
