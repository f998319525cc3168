#include "sfg/read/dot.hpp"

#include <gtest/gtest.h>

#include <random>

#include "read/problems.hpp"
#include "same_graph.hpp"
#include "sfg/read/dot/dot_scan.hpp"

namespace sfg {
namespace {

using test::description;

SignalFlowGraph read(const std::string& text) { return read_dot(text, "g.dot"); }

/// "line:column message" of every error, one a line.
std::string errors(const std::string& text) {
  return test::errors_of([&] { read(text); });
}

std::string branches(const SignalFlowGraph& graph) {
  std::string list;
  for (const Branch& branch : graph.branches())
    list += graph[branch.from].name + ">" + graph[branch.to].name + ":" + print(branch.gain()) + " ";
  return list;
}

std::string nodes(const SignalFlowGraph& graph) {
  std::string list;
  for (const Node& node : graph.nodes()) list += node.name + " ";
  return list;
}

TEST(ReadDot, TheExampleOfTheGuide) {
  const SignalFlowGraph graph = read(R"dot(digraph "unity feedback" {
    input="R"; output="C"; variable="s"; parameters="K=10, T=0.5";
    R -> e [gain="1"];  e -> C [gain="K/(s*(1+T*s))"];  C -> e [gain="-1"];
    C -> f [nonlinear="k3*u^3"];          // u: the signal at the tail; v: its derivative; t: time
  })dot");
  EXPECT_EQ(graph.title, "unity feedback");
  EXPECT_EQ(nodes(graph), "R e C f ");
  ASSERT_EQ(graph.branches().size(), 4U);
  EXPECT_EQ(print(graph.branches()[1].gain()), "K/(s*(T*s + 1))");
  EXPECT_FALSE(graph.branches()[3].linear());
  EXPECT_EQ(graph.inputs, std::vector{NodeId{0}});
  EXPECT_EQ(graph.outputs, std::vector{NodeId{2}});
  EXPECT_EQ(print(*graph.symbols.at("T").value), "1/2");
  EXPECT_EQ(graph.symbols.at("s").kind, SymbolKind::laplace);
  EXPECT_EQ(graph.symbols.at("u").kind, SymbolKind::signal);
}

TEST(ReadDot, GainThenLabelThenOne) {
  EXPECT_EQ(branches(read("digraph { a->b [gain=K, label=L]; b->c [label=L]; c->d; d->e [label=\"\"] }")),
            "a>b:K b>c:L c>d:1 d>e:1 ");
}

TEST(ReadDot, ParallelBranchesStayApart) {
  EXPECT_EQ(branches(read("digraph { a->b [gain=K]; a->b [gain=K]; a->a [gain=2] }")), "a>b:K a>b:K a>a:2 ");
}

TEST(ReadDot, ChainsListsAndSubgraphsMultiplyOut) {
  EXPECT_EQ(branches(read("digraph { a -> b -> c [gain=2]; d, e -> f; {c a} -> {g h}; }")),
            "a>b:2 b>c:2 d>f:1 e>f:1 a>g:1 a>h:1 c>g:1 c>h:1 ");
}

TEST(ReadDot, SubgraphsOfOneNameAreOne) {
  EXPECT_EQ(branches(read("digraph { subgraph A { a b }; subgraph A { c } -> d; }")), "a>d:1 b>d:1 c>d:1 ");
}

TEST(ReadDot, DefaultsHoldFromThereOnAndInsideTheirBraces) {
  const SignalFlowGraph graph = read("digraph { a->b; edge [gain=2]; b->c; { edge [gain=3]; c->d; c->d [gain=4] } d->e; }");
  EXPECT_EQ(branches(graph), "a>b:1 b>c:2 c>d:3 c>d:4 d>e:2 ");
}

TEST(ReadDot, NamesInEveryNotation) {
  const SignalFlowGraph graph = read(
      "digraph { x_1 -> \"two words\" -> -1.5 -> größe -> \"node\" -> \"a\\\"b\" -> \"a\\\\b\" -> \"joi\" + \"ned\" -> "
      "\"bro\\\nken\" }");
  std::string list;
  for (const Node& node : graph.nodes()) list += node.name + "|";
  EXPECT_EQ(list, "x_1|two words|-1.5|größe|node|a\"b|a\\b|joined|broken|");
}

TEST(ReadDot, PortsAreNoPartOfTheName) {
  const SignalFlowGraph graph = read("digraph { a:out:e -> b:in [gain=K] }");
  EXPECT_EQ(branches(graph), "a>b:K ");
  EXPECT_EQ(graph.branches()[0].attributes, (Attributes{{"tailport", "out:e"}, {"headport", "in"}}));
}

TEST(ReadDot, KeepsForeignAttributesInTheirOrder) {
  const SignalFlowGraph graph = read(
      "digraph { rankdir=LR; expect=\"K\"; node [shape=box]; a [z=1, b=\"\\N\"]; a -> b [w=2, gain=K, c=<<b>x</b>>, d=\"<i>\"] "
      "}");
  EXPECT_EQ(graph.attributes, (Attributes{{"rankdir", "LR"}, {"expect", "K"}}));
  EXPECT_EQ(graph.nodes()[0].attributes, (Attributes{{"shape", "box"}, {"z", "1"}, {"b", "\\N"}}));
  EXPECT_EQ(graph.branches()[0].attributes, (Attributes{{"w", "2"}, {"c", "<<b>x</b>>"}, {"d", "\\<i>"}}));
}

TEST(ReadDot, CommentsBlanksAndByteOrderMark) {
  EXPECT_EQ(branches(read("\xEF\xBB\xBF// c\r\n# line\r\ndigraph/**/G{\r\n a->b/* x */[gain=\"K\"]// y\r\n;}\r\n/* end */\n")),
            "a>b:K ");
}

TEST(ReadDot, TextsLongerThanTheBufferOfCgraph) {
  const std::string name(40'000, 'x');
  std::string gain = "k0";
  for (int i = 1; i < 20'000; ++i) gain += "+k" + std::to_string(i);
  const SignalFlowGraph graph = read("digraph { \"" + name + "\" -> b [gain=\"" + gain + "\", note=<" + std::string(7'000, 'y') +
                                     "<br/>" + std::string(7'000, 'z') + ">] /*" + std::string(40'000, 'c') + "*/ }");
  EXPECT_EQ(graph.nodes()[0].name, name);
  EXPECT_EQ(graph.symbols.all().size(), 20'001U);
}

TEST(ReadDot, StrictMergesAndSaysSo) {
  std::vector<Diagnostic> notes;
  const SignalFlowGraph graph = read_dot("strict digraph { a->b [gain=1, x=1]; a->b [gain=2] }", "g.dot", &notes);
  EXPECT_EQ(branches(graph), "a>b:2 ");
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(to_string(notes[0]),
            "g.dot:1:1: warning: keyword 'strict' merges parallel branches into one, the later gain replaces the earlier; leave "
            "'strict' "
            "away where parallel branches add");
}

TEST(ReadDot, SaysThatAnUnknownAttributeIsNoGain) {
  std::vector<Diagnostic> notes;
  read_dot("digraph { a->b [tf=K]; a->b [color=red]; a->b [gain=2, tf=K] }", "g.dot", &notes);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(to_string(notes[0]),
            "g.dot:1:17: warning: attribute 'tf' means nothing here, and the gain is taken as 1; a gain is stated as gain=\"…\"");
}

TEST(ReadDot, EndsMayHaveCommasAndBlanks) {
  const SignalFlowGraph graph = read(R"(digraph { input="a\,b, c"; output="a, b"; "a,b" -> c -> "a, b" })");
  EXPECT_EQ(graph.inputs, (std::vector{NodeId{0}, NodeId{1}}));
  EXPECT_EQ(graph.outputs, std::vector{NodeId{2}});
}

TEST(ReadDot, ParametersTakeSuffixesFractionsAndExpressions) {
  const SignalFlowGraph graph = read(
      "digraph { parameters=\"C=10n, R = 4.7meg, a=1/3, b = 2*a^2, x = -1e-3, L=atan2(1,2)\"; units=\"C=F, a=m\\,s\"; "
      "tolerances=\"C=5%\"; a -> b; }");
  EXPECT_EQ(print(*graph.symbols.at("C").value), "1/100000000");
  EXPECT_EQ(print(*graph.symbols.at("R").value), "4700000");
  EXPECT_EQ(print(*graph.symbols.at("a").value), "1/3");
  EXPECT_EQ(print(*graph.symbols.at("b").value), "2*a^2");
  EXPECT_EQ(print(*graph.symbols.at("x").value), "-1/1000");
  EXPECT_EQ(graph.symbols.at("C").unit, "F");
  EXPECT_EQ(graph.symbols.at("a").unit, "m,s");
  EXPECT_EQ(graph.symbols.at("C").tolerance, (Tolerance{exact::Rational(1) / 20, true}));
}

struct Wrong {
  const char* text;
  const char* errors;
};

class ReadDotErrors : public testing::TestWithParam<Wrong> {};

TEST_P(ReadDotErrors, HavePlaceAndReason) { EXPECT_EQ(errors(GetParam().text), GetParam().errors); }

INSTANTIATE_TEST_SUITE_P(
    Files, ReadDotErrors,
    testing::Values(Wrong{"", "1:1 the file holds no graph\n"}, Wrong{" \n // nothing\n", "1:1 the file holds no graph\n"},
                    Wrong{"digraph { a -> ", "1:16 the file ends where a node is expected\n"},
                    Wrong{"digraph { a -> b", "1:17 the file ends where '}' is expected\n"},
                    Wrong{"digraph { a -> b [gain=\"K\"",
                          "1:27 the file ends where ']' or an attribute name=value is expected\n"},
                    Wrong{"digraph { a -> b [gain=\"K]; }", "1:24 the string that begins here is not closed\n"},
                    Wrong{"digraph { a -> b /* }", "1:18 the comment that begins here is not closed\n"},
                    Wrong{"digraph { a -> b [label=<x] }", "1:25 the HTML string that begins here is not closed\n"},
                    Wrong{"graph { a -- b }", "1:1 a graph without directions ('graph') is no signal-flow graph\n"},
                    Wrong{"digraph { a -- b }", "1:13 edge '--' has no direction\n"},
                    Wrong{"hello", "1:1 there is 'hello' where 'digraph' is expected\n"},
                    Wrong{"digraph { a -> b } x", "1:20 text after the closing '}': 'x'\n"},
                    Wrong{"digraph { a -> b }\ndigraph { c -> d }", "2:1 a second graph begins here\n"},
                    Wrong{"digraph { node -> b }", "1:16 there is '->' where '[' is expected\n"},
                    Wrong{"digraph { a -> edge }", "1:16 keyword 'edge' belongs to the DOT language\n"},
                    Wrong{"digraph { \"\" -> b }", "1:11 a node without a name\n"},
                    Wrong{"digraph { <a> -> b }", "1:11 an HTML string is no name of a node\n"},
                    Wrong{"digraph { a -> 2b }", "1:16 word '2b' is neither a number nor a name\n"},
                    Wrong{"digraph { a.b -> c }", "1:12 unexpected character '.'\n"},
                    Wrong{"digraph { a -> b [gain=\"a\" + b] }", "1:28 after '+' a quoted string must follow\n"},
                    Wrong{"digraph { strict digraph { } }", "1:11 a graph inside of a graph\n"},
                    Wrong{"digraph { a \x01 -> b }", "1:13 control character 0x01 in the text\n"},
                    Wrong{"digraph { \xFF -> b }", "1:11 byte 0xFF is not UTF-8\n"}));

INSTANTIATE_TEST_SUITE_P(
    Gains, ReadDotErrors,
    testing::Values(
        Wrong{"digraph { a -> b [gain=\"\"] }", "1:25 the gain is empty\n"},
        Wrong{"digraph { a -> b [gain=\"K*(s+1\"] }", "1:31 a ')' is missing\n"},
        Wrong{"digraph {\n  größe -> \"日本\" [gain=\"é*x+$\"] }", "2:28 unexpected character '$'\n"},
        Wrong{"digraph { a -> b [gain=\"a\\\"b\"] }", "1:27 unexpected character '\"'\n"},
        Wrong{"digraph { a -> b [gain=\"a+\" + \"b+$\"] }", "1:34 unexpected character '$'\n"},
        Wrong{"digraph { a -> b [gain=\"a+\\\nb+$\"] }", "2:3 unexpected character '$'\n"},
        Wrong{"digraph { a -> b [gain=\"a+\nb+$\"] }", "2:3 unexpected character '$'\n"},
        Wrong{"digraph { edge [gain=\"2*\"]; a -> b -> c }",
              "1:25 the expression ends too early: a number, a name or '(' is missing\n"
              "1:25 the expression ends too early: a number, a name or '(' is missing\n"},
        Wrong{"digraph { a -> b [gain=K, nonlinear=\"u\"] }", "1:37 a branch with both a gain and a nonlinear law\n"},
        Wrong{"digraph { a -> b [nonlinear=\"\"] }", "1:30 the nonlinear law is empty\n"},
        Wrong{"digraph { a -> b [nonlinear=\"u^2\"]; b -> c [gain=\"u\"] }",
              "1:51 name 'u' is taken in this graph, and in its nonlinear laws it is the signal at the tail of the branch\n"}));

INSTANTIATE_TEST_SUITE_P(
    Attributes, ReadDotErrors,
    testing::Values(
        Wrong{"digraph { a -> b [gain=2, label=x, gain=3] }", "1:36 the attribute 'gain' stands twice in one statement\n"},
        Wrong{"digraph { a -> b [gain=2] [gain=3] }", "1:28 the attribute 'gain' stands twice in one statement\n"},
        Wrong{"digraph { a -> b [label=K, label=L] }", "1:34 the branch has two labels and no gain\n"},
        Wrong{"digraph { a [dc=1, dc=2]; a -> b }", "1:20 the attribute 'dc' stands twice in one statement\n"},
        Wrong{"digraph { a [dc=1]; a [dc=1]; a [dc=2, color=red]; a -> b }",
              "1:37 the attribute 'dc' is stated of this node already, otherwise\n"},
        Wrong{"digraph { node [units=m, dc=3]; a [units=s]; a -> b; a [units=kg] }",
              "1:63 the attribute 'units' is stated of this node already, otherwise\n"},
        Wrong{"digraph { a -> b [key=1, gain=2]; a -> b [key=1, gain=3] }",
              "1:55 the attribute 'gain' is stated of this branch already, otherwise\n"},
        Wrong{"digraph { a -> b [key=1, label=K]; a -> b [key=1, label=L] }",
              "1:57 the attribute 'label' is stated of this branch already, otherwise\n"},
        Wrong{"digraph { parameters=\"K=1\"; parameters=\"L=2\"; a -> b }", "1:29 the graph states 'parameters' twice\n"},
        Wrong{"digraph { graph [input=a]; input=b; a -> b }", "1:28 the graph states 'input' twice\n"},
        Wrong{"digraph { subgraph cluster_1 { input=a; a -> b } }", "1:32 the attribute 'input' of a subgraph says nothing\n"},
        Wrong{"digraph { input=\"a, q\"; a -> b }", "1:21 the input 'q' is no node of the graph\n"},
        Wrong{"digraph { variable=\"2\"; a -> b }", "1:21 word '2' is no name of a variable\n"},
        Wrong{"digraph { parameters=\"K\"; a -> b }", "1:23 a parameter is stated as name=value\n"},
        Wrong{"digraph { parameters=\"K=1, K=2, s=1, 2x=1\"; a -> b }",
              "1:28 name 'K' has a value already\n1:33 name 's' is the variable of the gains and cannot be a parameter\n1:38 "
              "word '2x' is no name of a parameter\n"},
        Wrong{"digraph { parameters=\"a=b, b=2*a\"; a -> b }",
              "1:23 the values of parameters refer to each other in a circle: 'a' → 'b' → 'a'\n"},
        Wrong{"digraph { tolerances=\"K=x\"; distributions=\"K=gauss\"; a -> b }",
              "1:25 text 'x' is no tolerance\n1:46 the distribution 'gauss' is not known\n"}));

TEST(ReadDot, WhatIsStatedTwiceAlikeIsNoError) {
  for (const char* const text : {"digraph { a -> b [gain=2, gain=2] }", "digraph { input=a; graph [input=a]; a -> b }",
                                 "digraph { label=x; label=y; a -> b }", "digraph { subgraph cluster_1 { label=x; a -> b } }",
                                 "digraph { node [label=x, label=y]; a [label=\"\", label=A]; a -> b }",
                                 "digraph { a -> b [label=K, gain=2, label=L]; b -> c [nonlinear=\"u^3\", label=K, label=L] }",
                                 "digraph { edge [gain=2]; a -> b [label=K, label=L] }", "digraph { a -> b [label=K, label=K] }",
                                 "digraph { a [color=red, color=blue]; a -> b }",
                                 "digraph { a [shape=box]; a [shape=circle]; a -> b [gain=2]; a -> b [gain=3] }"})
    EXPECT_EQ(errors(text), "") << text;
}

TEST(ReadDot, GoesOnAfterAnError) {
  EXPECT_EQ(
      errors("digraph {\n a - b;\n c -> d [gain=\"x*\"];\n e -> ;\n f [shape];\n {g -> ! h} -> i;\n j -> k [gain=\"((\"];\n}\n"),
      "2:4 unexpected character '-'\n3:18 the expression ends too early: a number, a name or '(' is missing\n4:7 there is "
      "';' where a node is expected\n5:5 the attribute 'shape' has no value\n"
      "6:8 unexpected character '!'\n7:18 the expression ends too early: a number, a name or '(' is missing\n");
}

TEST(ReadDot, StopsAtAHundredErrors) {
  std::string text = "digraph {\n";
  for (int i = 0; i < 5000; ++i) text += "a -> b [gain=\"(\"];\n";
  try {
    read(text + "}");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics().size(), 101U);
    EXPECT_EQ(error.diagnostics().back().severity, Severity::note);
  }
}

// What ends or blocks cgraph 2.42: nesting, products, many attributes, strings of more than a buffer.
TEST(ReadDot, BoundsWhatCgraphDoesNot) {
  EXPECT_EQ(errors("digraph { " + std::string(100'000, '{') + std::string(100'000, '}') + " }"),
            "1:75 subgraphs are nested more than 64 deep\n");
  std::string product = "digraph { {";
  for (int i = 0; i < 3000; ++i) product += " a" + std::to_string(i);
  product += "} -> {";
  for (int i = 0; i < 3000; ++i) product += " b" + std::to_string(i);
  EXPECT_NE(errors(product + "} }").find("the graph has more than 5000000 branches\n"), std::string::npos);
  std::string attributes = "digraph { ";
  for (int i = 0; i < 10'000; ++i) attributes += "a [a" + std::to_string(i) + "=1];";
  EXPECT_NE(errors(attributes + "}").find("more than 250 different attributes\n"), std::string::npos);
  EXPECT_NE(errors("digraph { a -> b [x=\"" + std::string(2'000'000, 'x') + "\"] }")
                .find("a text of 2000000 bytes is longer than the limit"),
            std::string::npos);
}

TEST(ReadDot, CountsTheWorkOfSubgraphsThatMakeNoBranch) {
  std::string text = "digraph { subgraph A { a b c d e f g h }\n";
  for (int i = 0; i < 1'000; ++i) text += "subgraph A {} -> {}\n";
  const SourceText source(text += "}", "g.dot");
  Problems problems;
  scan_dot(source, problems, {.branches = 5'000});
  EXPECT_TRUE(problems.any_errors());
}

TEST(ReadDot, AnErrorLeavesNothingBehind) {
  EXPECT_FALSE(errors("digraph { a -> b } }").empty());
  EXPECT_FALSE(errors("digraph { a -> \"b }").empty());
  EXPECT_EQ(branches(read("digraph { a -> b }")), "a>b:1 ");
}

/// Statements of every kind at random. read_dot compares its own scan with what cgraph built and throws std::logic_error
/// where they differ, so that reading them is the test.
class RandomDot {
 public:
  explicit RandomDot(std::uint64_t seed) : random_(seed) {}
  std::string text() {
    strict_ = below(6) == 0;
    return std::string(strict_ ? "strict " : "") + "digraph " + (below(2) ? "" : id()) + "{" + statements(3) + "}";
  }

 private:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  std::string pick(std::initializer_list<const char*> list) { return list.begin()[below(list.size())]; }
  std::string blank() { return pick({"", " ", "\n", "\t ", "/* x */", "// y\n", "# z\n", " "}); }
  std::string id() {
    return blank() +
           pick({"a", "b", "c", "d", "e", "\"a\"", "\"b\"", "1", "-.5", "\"x y\"", "\"q\\\"r\"", "\"s\\\\t\"", "\"u\" + \"v\"",
                 "\"w\\\nw\"", "\"\\n\"", "é", "\"%a\"", "\"%1\"", "\"\n\""}) +
           blank();
  }
  std::string value() {
    return below(6) ? below(3) ? pick({"K", "\"K*s\"", "2", "\"-1\""}) : "\"k" + std::to_string(below(5)) + "\""
                    : pick({"\"\"", "<b>", "<<i>x</i>>", "\"%k\"", "\"\\\"\"", "\"\\\\\""});
  }
  std::string list(bool edge) {
    std::string text = "[";
    for (std::size_t n = below(4); n > 0; --n) {
      const std::string name = pick({"x", "y", "\"z z\"", "w", "color"});
      text += blank() + (edge && below(8) == 0 && !strict_ ? "key" : name) + blank() + "=" + blank() + value() +
              pick({" ", "\n", ",", ";"});
    }
    return text + "]" + blank();
  }
  std::string lists(bool edge) { return below(2) ? "" : list(edge) + (below(4) ? "" : list(edge)); }
  std::string side(int depth) {
    if (depth > 0 && below(4) == 0)
      return pick({"", "subgraph ", "subgraph A", "subgraph \"B\""}) + "{" + statements(depth - 1) + "}";
    std::string text = id() + (below(6) ? "" : ":" + id() + (below(2) ? "" : ":" + id()));
    while (below(4) == 0) text += "," + id();
    return text;
  }
  std::string statements(int depth) {
    std::string text;
    for (std::size_t n = below(7); n > 0; --n) text += statement(depth) + pick({";", "\n", ";\n", " "});
    return text;
  }
  std::string statement(int depth) {
    switch (below(7)) {
      case 0: return pick({"node ", "edge ", "graph ", "Node", "EDGE"}) + list(false);
      case 1: return pick({"x", "y", "color"}) + "=" + value();
      case 2: return side(depth) + lists(false);
      default: {
        std::string text = side(depth);
        do text += "->" + side(depth);
        while (below(3) == 0);
        return text + lists(true);
      }
    }
  }

  std::mt19937_64 random_;
  bool strict_ = false;
};

TEST(ReadDot, AgreesWithCgraphOnRandomFiles) {
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    const std::string text = RandomDot(seed).text();
    SCOPED_TRACE(text);
    ASSERT_NO_THROW(read(text)) << seed;
  }
}

TEST(ReadDot, SurvivesRandomDamage) {
  std::mt19937_64 random(7);
  const std::string bytes = "{}[]=;,:+-><\"\\/*#\n abk1.\xC3\xA9\x01";
  for (int i = 0; i < 2000; ++i) {
    const std::size_t seed = std::uniform_int_distribution<std::size_t>(1, 500)(random);
    test::expect_survival(test::damaged(RandomDot(seed).text(), bytes, 5, random), [](const std::string& text) { read(text); });
  }
}

/// One letter left out, doubled, exchanged with its neighbour, replaced or written large.
std::string misspelt(const std::string& word, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::string result = word;
  const std::size_t i = below(word.size());
  switch (below(5)) {
    case 0: result.erase(i, 1); break;
    case 1: result.insert(i, 1, word[i]); break;
    case 2: std::swap(result[i], result[i == 0 ? 1 : i - 1]); break;
    case 3: result[i] = "qwxz"[below(4)]; break;
    default: result[i] = static_cast<char>(result[i] - 'a' + 'A');
  }
  return result;
}

TEST(ReadDot, AMisspeltAttributeIsNeverReadAsAnother) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const std::string gain = misspelt(round % 2 == 0 ? "gain" : "nonlinear", random);
    if (gain != "gain" && gain != "nonlinear") {
      EXPECT_NE(errors("digraph { a -> b [" + gain + "=\"K\"]; }").find("1:19 attribute '" + gain), std::string::npos) << gain;
    }
    for (const std::string word : {"input", "output", "variable", "parameters", "tolerances"})
      if (const std::string written = misspelt(word, random); written != word) {
        EXPECT_NE(errors("digraph { " + written + "=\"a\"; a -> b; }").find("attribute '" + written), std::string::npos)
            << written;
      }
  }
}

TEST(ReadDot, AttributesOfOthersAreKept) {
  const SignalFlowGraph graph = read("digraph { input_2=\"z\"; a -> b [gain=\"2\", weight=3, xlabel=\"x\", mine=\"m\"]; }");
  EXPECT_EQ(graph.branches()[0].attributes.size(), 3U);
  EXPECT_EQ(errors("digraph { edge [color=red, tooltip=\"t\", len=2]; a -> b; }"), "");
}

TEST(ReadDot, ATitleIsTheTitle) {
  const SignalFlowGraph graph = read("digraph tanks { title=\"Four tanks\"; a -> b; subgraph cluster_x { title=\"x\"; c } }");
  EXPECT_EQ(graph.title, "Four tanks");
  EXPECT_TRUE(graph.attributes.empty());
  EXPECT_EQ(errors("digraph { title=a; title=b; a -> b }"), "1:20 the graph states 'title' twice\n");
}

TEST(ReadDot, ArgumentsWithoutALawAreDoubted) {
  std::vector<Diagnostic> notes;
  read_dot("digraph { a -> b [gain=2, arguments=\"x\"]; }", "g.dot", &notes);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(to_string(notes[0]),
            "g.dot:1:27: warning: arguments are those of a nonlinear law, and the branch has none; "
            "state the law as nonlinear, or leave them out");
  notes.clear();
  read_dot("digraph { edge [arguments=x]; a -> x [gain=2]; x -> b [nonlinear=\"u*x\"]; }", "g.dot", &notes);
  EXPECT_TRUE(notes.empty());
}

TEST(ReadDot, AttributesHaveNames) {  // others' formats have no place for one without
  EXPECT_EQ(errors("digraph { a -> b [\"\"=x]; }"), "1:19 an attribute without a name\n");
  EXPECT_EQ(errors("digraph { \"\"=x; a [\"\"=x]; }"), "1:11 an attribute without a name\n1:20 an attribute without a name\n");
}

TEST(ReadDot, ArrowsOfOthersAreRefusedWhereTheyStand) {
  EXPECT_EQ(errors("digraph { a => b; }"), "1:13 arrow '=>' is none of DOT's\n");
  EXPECT_EQ(errors("digraph { a → b; }"), "1:13 arrow '→' is none of DOT's\n");
  EXPECT_EQ(errors("digraph { a→b; }"), "1:12 arrow '→' is none of DOT's\n");
  EXPECT_EQ(errors("digraph { a <- b; }"), "1:13 arrow '<-' is none of DOT's\n");
  EXPECT_EQ(nodes(read("digraph { \"a → b\" -> c; }")), "a → b c ");
}

TEST(ReadDot, DecimalCommasAndUnitsOfParametersAreNamed) {
  EXPECT_EQ(errors("digraph { parameters=\"K=0,5\"; a -> b; }"), "1:25 number '0,5' has a decimal comma\n");
  EXPECT_EQ(errors("digraph { parameters=\"K=3 kg\"; a -> b; }"),
            "1:27 'kg' behind the number 3 is neither a suffix nor a factor\n");
  EXPECT_EQ(errors("digraph { a -> b [gain=\"0,5*s\"]; }"), "1:26 number '0,5' has a decimal comma\n");
}

}  // namespace
}  // namespace sfg
