#include "sfg/graph/polar_graph.hpp"

#include <algorithm>

namespace sfg {

bool PolarGraph::star() const {
  return std::ranges::all_of(tree, [&](std::size_t i) { return edges[i].from == "0" || edges[i].to == "0"; });
}

}  // namespace sfg
