#pragma once
#include <string>
#include <utility>
#include <vector>

#include "sfg/draw/graph/drawing.hpp"
#include "sfg/graph/signal_flow_graph.hpp"

namespace sfg {

/// The gains of a graph as labels without a place, by branch; those too large to stand beside a branch, and what occurs in
/// many of them, are named w1, w2, … (equal ones alike) and explained in the legend.
struct GainLabels {
  std::vector<Label> gains;
  std::vector<std::pair<Math, Math>> legend;  ///< name and formula
};

/// @param width  of the picture, which the lines of the legend keep to; 0: as it comes
GainLabels gain_labels(const SignalFlowGraph&, double size, double widest, const std::vector<exact::Rational>& decimals = {},
                       double width = 0);
/// A node's name: set as mathematics where it is a name of the grammar, else as it is.
Label name_label(const std::string& name, double size);
/// The names of all nodes as the field writes them: v(c17) is V with c17.
std::vector<Label> name_labels(const SignalFlowGraph&, double size);

/// Program text with typeset minus signs: for titles.
std::string with_minus_signs(const std::string& text);

}  // namespace sfg
