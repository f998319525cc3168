#include "sfg/derive/multibody/joint_forest.hpp"

#include <algorithm>

namespace sfg {

JointForest joint_forest(const Multibody& model) {
  JointForest result;
  std::vector<bool> reached(model.bodies.size() + 1, false), used(model.joints.size(), false);
  reached[Multibody::frame] = true;
  std::vector<std::size_t> order{Multibody::frame};
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::size_t parent = order[at];
    std::vector<JointForest::Edge> edges;
    for (std::size_t j = 0; j < model.joints.size(); ++j) {
      const auto& places = model.joints[j].places;
      if (model.joints[j].cut) continue;
      if (places[0].body == parent) edges.push_back({j, parent, places[1].body, false});
      if (places[1].body == parent) edges.push_back({j, parent, places[0].body, true});
    }
    std::ranges::stable_sort(edges, {}, &JointForest::Edge::child);
    for (const JointForest::Edge& edge : edges) {
      if (reached[edge.child]) continue;
      reached[edge.child] = used[edge.joint] = true;
      order.push_back(edge.child);
      result.tree.push_back(edge);
    }
  }
  for (std::size_t j = 0; j < model.joints.size(); ++j)
    if (!used[j]) result.cuts.push_back(j);
  std::vector<Diagnostic> problems;
  for (std::size_t i = 1; i < reached.size(); ++i)
    if (!reached[i])
      problems.push_back({model.bodies[i - 1].where,
                          "nothing connects the body '" + model.bodies[i - 1].name + "' with the frame",
                          "add a joint; one of the type free leaves it all its motions"});
  if (!problems.empty()) throw Error(std::move(problems));
  return result;
}

}  // namespace sfg
