#pragma once
#include "sfg/draw/scene.hpp"
#include "sfg/plot/plot.hpp"

namespace sfg {

/// The figure as a scene of the kind "plot", which the writers of all formats know.
///
/// Classes: "panel", in it "curves" with a group "curve" a series (data curve, transfer and set where they are stated) and
/// "legend".
Scene figure_scene(const Figure&);

}  // namespace sfg
