#include "sfg/transfer/transfer.hpp"

#include <ginac/operators.h>
#include <gtest/gtest.h>

#include <random>

#include "expect.hpp"
#include "published_cases.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/ring/modular.hpp"
#include "sfg/transfer/term_counts.hpp"

namespace sfg {
namespace {

using test::graph_of;

Question ask(const SignalFlowGraph& graph, const std::string& input, const std::string& output,
             Question::Mode mode = Question::Mode::source, const std::string& reference = {}) {
  Question question{graph.find(input).value(), graph.find(output).value(), mode, {}};
  if (!reference.empty()) question.reference = graph.find(reference);
  return question;
}

std::string transfer_text(const std::vector<test::Arrow>& arrows, const std::string& input, const std::string& output) {
  const SignalFlowGraph graph = graph_of(arrows);
  return transfer_function(graph, ask(graph, input, output)).value.text();
}

TEST(Transfer, UnityFeedback) {
  const SignalFlowGraph graph = graph_of({{"R", "e", "1"}, {"e", "C", "K/(s*(1+T*s))"}, {"C", "e", "-1"}});
  const TransferFunction found = transfer_function(graph, ask(graph, "R", "C"));
  EXPECT_EQ(found.value.text(), "K/(T*s^2 + s + K)");
  EXPECT_TRUE(found.cancelled.is_one());
  EXPECT_EQ(found.terms, (TermCounts{1, 2}));
  EXPECT_EQ(found.verification.points, 2u);
  EXPECT_LT(found.verification.error_bound, 1e-30);
}

// r ⇒ x1 ⇒ … ⇒ x100 = y, two branches each, around a loop of gain -1: 2^100 products in the numerator, the same and 1 below.
TEST(Transfer, CountsOfProductsHaveAnyLength) {
  std::vector<test::Arrow> arrows;
  const auto name = [](int i) { return "x" + std::to_string(i); };
  for (int i = 0; i < 100; ++i)
    for (const char* gain : {"1/2", "1/3"}) arrows.push_back({name(i), name(i + 1), gain});
  arrows.push_back({"r", "x0", "1"});
  arrows.push_back({"x100", "x0", "-1"});
  const SignalFlowGraph graph = graph_of(arrows);
  const TransferFunction found = transfer_function(graph, ask(graph, "r", "x100"));
  ring::Integer power = 1;
  for (int i = 0; i < 100; ++i) power += power;
  EXPECT_EQ(found.terms, (TermCounts{power, power + ring::Integer(1)}));
  EXPECT_EQ(to_string(*found.terms.numerator), "1267650600228229401496703205376");
}

// Blocks with a symbol of its own for every branch are not searched for common factors: there are none.
TEST(Transfer, GenericGraphsComeOutInLowestTerms) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 60; ++trial) {
    const int nodes = 2 + static_cast<int>(random() % 5);
    const auto name = [](int i) { return "x" + std::to_string(i); };
    std::vector<test::Arrow> arrows{{"r", "x0", "1"}, {name(nodes - 1), "y", "1"}};
    for (int i = 0; i < nodes; ++i)
      for (int j = 0; j < nodes; ++j)
        if (random() % 3 != 0) arrows.push_back({name(i), name(j), "g" + std::to_string(i) + "_" + std::to_string(j)});
    const SignalFlowGraph graph = graph_of(arrows);
    const RationalFunction value = transfer_function(graph, ask(graph, "r", "y")).value;
    EXPECT_TRUE(value.numerator().is_zero() || gcd(value.numerator(), value.denominator()).is_constant()) << "trial " << trial;
  }
}

TEST(NumericTransfer, IsMonicWhereCoefficientsLeaveTheRangeOfDoubles) {
  const SignalFlowGraph graph = graph_of({{"r", "y", "(2*10^400 + 2)/((10^400 + 1)*s^2 + (10^400 + 3)*s + 7)"}});
  const NumericTransfer numeric = numeric_transfer(transfer_function(graph, ask(graph, "r", "y")), graph.symbols);
  EXPECT_EQ(numeric.num, std::vector<double>{2});
  EXPECT_EQ(numeric.den, (std::vector<double>{1, 1, 0}));  // 7e-400 is 0
}

TEST(Transfer, PublishedGains) {
  for (const auto& item : test::published_cases()) {
    SCOPED_TRACE(item.id);
    if (item.known.at("expect") == "error") {
      EXPECT_THROW(transfer_function(item.graph, item.question), NoAnswer);
      continue;
    }
    const TransferFunction found = transfer_function(item.graph, item.question);
    SymbolTable symbols = item.graph.symbols;
    const GiNaC::ex expected = parse(item.known.at("transfer").get<std::string>(), symbols);
    EXPECT_EXPRESSION(found.value.expression(), expected) << found.value.text();
    EXPECT_EXPRESSION(parse(found.value.text(), symbols), expected) << found.value.text();
    EXPECT_TRUE(found.value.common_factor().is_one());
    EXPECT_EQ(found.terms.determinant, ring::Integer(item.known.at("n_delta_terms").get<int>()));
  }
}

TEST(Transfer, NoPathIsZero) {
  const std::vector<test::Arrow> arrows{{"a", "b", "g1"}, {"b", "a", "g2"}, {"c", "d", "g3"}};
  EXPECT_EQ(transfer_text(arrows, "c", "b"), "0");
}

TEST(Transfer, InputAsOutputIsOneWithoutLoopsThroughIt) {
  const SignalFlowGraph graph = graph_of({{"r", "a", "1"}, {"a", "b", "g"}, {"b", "a", "h"}});
  EXPECT_EQ(transfer_function(graph, ask(graph, "r", "r")).value.text(), "1");
  EXPECT_EQ(transfer_function(graph, ask(graph, "a", "a", Question::Mode::inject)).value.text(), "1/(1 - g*h)");
  EXPECT_EQ(transfer_function(graph, ask(graph, "a", "a", Question::Mode::ratio, "r")).value.text(), "1");
}

TEST(Transfer, RatioOfASignalThatStaysZeroHasNoAnswer) {
  const SignalFlowGraph graph = graph_of({{"r", "a", "1"}, {"a", "b", "g"}, {"q", "c", "1"}, {"r", "z", "k"}, {"r", "z", "-k"}});
  EXPECT_THROW(transfer_function(graph, ask(graph, "c", "b", Question::Mode::ratio, "r")), NoAnswer);
  EXPECT_THROW(transfer_function(graph, ask(graph, "z", "b", Question::Mode::ratio, "r")), NoAnswer);
}

TEST(Transfer, HiddenModesAreReported) {
  const SignalFlowGraph graph = graph_of({{"r", "a", "1/(s+1)"}, {"a", "y", "(s+1)/(s+2)"}});
  const TransferFunction found = transfer_function(graph, ask(graph, "r", "y"));
  EXPECT_EQ(found.value.text(), "1/(s + 2)");
  EXPECT_EQ(print(found.cancelled), "s + 1");
}

TEST(Transfer, BranchesThatAreNotAskedForLeaveNoTrace) {
  // the other input's denominator s+5 is no hidden mode of this gain
  const SignalFlowGraph graph =
      graph_of({{"r", "a", "1/(s+1)"}, {"w", "a", "1/(s+5)"}, {"a", "y", "1"}, {"y", "a", "-2/(s+3)"}, {"w", "q", "1/(s+7)"}});
  const TransferFunction found = transfer_function(graph, ask(graph, "r", "y"));
  EXPECT_EQ(found.value.text(), "(s + 3)/(s^2 + 6*s + 5)");
  EXPECT_TRUE(found.cancelled.is_one()) << print(found.cancelled);
}

TEST(Transfer, DeadTimeIsAVariableOfItsOwn) {
  const SignalFlowGraph graph = graph_of({{"r", "e", "1"}, {"e", "y", "K*exp(-s*T)/s"}, {"y", "e", "-1"}});
  const TransferFunction found = transfer_function(graph, ask(graph, "r", "y"));
  SymbolTable symbols = graph.symbols;
  EXPECT_TRUE(vanishes(found.value.expression() - parse("K*exp(-s*T)/(s + K*exp(-s*T))", symbols))) << found.value.text();
}

TEST(Transfer, ManyQuestionsShareTheirWork) {
  const SignalFlowGraph graph = graph_of({{"r", "a", "g1"}, {"w", "b", "g2"}, {"a", "b", "k1/s"}, {"b", "a", "-k2/s"}});
  const auto asked = questions(graph, {}, std::vector{graph.find("a").value(), graph.find("b").value()});
  const auto found = transfer_functions(graph, asked);
  ASSERT_EQ(found.size(), 4u);
  for (const TransferFunction& each : found) {
    EXPECT_EQ(each.value.space().context(), found[0].value.space().context());
    EXPECT_EQ(each.value.text(), transfer_function(graph, each.question).value.text());
  }
}

TEST(Transfer, FamiliesAtTheirValues) {
  const ring::ModularRing field;  // modulo 2^61 - 1
  const auto prime = [](std::size_t i) {
    static std::vector<std::uint64_t> known{2};
    for (std::uint64_t k = known.back() + 1; known.size() <= i; ++k)
      if (std::none_of(known.begin(), known.end(), [k](std::uint64_t p) { return k % p == 0; })) known.push_back(k);
    return known[i];
  };
  for (const auto& known : test::families()) {
    const std::string rule = known.at("family");
    const int size = known.at("size");
    if (known.at("assignment") != "primes") continue;
    SCOPED_TRACE(rule + " " + std::to_string(size));
    const auto member = test::family(rule, size);
    const SignalFlowGraph graph = graph_of(member.arrows);
    GraphMatrix matrix(graph);
    TermCounter counter(matrix, ParallelBranches::apart);
    const auto& count = known.at("n_delta_terms");
    EXPECT_EQ(counter.count(matrix.determinant()),
              ring::Integer(count.is_string() ? count.get<std::string>() : std::to_string(count.get<std::uint64_t>())));
    if (known.contains("n_numerator_terms")) {
      const Question question = ask(graph, member.input, member.output);
      EXPECT_EQ(counter.count(matrix.numerator(question.input, question.output)),
                ring::Integer(std::to_string(known.at("n_numerator_terms").get<std::uint64_t>())));
    }
    if (!count.is_number() || count.get<std::uint64_t>() > 2000) continue;
    const TransferFunction found = transfer_function(graph, ask(graph, member.input, member.output));
    std::vector<std::uint64_t> values(found.value.space().size(), 0);
    for (std::size_t i = 0; i < member.symbols.size(); ++i)
      if (const auto at = found.value.space().index(graph.symbols.at(member.symbols[i]).expr)) values[*at] = prime(i);
    EXPECT_EQ(std::to_string(field.divide(found.value.numerator().modulo(field.prime(), values),
                                          found.value.denominator().modulo(field.prime(), values))),
              known.at("value_mod_2p61m1"));
  }
}

TEST(Transfer, TooLargeIsRefusedWithTheCheaperForms) {
  const auto member = test::ladder(30);
  const SignalFlowGraph graph = graph_of(member.arrows);
  try {
    transfer_function(graph, ask(graph, member.input, member.output));
    FAIL();
  } catch (const LimitReached& error) {
    EXPECT_NE(error.remedy().text().find("sequence"), std::string::npos);
  }
}

TEST(Transfer, NonlinearBranchElsewhereDoesNotMatter) {
  SignalFlowGraph graph = graph_of({{"r", "a", "g"}, {"a", "y", "k"}});
  SymbolTable symbols = graph.symbols;
  graph.add_branch({graph.find("y").value(), graph.node("z"), Nonlinearity{parse("u^3", symbols)}, {}, {}});
  EXPECT_EQ(transfer_function(graph, ask(graph, "r", "y")).value.text(), "g*k");
  EXPECT_THROW(transfer_function(graph, ask(graph, "r", "z")), Error);
}

TEST(Transfer, NumericCoefficients) {
  SignalFlowGraph graph = graph_of({{"R", "e", "1"}, {"e", "C", "K/(s*(1+T*s))"}, {"C", "e", "-1"}});
  graph.symbols.find("K")->value = 10;
  const TransferFunction found = transfer_function(graph, ask(graph, "R", "C"));
  try {
    numeric_transfer(found, graph.symbols);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no value for the parameter 'T'"), std::string::npos) << error.what();
  }
  graph.symbols.find("T")->value = GiNaC::numeric(1, 10);
  const NumericTransfer numbers = numeric_transfer(found, graph.symbols);
  EXPECT_EQ(numbers.num, (std::vector<double>{10}));
  EXPECT_EQ(numbers.den, (std::vector<double>{0.1, 1, 10}));
}

TEST(Transfer, LoopsThatAreOneByAnIdentityMakeTheGraphSingular) {
  for (const char* one : {"sin(a)^2 + cos(a)^2", "tan(a)*cos(a)/sin(a)", "exp(a)*exp(b)/exp(a + b)", "cosh(x)^2 - sinh(x)^2",
                          "2*sin(w*t/2)*cos(w*t/2)/sin(w*t)"}) {
    const SignalFlowGraph singular = graph_of({{"u", "e", "1"}, {"e", "e", one}, {"e", "y", "1/s"}});
    EXPECT_THROW((void)transfer_functions(singular, questions(singular)), NoAnswer) << one;
    // Not here, where another loop is there; but no step may divide by 1 minus the first.
    const SignalFlowGraph regular =
        graph_of({{"u", "e", "1"}, {"e", "e", one}, {"e", "x", "1/s"}, {"x", "e", "-K"}, {"x", "y", "1"}});
    const TransferFunction found = transfer_functions(regular, questions(regular)).front();
    SymbolTable symbols = regular.symbols;
    EXPECT_TRUE(vanishes(found.value.expression() - parse("1/K", symbols))) << one;
  }
}

}  // namespace
}  // namespace sfg
