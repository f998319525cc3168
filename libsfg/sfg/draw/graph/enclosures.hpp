#pragma once
#include <span>
#include <string>
#include <vector>

#include "sfg/draw/graph/drawing.hpp"
#include "sfg/draw/graph/layout.hpp"
#include "sfg/draw/picture.hpp"
#include "sfg/draw/scene.hpp"

namespace sfg {

/// Nodes of a graph that are drawn as one box, or within a frame.
struct BlockOutline {
  std::string name;
  std::vector<std::string> nodes = {};
  bool closed = false;
};

/// The graph with one node, of its name, in place of each closed enclosure; branches of the same gain between the same ends are
/// one.
SignalFlowGraph with_boxes(const SignalFlowGraph&, std::span<const BlockOutline>);

/// The picture of such a graph: closed enclosures as boxes ("block"; data block), open ones framed ("enclosure"; data block).
Scene enclosed_scene(const Drawing&, std::span<const BlockOutline>, const Highlight& = {});

/// The picture of a graph in which some of its parts are boxes or framed. DOT has the boxes as nodes, and no frames.
/// @throws as picture()
std::string enclosed_picture(const SignalFlowGraph&, std::span<const BlockOutline>, PictureFormat, const PictureOptions& = {});

}  // namespace sfg
