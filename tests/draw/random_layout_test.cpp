// Drawings of random graphs: what no reader accepts does not occur. Everything is measured on the drawing as it comes out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "sfg/draw/graph/layout.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/exercise.hpp"

namespace sfg {
namespace {

struct Box {
  double left, top, right, bottom;
  Box shrunk(double d) const { return {left + d, top + d, right - d, bottom - d}; }
  bool meets(const Box& o, double least) const {
    return std::min(right, o.right) - std::max(left, o.left) > least && std::min(bottom, o.bottom) - std::max(top, o.top) > least;
  }
  bool holds(Point p) const { return p.x > left && p.x < right && p.y > top && p.y < bottom; }
  double away(Point p) const {
    return std::hypot(std::max({left - p.x, 0.0, p.x - right}), std::max({top - p.y, 0.0, p.y - bottom}));
  }
};

double away(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// How far letters of a Times face rise above the line and reach below it, in their size.
double rise(const std::string& text) { return text.find_first_not_of("acemnorsuvwxz") == std::string::npos ? 0.45 : 0.67; }
double reach(const std::string& text) { return text.find_first_of("gjpqy()") == std::string::npos ? 0.01 : 0.2; }

/// Boxes of the runs of a label; the width of a row is shared out by characters and sizes.
std::vector<Box> boxes(const Label& label) {
  std::vector<Box> all;
  for (const TextRow& row : label.formula.rows) {
    double sum = 0, left = row.x - row.width / 2;
    const auto share = [](const TextRun& run) { return run.before + 0.5 * run.size * static_cast<double>(run.text.size()); };
    for (const TextRun& run : row.runs) sum += share(run);
    for (const TextRun& run : row.runs) {
      const double right = left + row.width * share(run) / sum;
      all.push_back({left + run.before, row.y - run.raise - rise(run.text) * run.size, right,
                     row.y - run.raise + reach(run.text) * run.size});
      left = right;
    }
  }
  return all;
}

std::vector<Point> course(const DrawnBranch& branch) {
  std::vector<Point> points{branch.curve.front()};
  for (std::size_t span = 0; 3 * span + 3 < branch.curve.size(); ++span) {
    const Point* p = &branch.curve[3 * span];
    for (int i = 1; i <= 24; ++i) {
      const double t = i / 24.0, u = 1 - t, a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
      points.push_back({a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x, a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y});
    }
  }
  return points;
}

double away(Point p, Point a, Point b) {
  const double x = b.x - a.x, y = b.y - a.y, n = x * x + y * y;
  const double t = n == 0 ? 0 : std::clamp(((p.x - a.x) * x + (p.y - a.y) * y) / n, 0.0, 1.0);
  return away(p, {a.x + t * x, a.y + t * y});
}
double away(Point p, const std::vector<Point>& line) {
  double least = 1e9;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) least = std::min(least, away(p, line[i], line[i + 1]));
  return least;
}
/// Length of the course inside of a box.
double inside(const std::vector<Point>& line, const Box& box) {
  double length = 0;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    constexpr int pieces = 8;
    const Point a = line[i], b = line[i + 1];
    for (int k = 0; k < pieces; ++k) {
      const double t = (k + 0.5) / pieces;
      if (box.holds({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)})) length += away(a, b) / pieces;
    }
  }
  return length;
}
bool cross(Point p, Point q, Point a, Point b, Point& at) {
  const double d = (q.x - p.x) * (b.y - a.y) - (q.y - p.y) * (b.x - a.x);
  if (std::abs(d) < 1e-9) return false;
  const double t = ((a.x - p.x) * (b.y - a.y) - (a.y - p.y) * (b.x - a.x)) / d;
  const double u = ((a.x - p.x) * (q.y - p.y) - (a.y - p.y) * (q.x - p.x)) / d;
  at = {p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)};
  return t >= 0 && t < 1 && u >= 0 && u < 1;
}

/// What is wrong with a drawing, by kind.
class Faults {
 public:
  Faults(const SignalFlowGraph& graph, const Drawing& drawing) : graph_(graph), drawing_(drawing) {
    for (const DrawnBranch& branch : drawing.branches) courses_.push_back(course(branch));
    for (const DrawnNode& node : drawing.nodes) labels_.emplace_back(boxes(node.name), npos);
    for (std::size_t i = 0; i < drawing.branches.size(); ++i) labels_.emplace_back(boxes(drawing.branches[i].gain), i);
    for (const Label& line : drawing.legend) labels_.emplace_back(boxes(line), npos);
    of_labels();
    of_nodes();
    of_branches();
  }
  const std::map<std::string, int>& hard() const { return hard_; }
  int crossings() const { return crossings_; }

 private:
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  void of_labels() {
    constexpr double bearing = 1.6;  // white at the ends of a row, which its width includes
    for (std::size_t i = 0; i < labels_.size(); ++i)
      for (const Box& box : labels_[i].first) {
        for (std::size_t k = 0; k < i; ++k)
          for (const Box& other : labels_[k].first) hard_["label on label"] += box.meets(other, bearing) ? 1 : 0;
        for (const DrawnNode& node : drawing_.nodes) hard_["label on node"] += box.away(node.at) < drawing_.node_radius ? 1 : 0;
        for (std::size_t b = 0; b < courses_.size(); ++b)
          if (b != labels_[i].second) hard_["label on a foreign branch"] += inside(courses_[b], box.shrunk(0.6)) > 1 ? 1 : 0;
        hard_["text outside"] +=
            box.left < -0.5 || box.top < -0.5 || box.right > drawing_.width + 0.5 || box.bottom > drawing_.height + 0.5;
      }
  }
  void of_nodes() {
    for (std::size_t i = 0; i < drawing_.nodes.size(); ++i) {
      const DrawnNode& node = drawing_.nodes[i];
      for (std::size_t k = 0; k < i; ++k)
        hard_["node on node"] += away(node.at, drawing_.nodes[k].at) < 2 * drawing_.node_radius + 1 ? 1 : 0;
      for (std::size_t b = 0; b < courses_.size(); ++b) {
        const Branch& branch = graph_[drawing_.branches[b].id];
        if (branch.from != node.id && branch.to != node.id)
          hard_["branch through a foreign node"] += away(node.at, courses_[b]) < drawing_.node_radius + 0.8 ? 1 : 0;
      }
    }
  }
  std::vector<Point> shared_ends(std::size_t a, std::size_t b) const {
    const Branch &one = graph_[drawing_.branches[a].id], &other = graph_[drawing_.branches[b].id];
    std::vector<Point> points;
    for (const DrawnNode& node : drawing_.nodes)
      if ((node.id == one.from || node.id == one.to) && (node.id == other.from || node.id == other.to)) points.push_back(node.at);
    return points;
  }
  void of_branches() {
    for (std::size_t a = 0; a < courses_.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const std::vector<Point> shared = shared_ends(a, b);
        const auto near_end = [&](Point p, double reach) {
          return std::ranges::any_of(shared, [&](Point s) { return away(p, s) < reach; });
        };
        double together = 0;
        std::vector<Point> seen;
        for (std::size_t i = 0; i + 1 < courses_[a].size(); ++i) {
          const Point p = courses_[a][i], q = courses_[a][i + 1], middle{(p.x + q.x) / 2, (p.y + q.y) / 2};
          if (!near_end(middle, 22) && away(middle, courses_[b]) < 1.9) together += away(p, q);
          for (std::size_t k = 0; k + 1 < courses_[b].size(); ++k) {
            Point at;
            if (!cross(p, q, courses_[b][k], courses_[b][k + 1], at) || near_end(at, 12)) continue;
            if (std::ranges::none_of(seen, [&](Point s) { return away(s, at) < 6; })) seen.push_back(at);
          }
        }
        if (together > 60)
          ++hard_["branch on branch"];
        else
          crossings_ += static_cast<int>(seen.size());
      }
  }

  const SignalFlowGraph& graph_;
  const Drawing& drawing_;
  std::vector<std::vector<Point>> courses_;
  std::vector<std::pair<std::vector<Box>, std::size_t>> labels_;  ///< and the branch that one is of
  std::map<std::string, int> hard_;
  int crossings_ = 0;
};

/// A source, a sink and what lies between: a line, a tree or neither, and branches anywhere.
SignalFlowGraph random_graph(std::uint64_t seed) {
  std::mt19937_64 random(seed * 7919 + 13);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::size_t nodes = 8 + seed % 16;
  SignalFlowGraph graph;
  std::vector<NodeId> all;
  for (std::size_t i = 0; i < nodes; ++i) all.push_back(graph.node("n" + std::to_string(i)));
  std::set<std::pair<std::size_t, std::size_t>> joined;
  const auto join = [&](std::size_t from, std::size_t to) {
    if (from + 1 == nodes || to == 0 || !joined.insert({from, to}).second) return;
    const std::string k = "k" + std::to_string(joined.size());
    graph.add_branch(all[from], all[to],
                     parse(below(6) == 0 ? k + "/(s + a" + std::to_string(joined.size()) + ")" : k, graph.symbols));
  };
  const std::size_t kind = seed % 3;
  for (std::size_t i = 1; i < nodes; ++i)
    join(kind == 0 ? i - 1 : kind == 1 ? below(i) : i - 1 - below(std::min<std::size_t>(i, 3)), i);
  for (std::size_t i = 0, more = nodes / 3 + below(nodes / 2 + 1); i < more; ++i) {
    const std::size_t from = below(nodes), span = 1 + below(4);
    join(from, below(3) == 0 ? below(nodes) : below(2) == 0 ? std::min(from + span, nodes - 1) : from - std::min(from, span));
  }
  graph.inputs = {all.front()};
  graph.outputs = {all.back()};
  return graph;
}

std::string listed(const std::map<std::string, int>& faults) {
  std::string text;
  for (const auto& [kind, number] : faults)
    if (number > 0) text += (text.empty() ? "" : ", ") + std::to_string(number) + " " + kind;
  return text;
}

// The measures see what they are for.
TEST(RandomLayout, FaultsAreSeen) {
  const Exercise made = exercise({.nodes = 6, .loops = 3, .paths = 2}, 3);
  const Drawing drawing = layout(made.graph);
  const auto moved = [](Label& label, Point to) {
    label.formula = label.formula.moved(to.x - label.centre.x, to.y - label.centre.y);
    label.centre = to;
  };
  EXPECT_EQ(listed(Faults(made.graph, drawing).hard()), "");
  Drawing changed = drawing;
  moved(changed.branches[0].gain, drawing.branches[1].gain.centre);
  EXPECT_GT(Faults(made.graph, changed).hard().at("label on label"), 0);
  changed = drawing;
  moved(changed.branches[0].gain, drawing.nodes[3].at);
  EXPECT_GT(Faults(made.graph, changed).hard().at("label on node"), 0);
  EXPECT_GT(Faults(made.graph, changed).hard().at("label on a foreign branch"), 0);
  moved(changed.branches[0].gain, {-20, 0});
  EXPECT_GT(Faults(made.graph, changed).hard().at("text outside"), 0);
  changed = drawing;
  changed.nodes[0].at = drawing.nodes[2].at;
  EXPECT_GT(Faults(made.graph, changed).hard().at("node on node"), 0);
  EXPECT_GT(Faults(made.graph, changed).hard().at("branch through a foreign node"), 0);
  changed = drawing;
  changed.branches[0].curve = {drawing.nodes.front().at, drawing.nodes.front().at, drawing.nodes.back().at,
                               drawing.nodes.back().at};
  EXPECT_GT(Faults(made.graph, changed).hard().at("branch on branch"), 0);
}

TEST(RandomLayout, NothingLiesOnAnything) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const SignalFlowGraph graph = random_graph(seed);
    const Drawing drawing = layout(graph);
    ASSERT_EQ(drawing.branches.size(), graph.branches().size());
    EXPECT_EQ(listed(Faults(graph, drawing).hard()), "") << "seed " << seed << ", " << graph.nodes().size() << " nodes";
  }
}

// As textbooks draw them: no more crossings than the arcs above and below the line have, which are nearly none.
TEST(RandomLayout, ExercisesAreDrawnAsTextbooksDo) {
  int drawn = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Exercise made = exercise({.nodes = 5 + seed % 5, .loops = 2 + seed % 4}, seed);
    const Drawing drawing = layout(made.graph);
    const Faults faults(made.graph, drawing);
    EXPECT_EQ(listed(faults.hard()), "") << "seed " << seed;
    drawn += faults.crossings();
    double line = 0;  // nodes in their order from left to right, on one line
    for (const DrawnNode& node : drawing.nodes) {
      EXPECT_GT(node.at.x, line) << "seed " << seed;
      EXPECT_NEAR(node.at.y, drawing.nodes.front().at.y, 0.5) << "seed " << seed;
      line = node.at.x;
    }
  }
  EXPECT_EQ(drawn, 0);
}

// Graphviz' dot draws the same graphs with 30 crossings, the vehicle's 17 among them.
TEST(RandomLayout, TheCorpusCrossesLittle) {
  int crossings = 0, graphs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SFG_SOURCE_DIR "/graphs")) {
    if (entry.path().extension() != ".dot") continue;
    const Input input = read_file(entry.path().string());
    const auto& graph = std::get<SignalFlowGraph>(input.content);
    crossings += Faults(graph, layout(graph)).crossings();
    ++graphs;
  }
  EXPECT_GT(graphs, 40);
  EXPECT_LE(crossings, 30);
}

}  // namespace
}  // namespace sfg
