#include "sfg/draw/polar_picture.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace sfg {
namespace {

PolarGraph::Edge edge(const char* name, const char* from, const char* to) {
  PolarGraph::Edge made;
  made.name = name, made.type = "spring", made.from = from, made.to = to;
  return made;
}

/// Where each edge meets the ground, by name, and where it leaves its vertex.
std::map<std::string, std::pair<double, double>> falls(const Scene& scene) {
  std::map<std::string, std::pair<double, double>> made;
  for (const SceneGroup& group : scene.groups)
    if (group.style.starts_with("edge") && !group.data.empty())
      made[group.data.front().second] = {group.shapes.front().points.back().x, group.shapes.front().points.front().x};
  return made;
}

// What hangs from a vertex hangs evenly about it, however long the names are: one edge is a straight line.
TEST(PolarPicture, EdgesToTheReferenceHangEvenlyBelowTheirVertex) {
  PolarGraph graph;
  graph.vertices = {"0", "1", "2"};
  graph.edges = {edge("a", "1", "0"), edge("a_very_long_name", "1", "0"), edge("k", "1", "0"), edge("motor.1", "2", "0"),
                 edge("shaft", "1", "2")};
  const auto at = falls(polar_picture(graph, PolarStage::graph));
  EXPECT_NEAR(at.at("motor.1").first, at.at("motor.1").second, 1e-9);
  EXPECT_NEAR(at.at("a_very_long_name").first, at.at("a").second, 1e-9);
  EXPECT_NEAR(at.at("a_very_long_name").first - at.at("a").first, at.at("k").first - at.at("a_very_long_name").first, 1e-9);
}

}  // namespace
}  // namespace sfg
