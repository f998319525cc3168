#include "sfg/transfer/sequence.hpp"

#include <ginac/operators.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <set>

#include "expect.hpp"
#include "published_cases.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/ring/modular.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {
namespace {

using test::graph_of;
using Choice = SequenceOptions::Choice;

Question ask(const SignalFlowGraph& graph, const std::string& input, const std::string& output) {
  return {graph.find(input).value(), graph.find(output).value(), Question::Mode::source, {}};
}

SequenceOptions by(Choice choice) {
  SequenceOptions options;
  options.method = choice;
  return options;
}

/// The quotient with all names put in again.
GiNaC::ex put_together(const TransferSequence& sequence) {
  GiNaC::exmap values;
  for (const auto& definition : sequence.definitions) values[definition.symbol] = definition.value.subs(values);
  return sequence.numerator.subs(values) / sequence.denominator.subs(values);
}

TEST(Sequence, OfOneLoopNeedsNoDefinitions) {
  const SignalFlowGraph graph = graph_of({{"R", "e", "1"}, {"e", "C", "G"}, {"C", "e", "-H"}});
  const TransferSequence found = transfer_sequence(graph, ask(graph, "R", "C"));
  EXPECT_TRUE(found.definitions.empty());
  EXPECT_EQ(print(found.numerator), "G");
  EXPECT_EQ(print(found.denominator), "G*H + 1");
  EXPECT_EQ(found.operations, (OperationCounts{1, 1, 1}));
  EXPECT_EQ(found.terms, (TermCounts{1, 2}));
  EXPECT_EQ(found.method, TransferSequence::Method::diagram);
}

TEST(Sequence, PublishedGainsByBothMethods) {
  for (const auto& item : test::published_cases())
    for (const Choice choice : {Choice::diagram, Choice::elimination, Choice::automatic}) {
      SCOPED_TRACE(item.id);
      if (item.known.at("expect") == "error") {
        EXPECT_THROW(transfer_sequence(item.graph, item.question, by(choice)), NoAnswer);
        continue;
      }
      const TransferSequence found = transfer_sequence(item.graph, item.question, by(choice));
      SymbolTable symbols = item.graph.symbols;
      EXPECT_EXPRESSION(put_together(found), parse(item.known.at("transfer").get<std::string>(), symbols));
      EXPECT_EQ(found.terms.determinant, ring::Integer(item.known.at("n_delta_terms").get<int>()));
    }
}

TEST(Sequence, DefinitionsUseOnlyWhatCameBefore) {
  const auto member = test::grid(3);
  const SignalFlowGraph graph = graph_of(member.arrows);
  for (const Choice choice : {Choice::diagram, Choice::elimination}) {
    const TransferSequence found = transfer_sequence(graph, ask(graph, member.input, member.output), by(choice));
    std::set<std::string> known;
    for (const std::string& name : graph.symbols.names()) known.insert(name);
    const auto check = [&](const GiNaC::ex& e) {
      for (const std::string& name : symbol_names(e)) EXPECT_TRUE(known.contains(name)) << name;
    };
    for (const auto& definition : found.definitions) {
      check(definition.value);
      EXPECT_TRUE(known.insert(definition.name).second) << definition.name;
    }
    check(found.numerator);
    check(found.denominator);
  }
}

TEST(Sequence, NamesDoNotClash) {
  const auto member = test::ladder(4);
  std::vector<test::Arrow> arrows = member.arrows;
  arrows.push_back({"v1", "q7", "m3"});
  const SignalFlowGraph graph = graph_of(arrows);
  const TransferSequence found = transfer_sequence(graph, ask(graph, member.input, member.output));
  ASSERT_FALSE(found.definitions.empty());
  EXPECT_EQ(found.definitions[0].name, "w1");  // m3 is a gain, q7 a node
}

TEST(Sequence, DiagramDividesOnce) {
  const auto member = test::ladder(20);
  const SignalFlowGraph graph = graph_of(member.arrows);
  const TransferSequence found = transfer_sequence(graph, ask(graph, member.input, member.output));
  EXPECT_EQ(found.method, TransferSequence::Method::diagram);
  EXPECT_EQ(found.operations.divisions, 1u);
  EXPECT_LT(found.operations.total(), 240u);
}

TEST(Sequence, WideGraphsAreEliminated) {
  const auto member = test::complete(12);
  const SignalFlowGraph graph = graph_of(member.arrows);
  const TransferSequence found = transfer_sequence(graph, ask(graph, member.input, member.output));
  EXPECT_EQ(found.method, TransferSequence::Method::elimination);
  EXPECT_LT(found.operations.total(), 1500u);
  EXPECT_EQ(found.terms.determinant, ring::Integer(479001600));  // 12!
}

TEST(Sequence, FamiliesAtTheirValues) {
  const ring::ModularRing field;
  for (const auto& known : test::families()) {
    const std::string rule = known.at("family");
    const int size = known.at("size");
    if (known.at("assignment") != "primes") continue;
    SCOPED_TRACE(rule + " " + std::to_string(size));
    const auto member = test::family(rule, size);
    const SignalFlowGraph graph = graph_of(member.arrows);
    const TransferSequence found = transfer_sequence(graph, ask(graph, member.input, member.output));
    const auto& count = known.at("n_delta_terms");
    EXPECT_EQ(to_string(found.terms.determinant.value()),
              count.is_string() ? count.get<std::string>() : std::to_string(count.get<std::uint64_t>()));
    EXPECT_LT(found.verification.error_bound, 1e-20);
  }
}

TEST(Sequence, LadderOfAThousandSections) {
  const auto member = test::ladder(1000);
  const SignalFlowGraph graph = graph_of(member.arrows);
  const TransferSequence found = transfer_sequence(graph, ask(graph, member.input, member.output));
  EXPECT_EQ(to_string(found.terms.determinant.value()).size(), 418u);  // Fibonacci 2001 ≈ 6.8·10^417
  EXPECT_EQ(found.terms.numerator, ring::Integer(1));
  EXPECT_LT(found.operations.total(), 15'000u);
}

TEST(Sequence, NoPathIsZero) {
  const SignalFlowGraph graph = graph_of({{"a", "b", "g"}, {"c", "d", "h"}});
  for (const Choice choice : {Choice::diagram, Choice::elimination})
    EXPECT_TRUE(transfer_sequence(graph, ask(graph, "a", "d"), by(choice)).numerator.is_zero());
}

TEST(OperationCounts, CountWhatIsWritten) {
  SymbolTable symbols;
  const auto counts = [&](const char* text) { return operation_counts(parse(text, symbols)); };
  EXPECT_EQ(counts("a"), (OperationCounts{0, 0, 0}));
  EXPECT_EQ(counts("-a"), (OperationCounts{0, 0, 0}));
  EXPECT_EQ(counts("a*b - c"), (OperationCounts{1, 1, 0}));
  EXPECT_EQ(counts("a^3"), (OperationCounts{0, 2, 0}));
  EXPECT_EQ(counts("a/(b*(c+d))"), (OperationCounts{1, 1, 1}));
  EXPECT_EQ(counts("1/(c+d)"), (OperationCounts{1, 0, 1}));
  EXPECT_EQ(counts("3*a/4"), (OperationCounts{0, 1, 1}));
  EXPECT_EQ(counts("1/a^2 + b"), (OperationCounts{1, 1, 1}));
}

/// The operators in the text of an expression.
OperationCounts counted_in(const std::string& text) {
  OperationCounts counts;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ' && (text[i + 1] == '+' || text[i + 1] == '-')) ++counts.additions;
    if (text[i] == '*') ++counts.multiplications;
    if (text[i] == '/') ++counts.divisions;
    if (text[i] == '^') counts.multiplications += static_cast<std::size_t>(std::atoi(text.c_str() + i + 1)) - 1;
  }
  return counts;
}

/// Sums of products of letters, numbers, powers and sums again.
GiNaC::ex random_formula(std::mt19937& random, const std::vector<GiNaC::ex>& letters, int depth) {
  const auto draw = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  GiNaC::ex sum = 0;
  for (int terms = 1 + draw(3); terms > 0; --terms) {
    GiNaC::ex product = draw(3) == 0 ? GiNaC::numeric(draw(9) - 4, 1 + draw(3)) : GiNaC::numeric(draw(2) == 0 ? 1 : -1);
    for (int factors = draw(4); factors > 0; --factors) {
      const GiNaC::ex base =
          depth > 0 && draw(3) == 0 ? random_formula(random, letters, depth - 1) : letters[random() % letters.size()];
      if (!base.is_zero()) product *= GiNaC::pow(base, draw(4) == 0 ? draw(5) - 2 : 1);
    }
    sum += product;
  }
  return sum;
}

TEST(OperationCounts, AreThoseOfTheTextOfAnyFormula) {
  SymbolTable symbols;
  const std::vector<GiNaC::ex> letters{symbols.symbol("a"), symbols.symbol("b"), symbols.symbol("c"), symbols.symbol("d")};
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    const GiNaC::ex formula = random_formula(random, letters, 2);
    EXPECT_EQ(operation_counts(formula), counted_in(print(formula))) << print(formula);
  }
}

}  // namespace
}  // namespace sfg
