#pragma once

namespace sfg {

/// From now on whatever read_dot() reads is read by Graphviz's cgraph, too, and both must have found the same nodes, edges and
/// attributes in the same order: a difference is a fault of ours (std::logic_error). Of the library sfg::graphviz, which links
/// cgraph (EPL-1.0).
void check_dot_with_cgraph();

}  // namespace sfg
