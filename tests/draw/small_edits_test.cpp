// What one branch more, one less or another gain moves in a picture that is drawn anew, on the graphs of the corpus. Measured on
// the drawing as it comes out, beyond one shift and one scale of the whole, in parts of its width.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "sfg/draw/graph/layout.hpp"
#include "sfg/draw/picture.hpp"
#include "sfg/error.hpp"

#include "sfg/read/input.hpp"

namespace sfg {
namespace {

using Places = std::map<std::string, Point>;

Places places(const SignalFlowGraph& graph) {
  Places made;
  for (const DrawnNode& node : layout(graph).nodes) made[node.title] = node.at;
  return made;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

struct Moved {
  double median = 0, most = 0;
  std::vector<std::string> sides;  ///< pairs of nodes that changed sides
};

Moved moved(const Places& old, const Places& now) {
  std::vector<std::string> common;
  double low = 1e9, high = -1e9;
  for (const auto& [name, at] : old) {
    low = std::min(low, at.x), high = std::max(high, at.x);
    if (now.contains(name)) common.push_back(name);
  }
  if (common.size() < 3) return {};
  const double width = std::max(high - low, 1e-9);
  std::vector<double> scales{}, xs, ys, off;
  for (const auto& a : common)
    for (const auto& b : common) {
      const double was = std::hypot(old.at(a).x - old.at(b).x, old.at(a).y - old.at(b).y);
      const double is = std::hypot(now.at(a).x - now.at(b).x, now.at(a).y - now.at(b).y);
      if (a < b && is > 1) scales.push_back(was / is);
    }
  const double k = scales.empty() ? 1 : median(scales);
  for (const auto& a : common) xs.push_back(old.at(a).x - k * now.at(a).x), ys.push_back(old.at(a).y - k * now.at(a).y);
  const double x = median(xs), y = median(ys);
  for (const auto& a : common)
    off.push_back(std::hypot(k * now.at(a).x + x - old.at(a).x, k * now.at(a).y + y - old.at(a).y) / width);
  Moved made{median(off), *std::ranges::max_element(off), {}};
  for (const auto& a : common)
    for (const auto& b : common) {
      const double was = old.at(a).x - old.at(b).x;
      if (a < b && std::abs(was) > 0.03 * width && was * (now.at(a).x - now.at(b).x) < 0) made.sides.push_back(a + "/" + b);
    }
  return made;
}

std::vector<std::filesystem::path> corpus() {
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"graphs", "examples"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(SFG_SOURCE_DIR) / folder))
      if (entry.path().extension() == ".dot") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

/// The graph with one branch more, one less, or one of another gain; what was done.
struct Edit {
  SignalFlowGraph graph;
  std::string what;
  bool whole = true;  ///< no node lost its last branch
};

Edit edited(const SignalFlowGraph& graph, std::mt19937& random) {
  const auto pick = [&](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
  std::vector<Branch> branches(graph.branches().begin(), graph.branches().end());
  Edit made{SignalFlowGraph::like_with_nodes(graph), "", true};
  made.graph.inputs = graph.inputs, made.graph.outputs = graph.outputs;
  const auto ends = [&](const Branch& b) { return " " + graph[b.from].name + " -> " + graph[b.to].name; };
  const unsigned kind = pick(3);
  const std::uint32_t k = pick(branches.size());
  if (kind == 0) {
    made.what = "without" + ends(branches[k]);
    branches.erase(branches.begin() + k);
  } else if (kind == 1) {
    Branch more;
    more.from = NodeId{pick(graph.nodes().size())}, more.to = NodeId{pick(graph.nodes().size())};
    more.law = GiNaC::ex(GiNaC::symbol("gnew"));
    made.what = "with" + ends(more);
    branches.push_back(more);
  } else {
    branches[k].law = GiNaC::ex(GiNaC::symbol("gother"));
    made.what = "another gain" + ends(branches[k]);
  }
  for (const Branch& branch : branches) made.graph.add_branch(branch);
  for (const NodeId node : made.graph.node_ids())
    made.whole = made.whole && (graph.leaving(node).size() + graph.entering(node).size() == 0 ||
                                made.graph.leaving(node).size() + made.graph.entering(node).size() > 0);
  return made;
}

TEST(SmallEdits, MoveLittle) {
  std::mt19937 random(7);
  std::vector<std::pair<std::string, SignalFlowGraph>> graphs;
  for (const auto& file : corpus()) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    auto read_graph = std::get<SignalFlowGraph>(read(text.str(), InputFormat::dot, file.filename().string()).content);
    if (read_graph.nodes().size() >= 3 && read_graph.nodes().size() <= 30 && !read_graph.branches().empty())
      graphs.emplace_back(file.filename().string(), std::move(read_graph));
  }
  int edits = 0, still = 0, sides = 0, far = 0;
  for (int i = 0; edits < 200; ++i) {
    const auto& [name, graph] = graphs[static_cast<std::size_t>(i) % graphs.size()];
    const Edit edit = edited(graph, random);
    if (!edit.whole) continue;
    ++edits;
    const Moved m = moved(places(graph), places(edit.graph));
    const bool good = m.median <= 0.02 && m.sides.empty();
    still += good, sides += !m.sides.empty(), far += m.most > 0.1;
    if (!good && std::getenv("SFG_SHOW")) {
      std::cout << name << ": " << edit.what << ": " << 100 * m.median << " %, most " << 100 * m.most << " %, " << m.sides.size();
      for (const auto& pair : m.sides) std::cout << " " << pair;
      std::cout << std::endl;
    }
  }
  std::cout << still << " of " << edits << " stay; sides " << sides << ", some node by more than 10 %: " << far << std::endl;
  EXPECT_GE(still, 171);
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> made;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) made.push_back(line);
  return made;
}

/// Lines of the one that the other lacks.
std::ptrdiff_t differ(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::ranges::count_if(a, [&](const std::string& line) { return std::ranges::find(b, line) == b.end(); });
}

// Letters of much the same width, with and without what hangs below the line, alone, as an index, above a bar.
TEST(SmallEdits, AGainThatChangesAltersTheLinesOfItsLabel) {
  const std::vector<std::string> gains{"K_b/(J*s + c)", "K_p", "-H", "h"}, others{"K_q/(J*s + c)", "K_b", "-N", "q"};
  for (std::size_t i = 0; i < gains.size(); ++i)
    for (int place = 0; place < 4; ++place) {
      const auto drawn = [&](const std::string& gain) {
        const auto at = [&](int k) { return k == place ? gain : "g" + std::to_string(k); };
        const std::string text = "digraph { input=r; output=y; r -> e; e -> u [gain=\"" + at(0) + "\"]; u -> y [gain=\"" + at(1) +
                                 "\"]; y -> e [gain=\"" + at(2) + "\"]; u -> e [gain=\"" + at(3) + "\"]; }";
        return lines(picture(std::get<SignalFlowGraph>(read(text, InputFormat::dot, "edit.dot").content), PictureFormat::svg));
      };
      const auto before = drawn(gains[i]), after = drawn(others[i]);
      EXPECT_GT(differ(before, after), 0) << gains[i];
      EXPECT_LE(differ(before, after), 6) << gains[i] << " to " << others[i] << " at " << place;
      EXPECT_LE(differ(after, before), 6) << gains[i] << " to " << others[i] << " at " << place;
    }
}

}  // namespace
}  // namespace sfg
