#pragma once
#include <span>
#include <string>

#include "sfg/draw/picture.hpp"
#include "sfg/model/mechanism.hpp"

namespace sfg {

/// A mechanism in a pose: bodies as links between their joints, what is fixed with hatching, springs, dampers, centres of mass
/// and loads by their usual symbols, names; in space in an axonometric view.
///
/// Classes of the scene: "body", "joint", "ground", "spring", "force", "mass", "wheel", "particle", "gravity", each with its name
/// as data of the class. Where the picture is to be no wider than the options say, bodies are drawn smaller before letters are.
/// @param ghosts  further poses, thin, behind it
/// @throws LimitReached beyond 400 bodies.
Scene mechanism_picture(const Mechanism&, const MechanismPose&, std::span<const MechanismPose> ghosts = {},
                        const PictureOptions& = {});

/// The mechanism in motion: one HTML file with a picture, a button, a slider of time and a small script; without scripts, and
/// where the reader prefers less motion, it stands still. Nothing is loaded from elsewhere.
/// @param times  of the poses, ascending, s; at least one
/// @throws std::invalid_argument  where there are not as many poses; LimitReached beyond 400 bodies or 20 MB.
std::string mechanism_animation(const Mechanism&, std::span<const double> times, std::span<const MechanismPose> poses,
                                const PictureOptions& = {});

}  // namespace sfg
