#pragma once
#include "sfg/draw/graph/layout.hpp"
#include "sfg/draw/scene.hpp"
#include "sfg/draw/theme.hpp"

namespace sfg {

/// The groups of a drawn graph: one a branch ("branch", of feedback "branch back", of a law "branch law"; data from, to,
/// branch) with its course, head and gain, one a node ("node"; data node), one the number of a loop ("number"; data loop), then
/// the legend. What is highlighted has the class "on".
std::vector<SceneGroup> graph_groups(const Drawing&, const Highlight& = {}, const HouseStyle* = nullptr);

/// The whole picture of a drawn graph.
Scene graph_scene(const Drawing&, const Highlight& = {}, const HouseStyle* = nullptr);

}  // namespace sfg
