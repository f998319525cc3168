#pragma once
#include <cstdint>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/draw/graph/sketch.hpp"

namespace sfg {

/// A graph on layers from left to right (Sugiyama, Tagawa and Toda 1981): every branch is a chain of items, one on each
/// layer from its left end to its right one.
struct LayeredGraph {
  using Index = std::uint32_t;
  enum class Kind : std::uint8_t {
    node,
    pass,   ///< a branch on its way through a layer of nodes
    label,  ///< a branch on a layer between nodes, where gains and arrow heads stand
  };
  struct Item {
    Kind kind = Kind::node;
    Index layer = 0;
    Index place = 0;  ///< in its layer, from the top
    bool spine = false;
    double above = 0, below = 0;  ///< room that it needs, in pixels
  };

  std::vector<Item> items;                 ///< first the nodes, in their order
  std::vector<std::vector<Index>> layers;  ///< items from top to bottom
  std::vector<std::vector<Index>> left;    ///< by item: its neighbours on the layer before
  std::vector<std::vector<Index>> right;   ///< by item: its neighbours on the layer behind
  std::vector<std::vector<Index>>
      chains;                  ///< by branch, from its left end to its right one; empty for self-loops and within a layer
  std::vector<bool> reversed;  ///< by branch: its tail is the right end
  std::vector<bool> on_spine;  ///< by branch

  void renumber();  ///< the places, by `layers`
};

/// The graph on layers, in a first order: forward paths run to the right; what the flow calls feedback runs to the left;
/// short chains; the spine is the longest forward path from a stated input to a stated output.
LayeredGraph layered_graph(const SignalFlowGraph&, const Flow&);

/// Orders the layers so that few chains cross: barycentres and exchanges of neighbours from several starts, `effort`
/// visits of an item in all. Returns the number of crossings.
std::size_t reduce_crossings(LayeredGraph&, double effort, const Budget&);

/// Sources that lead to the same nodes from one layer change places, and their chains with them, until they stand in order.
void order_sources(LayeredGraph&, const SignalFlowGraph&);

/// Adds a layer for gains and arrow heads between each two layers of nodes, without a further crossing; two in the gaps
/// of `breaks`: the end of a row and the beginning of the next.
void add_label_layers(LayeredGraph&, const std::vector<bool>& breaks);

/// Heights (y downwards) of the items, by Brandes and Köpf ("Fast and simple horizontal coordinate assignment", 2001): the
/// spine on a straight line at 0, long chains straight, neighbours apart by their room.
std::vector<double> heights(const LayeredGraph&, const Budget&);

}  // namespace sfg
