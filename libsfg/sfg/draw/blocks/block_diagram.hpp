#pragma once
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/draw/scene.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

struct BlockDiagramOptions {
  std::vector<std::string> coordinates = {};  ///< of a model: each has a row of its own, framed as a subsystem
  double text_size = 17;
  double width = 0;                            ///< the picture is to be no wider, in pixels; 0: as wide as it comes
  double widest_gain = 240;                    ///< a gain wider than this gets a name and a line under the picture
  std::vector<exact::Rational> decimals = {};  ///< that were typed in the gains: they stay
  Budget budget = {};
};

/// The graph as a structural diagram in the manner of Augustaitis, Gičan, Šešok, Iljin (2011, Figs. 1 and 3): a circle where
/// signals add, with the sign of each; a block for every gain but 1 (of −1 into a sum the sign is enough), so that sign × block
/// is the gain; a dot where a signal goes several ways; horizontal and vertical lines, of which no two lie on each other and
/// none meets a block or a name. Inputs left, outputs right, feedback below its row.
///
/// Classes of the scene: "sum", "takeoff", "signal" (data node), "block", "line" (data branch), "sign" (data branch),
/// "subsystem" (data coordinate).
/// @throws LimitReached beyond 250 nodes or 600 branches, and by the budget.
Scene block_diagram(const SignalFlowGraph&, const BlockDiagramOptions& = {});

}  // namespace sfg
