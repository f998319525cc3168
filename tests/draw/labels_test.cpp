// What the gains and names of a picture say: as the field writes them, long and frequent ones by names of a legend.
#include "sfg/draw/graph/labels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "sfg/draw/gain_math.hpp"
#include "sfg/draw/graph/layout.hpp"
#include "sfg/draw/ink.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {
namespace {

struct Arc {
  const char *from, *to, *gain;
};

SignalFlowGraph graph_of(const std::vector<Arc>& arcs, const char* op = "s") {
  SignalFlowGraph graph;
  graph.op = op;
  for (const Arc& arc : arcs) {
    const NodeId from = graph.node(arc.from), to = graph.node(arc.to);
    graph.add_branch(from, to, parse(arc.gain, graph.symbols));
  }
  return graph;
}

std::string latex(const Math& m) { return write(m, Notation::latex); }
std::string shown(const char* gain, const char* op = "s") {
  return write(gain_labels(graph_of({{"a", "b", gain}}, op), 17, 400).gains.at(0).math, Notation::unicode);
}

/// A sum with decimals of two and three digits, a term in s^2, s and 1 each.
std::string decimal_sum(std::mt19937_64& random, std::vector<std::string>& typed) {
  std::string text;
  for (const char* power : {"*s^2", "*s", ""}) {
    if (random() % 4 == 0 && power[0] != '\0') continue;
    const std::string number =
        std::to_string(random() % 20) + "." + std::to_string(100 + random() % 900).substr(0, 2 + random() % 2);
    if (number.back() == '0') continue;
    typed.push_back(number);
    text += (text.empty() ? "" : random() % 2 == 0 ? " + " : " - ") + number + power;
  }
  return text.empty() ? "s + 1" : "(" + text + ")";
}

TEST(GainMath, DecimalsThatWereTypedStayWithinPolynomials) {
  std::mt19937_64 random(20);
  for (int i = 0; i < 300; ++i) {
    std::vector<std::string> typed;
    std::string gain = decimal_sum(random, typed) + "/(" + decimal_sum(random, typed);
    gain += i % 2 == 0 ? ")" : "*(K*s + 1))";
    std::vector<exact::Rational> decimals;
    for (const std::string& number : typed) decimals.push_back(exact_value(parse_number(number)));
    SignalFlowGraph graph = graph_of({{"a", "b", gain.c_str()}});
    const std::string text = write(gain_math(graph, decimals).front(), Notation::text);
    for (const std::string& number : typed) {
      const bool starts_with_zero = number.starts_with("0.");
      EXPECT_NE(text.find(starts_with_zero ? number.substr(1) : number), std::string::npos) << gain << "\n" << text;
    }
    EXPECT_TRUE(vanishes(parse(text, graph.symbols) - graph.branches()[0].gain())) << gain << "\n" << text;
    const std::string whole = write(gain_math(graph).front(), Notation::text);
    EXPECT_TRUE(vanishes(parse(whole, graph.symbols) - graph.branches()[0].gain())) << whole;
  }
  const SignalFlowGraph whole = graph_of({{"a", "b", "250/(13*s^2 + 107*s + 100)"}, {"b", "c", "0.5"}});
  EXPECT_EQ(write(gain_math(whole, {exact::Rational(1) / 2})[0], Notation::text), "250/(13*s^2 + 107*s + 100)");
}

TEST(GainMath, ADecimalOfAnotherPlaceDoesNotComeIntoAGainOfOnes) {
  for (const char* gain :
       {"1/(L*s + R)", "A/(T*s + 1)", "1/(m*s^2 + s*(c + d) + k)", "1/(m*s^2 + 4*h*s + 4*k)", "-a*b/(s + c)^2"}) {
    const SignalFlowGraph graph = graph_of({{"a", "b", gain}});
    const std::vector<exact::Rational> others{exact::Rational(1) / 10000, exact::Rational(1) / 20, exact::Rational(1) / 5};
    EXPECT_EQ(write(gain_math(graph, others)[0], Notation::text), write(gain_math(graph)[0], Notation::text));
  }
  const SignalFlowGraph taken_out = graph_of({{"a", "b", "1/(0.1*s + 0.1*K)"}});
  EXPECT_EQ(write(gain_math(taken_out, {exact::Rational(1) / 10})[0], Notation::text), "1/(0.1*s + 0.1*K)");
}

TEST(GainMath, NumbersStandAsInTheModel) {
  EXPECT_EQ(shown("0.1"), "0.1");
  EXPECT_EQ(shown("1/2"), "1/2");
  EXPECT_EQ(shown("0.9*K/(0.25*s + 1)"), shown("9*K/10/(s/4 + 1)"));
  EXPECT_EQ(shown("99991/100003"), "99991/100003");
  EXPECT_EQ(shown("0.999999999999"), "0.999999999999");
  EXPECT_EQ(shown("0.12345678901234"), "0.123457");
  EXPECT_EQ(shown("0.99999999999999999"), "0.99999999999999999");  // with six digits it would be 1
  EXPECT_EQ(shown("1234567890123/9876543210987"), "0.125");
  const std::string nines(60, '9');  // nobody reads sixty digits, and a zero that stands there says that it is not all
  EXPECT_EQ(shown(("0." + nines).c_str()), "1.00000");
  EXPECT_EQ(shown(("24" + nines + "*K").c_str()), "2.50000·10⁶¹·K");
  EXPECT_EQ(shown(("2" + nines + "/7" + nines).c_str()), "0.375");
}

TEST(GainMath, DelaysAreNegativePowersInSampledSystems) {
  const auto delayed = [](const char* gain) {
    return latex(gain_labels(graph_of({{"a", "b", gain}}, "z"), 17, 400).gains.at(0).math);
  };
  EXPECT_EQ(delayed("1/z"), "z^{-1}");
  EXPECT_EQ(delayed("-K/z^2"), "-K z^{-2}");
  EXPECT_EQ(delayed("b + c/z"), "b + c z^{-1}");
  EXPECT_EQ(delayed("(z + 1)/(z - 1)").find("^{-"), std::string::npos);
  EXPECT_EQ(latex(gain_labels(graph_of({{"a", "b", "1/s"}}), 17, 400).gains.at(0).math), "\\frac{1}{s}");
}

/// Seven gains hold h s + k, each with another factor; the legend's names are new.
TEST(GainLabels, WhatOccursOftenIsNamedOnce) {
  std::vector<Arc> arcs;
  for (const char* from : {"a", "b", "c"}) {
    arcs.push_back({from, "x", "h*s + k"});
    arcs.push_back({from, "y", "-l1*(h*s + k)"});
    arcs.push_back({from, "z", "l2*(-h*s - k)/(m*s + 1)"});
  }
  const SignalFlowGraph graph = graph_of(arcs);
  const GainLabels labels = gain_labels(graph, 17, 200);
  ASSERT_EQ(labels.legend.size(), 1U);
  EXPECT_EQ(latex(labels.legend[0].first), "w");
  EXPECT_EQ(latex(labels.legend[0].second), "h s + k");
  EXPECT_EQ(latex(labels.gains[0].math), "w");
  EXPECT_EQ(latex(labels.gains[1].math), "-l_{1} w");
  // put back, every gain is what it was
  SymbolTable symbols;
  const GiNaC::ex w = parse("w", symbols), body = parse("h*s + k", symbols);
  for (const BranchId id : graph.branch_ids()) {
    const GiNaC::ex left = parse(write(labels.gains[id.index].math, Notation::text), symbols).subs(w == body);
    const GiNaC::ex right = parse(print(graph[id].gain()), symbols);
    EXPECT_TRUE((left - right).normal().is_zero()) << left << " is not " << right;
  }
}

TEST(GainLabels, TextbookGraphsKeepTheirGains) {
  const GainLabels labels =
      gain_labels(graph_of({{"a", "b", "1/(L1*s + R)"}, {"b", "a", "-1/(L1*s + R)"}, {"b", "c", "c_s*s + k_s"}}), 17, 150);
  EXPECT_TRUE(labels.legend.empty());
}

TEST(GainLabels, NamesOfTheLegendAreNoNamesOfTheGraph) {
  const char* lengthy = "(a*s^3 + b*s^2 + c*s + d)/(a*s^4 + b*s^3 + c*s^2 + d*s + f)";
  for (const char* taken : {"w", "w1", "g", "walnut"}) {
    const GainLabels labels = gain_labels(graph_of({{taken, "y", lengthy}, {"y", "u", "g1*w_3"}}), 17, 120);
    ASSERT_EQ(labels.legend.size(), 1U);
    EXPECT_EQ(latex(labels.legend[0].first), "q") << taken;
  }
}

TEST(GainLabels, FractionsTooLongForALineAreExplainedInParts) {
  std::string numerator = "1", denominator = "s^9";
  for (int i = 0; i < 12; ++i) {
    numerator += " + a" + std::to_string(i) + "*b" + std::to_string(i) + "*c" + std::to_string(i);
    denominator += " + d" + std::to_string(i) + "*f" + std::to_string(i);
  }
  const SignalFlowGraph graph = graph_of({{"x", "y", ("(" + numerator + ")/(" + denominator + ")").c_str()}});
  const GainLabels labels = gain_labels(graph, 17, 150);
  ASSERT_EQ(labels.legend.size(), 3U);
  EXPECT_EQ(latex(labels.legend[0].second), "\\frac{w_{2}}{w_{3}}");
  const Drawing drawing = layout(graph);
  EXPECT_LE(drawing.width, 480);
  EXPECT_GT(drawing.legend.size(), 5U);
}

/// A legend of long and short lines: columns, no line on another, none beyond the picture, signs = in one line.
TEST(Legend, StandsInColumnsBelowThePicture) {
  SignalFlowGraph graph;
  for (int i = 0; i < 14; ++i) {
    const std::string n = std::to_string(i), next = std::to_string(i + 1);
    const NodeId from = graph.node("x" + n), to = graph.node("x" + next);
    graph.add_branch(from, to,
                     parse("(a" + n + "*s^2 + b" + n + "*s + c" + n + ")/(d" + n + "*s^3 + f" + n + "*s + 1)", graph.symbols));
  }
  const Drawing drawing = layout(graph, {.widest_gain = 60});
  ASSERT_EQ(drawing.legend.size(), 14U);
  double lowest = 0, width = 0, deepest_node = 0;
  for (const DrawnNode& node : drawing.nodes) deepest_node = std::max(deepest_node, node.at.y);
  std::map<long, int> left_ends;
  for (std::size_t i = 0; i < drawing.legend.size(); ++i) {
    const Box own = bounds(ink(drawing.legend[i].formula));
    EXPECT_GT(own.top, deepest_node);
    width = std::max(width, own.right);
    lowest = std::max(lowest, own.bottom);
    ++left_ends[std::lround(drawing.legend[i].formula.rows.front().x - drawing.legend[i].formula.rows.front().width / 2)];
    for (std::size_t k = 0; k < i; ++k) EXPECT_GT(distance(own, bounds(ink(drawing.legend[k].formula))), 3);
  }
  EXPECT_LE(width, drawing.width - 20);
  EXPECT_LE(lowest, drawing.height - 20);
  EXPECT_GT(left_ends.size(), 1U);  // columns
}

}  // namespace
}  // namespace sfg
