// Circuits of random subcircuits, one in another, with ports that are grounded, joined or left open: what the functions of the
// blocks give is what the whole circuit gives, which is read and solved without any blocks.
#include "sfg/ask/circuit_blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sfg/derive/derive.hpp"
#include "sfg/error.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/read/dot/dot_clusters.hpp"
#include "sfg/transfer/closed_clusters.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {
namespace {

SignalFlowGraph flat_graph(const std::string& text) { return graph_of(Model(read_spice(text, "flat.cir"))); }

void flat_answers(const std::string& text) {
  const SignalFlowGraph whole = flat_graph(text);
  transfer_functions(whole, questions(whole));
}

struct Solved {
  SignalFlowGraph graph;
  BlockTransfers transfers;
};

/// As the command does it: instances of a kind once, unless something of them stands outside.
Solved solved(const std::string& text, bool all = false) {
  std::optional<ClosedCircuit> closed = closed_circuit(read_netlist_blocks(text, "blocks.cir", {}, all));
  if (!closed) closed = closed_circuit(read_netlist_blocks(text, "blocks.cir", {}, true));
  Solved result{graph_of(Model(closed->circuit)), std::move(closed->solved)};
  solve_outside(result.graph, questions(result.graph), {}, result.transfers);
  return result;
}

/// @throws std::logic_error when the blocks give another function
void expect_the_whole(const std::string& text, bool all = false) {
  Solved found = solved(text, all);
  const SignalFlowGraph whole = flat_graph(text);
  verify_whole(found.transfers, found.graph, whole, questions(whole), {});
  EXPECT_TRUE(found.transfers.whole);

  // the same by the rows of the nodal equations as they are
  const EquationSystem equations = derive(Model(read_spice(text, "flat.cir")));
  SignalFlowGraph rows = graph_of_rows(equations);
  std::vector<Question> there = questions(whole);
  for (Question& question : there) {
    question.input = rows.at(whole[question.input].name);
    question.output = output_signal(rows, whole[question.output].name, equations.definitions);
  }
  verify_whole(found.transfers, found.graph, rows, there, {});
}

class RandomNetlist {
 public:
  explicit RandomNetlist(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    std::string made = "random\nV1 in 0 AC 1\nRL out 0 50\n.param shared=3\n";
    for (int i = 0; i < 3; ++i) made += subcircuit(i);
    const std::vector<std::string> nodes{"in", "out", "a", "b", "0"};
    for (int i = 0; i < 4; ++i) made += instance("X" + std::to_string(i + 1), below(3), nodes);
    for (const char* node : {"a", "b", "out"}) made += "R" + std::string(node) + " " + node + " 0 1k\n";
    made += below(4) == 0 ? ".tf v(m1_X" + std::to_string(1 + below(4)) + ") V1\n" : ".tf v(out) V1\n";
    return made + ".end\n";
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  const std::string& one_of(const std::vector<std::string>& of) { return of[below(of.size())]; }

  std::string instance(const std::string& name, std::size_t kind, const std::vector<std::string>& nodes) {
    std::string line = name;
    for (std::size_t port = 0; port < 2 + kind; ++port) line += " " + (below(8) == 0 ? name + "open" : one_of(nodes));
    return line + " sub" + std::to_string(kind) + (below(2) ? " r=" + std::to_string(1 + below(9)) : "") + "\n";
  }

  std::string subcircuit(std::size_t kind) {
    std::string made = ".subckt sub" + std::to_string(kind);
    std::vector<std::string> nodes{"0", "m1", "m2"};
    for (std::size_t port = 0; port < 2 + kind; ++port) {
      nodes.push_back("p" + std::to_string(port));
      made += " " + nodes.back();
    }
    made += " params: r=2k\nRm1 m1 p0 {r}\nRm2 m2 m1 {shared*r}\n";
    for (int i = 0; i < 3; ++i) made += element("RCGL"[below(4)], i, nodes);
    if (below(2)) made += element("EFHOVI"[below(6)], 3, nodes);
    if (kind > 0 && below(2)) made += instance("Xi", below(kind), nodes);
    return made + ".ends\n";
  }

  std::string element(char letter, int number, const std::vector<std::string>& nodes) {
    const std::string name = letter + std::to_string(number), first = one_of(nodes);
    std::string second = one_of(nodes);
    while (second == first) second = one_of(nodes);
    const std::string two = " " + first + " " + second;
    const std::string four = two + " " + one_of(nodes) + " " + one_of(nodes);
    switch (letter) {
      case 'E':
      case 'G': return name + four + " 3\n";
      case 'V': return name + " m1 y" + name + " 0\nRy" + name + " y" + name + " " + first + " 1\n";
      case 'I': return name + two + " 0\n";
      case 'O': return name + two + " " + one_of(nodes) + "\n";
      case 'F':
      case 'H': return "V" + name + " m1 x" + name + " 0\nRx" + name + " x" + name + " 0 1\n" + name + two + " V" + name + " 2\n";
      default: return name + two + " 4\n";
    }
  }

  std::mt19937_64 random_;
};

TEST(CircuitBlocks, GiveWhatTheWholeGives) {
  int compared = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const std::string text = RandomNetlist(seed).text();
    try {
      expect_the_whole(text, seed % 2 == 0);
      ++compared;
    } catch (const Failure&) {  // no unique solution: the whole has none either
      EXPECT_THROW(flat_answers(text), Failure) << text;
      ++refused;
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what() << "\n" << text;
    }
  }
  EXPECT_GT(compared, 20) << refused;
}

TEST(CircuitBlocks, OfAKindAreSolvedOnce) {
  std::string text = "stages\nV1 n0 0 AC 1\n";
  for (int i = 1; i <= 40; ++i)
    text += "X" + std::to_string(i) + " n" + std::to_string(i - 1) + " n" + std::to_string(i) + " stage r=" + std::to_string(i) +
            "\n";
  text += ".subckt stage i o params: r=1k\nR1 i a {r}\nC1 a 0 1n\nE1 o 0 a 0 2\n.ends\n.tf v(n40) V1\n.end\n";
  const Solved found = solved(text);
  EXPECT_EQ(found.transfers.kinds.size(), 1);
  ASSERT_EQ(found.transfers.blocks.size(), 40);
  EXPECT_EQ(found.transfers.blocks[6].name, "X7");
  expect_the_whole(text);
}

TEST(CircuitBlocks, HaveNoNameOfTheInsideOutside) {
  const std::string text =
      "ladder\nV1 in 0 AC 1\nX1 in 1 sec\nX2 1 out sec\n.subckt sec i o\nR1 i m 1k\nC1 o 0 1n\nL1 m o 1u\n.ends\n.tf v(out) "
      "V1\n.end\n";
  const Solved found = solved(text);
  for (const std::string& name : symbol_names(found.transfers.transfers[0].denominator))
    EXPECT_TRUE(name.starts_with("y")) << name;
  EXPECT_EQ(found.transfers.blocks[0].ports, (std::vector<std::string>{"i", "o"}));
}

/// Random graphs with clusters in clusters.
TEST(Clusters, GiveWhatTheGraphGives) {
  std::mt19937_64 random(11);
  const auto below = [&](std::size_t n) { return random() % n; };
  int compared = 0;
  for (int trial = 0; trial < 150; ++trial) {
    std::string text = "digraph {\n input=\"r\"; output=\"" + std::string(below(3) ? "y" : "n4") + "\"; r; y;\n";
    text +=
        "subgraph cluster_A { n0; n1; n2; subgraph cluster_B { n3; n4; } }\nsubgraph cluster_C { n5; n6; n7; }\nr -> n0; n7 -> "
        "y;\n";
    const auto node = [&] { return "n" + std::to_string(below(9)); };
    for (int i = 0; i < 16; ++i)
      text += node() + " -> " + node() + " [gain=\"" + (below(3) ? "" : "-") + "g" + std::to_string(i) +
              (below(3) ? "" : "/(s + d)") + (below(9) ? "" : "*exp(-s*tau)") + "\"];\n";
    text += "}\n";
    const SignalFlowGraph graph = read_dot(text, "g.dot");
    std::vector<Cluster> clusters;
    for (const DotCluster& each : read_dot_clusters(text, "g.dot")) clusters.push_back({each.name, each.nodes, each.parent});
    ASSERT_EQ(clusters.size(), 3);
    EXPECT_EQ(clusters[1].parent, std::optional<std::size_t>(0));
    try {
      std::vector<Question> asked = questions(graph);
      if (below(3) == 0) asked = {{graph.at("n4"), asked[0].output, Question::Mode::inject, {}}};
      if (below(4) == 0) asked = {{graph.at("n1"), asked[0].output, Question::Mode::ratio, graph.at("r")}};
      ClosedGraph closed;
      EXPECT_TRUE(block_transfers(graph, clusters, asked, closed).whole);
      ++compared;
    } catch (const NoAnswer&) {  // a ratio to 0
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what() << "\n" << text;
    }
  }
  EXPECT_GT(compared, 100);
}

TEST(Clusters, DoNotShareNodes) {
  EXPECT_THROW(read_dot_clusters("digraph { subgraph cluster_A { a; b } subgraph cluster_B { b; c } }", "g.dot"), Error);
}

}  // namespace
}  // namespace sfg
