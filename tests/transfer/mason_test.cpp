#include "sfg/transfer/mason.hpp"

#include <ginac/operators.h>
#include <gtest/gtest.h>

#include <tuple>

#include "expect.hpp"
#include "published_cases.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {
namespace {

using test::graph_of;

Question ask(const SignalFlowGraph& graph, const std::string& input, const std::string& output) {
  return {graph.find(input).value(), graph.find(output).value(), Question::Mode::source, {}};
}

::testing::AssertionResult equal(const GiNaC::ex& found, const std::string& expected, SymbolTable symbols) {
  if (vanishes(found - parse(expected, symbols))) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << print(found) << " is not " << expected;
}

// Two loops that do not touch and one that touches both:
//   R → a → b → c → d → C, b → a (h1), d → c (h2), d → a (h3)
SignalFlowGraph three_loops() {
  return graph_of({{"R", "a", "1"},
                   {"a", "b", "G1"},
                   {"b", "c", "G2"},
                   {"c", "d", "G3"},
                   {"d", "C", "1"},
                   {"b", "a", "-h1"},
                   {"d", "c", "-h2"},
                   {"d", "a", "-h3"}});
}

TEST(Mason, ThreeLoops) {
  const SignalFlowGraph graph = three_loops();
  const MasonListing listing = mason(graph, ask(graph, "R", "C"));
  ASSERT_EQ(listing.paths.size(), 1u);
  EXPECT_EQ(print(listing.paths[0].gain), "G1*G2*G3");
  EXPECT_EQ(print(listing.paths[0].cofactor), "1");
  ASSERT_EQ(listing.loops.size(), 3u);
  EXPECT_EQ(listing.non_touching, (std::vector<std::vector<std::size_t>>{{0, 2}}));
  EXPECT_TRUE(equal(listing.determinant, "1 + G1*h1 + G3*h2 + G1*G2*G3*h3 + G1*h1*G3*h2", graph.symbols));
  EXPECT_TRUE(equal(listing.transmittance, "G1*G2*G3/(1 + G1*h1 + G3*h2 + G1*G2*G3*h3 + G1*h1*G3*h2)", graph.symbols));
  EXPECT_EQ(listing.path_count, ring::Integer("1"));
  EXPECT_EQ(listing.loop_count, ring::Integer("3"));
  EXPECT_EQ(listing.set_count, ring::Integer("5"));
  EXPECT_FALSE(listing.truncated);
}

TEST(Mason, CofactorIsOfTheLoopsThatDoNotTouchThePath) {
  const SignalFlowGraph graph = graph_of({{"r", "a", "P"}, {"a", "y", "Q"}, {"r", "y", "D"}, {"a", "a", "h"}});
  const MasonListing listing = mason(graph, ask(graph, "r", "y"));
  ASSERT_EQ(listing.paths.size(), 2u);
  EXPECT_EQ(print(listing.paths[0].gain), "P*Q");
  EXPECT_TRUE(listing.paths[0].non_touching.empty());
  EXPECT_EQ(print(listing.paths[1].gain), "D");
  EXPECT_EQ(listing.paths[1].non_touching, (std::vector<std::vector<std::size_t>>{{0}}));
  EXPECT_TRUE(equal(listing.paths[1].cofactor, "1 - h", graph.symbols));
}

// Nodes are kept in words of 64 bits. Two loops touch in the second of them, at the node that is the first of neither.
TEST(Mason, LoopsOfManyNodesTouchWhereTheyDo) {
  std::vector<test::Arrow> arrows;
  for (int node = 0; node < 70; ++node) arrows.push_back({"x" + std::to_string(node), "x" + std::to_string(node + 1), "1"});
  for (const auto& [from, to, gain] :
       {std::tuple{"x3", "x2", "-a"}, {"p", "r", "1"}, {"q", "r", "1"}, {"r", "p", "-b"}, {"r", "q", "-c"}})
    arrows.push_back({from, to, gain});
  arrows.push_back({"x70", "r", "1"});
  arrows.push_back({"r", "y", "1"});
  const SignalFlowGraph graph = graph_of(arrows);
  const MasonListing listing = mason(graph, ask(graph, "x0", "y"));
  ASSERT_EQ(listing.loops.size(), 3u);
  EXPECT_EQ(listing.non_touching.size(), 2u);
  EXPECT_TRUE(equal(listing.determinant, "(1 + a)*(1 + b + c)", graph.symbols));
}

TEST(Mason, PublishedNumbersAndGains) {
  for (const auto& item : test::published_cases()) {
    SCOPED_TRACE(item.id);
    if (item.known.at("expect") == "error") {
      EXPECT_THROW(mason(item.graph, item.question), NoAnswer);
      continue;
    }
    const MasonListing listing = mason(item.graph, item.question);
    EXPECT_EQ(listing.loop_count, ring::Integer(item.known.at("n_loops_merged").get<int>()));
    EXPECT_EQ(listing.set_count, ring::Integer(item.known.at("n_delta_terms_merged").get<int>()));
    EXPECT_EQ(listing.set_count,
              ring::Integer(static_cast<std::int64_t>(listing.non_touching.size() + listing.loops.size() + 1)));
    EXPECT_TRUE(equal(listing.determinant, item.known.at("delta"), item.graph.symbols));
    EXPECT_TRUE(equal(listing.transmittance, item.known.at("transfer"), item.graph.symbols));
    const auto [above, below] = gain_by_paths(listing);
    EXPECT_EXPRESSION(above / below, listing.transmittance);
    if (item.question.mode != Question::Mode::ratio) {
      EXPECT_EQ(listing.path_count, ring::Integer(item.known.at("n_forward_paths_merged").get<int>()));
    } else {
      EXPECT_EQ(listing.reference_paths.size(), item.known.at("n_forward_paths_to_input").get<std::size_t>());
    }
  }
}

TEST(Mason, CountsOfFamiliesAgreeWithTheDiagram) {
  for (const auto& [rule, size] : {std::pair{"ladder", 8}, {"complete", 6}, {"grid", 3}, {"ring", 12}, {"nested", 5}}) {
    SCOPED_TRACE(rule);
    const auto member = test::family(rule, size);
    const SignalFlowGraph graph = graph_of(member.arrows);
    const MasonListing listing = mason(graph, ask(graph, member.input, member.output));
    EXPECT_EQ(listing.set_count,
              ring::Integer(static_cast<std::int64_t>(listing.non_touching.size() + listing.loops.size() + 1)));
    for (const auto& known : test::families()) {
      if (known.at("family") != rule || known.at("size") != size) continue;
      EXPECT_EQ(listing.set_count, ring::Integer(known.at("n_delta_terms").get<int>()));
      EXPECT_EQ(listing.loops.size(), known.value("n_loops", listing.loops.size()));
      EXPECT_EQ(listing.paths.size(), known.value("n_forward_paths", listing.paths.size()));
    }
  }
}

TEST(Mason, LimitCutsTheListsAndSaysSo) {
  const auto member = test::complete(7);
  const SignalFlowGraph graph = graph_of(member.arrows);
  const MasonListing listing = mason(graph, ask(graph, member.input, member.output), {.limit = 10, .budget = {}});
  EXPECT_TRUE(listing.truncated);
  EXPECT_EQ(listing.paths.size(), 10u);
  EXPECT_EQ(listing.loops.size(), 10u);
  EXPECT_LE(listing.non_touching.size(), 10u);
  EXPECT_EQ(listing.path_count, ring::Integer("326"));
  EXPECT_EQ(listing.loop_count, ring::Integer("2365"));
  EXPECT_EQ(listing.set_count, ring::Integer("5040"));
}

TEST(Mason, LimitThatIsLargeEnoughCutsNothing) {
  const SignalFlowGraph graph = three_loops();
  const MasonListing listing = mason(graph, ask(graph, "R", "C"), {.limit = 5, .budget = {}});
  EXPECT_FALSE(listing.truncated);
  EXPECT_FALSE(listing.transmittance.is_zero());
}

TEST(Mason, SetsOfALadderAreCountedThoughNobodyCouldListThem) {
  const auto member = test::ladder(100);
  const SignalFlowGraph graph = graph_of(member.arrows);
  const MasonListing listing = mason(graph, ask(graph, member.input, member.output), {.limit = 50, .budget = {}});
  EXPECT_EQ(listing.set_count, ring::Integer("453973694165307953197296969697410619233826"));  // Fibonacci 201
  EXPECT_EQ(listing.loop_count, ring::Integer("199"));
  EXPECT_EQ(listing.non_touching.size(), 50u);
}

TEST(Mason, TooManySetsAreRefusedAtOnce) {
  const auto member = test::ladder(20);
  const SignalFlowGraph graph = graph_of(member.arrows);
  try {
    mason(graph, ask(graph, member.input, member.output));
    FAIL();
  } catch (const LimitReached& error) {
    EXPECT_NE(std::string(error.what()).find("165580141"), std::string::npos);
    EXPECT_EQ(error.remedy(), Advice::raise_term_limit | Advice::list_some | Advice::ask_unlisted);
  }
}

std::string singular_message(const SignalFlowGraph& graph, const char* input, const char* output) {
  try {
    mason(graph, ask(graph, input, output));
  } catch (const NoAnswer& error) {
    return error.what();
  }
  return {};
}

TEST(Mason, SingularGraphNamesTheLoop) {
  const SignalFlowGraph unit = graph_of({{"r", "a", "1"}, {"a", "a", "1"}, {"a", "y", "g"}});
  EXPECT_NE(singular_message(unit, "r", "y").find("a -> a with gain 1"), std::string::npos);

  const SignalFlowGraph pair = graph_of({{"r", "a", "1"}, {"a", "a", "1/2"}, {"a", "b", "g"}, {"b", "b", "1"}, {"b", "y", "1"}});
  const std::string message = singular_message(pair, "r", "y");
  EXPECT_NE(message.find("b -> b with gain 1"), std::string::npos);
  EXPECT_EQ(message.find("a -> a"), std::string::npos);
}

TEST(Mason, SingularGraphNamesLoopsThatDoItTogether) {
  // L1 + L2 = 1: K and 1 - K around one node; the third loop is not to blame
  const SignalFlowGraph graph = graph_of({{"r", "a", "1"},
                                          {"a", "b", "K"},
                                          {"b", "a", "1"},
                                          {"a", "a", "1 - K"},
                                          {"b", "y", "1"},
                                          {"y", "z", "1"},
                                          {"z", "y", "-1"}});
  const std::string message = singular_message(graph, "r", "y");
  EXPECT_NE(message.find("a -> a"), std::string::npos);
  EXPECT_NE(message.find("a -> b -> a"), std::string::npos);
  EXPECT_EQ(message.find("y -> z"), std::string::npos);
}

TEST(Mason, NonlinearBranchIsNamed) {
  SignalFlowGraph graph = graph_of({{"r", "a", "1"}});
  SymbolTable symbols = graph.symbols;
  graph.add_branch({graph.find("a").value(), graph.node("y"), Nonlinearity{parse("u^3", symbols)}, {}, {}});
  EXPECT_THROW(mason(graph, ask(graph, "r", "y")), Error);
}

}  // namespace
}  // namespace sfg
