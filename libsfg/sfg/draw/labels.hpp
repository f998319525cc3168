#pragma once
#include <string>
#include <utility>
#include <vector>

#include "sfg/draw/drawing.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// The gains of a graph as labels without a place, by branch; those too large to stand beside a branch are named
/// g1, g2, … (equal ones alike) and explained in the legend.
struct GainLabels {
  std::vector<Label> gains;
  std::vector<std::pair<Math, Math>> legend;  ///< name and formula
};

GainLabels gain_labels(const SignalFlowGraph&, double size, double widest);
/// A node's name: set as mathematics where it is a name of the grammar, else as it is.
Label name_label(const std::string& name, double size);

}  // namespace sfg
