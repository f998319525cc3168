#include "sfg/approximate/approximate.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <array>
#include <numbers>
#include <random>

#include "expect.hpp"
#include "graphs/families.hpp"
#include "sfg/derive/derive.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/input.hpp"
#include "sfg/response/frequency_response.hpp"

namespace sfg {
namespace {

using Complex = std::complex<double>;
using test::graph_of;

/// The response at jω by Gaussian elimination of I − Aᵀ with numbers: shares nothing with the code under test.
Complex solved(const SignalFlowGraph& graph, const Question& question, double w) {
  const GiNaC::exmap values = graph.parameter_values();
  const GiNaC::ex s = graph.op.in(graph.symbols);
  const std::size_t n = graph.nodes().size();
  std::vector<std::vector<std::complex<long double>>> M(n, std::vector<std::complex<long double>>(n + 1));
  for (std::size_t i = 0; i < n; ++i) M[i][i] = 1;
  for (const Branch& branch : graph.branches())
    M[branch.to.index][branch.from.index] -= *complex_value(branch.gain().subs(values), s, {0, w});
  M[driver(question).index][n] = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(M[i][k]) > std::abs(M[pivot][k])) pivot = i;
    std::swap(M[k], M[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || M[i][k] == 0.0L) continue;
      const auto factor = M[i][k] / M[k][k];
      for (std::size_t j = k; j <= n; ++j) M[i][j] -= factor * M[k][j];
    }
  }
  const auto x = [&](NodeId node) { return Complex(M[node.index][n] / M[node.index][node.index]); };
  return x(question.output) / (question.reference ? x(question.input) : Complex(1));
}

/// What is printed is put in numbers again, and is as near to the truth as is said, and as was wanted.
void expect_as_said(const SignalFlowGraph& graph, const ApproximateTransfer& approximate) {
  const GiNaC::exmap values = graph.parameter_values();
  const GiNaC::ex s = graph.op.in(graph.symbols);
  const GiNaC::ex shown = approximate.value.expression().subs(values);
  double magnitude = 0, phase = 0;
  for (const double w : logarithmic(approximate.low, approximate.high, 301)) {
    const Complex ratio = *complex_value(shown, s, {0, w}) / solved(graph, approximate.question, w);
    magnitude = std::max(magnitude, std::abs(20 * std::log10(std::abs(ratio))));
    phase = std::max(phase, std::abs(std::arg(ratio)) * 180 / std::numbers::pi);
  }
  EXPECT_LE(magnitude, approximate.error.magnitude_db + 1e-6);
  EXPECT_LE(phase, approximate.error.phase_deg + 1e-6);
  EXPECT_LE(approximate.error.magnitude_db, approximate.limit.magnitude_db);
  EXPECT_LE(approximate.error.phase_deg, approximate.limit.phase_deg);
  EXPECT_TRUE(approximate.error.bounded);
  EXPECT_GE(magnitude, 0.8 * approximate.error.magnitude_db - 1e-4) << "the error said is far too large";
}

void give(SignalFlowGraph& graph, const std::string& name, const std::string& value) {
  graph.symbols.find(name)->value = GiNaC::numeric(value.c_str());
}

/// A gain stage with a capacitor from its output to its input, nodes 1 and 2, by its node equations:
///   (G1 + s(C1 + C)) v1 − s C v2 = I,  (g − s C) v1 + (G2 + s(C2 + C)) v2 = 0
SignalFlowGraph miller_stage() {
  SignalFlowGraph graph = graph_of(
      {{"I", "v1", "1/(G1 + s*(C1 + C))"}, {"v2", "v1", "s*C/(G1 + s*(C1 + C))"}, {"v1", "v2", "-(g - s*C)/(G2 + s*(C2 + C))"}});
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{{"G1", "1/100000"},
                                                                                    {"G2", "1/50000"},
                                                                                    {"C1", "1/1000000000000"},
                                                                                    {"C2", "5/1000000000000"},
                                                                                    {"C", "1/100000000000"},
                                                                                    {"g", "1/1000"}})
    give(graph, name, value);
  return graph;
}

Question ask(const SignalFlowGraph& graph, const std::string& input, const std::string& output) {
  return {graph.find(input).value(), graph.find(output).value(), Question::Mode::source, {}};
}

ApproximateTransfer approximate(const SignalFlowGraph& graph, const Question& question, const ApproximateOptions& options = {}) {
  return approximate_transfers(graph, std::span(&question, 1), options).front();
}

TEST(Approximate, AGainStageKeepsItsDominantTerms) {
  const SignalFlowGraph graph = miller_stage();
  const ApproximateTransfer found = approximate(graph, ask(graph, "I", "v2"), {.limit = {1, 5}, .range = std::pair(1.0, 1e6)});
  EXPECT_EQ(found.value.text(), "-g/(C*g*s + G1*G2)");
  expect_as_said(graph, found);
  EXPECT_EQ(found.denominator.kept, 2u);
  EXPECT_EQ(found.denominator.of, 9u);
}

TEST(Approximate, PolesAreSplitAsTheTextbooksSay) {
  const SignalFlowGraph graph = miller_stage();
  const ApproximateTransfer found = approximate(graph, ask(graph, "I", "v2"), {.limit = {0.5, 2}, .range = std::pair(1.0, 1e9)});
  ASSERT_EQ(found.poles.size(), 2u) << found.value.text();
  for (const SplitRoots& pole : found.poles) {
    EXPECT_EQ(pole.values.size(), 1u);
    EXPECT_LT(pole.relative_error, 0.2);
    const Complex value = *complex_value(pole.formula.expression().subs(graph.parameter_values()), GiNaC::symbol("none"), 0);
    EXPECT_NEAR(value.real(), pole.values[0].real(), 1e-9 * std::abs(value));
  }
  EXPECT_EQ(found.poles[0].formula.text(), "-G1*G2/(C*g)");
  // det = s²(C1 C2 + C (C1 + C2)) + s(…) + G1 G2 = 65e-24 s² + 1.06e-14 s·(…) by hand; the roots of the exact polynomial
  EXPECT_NEAR(found.poles[0].exact[0].real(), -19373.5, 200);
  expect_as_said(graph, found);
}

TEST(Approximate, AFactorOfBothSidesIsTakenOut) {
  SignalFlowGraph graph = graph_of({{"u", "y", "(a*s + b + e)/((a*s + b)*(c*s + d) + f)"}});
  for (const auto& [name, value] : std::vector<std::pair<const char*, const char*>>{
           {"a", "2"}, {"b", "3"}, {"c", "5"}, {"d", "7"}, {"e", "1/10000"}, {"f", "1/10000"}})
    give(graph, name, value);
  EXPECT_EQ(approximate(graph, ask(graph, "u", "y")).value.text(), "1/(c*s + d)");
}

/// The response of a random ladder with a source of current that the first node controls, and what its values are.
struct Ladder {
  SignalFlowGraph graph;
  Question question;
};
Ladder random_ladder(std::mt19937_64& random, int sections, int decades) {
  std::vector<test::Arrow> arrows;
  for (int k = 1; k <= sections; ++k) {
    const std::string i = std::to_string(k), next = std::to_string(k + 1);
    arrows.push_back({"v" + std::to_string(k - 1), "i" + i, "1/R" + i});
    arrows.push_back({"v" + i, "i" + i, "-1/R" + i});
    arrows.push_back({"i" + i, "v" + i, "1/(s*C" + i + " + G" + i + ")"});
    if (k < sections) arrows.push_back({"i" + next, "v" + i, "-1/(s*C" + i + " + G" + i + ")"});
  }
  arrows.push_back({"v1", "i" + std::to_string(sections), "-gm"});
  SignalFlowGraph graph = graph_of(arrows);
  for (const std::string& name : graph.symbols.names())
    if (name != "s")
      graph.symbols.find(name)->value =
          GiNaC::ex(10 + random() % 90) * GiNaC::pow(GiNaC::ex(10), static_cast<long>(random() % (2 * decades + 1)) - decades);
  const Question question = ask(graph, "v0", "v" + std::to_string(sections));
  return {std::move(graph), question};
}

TEST(Approximate, WhatIsTakenOutOfBothSidesChangesNothing) {
  std::mt19937_64 random(33);
  std::size_t shorter = 0;
  for (int round = 0; round < 30; ++round) {
    const Ladder ladder = random_ladder(random, 2 + round % 2, round % 3);
    const RationalFunction value = transfer_function(ladder.graph, ladder.question).value;
    const PolynomialSpace& space = value.space();
    const GiNaC::exmap values = ladder.graph.parameter_values();
    std::vector<TrueValue> truth;
    for (const double w : logarithmic(1e-4, 1e3, 25)) truth.push_back({w, solved(ladder.graph, ladder.question, w)});
    ring::Polynomial factor = ring::Polynomial::variable(space.context(), 0) * ring::Polynomial::variable(space.context(), 1);
    for (std::size_t i = 2; i < 5; ++i)
      factor += ring::Polynomial::constant(space.context(), static_cast<long>(1 + random() % 9)) *
                ring::Polynomial::variable(space.context(), i);
    const RationalFunction whole(space, value.numerator() * factor, value.denominator() * factor);
    const RationalFunction same = dominant_terms(whole, values, truth, {0, 0});
    EXPECT_EQ(same.numerator() * whole.denominator(), same.denominator() * whole.numerator());
    EXPECT_EQ(same.text(), value.text());

    const ErrorLimit limit{3, 20};
    for (const RationalFunction& from : {value, whole}) {
      const RationalFunction found = dominant_terms(from, values, truth, limit);
      EXPECT_TRUE(found.common_factor().is_one()) << found.text();
      const GiNaC::ex shown = found.expression().subs(values), s = ladder.graph.op.in(ladder.graph.symbols);
      for (const TrueValue& at : truth)
        EXPECT_TRUE(within(*complex_value(shown, s, {0, at.frequency}), at.value, {3 + 1e-9, 20 + 1e-9})) << found.text();
      shorter += found.denominator().term_count() < value.denominator().term_count() ? 1 : 0;
    }
  }
  EXPECT_GT(shorter, 30U);
}

TEST(Approximate, NothingIsLeftOutWhenNothingMayBe) {
  const SignalFlowGraph graph = miller_stage();
  const Question question = ask(graph, "I", "v2");
  const ApproximateTransfer found = approximate(graph, question, {.limit = {1e-9, 1e-9}});
  EXPECT_EXPRESSION(found.value.expression(), transfer_function(graph, question).value.expression());
  EXPECT_EQ(found.error.magnitude_db, 0);
}

TEST(Approximate, RandomLaddersStayWithinWhatIsWanted) {
  std::mt19937_64 random(20261);
  std::uniform_int_distribution<int> exponent(-3, 3), mantissa(10, 99);
  for (int round = 0; round < 25; ++round) {
    // Sections of resistance and capacitance, values over six decades.
    const int sections = 2 + round % 4;
    std::vector<test::Arrow> arrows;
    for (int k = 1; k <= sections; ++k) {
      const std::string i = std::to_string(k), before = k == 1 ? "v0" : "v" + std::to_string(k - 1);
      arrows.push_back({before, "i" + i, "1/R" + i});
      arrows.push_back({"v" + i, "i" + i, "-1/R" + i});
      arrows.push_back({"i" + i, "v" + i, "1/(s*C" + i + ")"});
      if (k < sections) arrows.push_back({"i" + std::to_string(k + 1), "v" + i, "-1/(s*C" + i + ")"});
    }
    SignalFlowGraph graph = graph_of(arrows);
    for (const Symbol& symbol : std::vector<Symbol>(graph.symbols.all().begin(), graph.symbols.all().end()))
      if (symbol.name != "s") {
        const int e = exponent(random);
        const std::string power = "1" + std::string(static_cast<std::size_t>(std::abs(e)), '0');
        give(graph, symbol.name, std::to_string(mantissa(random)) + (e < 0 ? "/" + power : ""));
      }
    const double wanted = std::array{0.1, 1.0, 3.0}[static_cast<std::size_t>(round) % 3];
    const ApproximateTransfer found = approximate(graph, ask(graph, "v0", "v" + std::to_string(sections)),
                                                  {.limit = {wanted, 5 * wanted}, .range = std::pair(1e-3, 1e3)});
    SCOPED_TRACE("ladder " + std::to_string(round) + ": " + found.value.text());
    expect_as_said(graph, found);
    EXPECT_LE(found.denominator.kept, found.denominator.of);
  }
}

TEST(Approximate, ARatioOfSignals) {
  SignalFlowGraph graph =
      graph_of({{"R", "a", "1"}, {"a", "b", "K/(1 + s*T)"}, {"b", "a", "-h"}, {"a", "c", "m"}, {"b", "c", "1"}});
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"K", "100"}, {"T", "1/10"}, {"h", "1"}, {"m", "1/50"}})
    give(graph, name, value);
  const Question question{graph.find("a").value(), graph.find("c").value(), Question::Mode::ratio, graph.find("R").value()};
  const ApproximateTransfer found = approximate(graph, question, {.range = std::pair(0.01, 100.0)});
  EXPECT_EQ(found.value.text(), "K/(T*s + 1)");
  expect_as_said(graph, found);
}

TEST(Approximate, WhatCannotBeSaidIsSaid) {
  SignalFlowGraph graph = graph_of({{"u", "y", "a/(s + b)"}});
  give(graph, "a", "1");
  EXPECT_THROW(approximate(graph, ask(graph, "u", "y")), Error);  // b has no value
  graph.op = "z";
  EXPECT_THROW(approximate(graph, ask(graph, "u", "y")), NoAnswer);
}

SignalFlowGraph operational_amplifier() {
  const Input input = read_file(SFG_SOURCE_DIR "/examples/ua741.cir");
  return from_equations(derive(std::get<Model>(input.content))).graph;
}

TEST(Approximate, AnAmplifierTooLargeToBeExpanded) {
  const SignalFlowGraph graph = operational_amplifier();
  const Question question = ask(graph, "V1", "v(out)");
  const ApproximateTransfer found = approximate(graph, question, {.limit = {1, 5}, .range = std::pair(1.0, 1e5)});
  EXPECT_GT(found.products.of, found.products.kept);
  EXPECT_LE(found.numerator.kept + found.denominator.kept, 60u) << found.value.text();
  expect_as_said(graph, found);
}

ExactTransfer first_order(const exact::Rational& a) {
  ExactTransfer transfer;
  transfer.numerator.parts = {{0, {a}}};
  transfer.denominator.parts = {{0, {1, a}}};
  return transfer;
}

TEST(Deviation, OfTwoFirstOrderLags) {
  // arg = atan(w/1) − atan(w/1.1): greatest at √1.1, asin(0.1/2.1); magnitude: from 0 dB to 20 log10(1.1) at infinity.
  const Deviation found = deviation(first_order(1), first_order(exact::Rational(11) / 10), 1e-4, 1e4);
  EXPECT_TRUE(found.bounded);
  EXPECT_NEAR(found.phase_deg, std::asin(0.1 / 2.1) * 180 / std::numbers::pi, 3e-3);
  EXPECT_NEAR(found.phase_at, std::sqrt(1.1), 0.05);
  EXPECT_NEAR(found.magnitude_db, 20 * std::log10(1.1), 1e-3);
  EXPECT_NEAR(found.magnitude_at, 1e4, 1);
}

TEST(Deviation, ANarrowResonanceIsNotSteppedOver) {
  ExactTransfer resonant, plain;
  resonant.numerator.parts = plain.numerator.parts = {{0, {1}}};
  resonant.denominator.parts = {{0, {1, exact::Rational(1) / 100000, 1}}};
  plain.denominator.parts = {{0, {1, 2, 1}}};
  const Deviation found = deviation(resonant, plain, 1e-3, 1e3);  // at 1 rad/s: 1e5 against 1/2
  EXPECT_NEAR(found.magnitude_db, 20 * std::log10(2e5), 0.2);
  EXPECT_NEAR(found.magnitude_at, 1, 1e-4);
}

TEST(Deviation, DeadTimeInCommonCancels) {
  ExactTransfer a = first_order(1), b = first_order(exact::Rational(11) / 10);
  a.numerator.parts.front().delay = b.numerator.parts.front().delay = exact::Rational(3) / 2;
  EXPECT_NEAR(deviation(a, b, 1e-4, 1e4).phase_deg, std::asin(0.1 / 2.1) * 180 / std::numbers::pi, 3e-3);
  b.numerator.parts.front().delay = 0;
  EXPECT_FALSE(deviation(a, b, 1e-2, 1e2).bounded);
}

}  // namespace
}  // namespace sfg
