#pragma once
#include <span>
#include <string>
#include <vector>

#include "sfg/draw/picture.hpp"
#include "sfg/model/mechanism.hpp"

namespace sfg {

/// A mechanism in a pose as the bytes of a file: bodies as links between their joints, what is fixed with hatching, springs,
/// dampers, centres of mass and loads by their usual symbols, names; in space in an axonometric view.
/// @param ghosts  further poses, thin, behind it
/// @throws LimitReached beyond 400 bodies; NoAnswer for DOT, and when the program for PNG or PDF is missing or fails.
std::string mechanism_picture(const Mechanism&, const MechanismPose&, std::span<const MechanismPose> ghosts, PictureFormat,
                              const PictureOptions& = {});

/// The mechanism in motion: one HTML file with a picture, a button, a slider of time and a small script; without scripts, and
/// where the reader prefers less motion, it stands still. Nothing is loaded from elsewhere.
/// @param times  of the poses, ascending, s; at least one
/// @throws std::invalid_argument  where there are not as many poses; LimitReached beyond 400 bodies or 20 MB.
std::string mechanism_animation(const Mechanism&, std::span<const double> times, std::span<const MechanismPose> poses,
                                const PictureOptions& = {});

}  // namespace sfg
