#pragma once
#include "sfg/budget.hpp"
#include "sfg/graph/polar_graph.hpp"
#include "sfg/model/polar_network.hpp"

namespace sfg {

/// Between the variables of an edge: through_factor · through = across_factor · across, polynomials in the operator.
struct EdgeRelation {
  GiNaC::ex across_factor = 0;
  GiNaC::ex through_factor = 1;
};
/// Of a linear one-port in its domain: f = (c p) x of a damper, R i = v of a resistor.
EdgeRelation edge_relation(const PolarNetwork&, const PolarGraph::Edge&, Domain);

/// The polar graph of a network and its Lagrange tree: sources of motion, then masses, then what is needed of linear elements to
/// reach every vertex, those first whose force grows fastest with frequency, so that as few loops as possible are algebraic.
/// Of a two-port of transformer kind exactly one port is in the tree, of one of gyrator kind both or none.
/// @throws sfg::Error with the place: motions that contradict each other, vertices that only nonlinear elements and sources of
///         force hold, coupled elements without a tree. LimitReached when very many coupled elements leave none found.
PolarGraph lagrange_tree(const PolarNetwork&, const Budget& = {});

}  // namespace sfg
