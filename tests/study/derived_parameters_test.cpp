// Parameters that follow from others, in random chains: whatever varies a parameter must move what depends on it. The independent
// route sets the parameter to other numbers before anything is derived.
#include "sfg/expr/derived_parameters.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sfg/control/routh.hpp"
#include "sfg/derive/derive.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/read/spice.hpp"
#include "sfg/study/local/sensitivity.hpp"
#include "sfg/transfer/characteristic.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {
namespace {

using Complex = std::complex<double>;

void state(SymbolTable& symbols, const std::string& name, const std::string& value) {
  const GiNaC::ex number = parse(value, symbols);
  symbols.symbol(name);
  symbols.find(name)->value = number;
}

/// Base parameters a, d; b = f(a), c = g(a, b), h = b·d + c: stated in any order.
struct Chain {
  std::vector<std::pair<std::string, std::string>> parameters;
  std::string gain;
};

Chain random_chain(std::mt19937& random) {
  const auto any = [&](std::vector<std::string> list) { return list[random() % list.size()]; };
  Chain chain{{{"a", any({"1", "1/2", "2", "0.7"})},
               {"d", any({"1/3", "1", "3/2"})},
               {"b", any({"3*a", "a^2 + 1", "2/(1 + a)", "a/2 + 1/5"})},
               {"c", any({"a*b", "b + 2", "(a + b)/3", "b^2"})},
               {"h", any({"b*d + c", "c", "d + c/4"})}},
              any({"b/(s^2 + c*s + h)", "(b + s)/(s*(s + h))", "c/((s + b)*(s + d))", "h/(s*(s + 1)*(s + c))"})};
  std::shuffle(chain.parameters.begin(), chain.parameters.end(), random);
  return chain;
}

/// r → e → y with feedback −1 and an element outside of the loop in front.
SignalFlowGraph graph_of(const Chain& chain) {
  SignalFlowGraph graph;
  graph.symbols.symbol("s");
  for (const auto& [name, value] : chain.parameters) state(graph.symbols, name, value);
  graph.add_branch(graph.node("r"), graph.node("e"), parse("b/(s + c)", graph.symbols));
  graph.add_branch(graph.node("e"), graph.node("y"), parse(chain.gain, graph.symbols));
  graph.add_branch(graph.node("y"), graph.node("e"), parse("-1", graph.symbols));
  return graph;
}

SignalFlowGraph with(SignalFlowGraph graph, const std::string& name, double value) {
  graph.symbols.find(name)->value = numeric_value(decimal_rational(value));
  return graph;
}

Question question_of(const SignalFlowGraph& graph, const std::string& from = "r", const std::string& to = "y") {
  return {*graph.find(from), *graph.find(to), Question::Mode::source, {}};
}

Complex value_of(const SignalFlowGraph& graph, const Question& question, Complex s) {
  return value_at(exact_transfers(graph, std::span(&question, 1)).front(), s);
}

/// A difference quotient of the fourth order.
Complex difference(const SignalFlowGraph& graph, const Question& question, const std::string& name, double k, Complex s) {
  const double h = 1e-3 * std::abs(k);
  const auto at = [&](double x) { return value_of(with(graph, name, x), question, s); };
  return (8.0 * (at(k + h) - at(k - h)) - (at(k + 2 * h) - at(k - 2 * h))) / (12 * h);
}

double number(const SignalFlowGraph& graph, const std::string& name) {
  return *double_value(graph.symbols.values().at(graph.symbols.at(name).expr));
}

TEST(DerivedParameters, AreDefinedByTheirBases) {
  SymbolTable symbols;
  for (const auto& [name, value] : {std::pair("c", "a*b + d"), std::pair("b", "3*a"), std::pair("a", "2")})
    state(symbols, name, value);
  EXPECT_TRUE(is_derived(symbols.at("b")));
  EXPECT_FALSE(is_derived(symbols.at("a")));
  EXPECT_EQ(bases_of(symbols, symbols.at("c")), (std::vector<std::string>{"a", "d"}));
  const GiNaC::ex a = symbols.at("a").expr, d = symbols.at("d").expr;
  EXPECT_TRUE(definitions(symbols).at(symbols.at("c").expr).is_equal(3 * a * a + d));
  EXPECT_TRUE(values_keeping(symbols, std::vector<GiNaC::ex>{a}).at(symbols.at("b").expr).is_equal(3 * a));
  EXPECT_TRUE(symbols.values().at(symbols.at("c").expr).is_equal(12 + d));  // d has no value: whoever needs it finds its name
  state(symbols, "a", "b");
  EXPECT_THROW(definitions(symbols), Error);
}

TEST(DerivedParameters, SensitivitiesAreTotalDerivatives) {
  std::mt19937 random(11);
  const Complex s(0.3, 1.1);
  for (int trial = 0; trial < 25; ++trial) {
    const SignalFlowGraph graph = graph_of(random_chain(random));
    const Question question = question_of(graph);
    SymbolTable symbols = graph.symbols;
    const auto symbolic = sensitivities(transfer_function(graph, question), graph);
    const std::vector<double> frequencies{0.4, 2.5};
    const auto numeric = sensitivity_values(graph, question, frequencies);
    ASSERT_EQ(symbolic.size(), 2u);  // derived ones are not listed
    ASSERT_EQ(numeric.size(), 4u);
    for (const Sensitivity& found : symbolic) {
      const Complex dT = difference(graph, question, found.name, number(graph, found.name), s);
      const GiNaC::ex derivative = found.derivative.expression().subs(graph.parameter_values());
      EXPECT_LT(std::abs(*complex_value(derivative, symbols.at("s").expr, s) - dT), 1e-7 * (1 + std::abs(dT))) << found.name;
    }
    for (const SensitivityValue& found : numeric) {
      const Complex dT = difference(graph, question, found.parameter, number(graph, found.parameter), {0, found.frequency});
      EXPECT_LT(std::abs(found.derivative - dT), 1e-7 * (1 + std::abs(dT))) << found.parameter;
    }
  }
}

TEST(DerivedParameters, StableRangesFollowThem) {
  std::mt19937 random(12);
  int decided = 0;
  for (int trial = 0; trial < 25; ++trial) {
    const SignalFlowGraph graph = graph_of(random_chain(random));
    const CharacteristicPolynomial found = characteristic_polynomial(graph);
    const GiNaC::ex a = graph.symbols.at("a").expr, s = graph.symbols.at("s").expr;
    const GiNaC::exmap values = values_keeping(graph.symbols, std::vector<GiNaC::ex>{a, s});
    const GiNaC::ex whole = normal_form(found.space.expression(found.whole()).subs(values));
    std::vector<OpenRange> ranges;
    try {
      ranges = stable_ranges(coefficients_in(whole, s, a));
    } catch (const NoAnswer&) {  // 2/(1 + a) is no polynomial
      continue;
    }
    for (const double k : {-3.1, -1.37, -0.41, 0.13, 0.77, 1.9, 6.3}) {
      const SignalFlowGraph there = with(graph, "a", k);
      const CharacteristicPolynomial at = characteristic_polynomial(there.substituted(there.parameter_values()));
      const auto counts = routh(at, "s").counts;
      ASSERT_TRUE(counts);
      const bool inside = std::any_of(ranges.begin(), ranges.end(), [&](const OpenRange& range) {
        return (!range.low || range.low->value < k) && (!range.high || k < range.high->value);
      });
      EXPECT_EQ(inside, counts->right + counts->axis == 0) << k;
      ++decided;
    }
  }
  EXPECT_GT(decided, 70);
}

TEST(DerivedParameters, CouplingsVaryWithTheirInductors) {
  const Circuit circuit = read_spice(R"(transformer
V1 in 0 AC 1
R1 in a 10
L1 a 0 1m
L2 out 0 4m
K1 L1 L2 0.9
R2 out 0 100
.tf v(out) V1
)",
                                     "t.cir");
  const SignalFlowGraph graph = from_equations(derive(Model(circuit))).graph;
  const Question question = question_of(graph, "V1", "v(out)");
  const std::vector<double> frequencies{3000, 20000};
  std::size_t seen = 0;
  for (const SensitivityValue& found : sensitivity_values(graph, question, frequencies)) {
    const Complex dT = difference(graph, question, found.parameter, number(graph, found.parameter), {0, found.frequency});
    EXPECT_LT(std::abs(found.derivative - dT), 1e-6 * std::abs(dT) + 1e-12) << found.parameter;
    EXPECT_NE(found.parameter, "M_K1");
    ++seen;
  }
  EXPECT_EQ(seen, 10u);
}

TEST(SensitivityValues, OfAGraphInZLieOnTheUnitCircle) {
  std::mt19937 random(13);
  for (int trial = 0; trial < 20; ++trial) {
    SignalFlowGraph graph;
    graph.op = "z";
    graph.symbols.symbol("z");
    state(graph.symbols, "g", std::to_string(1 + random() % 9) + "/7");
    state(graph.symbols, "p", std::to_string(random() % 9) + "/11");
    graph.add_branch(graph.node("u"), graph.node("y"), parse("g*(z + 1/3)/(z^2 - p*z + g/4)", graph.symbols));
    const Question question = question_of(graph, "u", "y");
    const double h = 0.05 * static_cast<double>(1 + random() % 9);
    graph.op = graph.op.sampled(exact::Rational::of(h));
    const std::vector<double> frequencies{0.2 / h, 2.9 / h};
    for (const SensitivityValue& found : sensitivity_values(graph, question, frequencies)) {
      const double k = number(graph, found.parameter);
      if (k == 0) continue;
      const Complex dT = difference(graph, question, found.parameter, k, std::polar(1.0, found.frequency * h));
      EXPECT_LT(std::abs(found.derivative - dT), 1e-7 * (1 + std::abs(dT))) << found.parameter << " " << found.frequency;
    }
  }
}

TEST(SensitivityValues, OfGainsThatAreNoRationalFunctions) {
  for (const char* gain : {"k*exp(-k*s)/(s + 1)", "1/(1 + sqrt(s*k))", "k*tanh(s)/(s + k)"}) {
    SignalFlowGraph graph;
    graph.symbols.symbol("s");
    state(graph.symbols, "k", "3/4");
    graph.add_branch(graph.node("u"), graph.node("y"), parse(gain, graph.symbols));
    const Question question = question_of(graph, "u", "y");
    const std::vector<double> frequencies{0.7};
    const GiNaC::ex& s = graph.symbols.at("s").expr;
    const GiNaC::ex derivative = graph.branches()[0].gain().diff(GiNaC::ex_to<GiNaC::symbol>(graph.symbols.at("k").expr));
    const Complex wanted = *complex_value(derivative.subs(graph.parameter_values()), s, {0, 0.7});
    EXPECT_LT(std::abs(sensitivity_values(graph, question, frequencies)[0].derivative - wanted), 1e-12) << gain;
  }
}

/// Where derivatives vanish or cancel, double precision alone leaves doubt.
TEST(SensitivityValues, ThatVanishAreZero) {
  SignalFlowGraph graph;
  graph.symbols.symbol("s");
  state(graph.symbols, "k", "1/3");
  state(graph.symbols, "n", "0");
  graph.add_branch(graph.node("u"), graph.node("x"), parse("k/(s + 1)", graph.symbols));
  graph.add_branch(graph.node("x"), graph.node("y"), parse("1/k + n*s - n*s", graph.symbols));
  graph.add_branch(graph.node("x"), graph.node("y"), parse("n*k", graph.symbols));
  const std::vector<double> frequencies{0.3, 5};
  for (const SensitivityValue& found : sensitivity_values(graph, question_of(graph, "u", "y"), frequencies)) {
    if (found.parameter == "k") {
      EXPECT_LT(std::abs(found.relative), 1e-12);
    } else {
      EXPECT_LT(std::abs(found.derivative - 1.0 / 9.0 / Complex(1, found.frequency)), 1e-14);
    }
  }
}

TEST(Settings, MayUseEachOtherInAnyOrder) {
  for (const auto& texts : {std::vector<std::string>{"x=3", "k=x+1"}, std::vector<std::string>{"k=x+1", "x=3"}}) {
    SymbolTable symbols;
    symbols.symbol("k");
    const GiNaC::exmap values = settings(texts, symbols);
    EXPECT_TRUE(values.at(symbols.at("k").expr).is_equal(4));
  }
  SymbolTable symbols;
  symbols.symbol("k");
  EXPECT_THROW(settings(std::vector<std::string>{"x=k", "k=x+1"}, symbols), Error);
  EXPECT_THROW(settings(std::vector<std::string>{"y=3", "k=2"}, symbols), Error);
}

}  // namespace
}  // namespace sfg
