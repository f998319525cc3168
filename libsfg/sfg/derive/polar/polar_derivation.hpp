#pragma once
#include <optional>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/graph/polar_graph.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/equations.hpp"
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

/// From a polar graph to a signal-flow graph, stage by stage: tree and chords, the skeleton of the elements alone, the closing
/// branches ±1 of the laws of circuits and vertices, and the equations whose graph is these branches and no others.
///
/// Signals of the graph: x(NODE), f(ELEMENT) of a mass and of any edge of the tree from NODE to the reference, x(ELEMENT),
/// f(ELEMENT) of the others, v in the place of x where the across variable is no displacement; the name of a source for what it
/// prescribes. With n masses and q chords these are 2n + 2q nodes.
/// Through variables are positive when they are taken from the first node of an element; that of a source when it is given to it.
struct PolarDerivation {
  struct Branch {
    std::string from, to;
    GiNaC::ex gain = 1;
    bool law = false;  ///< the gain is that of a nonlinear branch, an expression of u, v and t
  };

  PolarGraph graph;
  /// By edge, the signals that stand for its variables; of a source what it prescribes stands under its name, and the other
  /// variable, which is no node of the graph, under that of a definition.
  std::vector<std::string> across, through;
  std::vector<Branch> skeleton;  ///< of single elements: a compliance for each edge of the tree, a stiffness for each chord
  std::vector<Branch> closing;   ///< ±1
  EquationSystem equations;
  /// The linear part in closed form, D(p) = diag(m) p² + Σ (c p + k) b bᵀ over the across variables of the tree's edges; nothing
  /// where elements are coupled, which is no graph of the first category.
  std::optional<EquationSystem> closed_form;
  std::vector<Diagnostic> notes;

  /// The equations in as few unknowns as there are: the closed form, or all of them.
  const EquationSystem& shortest() const { return closed_form ? *closed_form : equations; }
};

/// The skeleton as a graph of its own: what the elements say before any law of circuits and vertices joins them.
SignalFlowGraph skeleton_graph(const PolarDerivation&);

/// @throws sfg::Error as lagrange_tree() does.
PolarDerivation polar_derivation(const PolarNetwork&, const Budget& = {});

}  // namespace sfg
