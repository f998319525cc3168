#pragma once
#include <span>
#include <string>

#include "sfg/draw/graph/enclosures.hpp"
#include "sfg/draw/picture.hpp"

namespace sfg {

/// The picture of a graph in which some of its parts are boxes or framed. DOT has the boxes as nodes, and no frames.
/// @throws as picture()
std::string enclosed_picture(const SignalFlowGraph&, std::span<const BlockOutline>, PictureFormat, const PictureOptions& = {});

}  // namespace sfg
