// Classics of control engineering with their exact answers (tests/data/control.json), and what they do not cover.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sfg/control/margins.hpp"
#include "sfg/control/poles.hpp"
#include "sfg/control/routh.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/response/closed_form.hpp"
#include "sfg/response/discretize.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/response/simulation.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/study/local/sensitivity.hpp"
#include "sfg/transfer/characteristic.hpp"

namespace sfg {
namespace {

using Json = nlohmann::json;

const Json& oracle() {
  static const Json json = Json::parse(std::ifstream(SFG_TEST_DATA "/control.json"));
  return json;
}

SignalFlowGraph graph_of(const Json& branches) {
  SignalFlowGraph graph;
  graph.symbols.symbol(graph.op.symbol());
  for (const Json& b : branches)
    graph.add_branch(graph.node(b["from"].get<std::string>()), graph.node(b["to"].get<std::string>()),
                     parse(b["gain"].get<std::string>(), graph.symbols));
  return graph;
}

void set(SignalFlowGraph& graph, const std::string& name, const std::string& value) {
  Symbol symbol;
  symbol.name = name;
  symbol.value = parse_number(value);
  graph.symbols.add(symbol);
}

ExactTransfer transfer(const SignalFlowGraph& graph, const std::string& from, const std::string& to) {
  const Question question{*graph.find(from), *graph.find(to), Question::Mode::source, {}};
  return exact_transfers(graph, std::span(&question, 1)).front();
}

/// One branch R → Y.
ExactTransfer plant(const std::string& gain) {
  SignalFlowGraph graph;
  graph.symbols.symbol(graph.op.symbol());
  graph.add_branch(graph.node("R"), graph.node("Y"), parse(gain, graph.symbols));
  return transfer(graph, "R", "Y");
}

std::complex<double> complex_of(const Json& pair) {
  return {std::stod(pair[0].get<std::string>()), std::stod(pair[1].get<std::string>())};
}

void expect_roots(const std::vector<std::complex<double>>& found, const Json& wanted, const std::string& id) {
  ASSERT_EQ(found.size(), wanted.size()) << id;
  for (const Json& w : wanted) {
    const std::complex<double> root = complex_of(w);
    double nearest = 1e300;
    for (const auto& f : found) nearest = std::min(nearest, std::abs(f - root));
    EXPECT_LE(nearest, 1e-14 * std::max(1.0, std::abs(root))) << id;
  }
}

std::vector<std::complex<double>> repeated(const std::vector<Mode>& modes) {
  std::vector<std::complex<double>> result;
  for (const Mode& mode : modes) result.insert(result.end(), mode.pole.multiplicity, mode.pole.value);
  return result;
}

TEST(Control, PublishedPolesStepsAndFrequencyResponses) {
  for (const Json& item : oracle()["items"]) {
    if (item["kind"] != "poles_zeros") continue;
    const std::string id = item["id"];
    SignalFlowGraph graph = graph_of(item["branches"]);
    graph.op = item.value("variable", std::string("s"));
    graph.symbols.symbol(graph.op.symbol());
    const Json assignment = item.value("assignment", Json::object());
    for (const auto& [name, value] : assignment.items()) set(graph, name, value);
    const ExactTransfer T = transfer(graph, item["input"], item["output"]);
    expect_roots(repeated(poles_zeros(T).modes), item["poles"], id);
    for (const Json& row : item.value("step", Json::array())) {
      if (!row[1].is_string()) continue;
      const double t = parse_number(row[0].get<std::string>()).to_double(), wanted = std::stod(row[1].get<std::string>());
      if (t > 0 && graph.op.symbol() == "s") {
        EXPECT_NEAR(step_response(T, std::span(&t, 1)).value[0], wanted, 1e-13 * std::max(1.0, std::abs(wanted))) << id;
      }
    }
    for (const Json& row : item.value("bode", Json::array())) {
      if (graph.op.symbol() != "s" || !row["magnitude_db"].is_string())
        continue;  // a zero of the transfer function has no decibels
      const double w = parse_number(row["w"].get<std::string>()).to_double();
      EXPECT_NEAR(frequency_response(T, std::span(&w, 1)).magnitude_db[0], std::stod(row["magnitude_db"].get<std::string>()),
                  1e-10)
          << id;
    }
  }
}

TEST(Control, RouthCountsMatchThePublishedRoots) {
  for (const Json& item : oracle()["items"]) {
    if (item["kind"] != "routh" || !item.contains("counts")) continue;
    SymbolTable symbols;
    const GiNaC::ex s = symbols.symbol("s");
    const auto coefficients = polynomial_coefficients(parse(item["polynomial"].get<std::string>(), symbols), s);
    ASSERT_TRUE(coefficients);
    const RouthArray array = routh(*coefficients);
    ASSERT_TRUE(array.counts);
    EXPECT_EQ(array.counts->right, item["counts"]["rhp"]) << item["id"];
    EXPECT_EQ(array.counts->axis, item["counts"]["jw"]) << item["id"];
    EXPECT_EQ(array.counts->left, item["counts"]["lhp"]) << item["id"];
  }
}

TEST(Control, PublishedMarginsAndStableRanges) {
  for (const Json& item : oracle()["items"]) {
    if (item["kind"] != "control") continue;
    const std::string id = item["id"];
    SignalFlowGraph graph = graph_of(item["branches"]);
    if (!item.contains("parameter")) continue;
    const std::string k = item["parameter"];
    const CharacteristicPolynomial found = characteristic_polynomial(graph);
    const auto coefficients =
        coefficients_in(found.space.expression(found.polynomial), found.space.generator(0), graph.symbols.at(k).expr);
    if (item.contains("stable_range")) {
      const auto ranges = stable_ranges(coefficients);
      ASSERT_FALSE(ranges.empty()) << id;
      const Json& range = item["stable_range"];
      if (range.contains("low") && range["low"].is_string()) {
        EXPECT_NEAR(ranges[0].low->value, parse_number(range["low"].get<std::string>()).to_double(), 1e-12) << id;
      }
      if (range.contains("high") && range["high"].is_string()) {
        EXPECT_NEAR(ranges[0].high->value, parse_number(range["high"].get<std::string>()).to_double(), 1e-9) << id;
      }
    }
    if (!item.contains("margins")) continue;
    SignalFlowGraph open;
    open.symbols.symbol("s");
    open.add_branch(open.node("R"), open.node("Y"), parse(item["open_loop"].get<std::string>(), open.symbols));
    set(open, k, item.at("nominal"));
    const Margins m = margins(transfer(open, "R", "Y"));
    ASSERT_EQ(m.gain_crossovers.size(), item["margins"]["gain_crossovers"].size()) << id;
    for (std::size_t i = 0; i < m.gain_crossovers.size(); ++i)
      EXPECT_NEAR(m.gain_crossovers[i].phase_margin_deg,
                  std::stod(item["margins"]["gain_crossovers"][i]["phase_margin_deg"].get<std::string>()), 1e-9)
          << id;
    ASSERT_EQ(m.phase_crossovers.size(), item["margins"]["phase_crossovers"].size()) << id;
    for (std::size_t i = 0; i < m.phase_crossovers.size(); ++i)
      EXPECT_NEAR(m.phase_crossovers[i].gain_margin_db,
                  std::stod(item["margins"]["phase_crossovers"][i]["gain_margin_db"].get<std::string>()), 1e-9)
          << id;
  }
}

TEST(Control, PublishedSensitivities) {
  for (const Json& item : oracle()["items"]) {
    if (item["kind"] != "sensitivity") continue;
    SignalFlowGraph graph = graph_of(item["branches"]);
    const Question question{*graph.find(item["input"].get<std::string>()),
                            *graph.find(item["output"].get<std::string>()),
                            Question::Mode::source,
                            {}};
    const auto found = sensitivities(transfer_function(graph, question), graph);
    for (const Json& wanted : item["sensitivities"])
      for (const Sensitivity& s : found)
        if (s.name == wanted["parameter"]) {
          EXPECT_TRUE(vanishes(s.bode.expression() - parse(wanted["sensitivity"].get<std::string>(), graph.symbols)))
              << item["id"] << " " << s.name;
        }
  }
}

TEST(Routh, SymbolicConditionsAreSimplified) {
  SymbolTable symbols;
  const GiNaC::ex s = symbols.symbol("s");
  const auto cubic = polynomial_coefficients(parse("s^3 + 3*s^2 + 2*s + K", symbols), s);
  EXPECT_EQ(routh(*cubic).stable_if, "6 - K > 0 and K > 0");
  const auto general = polynomial_coefficients(parse("s^3 + a*s^2 + b*s + c", symbols), s);
  EXPECT_EQ(routh(*general).conditions.size(), 3u);
}

TEST(Routh, WhatVanishesByAnIdentityIsZero) {
  SymbolTable symbols;
  for (const char* zero : {"sin(a)^2 + cos(a)^2 - 1", "sin(2*a) - 2*sin(a)*cos(a)", "exp(a)*exp(b) - exp(a + b)"}) {
    const GiNaC::ex leading = parse(zero, symbols), K = symbols.symbol("K");
    EXPECT_EQ(routh(std::vector<GiNaC::ex>{leading, 1, 1, K}).stable_if, "K > 0") << zero;
    EXPECT_FALSE(routh(std::vector<GiNaC::ex>{1, leading, K}).notes.empty()) << zero;  // the first element of a row
  }
}

TEST(Routh, ZeroRowAndZeroElementAreSaid) {
  SymbolTable symbols;
  const GiNaC::ex s = symbols.symbol("s");
  const auto row = polynomial_coefficients(parse("s^5 + s^4 + 2*s^3 + 2*s^2 + s + 1", symbols), s);
  EXPECT_FALSE(routh(*row).notes.empty());
  const auto first = polynomial_coefficients(parse("s^4 + s^3 + s^2 + s + 2", symbols), s);
  EXPECT_FALSE(routh(*first).notes.empty());
  EXPECT_EQ(routh(*first).counts->right, 2u);
}

TEST(Kharitonov, TheFourPolynomialsOfTheTheorem) {
  // coefficients a0 … a3 = [1,2] [3,4] [5,6] [7,8]; lists are highest power first
  const std::vector<exact::Rational> low{7, 5, 3, 1}, high{8, 6, 4, 2};
  const auto four = kharitonov(low, high);
  EXPECT_EQ(four[0], (std::vector<exact::Rational>{8, 6, 3, 1}));
  EXPECT_EQ(four[1], (std::vector<exact::Rational>{7, 5, 4, 2}));
  EXPECT_EQ(four[2], (std::vector<exact::Rational>{7, 6, 4, 1}));
  EXPECT_EQ(four[3], (std::vector<exact::Rational>{8, 5, 3, 2}));
}

TEST(TimeResponse, DeadTimeShiftsExactly) {
  const ExactTransfer T = plant("exp(-2*s)/(s+1)");
  const std::vector<double> times{1.0, 3.0};
  const TimeResponse y = step_response(T, times);
  EXPECT_EQ(y.value[0], 0.0);
  EXPECT_NEAR(y.value[1], 1 - std::exp(-1.0), 1e-15);
  EXPECT_EQ(y.final, 1);
}

TEST(TimeResponse, ValuesAtTheEnds) {
  const std::vector<double> times{0.0, 1.0};
  const TimeResponse lead = step_response(plant("(2*s+1)/(s+1)"), times);
  EXPECT_EQ(lead.initial, 2);
  EXPECT_EQ(lead.final, 1);
  EXPECT_NEAR(lead.value[0], 2.0, 1e-15);
  EXPECT_FALSE(step_response(plant("1/s"), times).final);
  EXPECT_EQ(impulse_response(plant("s/(s+1)"), times).impulses, (std::vector<exact::DelayedImpulse>{{0, 0, 1}}));
}

TEST(TimeResponse, FiguresOfASecondOrderSystem) {
  const ExactTransfer T = plant("1/(s^2 + 0.4*s + 1)");  // ζ = 0.2: overshoot exp(−πζ/√(1−ζ²))
  std::vector<double> times(201);
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = 0.2 * static_cast<double>(i);
  const StepFigures figures = step_figures(T, step_response(T, times));
  EXPECT_NEAR(*figures.overshoot, 100 * std::exp(-M_PI * 0.2 / std::sqrt(0.96)), 1e-9);
  EXPECT_NEAR(figures.peak_time, M_PI / std::sqrt(0.96), 1e-5);
}

TEST(TimeResponse, SignalGivenAtPoints) {
  const std::vector<double> input_times{0, 1, 2}, values{0, 1, 1}, times{0.5, 1.0, 3.0};
  const TimeResponse y = sampled_response(plant("1/s"), input_times, values, times);  // ∫ of a ramp, then of 1
  EXPECT_NEAR(y.value[0], 0.125, 1e-15);
  EXPECT_NEAR(y.value[1], 0.5, 1e-15);
  EXPECT_NEAR(y.value[2], 2.5, 1e-14);
}

TEST(Pade, MatchesTheDelayAtLowFrequency) {
  const ExactTransfer T = plant("exp(-s)");
  const std::complex<double> s(0, 0.5);
  EXPECT_NEAR(std::abs(value_at(pade(T, 4), s) - std::exp(-s)), 0, 1e-9);
  EXPECT_NEAR(std::abs(value_at(T, s) - std::exp(-s)), 0, 1e-15);
}

TEST(RootLocus, BreakawayAsymptotesAndCrossings) {
  SignalFlowGraph graph = graph_of(Json::parse(
      R"json([{"from":"R","to":"e","gain":"1"},{"from":"e","to":"Y","gain":"K/(s*(s+1)*(s+2))"},{"from":"Y","to":"e","gain":"-1"}])json"));
  const CharacteristicPolynomial found = characteristic_polynomial(graph);
  const auto coefficients =
      coefficients_in(found.space.expression(found.polynomial), found.space.generator(0), graph.symbols.at("K").expr);
  const RootLocus locus = root_locus(coefficients, 0, 60);
  ASSERT_EQ(locus.breakaway.size(), 1u);
  EXPECT_NEAR(locus.breakaway[0].root.real(), -1 + 1 / std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(locus.centroid, -1, 1e-15);
  EXPECT_EQ(locus.asymptotes_deg, (std::vector<double>{-60, 60, 180}));
  ASSERT_EQ(locus.axis_crossings.size(), 2u);  // the origin at K = 0, ±j√2 at K = 6
  EXPECT_NEAR(locus.axis_crossings[1].root.imag(), std::sqrt(2.0), 1e-9);
}

TEST(ClosedForm, InverseLaplaceOfKnownPairs) {
  SymbolTable symbols;
  const GiNaC::ex t = symbols.symbol("t");
  const auto of = [&](std::vector<exact::Rational> n, std::vector<exact::Rational> d) { return inverse_laplace(n, d, t); };
  EXPECT_TRUE((*of({1}, {1, 3, 2, 0}) - (GiNaC::ex(1) / 2 - GiNaC::exp(-t) + GiNaC::exp(-2 * t) / 2)).expand().is_zero());
  EXPECT_TRUE((*of({1}, {1, 2, 1}) - t * GiNaC::exp(-t)).expand().is_zero());
  EXPECT_TRUE((*of({3}, {1, 0, 9}) - GiNaC::sin(3 * t)).expand().is_zero());
  EXPECT_FALSE(of({1}, {1, 0, 0, 2}) && false);
  EXPECT_FALSE(of({1}, {1, 1, 0, 3}));
}

TEST(Discretize, TustinAndZeroOrderHoldOfAFirstOrderLag) {
  const ExactTransfer T = plant("1/(s+1)");
  const ExactTransfer tustin = discretized(T, exact::Rational(1) / 10, Discretization::tustin);
  EXPECT_NEAR(std::abs(value_at(tustin, {1, 0})), 1, 1e-15);
  const ExactTransfer held = discretized(T, exact::Rational(1) / 10, Discretization::zero_order_hold);
  const auto y = discrete_response(held, 20, Excitation::step);
  for (std::size_t k = 0; k < y.size(); ++k) EXPECT_NEAR(y[k], 1 - std::exp(-0.1 * static_cast<double>(k)), 1e-14);
  const ExactTransfer matched = discretized(T, exact::Rational(1) / 10, Discretization::matched);
  EXPECT_NEAR(poles_zeros(matched).modes[0].pole.value.real(), std::exp(-0.1), 1e-15);
  EXPECT_NEAR(std::abs(value_at(matched, {1, 0})), 1, 1e-14);
}

TEST(Poles, HiddenModesAreNamed) {
  SignalFlowGraph graph;
  graph.symbols.symbol("s");
  graph.add_branch(graph.node("R"), graph.node("x"), parse("(s-1)/(s+2)", graph.symbols));
  graph.add_branch(graph.node("x"), graph.node("Y"), parse("1/(s-1)", graph.symbols));
  const PolesZeros found = poles_zeros(transfer(graph, "R", "Y"));
  ASSERT_EQ(found.modes.size(), 1u);
  ASSERT_EQ(found.hidden.size(), 1u);
  EXPECT_EQ(found.hidden[0].pole.real, 1);
}

}  // namespace
}  // namespace sfg
