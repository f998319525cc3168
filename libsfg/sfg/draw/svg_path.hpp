#pragma once
#include <string>

#include "sfg/draw/scene.hpp"

// Not installed: numbers and paths as SVG has them, also for what changes in an animation.
namespace sfg {

/// A length with a tenth of a pixel; same bytes on every machine and in every locale.
std::string rounded_to_tenths(double);

/// The `d` of a path of lines or curves.
std::string svg_path(const SceneShape&);

}  // namespace sfg
