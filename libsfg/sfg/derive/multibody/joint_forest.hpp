#pragma once
#include <cstddef>
#include <vector>

#include "sfg/model/multibody.hpp"

namespace sfg {

/// The joints of a model as a spanning forest of its bodies and what closes the loops.
struct JointForest {
  /// A tree joint, from the body nearer to the frame.
  struct Edge {
    std::size_t joint;  ///< number
    std::size_t parent, child;
    bool reversed;  ///< the child is the first body of the joint
  };
  std::vector<Edge> tree;         ///< in the order of the search: parents before children
  std::vector<std::size_t> cuts;  ///< numbers of joints
};

/// Breadth-first search from the frame, bodies of the smallest numbers first; joints stated as cut are never in the tree.
/// @throws sfg::Error with every body that nothing connects with the frame.
JointForest joint_forest(const Multibody&);

}  // namespace sfg
