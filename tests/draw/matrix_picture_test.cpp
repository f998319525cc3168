#include "sfg/draw/sheets/matrix_picture.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "sfg/derive/derive.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/read/input.hpp"

namespace sfg {
namespace {

std::map<std::string, const SceneGroup*> cells(const Scene& scene) {
  std::map<std::string, const SceneGroup*> found;
  for (const SceneGroup& group : scene.groups)
    if (group.style == "cell") found[group.title] = &group;
  return found;
}

SignalFlowGraph graph_of_text(const char* text) {
  return std::get<SignalFlowGraph>(read(text, InputFormat::dot, "graph.dot").content);
}

TEST(MatrixPicture, OfAGraphItIsOneMinusItsGains) {
  const SignalFlowGraph graph = graph_of_text(
      "digraph { R -> e; e -> C [gain=K]; C -> e [gain=\"-1\"]; C -> C [gain=a]; R -> C [gain=1]; R -> C [gain=2]; }");
  const Scene scene = matrix_picture(return_difference(graph));
  std::set<std::string> titles;
  for (const auto& [title, group] : cells(scene)) titles.insert(title);
  EXPECT_EQ(titles, (std::set<std::string>{"R, R: 1", "e, e: 1", "e, R: −1", "e, C: 1", "C, C: 1 − a", "C, R: −3", "C, e: −K"}))
      << ::testing::PrintToString(titles);
}

TEST(MatrixPicture, ARowStandsOnOneBaseline) {
  const SignalFlowGraph graph = graph_of_text("digraph { a -> b [gain=\"x_1*s^2\"]; c -> b [gain=k]; d -> b [gain=\"-g_q\"]; }");
  const Scene scene = matrix_picture(return_difference(graph));
  std::set<double> baselines;
  for (const auto& [title, group] : cells(scene))
    if (title.starts_with("b, ")) baselines.insert(std::round(10 * group->texts.at(0).label.formula.rows.at(0).y));
  EXPECT_EQ(baselines.size(), 1U) << ::testing::PrintToString(baselines);
}

TEST(MatrixPicture, WhatVanishesHasNoCell) {
  const SignalFlowGraph graph = graph_of_text("digraph { a -> b [gain=K]; a -> b [gain=\"-K\"]; b -> b [gain=1]; }");
  const MatrixTable table = return_difference(graph);
  EXPECT_EQ(table.entries.size(), 1U);
  EXPECT_EQ(cells(matrix_picture(table)).count("a, a: 1"), 1U);
}

TEST(MatrixPicture, AboveTheDiagonalBlocksNothingStandsOrBelow) {
  // Sources first: every entry lies in a diagonal block or below it.
  const SignalFlowGraph graph = graph_of_text("digraph { C -> e [gain=\"-1\"]; e -> C [gain=K]; R -> e; C -> D [gain=2]; }");
  const MatrixTable table = return_difference(graph);
  std::map<std::size_t, std::size_t> block_of;
  for (std::size_t b = 0; b < table.blocks.size(); ++b)
    for (const std::size_t node : table.blocks[b].rows) block_of[node] = b;
  EXPECT_EQ(table.blocks.size(), 3U);
  for (const auto& [place, entry] : table.entries) EXPECT_GE(block_of[place.first], block_of[place.second]);
}

TEST(MatrixPicture, OfAModelItIsTheMatrixOfItsEquations) {
  const Input input = read_file(SFG_SOURCE_DIR "/examples/vehicle.toml");
  const EquationSystem equations = derive(std::get<Model>(input.content));
  const MatrixTable table = operator_matrix(equations);
  EXPECT_EQ(table.entries.size(), 9U);
  for (const auto& [place, entry] : table.entries)
    EXPECT_TRUE(vanishes(entry - equations.D(place.first, place.second))) << place.first << place.second;
  EXPECT_EQ(cells(matrix_picture(table)).count("Z, Z: m*p^2 + 4*h*p + 4*k"), 1U);
}

TEST(MatrixPicture, RedundantCoordinatesHaveColumns) {
  const char* text =
      "[lagrange]\ncoordinates = [\"x\"]\nredundant = [\"y\"]\nT = \"m*Dx^2/2\"\nPi = \"k*(x - y)^2/2\"\n[parameters]\nm = 1\nk "
      "= 2\n";
  const Input input = read(text, InputFormat::toml, "model.toml");
  const MatrixTable table = operator_matrix(derive(std::get<Model>(input.content)));
  EXPECT_EQ(table.columns, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(cells(matrix_picture(table)).count("x, y: −k"), 1U);
}

TEST(MatrixPicture, LargeEntriesAreNamedAndExplained) {
  MatrixTable table{"", "D", "s", {"a"}, {"a"}, {}, {}};
  SymbolTable symbols;
  table.entries[{0, 0}] = parse("aaaa*s^5 + bbbb*s^4 + cccc*s^3 + eeee*s^2 + ffff*s + hhhh", symbols);
  const Scene scene = matrix_picture(table);
  ASSERT_EQ(scene.groups.back().style, "legend");
  EXPECT_EQ(cells(scene).begin()->second->texts.at(0).label.math, Math::name("d1"));
}

TEST(MatrixPicture, ManyNodesShowThePatternAlone) {
  SignalFlowGraph graph;
  for (int i = 0; i < 60; ++i) graph.node("x" + std::to_string(i));
  for (std::uint32_t i = 0; i + 1 < 60; ++i) graph.add_branch(NodeId{i}, NodeId{i + 1}, GiNaC::ex(2));
  const Scene scene = matrix_picture(return_difference(graph));
  EXPECT_EQ(cells(scene).size(), 119U);
  for (const auto& [title, group] : cells(scene)) {
    EXPECT_TRUE(group->texts.empty());
    EXPECT_EQ(group->shapes.at(0).style, "mark");
  }
  EXPECT_LT(scene.width, 1000);
}

TEST(MatrixPicture, NonlinearBranchesAreRefused) {
  const Input input = read_file(SFG_SOURCE_DIR "/examples/saturating_servo.dot");
  EXPECT_THROW(return_difference(std::get<SignalFlowGraph>(input.content)), NoAnswer);
}

}  // namespace
}  // namespace sfg
