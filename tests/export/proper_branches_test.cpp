// Improper branches are joined with others: the transfer functions stay what they are, exactly.
#include "sfg/export/proper_branches.hpp"

#include <gtest/gtest.h>

#include <random>

#include "export/subjects.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {
namespace {

SignalFlowGraph with_branches(const SignalFlowGraph& graph, const std::vector<ProperBranch>& branches) {
  SignalFlowGraph made;
  made.op = graph.op;
  made.symbols = graph.symbols;
  for (const Node& node : graph.nodes()) made.node(node.name);
  for (const ProperBranch& branch : branches) made.add_branch(branch.from, branch.to, branch.gain);
  return made;
}

/// False where the branches cannot be made proper.
bool expect_same_transfers(const ExportSubject& subject) {
  const auto branches = proper_branches(subject);
  if (!branches) return false;
  for (const ProperBranch& branch : *branches)
    EXPECT_LE(operator_fraction(branch.gain, subject.graph).excess(), 0) << branch.name;
  const SignalFlowGraph made = with_branches(subject.graph, *branches);
  for (const Question& question : subject.questions)
    EXPECT_EQ(transfer_function(made, question).value.text(), transfer_function(subject.graph, question).value.text());
  return true;
}

TEST(ProperBranches, CoupledLinksAreJoinedBackwards) {
  const ExportSubject subject = exported::subject(
      "digraph { input=\"Vi\"; output=\"V2\"; Vi -> I1 [gain=\"G1\"]; I1 -> V1 [gain=\"1/(G1+s*C1)\"]; V1 -> I2 [gain=\"s*C\"]; "
      "I2 -> V2 [gain=\"1/(G2+s*C2)\"]; V2 -> I1 [gain=\"s*C\"]; }");
  EXPECT_TRUE(expect_same_transfers(subject));
}

TEST(ProperBranches, ALeadBehindAnInputIsJoinedForwards) {
  const ExportSubject subject = exported::subject(
      "digraph { input=\"r\"; output=\"y\"; r -> a [gain=\"b1 + s*b2\"]; a -> y [gain=\"1/s\"]; y -> a [gain=\"-c\"]; }");
  EXPECT_TRUE(expect_same_transfers(subject));
}

TEST(ProperBranches, WhatIsImproperAsAWholeStaysSo) {
  EXPECT_FALSE(expect_same_transfers(exported::subject("digraph { input=\"r\"; output=\"y\"; r -> y [gain=\"s*T\"]; }")));
  EXPECT_FALSE(expect_same_transfers(
      exported::subject("digraph { input=\"r\"; output=\"y\"; r -> a; a -> y [gain=\"s*T\"]; a -> a [gain=\"s\"]; }")));
}

TEST(ProperBranches, RandomGraphsKeepTheirTransferFunctions) {
  const std::vector<std::string> gains{"s", "s*T+1", "1/s", "k/(s+1)", "1/(s^2+k*s+1)", "-k", "1", "(s+2)/(s+3)"};
  std::mt19937 random(3);
  int joined = 0;
  for (int k = 0; k < 60; ++k) {
    std::string text = "digraph { input=\"n0\"; output=\"n5\"; ";
    for (int i = 0; i < 5; ++i)
      text += "n" + std::to_string(i) + " -> n" + std::to_string(i + 1) + " [gain=\"" + gains[random() % 8] + "\"]; ";
    for (int i = 0; i < 3; ++i)
      text += "n" + std::to_string(1 + random() % 5) + " -> n" + std::to_string(1 + random() % 5) + " [gain=\"" +
              gains[random() % 8] + "\"]; ";
    const ExportSubject subject = exported::subject(text + "}");
    if (!solvable(subject.graph)) continue;
    joined += expect_same_transfers(subject) ? 1 : 0;
  }
  EXPECT_GT(joined, 20);
}

TEST(ProperBranches, LoopsWithoutDelayAreSeen) {
  const auto graph = [](const std::string& text) { return exported::subject("digraph { " + text + " }").graph; };
  EXPECT_TRUE(algebraic_loop(at_infinity(graph("b -> a; a -> b;"))));
  EXPECT_FALSE(algebraic_loop(at_infinity(graph("u -> a; a -> b [gain=\"1/s\"]; b -> a [gain=\"-1\"];"))));
  EXPECT_TRUE(algebraic_loop(at_infinity(graph("u -> a; a -> b [gain=\"(s+1)/(s+2)\"]; b -> a [gain=\"-1\"];"))));
  EXPECT_FALSE(solvable(at_infinity(graph("u -> a; a -> b [gain=\"(s+1)/(s+2)\"]; b -> a;"))));
}

}  // namespace
}  // namespace sfg
