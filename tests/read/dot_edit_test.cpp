// Edits of a DOT text: the graph that is read afterwards is the graph with the change, and nothing else of the text moved.
#include "sfg/read/dot/dot_edit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "sfg/expr/print.hpp"
#include "sfg/read/dot.hpp"

namespace sfg {
namespace {

std::string edited(const std::string& text, const std::string& words) {
  const SourceText source(text, "g.dot");
  return edited_dot(source, read_graph_edit(words, source));
}

std::string refusal(const std::string& text, const std::string& words) {
  try {
    edited(text, words);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

const std::string loop = R"(// A loop.
digraph "loop" {
  input = "r"; output = "y";  // ends
  r -> e;
  e -> y [gain="K"];   // controller

  # back
  y -> e [gain="-1"];
}
)";

TEST(DotEdit, WhatIsNotConcernedStays) {
  EXPECT_EQ(edited(loop, "gain e -> y = K/(T*s + 1)"), std::string(loop).replace(loop.find("\"K\""), 3, "\"K/(T*s + 1)\""));
  EXPECT_EQ(edited(loop, "gain r -> e = 2"), std::string(loop).replace(loop.find("r -> e"), 6, "r -> e [gain=\"2\"]"));
  EXPECT_EQ(edited(loop, "place e 10,-3.5"), std::string(loop).insert(loop.rfind('}'), "  e [pos=\"10,-3.5\"];\n"));
  EXPECT_EQ(edited(edited(loop, "place e 10,-3.5"), "place e 7,8"),
            std::string(loop).insert(loop.rfind('}'), "  e [pos=\"7,8\"];\n"));
  EXPECT_EQ(edited(loop, "branch r -> \"new one\" = q*7"),
            std::string(loop).insert(loop.rfind('}'), "  r -> \"new one\" [gain=\"q*7\"];\n"));
  EXPECT_EQ(edited(loop, "node z"), std::string(loop).insert(loop.rfind('}'), "  \"z\";\n"));
  EXPECT_EQ(edited(edited(loop, "branch e -> r = g"), "delete branch 3"), loop);
  EXPECT_EQ(edited(edited(loop, "branch e -> z = g"), "delete z"), loop);
}

TEST(DotEdit, CommentsOfALineOutliveItsStatement) {
  EXPECT_EQ(edited(loop, "delete e -> y"), std::string(loop).replace(loop.find("e -> y [gain=\"K\"];"), 18, ""));
  const std::string without = edited(loop, "delete y");
  EXPECT_NE(without.find("// controller"), std::string::npos);
  EXPECT_NE(without.find("  input = \"r\";   // ends\n"), std::string::npos) << without;
  EXPECT_EQ(edited("digraph { graph [input=\"a, b\", \"output\" = \"c\"]; a -> c; b -> c }", "delete c"),
            "digraph { graph [input=\"a, b\", ]; a; b }");
  EXPECT_EQ(edited("digraph { graph [input=\"a, b\"]; a -> c; b -> c }", "delete a"), "digraph { graph [input=\"b\"];  b -> c }");
}

TEST(DotEdit, AStatementOfSeveralBranchesIsTakenApart) {
  EXPECT_EQ(edited("digraph { a -> b -> c [gain=\"g\"] }", "gain 1 = h"), "digraph { a -> b [gain=\"g\"]; b -> c [gain=\"h\"] }");
  EXPECT_EQ(edited("digraph { a -> b -> c [gain=\"g\"] }", "delete a -> b"), "digraph { b -> c [gain=\"g\"]; a }");
  EXPECT_EQ(edited("digraph { a, b -> c }", "delete a"), "digraph { b -> c }");
  EXPECT_EQ(edited("digraph { a, b -> c }", "node d"), "digraph { a, b -> c ; \"d\"; }");
  EXPECT_EQ(edited("digraph { a -> b [gain=g,] }", "gain 0 = h"), "digraph { a -> b [gain=\"h\",] }");
  EXPECT_EQ(edited("digraph { a -> b []; }", "gain 0 = h"), "digraph { a -> b [gain=\"h\"]; }");
  EXPECT_EQ(edited("digraph { edge [gain=g] a -> b [x=1]; }", "gain 0 = h"),
            "digraph { edge [gain=g] a -> b [x=1, gain=\"h\"]; }");
  EXPECT_EQ(edited("digraph { a -> b [nonlinear=\"sin\"]; }", "gain 0 = cos"), "digraph { a -> b [nonlinear=\"cos\"]; }");
}

TEST(DotEdit, RefusalsSayWhy) {
  EXPECT_NE(refusal(loop, "delete q").find("there is no node 'q'"), std::string::npos);
  EXPECT_NE(refusal(loop, "delete y -> r").find("there is no branch from 'y' to 'r'"), std::string::npos);
  EXPECT_NE(refusal(loop, "gain 3 = 1").find("there is no branch number 3"), std::string::npos);
  EXPECT_NE(refusal("digraph { a -> b; a -> b [gain=2] }", "gain a -> b = 3").find("there are 2 branches"), std::string::npos);
  EXPECT_NE(refusal("digraph { a -> {b c} }", "gain 0 = 3").find("by a subgraph"), std::string::npos);
  EXPECT_NE(refusal(loop, "gain 0 =").find("the gain is missing"), std::string::npos);
  for (const char* words :
       {"", "move e 1,2", "place e", "place e 1", "place e 1,x", "delete", "delete a b", "branch r", "gain x = 2"})
    EXPECT_NE(refusal(loop, words), "") << words;
  EXPECT_NE(refusal("digraph { a -> ", "node b"), "");
}

/// What a graph says, as comparable text: branches with their gains in order, nodes as a set.
struct Said {
  std::vector<std::string> branches;
  std::set<std::string> nodes;
  bool operator==(const Said&) const = default;
};
std::string branch_text(const SignalFlowGraph& graph, const Branch& branch) {
  const GiNaC::ex* gain = std::get_if<GiNaC::ex>(&branch.law);
  return graph[branch.from].name + " -> " + graph[branch.to].name + ": " + (gain ? print(*gain) : "law");
}
Said said(const std::string& text) {
  const SignalFlowGraph graph = read_dot(text, "g.dot");
  Said result;
  for (const Branch& branch : graph.branches()) result.branches.push_back(branch_text(graph, branch));
  for (const Node& node : graph.nodes()) result.nodes.insert(node.name);
  return result;
}

/// Random texts in the forms that people write.
class RandomText {
 public:
  explicit RandomText(unsigned seed) : random_(seed) {}
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  std::string name() { return std::vector<std::string>{"a", "b", "\"c d\"", "x1", "\"q\\\"\"", "7"}[below(6)]; }
  std::string list() {
    const std::string gain = std::vector<std::string>{"K", "\"2*s\"", "\"1/(s + a)\""}[below(3)];
    return std::vector<std::string>{"", " [gain=" + gain + "]", " [gain=" + gain + ", color=red]",
                                    " [color=red][gain=" + gain + ";]", " [ ]"}[below(5)];
  }
  std::string statement() {
    switch (below(6)) {
      case 0: return name() + (below(2) ? " [color=blue]" : "");
      case 1: return name() + " -> " + name() + " -> " + name() + list();
      case 2: return name() + ", " + name() + " -> " + name() + list();
      case 3:
        return "subgraph cluster_" + std::to_string(below(3)) + " { " + name() + " -> " + name() + list() + "; " + name() + " }";
      default: return name() + " -> " + name() + list();
    }
  }
  std::string text() {
    std::string text = "// head\ndigraph {\n";
    for (std::size_t i = 0, n = 1 + below(6); i < n; ++i)
      text += "  " + statement() + (below(4) ? ";" : "") + (below(3) ? "\n" : below(2) ? "  // note\n" : " /* in */ \n");
    return text + (below(3) ? "}\n" : " }");
  }

 private:
  std::mt19937 random_;
};

TEST(DotEdit, RandomEditsMakeTheGraphThatWasAskedFor) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    RandomText random(seed);
    const std::string text = random.text();
    const SignalFlowGraph graph = read_dot(text, "g.dot");
    const SourceText source(text, "g.dot");
    Said want = said(text);
    const std::size_t nodes = graph.nodes().size(), branches = graph.branches().size();
    GraphEdit edit;
    std::string gone;
    switch (const std::size_t kind = random.below(6); branches == 0 && (kind == 3 || kind == 4) ? 0 : kind) {
      case 0: edit = PlaceNode{graph.nodes()[random.below(nodes)].name, 1.25, -7}; break;
      case 1: edit = AddNode{"new \"one\""}, want.nodes.insert("new \"one\""); break;
      case 2: {
        const std::string from = graph.nodes()[random.below(nodes)].name;
        edit = AddBranch{from, "w", "g"};
        want.nodes.insert("w");
        want.branches.push_back(from + " -> w: g");
        break;
      }
      case 3: {
        const std::size_t b = random.below(branches);
        edit = SetGain{b, "new*s"};
        want.branches[b] = want.branches[b].substr(0, want.branches[b].rfind(": ")) + ": s*new";
        break;
      }
      case 4: {
        const std::size_t b = random.below(branches);
        edit = DeleteBranch{b};
        want.branches.erase(want.branches.begin() + static_cast<std::ptrdiff_t>(b));
        break;
      }
      default: {
        gone = graph.nodes()[random.below(nodes)].name;
        edit = DeleteNode{gone};
        want.nodes.erase(gone);
        want.branches.clear();
        for (const Branch& branch : graph.branches())
          if (graph[branch.from].name != gone && graph[branch.to].name != gone)
            want.branches.push_back(branch_text(graph, branch));
      }
    }
    const std::string after = edited_dot(source, edit);
    Said got = said(after);
    std::ranges::sort(got.branches);
    std::ranges::sort(want.branches);
    for (std::string& branch : got.branches)
      if (branch.ends_with(": new*s")) branch.replace(branch.size() - 5, 5, "s*new");
    EXPECT_EQ(got.branches, want.branches) << seed << "\n" << text << "\n" << after;
    EXPECT_EQ(got.nodes, want.nodes) << seed << "\n" << text << "\n" << after;
    std::size_t comments = 0, left = 0;
    for (std::size_t at = 0; (at = text.find("note", at)) != std::string::npos; ++at) ++comments;
    for (std::size_t at = 0; (at = after.find("note", at)) != std::string::npos; ++at) ++left;
    EXPECT_EQ(comments, left) << after;
  }
}

}  // namespace
}  // namespace sfg
