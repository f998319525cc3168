#pragma once
#include <boost/graph/adjacency_list.hpp>
#include <vector>

#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// The branches at a node, in the order they were added.
struct Incidence {
  std::vector<BranchId> leaving = {};
  std::vector<BranchId> entering = {};
};

/// What a signal-flow graph is made of: vertex i is the node of index i, an edge knows the branch that it is. For algorithms of
/// Boost.Graph: `boost::strong_components(graph.topology(), …)`. Parallel branches are parallel edges.
struct Topology : boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Incidence, BranchId> {};

}  // namespace sfg
