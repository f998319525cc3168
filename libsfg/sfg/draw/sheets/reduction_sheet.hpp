#pragma once
#include <string>
#include <vector>

#include "sfg/draw/graph/layout.hpp"
#include "sfg/draw/scene.hpp"
#include "sfg/transfer/reduce.hpp"

// Not installed: a reduction as a sequence of pictures.
namespace sfg {

/// The graph as it stands after some of the steps.
struct ReductionStage {
  std::size_t step = 0;  ///< as many were done; 0: the graph before
  SignalFlowGraph graph;
  std::vector<Caption> done = {};  ///< since the stage before, in words: "without e, i", "the self-loop of x absorbed"
};

/// The graph after each of a few steps, the last one always; stages of which a picture would show nothing are left out.
std::vector<ReductionStage> reduction_stages(const Reduction&);
/// "After step 2 of 5: without e, i".
Caption caption(const ReductionStage&, const Reduction&);

/// The graph before and these stages, one under the other, each below what was done.
///
/// Classes of the scene: "stage" (data step), in it the groups of graph_groups().
/// @param options  of every picture; a stage that cannot be laid out is left out
/// @throws LimitReached when the graph before has no layout()
Scene reduction_sheet(const Reduction&, const LayoutOptions& options = {});

}  // namespace sfg
