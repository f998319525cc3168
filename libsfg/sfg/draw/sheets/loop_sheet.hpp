#pragma once
#include <cstddef>
#include <span>

#include "sfg/budget.hpp"
#include "sfg/draw/scene.hpp"
#include "sfg/transfer/mason.hpp"

namespace sfg {

struct LoopSheetOptions {
  double picture_width = 330;  ///< of one small picture, pixels; its text keeps a readable size
  double sheet_width = 1100;   ///< as many pictures side by side as that allows
  std::size_t most_pictures = 300;
  Budget budget = {};
};

/// A sheet of small pictures of the graph: one a forward path of each listing, one a loop, one a set of non-touching loops, with
/// what they run through highlighted; numbered and ordered as the listings are. The listings are of one graph.
///
/// Classes of the scene: "tile" with data path, loop or set ("1,3") and, of a path, transfer ("OUT/IN"); inside it the groups
/// of graph_groups().
/// @throws LimitReached when there are more pictures than allowed, a listing is truncated or the graph has no layout().
Scene loop_sheet(const SignalFlowGraph&, std::span<const MasonListing>, const LoopSheetOptions& = {});

}  // namespace sfg
