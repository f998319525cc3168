// What a reader sees of structural diagrams: nothing lies on anything, and what is drawn is the graph.
#include "sfg/draw/blocks/block_diagram.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "sfg/ask/subject.hpp"
#include "sfg/derive/derive.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/input.hpp"

namespace sfg {
namespace {

using Kind = SceneShape::Kind;

struct Rectangle {
  double left, top, right, bottom;
  bool meets(const Rectangle& o) const { return left < o.right && o.left < right && top < o.bottom && o.top < bottom; }
  Rectangle grown(double by) const { return {left - by, top - by, right + by, bottom + by}; }
};

struct Piece {
  std::string of;  ///< the line that it belongs to
  Point a, b;
  bool level() const { return std::abs(a.y - b.y) < 1e-6; }
  Rectangle box() const { return {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)}; }
};

/// A picture taken apart.
struct Seen {
  std::vector<Piece> pieces;
  std::vector<Rectangle> blocks, circles, texts;
  std::map<std::string, int> lines, signs, sums, takeoffs, block_of, frames;
  std::map<std::string, std::string> sign_of, title_of;
  bool orthogonal = true;
};

std::string datum(const SceneData& data, const std::string& name) {
  for (const auto& [key, value] : data)
    if (key == name) return value;
  return {};
}

void look(const SceneGroup& group, Seen& seen) {
  if (group.style == "sum") ++seen.sums[datum(group.data, "node")];
  if (group.style == "takeoff") ++seen.takeoffs[datum(group.data, "node")];
  if (group.style == "subsystem") ++seen.frames[datum(group.data, "coordinate")];
  if (group.style.starts_with("block")) {
    ++seen.block_of[datum(group.data, "branch")];
    seen.title_of[datum(group.data, "branch")] = group.title;
  }
  static int wires = 0;
  for (const SceneShape& shape : group.shapes) {
    if (shape.kind == Kind::polyline) {
      const std::string branch = datum(shape.data, "branch");
      if (shape.style.starts_with("line")) ++seen.lines[branch];
      const std::string of = branch.empty() ? "wire " + std::to_string(wires++) : branch;
      for (std::size_t i = 1; i < shape.points.size(); ++i) {
        const Piece piece{of, shape.points[i - 1], shape.points[i]};
        seen.orthogonal = seen.orthogonal && (piece.level() || std::abs(piece.a.x - piece.b.x) < 1e-6);
        seen.pieces.push_back(piece);
      }
    }
    if (shape.kind == Kind::box && shape.style.starts_with("block"))
      seen.blocks.push_back({shape.points[0].x, shape.points[0].y, shape.points[1].x, shape.points[1].y});
    if (shape.kind == Kind::circle && shape.style == "sum")
      seen.circles.push_back(
          Rectangle{shape.points[0].x, shape.points[0].y, shape.points[0].x, shape.points[0].y}.grown(shape.radius));
  }
  for (const SceneText& text : group.texts) {
    const double w = text.label.formula.width / 2 - 0.5, h = text.label.formula.height() / 2 - 0.5;
    const Point at = text.label.centre;
    seen.texts.push_back({at.x - w, at.y - h, at.x + w, at.y + h});
    if (text.style != "sign") continue;
    ++seen.signs[datum(text.data, "branch")];
    seen.sign_of[datum(text.data, "branch")] = text.label.math.text;
  }
  for (const SceneGroup& inner : group.groups) look(inner, seen);
}

Seen look(const Scene& scene) {
  Seen seen;
  for (const SceneGroup& group : scene.groups) look(group, seen);
  return seen;
}

/// Pieces of different lines that run on each other.
std::size_t runs_together(const Seen& seen) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < seen.pieces.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const Piece &p = seen.pieces[i], &q = seen.pieces[k];
      if (p.level() != q.level()) continue;
      const Rectangle a = p.box(), b = q.box();
      const double apart = p.level() ? std::abs(p.a.y - q.a.y) : std::abs(p.a.x - q.a.x);
      const double shared = p.level() ? std::min(a.right, b.right) - std::max(a.left, b.left)
                                      : std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
      count += apart < 3 && shared > 0.5 ? 1 : 0;
    }
  return count;
}

std::size_t overlaps(const std::vector<Rectangle>& boxes) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) count += boxes[i].meets(boxes[k]) ? 1 : 0;
  return count;
}

std::size_t lines_through(const Seen& seen, const std::vector<Rectangle>& boxes) {
  std::size_t count = 0;
  for (const Rectangle& box : boxes)
    for (const Piece& piece : seen.pieces) count += box.grown(-0.5).meets(piece.box().grown(1e-3)) ? 1 : 0;
  return count;
}

void expect_clean(const SignalFlowGraph& graph, const Scene& scene, const std::string& what) {
  SCOPED_TRACE(what);
  const Seen seen = look(scene);
  EXPECT_TRUE(seen.orthogonal);
  EXPECT_EQ(runs_together(seen), 0U);
  EXPECT_EQ(overlaps(seen.blocks), 0U);
  EXPECT_EQ(overlaps(seen.circles), 0U);
  EXPECT_EQ(overlaps(seen.texts), 0U);
  EXPECT_EQ(lines_through(seen, seen.blocks), 0U);
  EXPECT_EQ(lines_through(seen, seen.circles), 0U);
  EXPECT_EQ(lines_through(seen, seen.texts), 0U);
  for (const Rectangle& text : seen.texts) {
    EXPECT_GE(text.left, 0);
    EXPECT_GE(text.top, 0);
    EXPECT_LE(text.right, scene.width);
    EXPECT_LE(text.bottom, scene.height);
  }
  for (const NodeId node : graph.node_ids()) {
    EXPECT_EQ(seen.sums.contains(graph[node].name), graph.entering(node).size() > 1) << graph[node].name;
    EXPECT_EQ(seen.takeoffs.contains(graph[node].name), graph.leaving(node).size() > 1) << graph[node].name;
  }
}

/// Sign × block is the gain of every branch.
void expect_gains(const SignalFlowGraph& graph, const Scene& scene) {
  const Seen seen = look(scene);
  for (const BranchId id : graph.branch_ids()) {
    const Branch& branch = graph[id];
    const std::string key = std::to_string(id.index);
    EXPECT_TRUE(seen.lines.contains(key)) << key;
    EXPECT_EQ(seen.signs.contains(key), graph.entering(branch.to).size() > 1) << key;
    if (!branch.linear()) continue;
    GiNaC::ex shown = 1;
    if (seen.block_of.contains(key)) {
      std::string text = seen.title_of.at(key).substr((graph[branch.from].name + " → " + graph[branch.to].name + ": ").size());
      for (std::size_t at = 0; (at = text.find("−", at)) != std::string::npos;) text.replace(at, std::string("−").size(), "-");
      SymbolTable symbols = graph.symbols;
      shown = parse(text, symbols);
      EXPECT_FALSE(branch.gain().is_equal(1)) << key;
    }
    if (seen.sign_of.contains(key) && seen.sign_of.at(key) != "+") shown = -shown;
    EXPECT_TRUE(vanishes(shown - branch.gain())) << key << ": " << shown << " for " << branch.gain();
  }
}

/// Chains with feedback, bypasses, self-loops, parallel branches and further inputs, as people state them.
SignalFlowGraph random_graph(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
  SignalFlowGraph graph;
  const std::size_t nodes = 2 + below(18);
  for (std::size_t i = 0; i < nodes; ++i) graph.add_node({"x" + std::to_string(i), {}, {}});
  const std::vector<std::string> gains{"1", "-1", "K", "-b1", "1/(s*T + 1)", "-s*h - k", "m*s^2 + h*s + k", "a - b1", "1/s"};
  const auto add = [&](std::uint32_t from, std::uint32_t to) {
    graph.add_branch(NodeId{from}, NodeId{to}, parse(gains[below(gains.size())], graph.symbols));
  };
  graph.op.declare(graph.symbols);
  for (std::uint32_t i = 0; i + 1 < nodes; ++i)
    if (below(8) != 0) add(i, i + 1);
  for (std::size_t i = below(2 * nodes + 1); i > 0; --i) add(below(nodes), below(nodes));
  return graph;
}

TEST(BlockDiagram, NothingLiesOnAnythingInRandomGraphs) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const SignalFlowGraph graph = random_graph(seed);
    const Scene scene = block_diagram(graph);
    expect_clean(graph, scene, "seed " + std::to_string(seed));
    expect_gains(graph, scene);
  }
}

TEST(BlockDiagram, PublishedGraphsAreShownWhole) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SFG_SOURCE_DIR "/graphs")) {
    if (entry.path().extension() != ".dot") continue;
    const Input input = read_file(entry.path().string());
    const auto& graph = std::get<SignalFlowGraph>(input.content);
    const Scene scene = block_diagram(graph);
    expect_clean(graph, scene, entry.path().string());
    expect_gains(graph, scene);
  }
}

TEST(BlockDiagram, CoordinatesHaveRowsWithTheirSumsOneUnderTheOther) {
  const Input input = read_file(SFG_SOURCE_DIR "/examples/vehicle.toml");
  const EquationSystem equations = derive(std::get<Model>(input.content));
  const SignalFlowGraph graph = from_equations(equations).graph;
  BlockDiagramOptions options;
  for (const auto& unknown : equations.unknowns) options.coordinates.push_back(unknown.name);
  const Scene scene = block_diagram(graph, options);
  expect_clean(graph, scene, "vehicle");
  expect_gains(graph, scene);
  std::vector<Rectangle> frames;
  for (const SceneGroup& group : scene.groups)
    if (group.style == "subsystem") {
      const auto& p = group.shapes.at(0).points;
      frames.push_back({p[0].x, p[0].y, p[1].x, p[1].y});
    }
  ASSERT_EQ(frames.size(), 3U);
  EXPECT_EQ(overlaps(frames), 0U);
  for (const Rectangle& frame : frames) {
    EXPECT_EQ(frame.left, frames[0].left);
    EXPECT_EQ(frame.right, frames[0].right);
  }
}

// However near its lines and in however many of them: nothing lies on anything, and sign × block is the gain but for its name.
TEST(BlockDiagram, NarrowOnesOfCoordinatesAreCleanToo) {
  for (const char* name : {"vehicle", "quarter_car", "rotor", "suspension", "coupled_masses", "mass_as_capacitor"}) {
    const Subject subject(read_file(std::string(SFG_SOURCE_DIR "/examples/") + name + ".toml"));
    BlockDiagramOptions options;
    for (const auto& unknown : subject.shortest_equations().unknowns) options.coordinates.push_back(unknown.name);
    for (const double width : {300.0, 508.0, 700.0}) {
      options.width = width;
      const Scene scene = block_diagram(subject.graph(), options);
      expect_clean(subject.graph(), scene, name);
      expect_gains(subject.graph(), scene);
    }
  }
}

// What acts on the rows from the left and what couples them on the right share the height; wheels are in their order.
TEST(BlockDiagram, TheVehicleFitsOnAPageInReadableLetters) {
  const Input input = read_file(SFG_SOURCE_DIR "/examples/vehicle.toml");
  const EquationSystem equations = derive(std::get<Model>(input.content));
  BlockDiagramOptions options;
  for (const auto& unknown : equations.unknowns) options.coordinates.push_back(unknown.name);
  const Scene scene = block_diagram(from_equations(equations).graph, options);
  EXPECT_LT(scene.height, 0.85 * scene.width);
  std::map<std::string, double> height;
  for (const SceneGroup& group : scene.groups)
    if (group.style == "signal") height[datum(group.data, "node")] = group.texts.at(0).label.formula.rows.at(0).y;
  for (const auto& [above, below] : {std::pair("z1", "z2"), {"z2", "z3"}, {"z3", "z4"}})
    EXPECT_LT(height.at(above), height.at(below)) << above;
}

TEST(BlockDiagram, AMinusOfASumIsItsSignAndElsewhereABlock) {
  SignalFlowGraph graph;
  const NodeId r = graph.node("R"), e = graph.node("e"), c = graph.node("C"), d = graph.node("D");
  graph.add_branch(r, e, 1);
  graph.add_branch(e, c, GiNaC::ex(2));
  graph.add_branch(c, e, -1);
  graph.add_branch(c, d, -1);
  const Seen seen = look(block_diagram(graph));
  EXPECT_EQ(seen.block_of, (std::map<std::string, int>{{"1", 1}, {"3", 1}}));
  EXPECT_EQ(seen.sign_of, (std::map<std::string, std::string>{{"0", "+"}, {"2", "−"}}));
}

TEST(BlockDiagram, TheMainLineIsStraight) {
  const Input input = read_file(SFG_SOURCE_DIR "/examples/servo.dot");
  const auto& graph = std::get<SignalFlowGraph>(input.content);
  std::set<double> heights;
  for (const SceneGroup& group : block_diagram(graph).groups)
    if (group.style == "sum") heights.insert(group.shapes.at(0).points.at(0).y);
  EXPECT_EQ(heights.size(), 1U);
}

TEST(BlockDiagram, NonlinearBranchesAreMarkedBlocks) {
  const Input input = read_file(SFG_SOURCE_DIR "/examples/saturating_servo.dot");
  const auto& graph = std::get<SignalFlowGraph>(input.content);
  std::size_t laws = 0, marked = 0;
  for (const Branch& branch : graph.branches()) laws += branch.linear() ? 0 : 1;
  for (const SceneGroup& group : block_diagram(graph).groups) marked += group.style == "block law" ? 1 : 0;
  EXPECT_GT(laws, 0U);
  EXPECT_EQ(marked, laws);
}

TEST(BlockDiagram, NothingAndLonelyNodesHavePictures) {
  SignalFlowGraph graph;
  EXPECT_GT(block_diagram(graph).width, 0);
  graph.node("alone");
  expect_clean(graph, block_diagram(graph), "one node");
  const NodeId loop = graph.node("<&\"'>");
  graph.add_branch(loop, loop, GiNaC::ex(2));
  graph.add_branch(loop, loop, GiNaC::ex(3));
  expect_clean(graph, block_diagram(graph), "self-loops");
}

TEST(BlockDiagram, MoreThanAPictureCanShowIsRefused) {
  SignalFlowGraph graph;
  for (int i = 0; i < 300; ++i) graph.node("x" + std::to_string(i));
  EXPECT_THROW(block_diagram(graph), LimitReached);
}

}  // namespace
}  // namespace sfg
