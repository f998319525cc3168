// Graphs of textbooks: a file that states `order`, its nodes from left to right ("a, b|c, d": b and c in one column), and the
// branches that are to lie `above` and `below`, is drawn so; what is stated was not compared with the printed figures.
// docs/gallery.md shows them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sfg/draw/graph/layout.hpp"
#include "sfg/read/input.hpp"

namespace sfg {
namespace {

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) {
    const auto begin = part.find_first_not_of(' '), end = part.find_last_not_of(' ');
    if (begin != std::string::npos) parts.push_back(part.substr(begin, end - begin + 1));
  }
  return parts;
}

std::string stated(const SignalFlowGraph& graph, const std::string& wanted) {
  for (const auto& [name, value] : graph.attributes)
    if (name == wanted) return value;
  return "";
}

void expect_order(const Drawing& drawing, const std::string& order) {
  std::map<std::string, Point> at;
  for (const DrawnNode& node : drawing.nodes) at[node.title] = node.at;
  double last = -1e9;
  for (const std::string& column : parts_of(order, ',')) {
    const std::vector<std::string> names = parts_of(column, '|');
    for (const std::string& name : names) {
      ASSERT_TRUE(at.contains(name)) << name << " is no node";
      EXPECT_GT(at[name].x, last + 10) << name << " of " << order;
      EXPECT_NEAR(at[name].x, at[names.front()].x, 1) << name << " of " << order;
    }
    last = at[names.front()].x;
  }
}

/// How far the middle of a branch lies below the line between its ends.
double below_its_ends(const DrawnBranch& branch) {
  const std::size_t spans = (branch.curve.size() - 1) / 3;
  const Point* p = &branch.curve[3 * (spans / 2)];
  const bool joint = spans % 2 == 0;  // of two pieces
  const Point middle =
      joint ? p[0] : Point{(p[0].x + 3 * p[1].x + 3 * p[2].x + p[3].x) / 8, (p[0].y + 3 * p[1].y + 3 * p[2].y + p[3].y) / 8};
  const Point a = branch.curve.front(), b = branch.curve.back();
  const double along = std::abs(b.x - a.x) < 1 ? 0.5 : (middle.x - a.x) / (b.x - a.x);
  return middle.y - a.y - (b.y - a.y) * along;
}

void expect_side(const Drawing& drawing, const std::string& branches, bool below) {
  for (const std::string& ends : parts_of(branches, ',')) {
    const auto found = std::ranges::find_if(drawing.branches, [&](const DrawnBranch& b) { return b.from + "->" + b.to == ends; });
    ASSERT_NE(found, drawing.branches.end()) << ends << " is no branch";
    EXPECT_GT(below_its_ends(*found) * (below ? 1 : -1), 8) << ends << (below ? " is not below" : " is not above");
  }
}

TEST(TextbookOrder, IsThatOfTheFigure) {
  int sheets = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SFG_SOURCE_DIR "/graphs")) {
    if (entry.path().extension() != ".dot") continue;
    std::ifstream in(entry.path());
    std::ostringstream text;
    text << in.rdbuf();
    const auto graph = std::get<SignalFlowGraph>(read(text.str(), InputFormat::dot, entry.path().string()).content);
    const std::string order = stated(graph, "order");
    if (order.empty()) continue;
    SCOPED_TRACE(entry.path().filename().string());
    ++sheets;
    const Drawing drawing = layout(graph);
    expect_order(drawing, order);
    expect_side(drawing, stated(graph, "above"), false);
    expect_side(drawing, stated(graph, "below"), true);
  }
  EXPECT_GE(sheets, 30);
}

}  // namespace
}  // namespace sfg
