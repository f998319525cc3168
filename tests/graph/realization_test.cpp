#include "sfg/graph/realization.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <random>

#include "expect.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/partial_fractions.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {
namespace {

constexpr Realization forms[] = {Realization::controllable, Realization::observable, Realization::parallel, Realization::cascade};

GiNaC::ex response(const SignalFlowGraph& graph) {
  return transfer_function(graph, {graph.stated_inputs().at(0), graph.stated_outputs().at(0), Question::Mode::source, {}})
      .value.expression();
}

RationalTransfer stated(const char* numerator, const char* denominator) {
  RationalTransfer result;
  result.op.declare(result.symbols);
  const GiNaC::ex s = result.symbols.at("s").expr;
  result.numerator = polynomial_coefficients(parse(numerator, result.symbols), s).value();
  result.denominator = polynomial_coefficients(parse(denominator, result.symbols), s).value();
  return result;
}

std::size_t integrators(const SignalFlowGraph& graph) {
  const GiNaC::ex s = graph.symbols.at("s").expr;
  std::size_t count = 0;
  for (const Branch& branch : graph.branches()) count += branch.gain().is_equal(1 / s);
  return count;
}

/// Every form has the transfer function, its number of integrators, and no other gain with the operator.
void expect_forms(const char* numerator, const char* denominator, std::size_t order) {
  const RationalTransfer transfer = stated(numerator, denominator);
  SymbolTable symbols = transfer.symbols;
  const GiNaC::ex expected = parse(std::string("(") + numerator + ")/(" + denominator + ")", symbols);
  for (Realization form : forms) {
    const SignalFlowGraph graph = realization(transfer, form);
    EXPECT_TRUE(vanishes(response(graph) - expected))
        << numerator << " / " << denominator << ", form " << static_cast<int>(form) << ": " << print(response(graph));
    EXPECT_EQ(integrators(graph), order) << numerator << " / " << denominator << ", form " << static_cast<int>(form);
    const GiNaC::ex s = graph.symbols.at("s").expr;
    for (const Branch& branch : graph.branches())
      EXPECT_TRUE(branch.gain().is_equal(1 / s) || !branch.gain().has(s))
          << numerator << " / " << denominator << ", form " << static_cast<int>(form) << ": " << print(branch.gain());
  }
}

TEST(Realization, FormsHaveTheTransferFunction) {
  expect_forms("K", "s^2 + 2*z*w*s + w^2", 2);
  expect_forms("s + 2", "(s + 1)*(s + 3)", 2);
  expect_forms("b2*s^2 + b1*s + b0", "a2*s^2 + a1*s + a0", 2);
  expect_forms("1", "s^2*(s + a)*(s + b)", 4);
  expect_forms("(s + 1)*(s^2 + 4)", "(s + 2)^3*(s^2 + s + 7)", 5);
  expect_forms("s + 3", "(s + 1)^3*(s^2 + s + 5)", 5);  // Euclid's algorithm takes two steps from factor to factor
  expect_forms("K*(s^2 + 1)", "(s + a)*(s + b)", 2);
  expect_forms("s^2 + 1", "(s + 1)*(s + 2)*(s + 3)", 3);
  expect_forms("0", "s + 1", 1);
  expect_forms("7", "3", 0);
}

TEST(Realization, ImproperOnesHaveOnePolynomialBranch) {
  const RationalTransfer transfer = stated("m*s^3 + 2*s", "s + a");
  SymbolTable symbols = transfer.symbols;
  const GiNaC::ex expected = parse("(m*s^3 + 2*s)/(s + a)", symbols);
  for (Realization form : forms) EXPECT_EXPRESSION(response(realization(transfer, form)), expected) << static_cast<int>(form);
}

TEST(Realization, ParallelBlocksAreThePartialFractions) {
  // (s + 3)/((s + 1)(s + 2)) = 2/(s + 1) − 1/(s + 2)
  const SignalFlowGraph graph = realization(stated("s + 3", "(s + 1)*(s + 2)"), Realization::parallel);
  std::vector<std::string> gains;
  for (BranchId id : graph.entering(*graph.find("y"))) gains.push_back(print(graph[id].gain()));
  std::sort(gains.begin(), gains.end());
  EXPECT_EQ(gains, (std::vector<std::string>{"-1", "2"}));
}

TEST(Realization, ZeroDenominatorIsRefused) { EXPECT_THROW(realization(stated("1", "0"), Realization::controllable), Error); }

TEST(Realization, NamesMayBeTakenByTheUser) {
  RationalTransfer transfer = stated("1", "s^2 + s + 1");
  transfer.input = "x1";
  transfer.output = "Dx2";
  for (Realization form : forms) EXPECT_EQ(print(response(realization(transfer, form))), "1/(s^2 + s + 1)");
}

TEST(Realization, RandomTransferFunctionsInEveryForm) {
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    auto factor = [&]() -> std::string {
      switch (random() % 4) {
        case 0: return "(s + " + std::to_string(random() % 3) + ")";
        case 1: return "(s + a)";
        case 2: return "(s^2 + s*b + 2)";
        default: return "(2*s + 3)";
      }
    };
    std::string numerator = "k", denominator = "5";
    for (std::size_t i = 0; i < 1 + random() % 3; ++i) denominator += "*" + factor();
    for (std::size_t i = 0; i < random() % 3; ++i) numerator += "*" + factor();
    const RationalTransfer transfer = stated(numerator.c_str(), denominator.c_str());
    SymbolTable symbols = transfer.symbols;
    const GiNaC::ex expected = parse(numerator + "/(" + denominator + ")", symbols);
    for (Realization form : forms)
      EXPECT_TRUE(vanishes(response(realization(transfer, form)) - expected))
          << numerator << "/" << denominator << " " << static_cast<int>(form);
  }
}

TEST(Realization, ExpressionIsTakenApart) {
  SymbolTable symbols;
  const GiNaC::ex value = parse("K/(s*(1 + T*s))", symbols);
  const RationalTransfer transfer = rational_transfer(value, "s", symbols);
  EXPECT_EQ(transfer.denominator.size(), 3U);
  EXPECT_EXPRESSION(response(realization(transfer, Realization::observable)), value);
  EXPECT_THROW(rational_transfer(parse("exp(-s*T)", symbols), "s", symbols), Error);
}

TEST(Realization, StateSpaceGraphIsTheTextbookOne) {
  StateSpace model;
  GiNaC::ex k = model.symbols.symbol("k"), c = model.symbols.symbol("c"), m = model.symbols.symbol("m");
  model.states = {"x", "v"};
  model.inputs = {"F"};
  model.outputs = {"y"};
  model.A = {{0, 1}, {-k / m, -c / m}};
  model.B = {{0}, {1 / m}};
  model.C = {{1, 0}};
  model.D = {{0}};
  const SignalFlowGraph graph = state_space_graph(model);
  EXPECT_EQ(graph.nodes().size(), 6U);
  EXPECT_EQ(graph.branches().size(), 7U);
  SymbolTable symbols = graph.symbols;
  EXPECT_EXPRESSION(response(graph), parse("1/(m*s^2 + c*s + k)", symbols));
  model.C = {{1}};
  EXPECT_THROW(state_space_graph(model), std::invalid_argument);
  model.C = {{1, 0}};
  model.outputs = {"v"};
  EXPECT_THROW(state_space_graph(model), Error);  // the name of a state that it is not
}

}  // namespace
}  // namespace sfg
