// Sweeps: combinations and their texts; the symbolic way of many values against solving the graph anew for each.
#include "sfg/study/sweep.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"

namespace sfg {
namespace {

using exact::Rational;

std::vector<std::string> texts(const Sweep& sweep) {
  std::vector<std::string> list;
  for (const SweepSet& set : sweep.sets()) list.push_back(set.text());
  return list;
}

Sweep sweep_over(std::initializer_list<std::string> list) { return sweep_of(std::vector<std::string>(list)); }

std::string complaint(const std::string& text) {
  try {
    static_cast<void>(sweep_over({text}));
  } catch (const Error& error) {
    return error.diagnostics().front().message + "; " + error.diagnostics().front().hint.text();
  }
  return "";
}

TEST(Sweep, TheLastParameterIsTheFastest) {
  EXPECT_EQ(texts(sweep_over({"zeta=0.1,0.5", "wn=1,2,4"})),
            (std::vector<std::string>{"zeta=0.1, wn=1", "zeta=0.1, wn=2", "zeta=0.1, wn=4", "zeta=0.5, wn=1", "zeta=0.5, wn=2",
                                      "zeta=0.5, wn=4"}));
}

TEST(Sweep, WithoutParametersThereIsOneSetWithoutValues) {
  const Sweep nothing;
  EXPECT_TRUE(nothing.empty());
  ASSERT_EQ(nothing.size(), 1U);
  EXPECT_TRUE(nothing[0].values.empty());
}

TEST(Sweep, RangesHaveTheirEndsExactly) {
  EXPECT_EQ(texts(sweep_over({"k=0:1:4"})), (std::vector<std::string>{"k=0", "k=0.333333", "k=0.666667", "k=1"}));
  const Sweep thirds = sweep_over({"k=0:1:4"});
  EXPECT_EQ(thirds[1].values.front().value, Rational(1) / 3);
  EXPECT_EQ(texts(sweep_over({"w=1:100:3:log"})), (std::vector<std::string>{"w=1", "w=10", "w=100"}));
  EXPECT_EQ(texts(sweep_over({"w=-100:-1:3:log"})), (std::vector<std::string>{"w=-100", "w=-10", "w=-1"}));
  EXPECT_EQ(texts(sweep_over({"R=1k,2.2k,1/4"})), (std::vector<std::string>{"R=1000", "R=2200", "R=0.25"}));
}

TEST(Sweep, ValuesHaveAsManyDigitsAsTellThemApart) {
  EXPECT_EQ(texts(sweep_over({"k=1.0000001,1.0000002"})), (std::vector<std::string>{"k=1.0000001", "k=1.0000002"}));
}

TEST(Sweep, WhatIsNoSweepIsRefusedWithTheWayToWriteIt) {
  EXPECT_NE(complaint("zeta=1-2").find("NAME=LO:HI:N"), std::string::npos);
  EXPECT_NE(complaint("zeta").find("NAME=LO:HI:N"), std::string::npos);
  EXPECT_NE(complaint("zeta=1:2").find("NAME=LO:HI:N"), std::string::npos);
  EXPECT_NE(complaint("zeta=1:2:3:lin").find("NAME=LO:HI:N"), std::string::npos);
  EXPECT_NE(complaint("zeta=2:1:3").find("empty"), std::string::npos);
  EXPECT_NE(complaint("zeta=1:2:1").find("one value"), std::string::npos);
  EXPECT_NE(complaint("zeta=1:2:0").find("no values"), std::string::npos);
  EXPECT_NE(complaint("zeta=-1:2:5:log").find("pass 0"), std::string::npos);
  EXPECT_NE(complaint("zeta=0:2:5:log").find("reach"), std::string::npos);
  EXPECT_NE(complaint("zeta=1,,2"), "");
  EXPECT_THROW(static_cast<void>(sweep_over({"k=1", "k=2"})), Error);
  EXPECT_THROW(static_cast<void>(sweep_over({"a=1:2:10000", "b=1:2:10000"})), LimitReached);
}

/// r → e → y, y → e, with the gains given.
SignalFlowGraph loop(const std::string& front, const std::string& forward, const std::string& feedback,
                     std::initializer_list<std::pair<std::string, std::string>> parameters) {
  SignalFlowGraph graph;
  graph.symbols.symbol("s");
  for (const auto& [name, value] : parameters) {
    const GiNaC::ex stated = parse(value, graph.symbols);
    graph.symbols.symbol(name);
    graph.symbols.find(name)->value = stated;
  }
  graph.add_branch(graph.node("r"), graph.node("e"), parse(front, graph.symbols));
  graph.add_branch(graph.node("e"), graph.node("y"), parse(forward, graph.symbols));
  graph.add_branch(graph.node("y"), graph.node("e"), parse(feedback, graph.symbols));
  return graph;
}

std::string outcome(const std::vector<ExactTransfer>& transfers) {
  std::string text;
  for (const ExactTransfer& T : transfers) {
    const auto add = [&](const std::vector<Rational>& list, const Rational& unit) {
      for (const Rational& c : list) text += " " + (c / unit).text();
      text += ";";
    };
    for (const auto* side : {&T.numerator, &T.denominator})
      for (const auto& part : side->parts) {
        text += " delay " + part.delay.text();
        add(part.polynomial.coefficients(), T.denominator.parts.front().polynomial.leading());
      }
    add(T.cancelled.coefficients(), T.cancelled.is_zero() ? Rational(1) : T.cancelled.leading());
  }
  return text;
}

template <class Work>
std::string outcome_or_failure(Work work) {
  try {
    return outcome(work());
  } catch (const Failure& failure) {
    return failure.what();
  }
}

/// Every set by the symbolic way and anew: numbers, hidden modes and refusals are the same.
void expect_the_same(const SignalFlowGraph& graph, const Sweep& sweep) {
  const Question asked = question(graph, "r", "y");
  const SweptTransfers swept(graph, std::span(&asked, 1), sweep);
  for (const SweepSet& set : sweep.sets())
    EXPECT_EQ(outcome_or_failure([&] { return swept.at(set); }),
              outcome_or_failure([&] { return exact_transfers(at(graph, set), std::span(&asked, 1)); }))
        << set.text();
}

TEST(SweptTransfers, AreThoseOfTheGraphWithTheValues) {
  expect_the_same(loop("1", "K/(s*(1 + T*s))", "-1", {{"K", "2"}, {"T", "0.1"}}), sweep_over({"K=0:4:9", "T=0,0.1,0.5"}));
  expect_the_same(loop("b/(s + c)", "c/(s + a)", "-b", {{"a", "1"}, {"b", "3*a"}, {"c", "a + b"}}), sweep_over({"a=-2:2:17"}));
  expect_the_same(loop("1", "exp(-s*T)/(s + a)", "0", {{"a", "1"}, {"T", "0.5"}}), sweep_over({"T=0,0.5,1", "a=1,2"}));
  expect_the_same(loop("1", "sqrt(k*m)/(s + sqrt(k))", "-1", {{"k", "2"}, {"m", "3"}}), sweep_over({"k=1,2,4,9"}));
}

TEST(SweptTransfers, SpecialValuesAreThoseOfTheirOwn) {
  // a pole and a zero that meet at a = 1: the mode is hidden there, and only there
  const SignalFlowGraph meeting = loop("(s + a)", "1/((s + 1)*(s + 2))", "0", {{"a", "3"}});
  expect_the_same(meeting, sweep_over({"a=0,1,2,3"}));
  const Question asked = question(meeting, "r", "y");
  const Sweep sweep = sweep_over({"a=1,3"});
  EXPECT_EQ(SweptTransfers(meeting, std::span(&asked, 1), sweep).at(sweep[0]).front().cancelled.degree(), 1);
  // the determinant is k, and k cancels: at 0 there is no unique solution, whatever the symbols say
  const SignalFlowGraph singular = loop("1", "k", "(1 - k)/k", {{"k", "2"}});
  expect_the_same(singular, sweep_over({"k=0,1,2"}));
  expect_the_same(loop("k", "1", "1 - k", {{"k", "2"}}), sweep_over({"k=0,1,2"}));
  const SignalFlowGraph vanishing = loop("k", "1", "1 - k", {{"k", "2"}});
  const Sweep to_zero = sweep_over({"k=0,1"});
  const Question through = question(vanishing, "r", "y");
  EXPECT_THROW(SweptTransfers(vanishing, std::span(&through, 1), to_zero).at(to_zero[0]), NoAnswer);
}

TEST(Sweep, DerivedParametersMoveAndAreNotSweptThemselves) {
  const SignalFlowGraph graph = loop("1", "b/(s + 1)", "0", {{"a", "1"}, {"b", "3*a"}, {"idle", "7"}});
  EXPECT_TRUE(depends_on(graph, "a"));
  EXPECT_FALSE(depends_on(graph, "idle"));
  const Question asked = question(graph, "r", "y");
  const Sweep sweep = sweep_over({"a=2"});
  EXPECT_EQ(exact_transfers(at(graph, sweep[0]), std::span(&asked, 1)).front().numerator.polynomial().leading(), Rational(6));
  try {
    static_cast<void>(at(graph, sweep_over({"b=2"})[0]));
    FAIL() << "b was swept";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("derived"), std::string::npos);
    EXPECT_NE(error.diagnostics().front().hint.text().find("'a'"), std::string::npos);
  }
  EXPECT_THROW(static_cast<void>(at(graph, sweep_over({"s=2"})[0])), Error);
  EXPECT_THROW(static_cast<void>(at(graph, sweep_over({"nosuch=2"})[0])), Error);
}

}  // namespace
}  // namespace sfg
