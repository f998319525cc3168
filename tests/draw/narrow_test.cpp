// Pictures that are to be no wider than a column of a journal: arranged otherwise before their letters shrink.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "sfg/ask/subject.hpp"
#include "sfg/draw/blocks/block_diagram.hpp"
#include "sfg/draw/graph/layout.hpp"
#include "sfg/expr/math_tree.hpp"
#include "sfg/read/input.hpp"

namespace sfg {
namespace {

constexpr double column = 508;  // pixels: 84 mm with letters of 8 points

SignalFlowGraph graph_of(const std::string& text) {
  return std::get<SignalFlowGraph>(read(text, InputFormat::dot, "narrow.dot").content);
}

TEST(NarrowPictures, LettersStayWhereAnotherArrangementFits) {
  int graphs = 0, narrow = 0, blocks = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(SFG_SOURCE_DIR) / "graphs")) {
    if (entry.path().extension() != ".dot") continue;
    std::ifstream in(entry.path());
    std::ostringstream text;
    text << in.rdbuf();
    const SignalFlowGraph graph = graph_of(text.str());
    if (graph.nodes().size() > 20) continue;
    ++graphs;
    narrow += std::ceil(layout(graph, {.width = column}).width) <= column;
    blocks += block_diagram(graph, {.width = column}).width <= column;
  }
  std::cout << narrow << " graphs and " << blocks << " structural diagrams of " << graphs << " fit" << std::endl;
  EXPECT_GE(100 * narrow, 95 * graphs);
  EXPECT_GE(100 * blocks, 95 * graphs);
}

TEST(NarrowPictures, ALongLineIsBrokenIntoRows) {
  std::string text = "digraph { input=x0; output=x13;";
  for (int i = 0; i < 13; ++i) text += "x" + std::to_string(i) + "->x" + std::to_string(i + 1) + "[gain=\"g/(s+p)\"];";
  const SignalFlowGraph graph = graph_of(text + "}");
  const Drawing drawing = layout(graph, {.width = column});
  EXPECT_LE(drawing.width, column);
  for (const DrawnBranch& branch : drawing.branches) {
    const Point from = drawing.nodes[graph[branch.id].from.index].at, to = drawing.nodes[graph[branch.id].to.index].at;
    EXPECT_NEAR(branch.curve.front().x, from.x, 1e-6);
    EXPECT_NEAR(branch.curve.front().y, from.y, 1e-6);
    EXPECT_NEAR(branch.curve.back().x, to.x, 1e-6);
    EXPECT_NEAR(branch.curve.back().y, to.y, 1e-6);
  }
  EXPECT_LE(block_diagram(graph, {.width = column}).width, column);
}

// Of a model: closer with gains named, the long rows of elements in lines.
TEST(NarrowPictures, DiagramsOfCoordinatesAreArrangedOtherwise) {
  for (const auto& [name, most] : {std::pair("quarter_car", column),
                                   {"rigid_link", column},
                                   {"rotor", column},
                                   {"double_pendulum", column},
                                   {"coupled_masses", column / 0.9},
                                   {"vehicle", 740.0}}) {
    const Subject subject(read_file(std::string(SFG_SOURCE_DIR "/examples/") + name + ".toml"));
    BlockDiagramOptions options;
    for (const auto& unknown : subject.shortest_equations().unknowns) options.coordinates.push_back(unknown.name);
    EXPECT_GT(block_diagram(subject.graph(), options).width, most) << name;
    options.width = column;
    const Scene scene = block_diagram(subject.graph(), options);
    EXPECT_LE(scene.width, most) << name;
    EXPECT_LE(scene.height, 3 * column) << name;
  }
}

// Names of gains are read more easily than letters of half the size.
TEST(NarrowPictures, LongGainsAreNamedWhereNothingElseFits) {
  const Subject subject(read_file(SFG_SOURCE_DIR "/examples/vehicle.toml"));
  const Drawing wide = layout(subject.graph()), drawing = layout(subject.graph(), {.width = column});
  EXPECT_TRUE(wide.legend.empty());
  EXPECT_FALSE(drawing.legend.empty());
  EXPECT_LE(drawing.width, column / 0.8);
}

TEST(NarrowPictures, LongLinesOfTheLegendAreBroken) {
  std::string sum = "a1";
  for (int i = 2; i < 40; ++i) sum += "+a" + std::to_string(i);
  const Drawing drawing = layout(graph_of("digraph { u -> y [gain=\"sqrt(" + sum + ")*b*(" + sum + ")^2\"]; }"));
  EXPECT_LE(drawing.width, 700);
  std::string said;
  for (const Label& line : drawing.legend) said += (said.empty() ? "" : " ") + write(line.math, Notation::text);
  for (std::size_t at = 2; (at = sum.find('+', at)) != std::string::npos; at += 3) sum.replace(at, 1, " + ");
  EXPECT_EQ(said, "w1 = b*w2^(5/2) w2 = " + sum);
  EXPECT_GT(drawing.legend.size(), 3U);
}

TEST(NarrowPictures, LongNumbersArePowersOfTen) {
  const Drawing drawing = layout(graph_of("digraph { u -> y [gain=\"1e12/(s+1500000000)\"]; }"));
  EXPECT_LE(drawing.width, 250);
  EXPECT_EQ(write(drawing.branches[0].gain.math, Notation::text), "1e12/(s + 1.5e9)");
}

// Sums of fractions with large denominators: no number of forty digits stands for 2/3.
TEST(NarrowPictures, ScalesThatCancelAreTakenOutOfFractions) {
  const std::string long_one = "30000000000000000000001";
  const Drawing drawing = layout(graph_of("digraph { u -> y [gain=\"2e22*p/(" + long_one + "*a-7e22*b)\"]; }"));
  EXPECT_EQ(write(drawing.branches[0].gain.math, Notation::text), "2*p/(3.00000*a - 7*b)");
  const Drawing decimal = layout(graph_of("digraph { u -> y [gain=\"8e-22*p*(" + long_one + "*a-7e22*b)/L\"]; }"));
  EXPECT_EQ(write(decimal.branches[0].gain.math, Notation::text), "8*p*(3.00000*a - 7*b)/L");
}

}  // namespace
}  // namespace sfg
