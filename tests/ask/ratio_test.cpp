// Ratios of transfer functions and sums of inputs, against the equations of the graph solved for numbers by GiNaC.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>
#include <random>

#include "ask/random_gains.hpp"
#include "sfg/ask/measured.hpp"
#include "sfg/ask/subject.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/transfer.hpp"

namespace {

using namespace sfg;
using GiNaC::ex;

Subject asked(const SignalFlowGraph& graph, SubjectTerms terms) {
  Input input;
  input.content = graph;
  return Subject(std::move(input), std::move(terms));
}

/// Three sources, and nodes that drive each other at random.
SignalFlowGraph random_graph(std::mt19937& random) {
  SignalFlowGraph graph;
  const ex s = graph.op.declare(graph.symbols);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  const int n = pick(5, 8);
  for (int i = 0; i < n; ++i) graph.add_node({i < 3 ? "u" + std::to_string(i + 1) : "x" + std::to_string(i), {}, {}});
  test::add_random_branches(graph, s, random, 3);
  return graph;
}

/// The nodes' values with these of the sources; nothing where there is no unique one.
std::optional<std::vector<ex>> solved(const SignalFlowGraph& graph, const GiNaC::exmap& point, const std::array<ex, 3>& driven) {
  const auto n = static_cast<unsigned>(graph.nodes().size());
  GiNaC::matrix matrix(n, n), right(n, 1), unknowns(n, 1);
  for (unsigned i = 0; i < n; ++i) {
    matrix(i, i) = 1;
    right(i, 0) = i < 3 ? driven[i] : ex(0);
    unknowns(i, 0) = GiNaC::symbol();
  }
  for (const Branch& branch : graph.branches()) matrix(branch.to.index, branch.from.index) -= branch.gain().subs(point);
  if (matrix.determinant().is_zero()) return {};
  const GiNaC::matrix values = matrix.solve(unknowns, right);
  std::vector<ex> result;
  for (unsigned i = 0; i < n; ++i) result.push_back(values(i, 0));
  return result;
}

struct DrivenBy {
  std::string words;
  std::array<ex, 3> values;  ///< of the sources where the sum is 1 and what is orthogonal to it 0
};

const std::array<DrivenBy, 6>& ways_to_drive() {
  static const std::array<DrivenBy, 6> all{{{"u1", {1, 0, 0}},
                                            {"u2", {0, 1, 0}},
                                            {"u3", {0, 0, 1}},
                                            {"u1 - u2", {ex(1) / 2, ex(-1) / 2, 0}},
                                            {"(u1 + u2)/2", {1, 1, 0}},
                                            {"u1 + 2*u2 - 3*u3", {ex(1) / 14, ex(1) / 7, ex(-3) / 14}}}};
  return all;
}

TEST(Ratio, IsTheQuotientOfTwoSolutions) {
  std::array<std::size_t, 3> kinds{};  // one output, one input, neither
  std::size_t infinite = 0;
  for (unsigned seed = 1; seed <= 120; ++seed) {
    std::mt19937 random(seed);
    SignalFlowGraph graph = random_graph(random);
    const GiNaC::exmap point = test::random_point(graph.symbols, random);
    const auto driven = [&] { return ways_to_drive()[random() % 6]; };
    const auto node = [&] { return static_cast<std::uint32_t>(3 + random() % (graph.nodes().size() - 3)); };
    const DrivenBy above = driven(), below = random() % 4 == 0 ? above : driven();
    const std::uint32_t y = node(), y2 = random() % 2 == 0 ? y : node();
    const auto T = solved(graph, point, above.values), T2 = solved(graph, point, below.values);
    if (!T || !T2) continue;
    const std::string out = graph[NodeId{y}].name, out2 = graph[NodeId{y2}].name;
    const std::string words = y == y2 && random() % 2 == 0 ? out + "/" + above.words + "," + below.words
                                                           : out + "/" + above.words + ", " + out2 + "/" + below.words;
    const Subject subject = asked(graph, {.ratio = RatioTerms{words}});
    if ((*T2)[y2].is_zero()) {
      EXPECT_THROW(subject.graph(), NoAnswer) << seed << ' ' << words;
      ++infinite;
      continue;
    }
    const std::vector<Question> questions = sfg::questions(subject.graph());
    ASSERT_EQ(questions.size(), 1U);
    const ex found = transfer_function(subject.graph(), questions.front()).value.expression();
    EXPECT_EQ(found.subs(point), (*T)[y] / (*T2)[y2]) << seed << ' ' << words;
    ++kinds[y == y2 ? 0 : above.words == below.words ? 1 : 2];
    const Subject beside = asked(graph, {.ratio = RatioTerms{out2 + "/" + below.words, above.words, out}});
    EXPECT_EQ(transfer_function(beside.graph(), sfg::questions(beside.graph()).front()).value.expression().subs(point),
              found.subs(point))
        << seed << ' ' << words;
  }
  for (const std::size_t count : kinds) EXPECT_GT(count, 4U);
  EXPECT_GT(infinite, 3U);
}

TEST(Ratio, SumsOfInputsDriveWhatTheySay) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    SignalFlowGraph graph = random_graph(random);
    const GiNaC::exmap point = test::random_point(graph.symbols, random);
    const DrivenBy& by = ways_to_drive()[3 + seed % 3];
    const auto expected = solved(graph, point, by.values);
    if (!expected) continue;
    const Subject subject = asked(graph, {.inputs = {by.words}});
    for (std::uint32_t y = 0; y < graph.nodes().size(); ++y) {
      const auto T = transfer_function(subject.graph(), question(subject.graph(), by.words, graph[NodeId{y}].name));
      EXPECT_EQ(T.value.expression().subs(point), (*expected)[y]) << seed << ' ' << graph[NodeId{y}].name;
    }
  }
}

const char* const pair = R"(* pair
.param gm1=2m gm2=2m R1=10k R2=10k
V1 g1 0 AC 1
V2 g2 0
Gm1 d1 s g1 s {gm1}
Gm2 d2 s g2 s {gm2}
R1 0 d1 {R1}
R2 0 d2 {R2}
RT s 0 500k
)";

// Where the stated halves match the rejection is infinite: that is said, and samples beside it have theirs.
TEST(Ratio, MatchedPairRejectsAllAndItsSamplesSome) {
  Subject subject(read(pair, InputFormat::spice, "pair.cir"), {.ratio = RatioTerms{"v(d1,d2)/V1 - V2,(V1 + V2)/2"}});
  EXPECT_TRUE(subject.infinite_with_values());
  const SignalFlowGraph graph = subject.regular_graph();
  EXPECT_NE(subject.notes().back().message.find("infinite"), std::string::npos);
  const SystemOf whole = [](SignalFlowGraph there) {
    const Question question = questions(there).front();
    return MeasuredSystem{.graph = std::move(there), .question = question};
  };
  const MeasuredSystem system = measured(subject, whole);
  const std::vector<std::string> names{"gm1", "gm2"};
  MeasureProgram program(system, {measure_of("gain@0", graph.symbols)}, names);
  std::vector<double> value(1);
  program.evaluate(1, std::vector<double>{2e-3, 2e-3}, value);
  EXPECT_TRUE(std::isnan(value[0]));
  for (const auto& [gm1, gm2] : {std::pair(2.02e-3, 2e-3), {1.97e-3, 2.01e-3}, {2e-3, 2.3e-3}}) {
    program.evaluate(1, std::vector<double>{gm1, gm2}, value);
    const double R = 1e4, RT = 5e5;  // by hand: A_dm = -R(4 gm1 gm2 RT + gm1 + gm2)/(2(1 + (gm1 + gm2)RT)), A_cm beside it
    EXPECT_NEAR(value[0], std::abs((4 * gm1 * gm2 * RT + gm1 + gm2) * R / (2 * R * (gm1 - gm2))), 1e-8 * value[0]);
  }
  Subject same(read(std::string(pair) + "R3 g1 0 1k\n", InputFormat::spice, "pair.cir"),
               {.settings = {"gm2=gm1", "R2=R1"}, .ratio = RatioTerms{"v(d1,d2)/V1 - V2,(V1 + V2)/2"}});
  EXPECT_THROW(same.graph(), NoAnswer);
}

TEST(Ratio, WordsThatNameNothingAreRefused) {
  std::mt19937 random(3);
  SignalFlowGraph graph = random_graph(random);
  for (const char* words :
       {"x3/u1", "u1", "x3/u1,", "x3/u1,x9/u2", "x3/u1,v", "x3/u1,x4/x3", "x3/u1 - x4,u2", "x3/u1,u1 - u1", ",", ""})
    EXPECT_THROW(asked(graph, {.ratio = RatioTerms{words}}).graph(), Error) << words;
}

}  // namespace
