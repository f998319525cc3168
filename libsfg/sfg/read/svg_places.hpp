#pragma once
#include <string>
#include <string_view>

#include "sfg/graph/places.hpp"

namespace sfg {

/// The places of nodes and branches in an SVG that `sfg draw` wrote of a signal-flow graph, whatever its theme.
/// @throws Error  where the text is no such SVG.
Places read_svg_places(std::string_view text, std::string file);

}  // namespace sfg
