#include "sfg/model/structure_matrix.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace sfg {
namespace {

using Matrix = std::vector<std::vector<long>>;

nlohmann::json cases() {
  std::ifstream in(std::string(SFG_TEST_DATA) + "/multibody/constraint_cases.json");
  return nlohmann::json::parse(in).at("structure");
}

nlohmann::json listed(const std::vector<Structure::Joint>& joints) {
  nlohmann::json list = nlohmann::json::array();
  for (const Structure::Joint& joint : joints) {
    nlohmann::json entry = nlohmann::json::array();
    entry.push_back(joint.first);
    entry.push_back(joint.second);
    entry.push_back(joint.code);
    list.push_back(entry);
  }
  return list;
}

std::string name(Structure::Mistake::Kind kind) {
  static const char* names[] = {"not_square", "diagonal", "different_codes", "unknown_code", "no_base_body", "disconnected"};
  return names[static_cast<int>(kind)];
}

TEST(StructureMatrix, TreesCutJointsAndLoopsAreThoseOfTheReference) {
  int seen = 0;
  const nlohmann::json all = cases();
  for (const auto& [title, item] : all.items()) {
    const auto& expect = item.at("expect");
    const Structure found = structure(item.at("MS").get<Matrix>());
    ++seen;
    if (expect.contains("error")) {
      ASSERT_EQ(found.mistakes.size(), 1U) << title;
      EXPECT_EQ(name(found.mistakes[0].kind), expect.at("error")) << title;
      if (expect.contains("at")) {
        EXPECT_EQ(found.mistakes[0].row, expect.at("at")[0].get<std::size_t>()) << title;
        EXPECT_EQ(found.mistakes[0].column, expect.at("at")[1].get<std::size_t>()) << title;
      }
      EXPECT_FALSE(found.mistakes[0].hint.empty()) << title;
      continue;
    }
    ASSERT_TRUE(found.mistakes.empty()) << title << ": " << found.mistakes[0].message;
    EXPECT_EQ(nlohmann::json(found.bases), expect.at("base")) << title;
    for (const auto& [body, predecessor] : expect.at("pr").items())
      EXPECT_EQ(found.predecessor[std::stoul(body) - 1], predecessor.get<std::size_t>()) << title << ", body " << body;
    EXPECT_EQ(listed(found.tree_joints), expect.at("tree_joints")) << title;
    EXPECT_EQ(listed(found.cut_joints), expect.at("cut_joints")) << title;
    EXPECT_EQ(found.loops(), expect.at("loops").get<std::size_t>()) << title;
  }
  EXPECT_EQ(seen, 10);
}

TEST(StructureMatrix, LoopsAreJointsMinusBodiesPlusTrees) {
  const nlohmann::json all = cases();
  for (const auto& [title, item] : all.items()) {
    if (item.at("expect").contains("error")) continue;
    const Structure found = structure(item.at("MS").get<Matrix>());
    const std::size_t joints = found.tree_joints.size() + found.cut_joints.size();
    EXPECT_EQ(found.loops(), joints + found.bases.size() - found.predecessor.size()) << title;
  }
}

TEST(StructureMatrix, EveryMistakeIsNamedAtOnce) {
  const Structure found = structure({{0, 12, 0}, {0, 3, 1}, {0, 2, 0}});
  ASSERT_EQ(found.mistakes.size(), 2U);
  EXPECT_EQ(found.mistakes[0].message, "the code 12 in row 1, column 2 of the structure matrix is none");
  EXPECT_EQ(found.mistakes[1].message, "a joint of body 2 with itself (row 2, column 2 of the structure matrix)");
  EXPECT_TRUE(found.tree_joints.empty());
}

TEST(StructureMatrix, BodiesThatNoBaseReachesAreNamed) {
  const Structure found = structure({{0, 1, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 1, 0}});
  ASSERT_EQ(found.mistakes.size(), 2U);
  EXPECT_EQ(name(found.mistakes[0].kind), "disconnected");
  EXPECT_EQ(found.mistakes[0].column, 3U);
  EXPECT_EQ(found.mistakes[1].column, 4U);
}

TEST(StructureMatrix, RowsOfOtherLengthsAreRefused) {
  const Structure found = structure({{0, 1}, {0}});
  ASSERT_EQ(found.mistakes.size(), 1U);
  EXPECT_EQ(name(found.mistakes[0].kind), "not_square");
  EXPECT_EQ(found.mistakes[0].row, 2U);
}

TEST(JointKinds, CodesNamesAndCoordinates) {
  EXPECT_EQ(joint_kind(8), Multibody::JointKind::revolute_between_bodies);
  EXPECT_EQ(joint_kind_named("revolute"), Multibody::JointKind::revolute);
  EXPECT_EQ(joint_kind_named("free"), Multibody::JointKind::free);
  EXPECT_FALSE(joint_kind(0));
  EXPECT_FALSE(joint_kind(10));
  EXPECT_EQ(coordinate_count(Multibody::JointKind::free, true), 3U);
  EXPECT_EQ(coordinate_count(Multibody::JointKind::free, false), 7U);
  EXPECT_EQ(speed_count(Multibody::JointKind::free, false), 6U);
}

}  // namespace
}  // namespace sfg
