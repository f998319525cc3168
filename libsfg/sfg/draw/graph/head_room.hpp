#pragma once
#include <cstddef>
#include <vector>

#include "sfg/draw/graph/drawing.hpp"

namespace sfg {

/// An arrow head that lies on a bend looks like a kink: up to so many degrees along it and half a head beyond nobody sees.
inline constexpr double straight_enough = 11;

/// By how many degrees a course, as samples with equal steps, turns along a head at this sample and half a head beyond.
double bend(const std::vector<Point>& samples, std::size_t at);
/// The least of it, away from the ends: what a head in the best place would lie on.
double least_bend(const std::vector<Point>& samples);

}  // namespace sfg
