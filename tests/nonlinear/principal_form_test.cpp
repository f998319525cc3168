#include "sfg/nonlinear/principal.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include "sfg/expr/parse.hpp"
#include "sfg/nonlinear/compiled_laws.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/transfer/transfer.hpp"

namespace {

using namespace sfg;

/// A mass on a linear spring and a damper, with a cubic spring and quadratic friction beside them.
constexpr const char* oscillator = R"dot(digraph {
  input="w"; output="x"; parameters="m=2, c=1/2, k=8, q=3, d=5";
  w -> x [gain="1/(m*s^2 + c*s + k)"];
x->n[nonlinear = "q*u^3 + d*v*abs(v)"];
n->e[gain = "-1"];
e->x[gain = "1/(m*s^2 + c*s + k)"];
})dot";

GiNaC::ex value(const TransferFunction& transfer, const char* text, const SignalFlowGraph& graph) {
  SymbolTable symbols = graph.symbols;
  return (transfer.value.expression() - parse(text, symbols)).normal();
}

TEST(PrincipalForm, CutsTheLawAndGivesRatesTheirNode) {
  const SignalFlowGraph graph = read_dot(oscillator, "test.dot");
  const PrincipalForm form = principal_form(graph);
  ASSERT_EQ(form.laws.size(), 1u);
  ASSERT_EQ(form.arguments.size(), 2u);
  EXPECT_FALSE(form.arguments[0].rate);
  EXPECT_TRUE(form.arguments[1].rate);
  EXPECT_TRUE(form.linear.linear());
  const auto transfers = transfer_functions(form.linear, form.questions());
  ASSERT_EQ(transfers.size(), 6u);
  const char* expected[] = {"1/(m*s^2+c*s+k)",  "s/(m*s^2+c*s+k)",  "1/(m*s^2+c*s+k)",
                            "-1/(m*s^2+c*s+k)", "-s/(m*s^2+c*s+k)", "-1/(m*s^2+c*s+k)"};
  for (std::size_t i = 0; i < transfers.size(); ++i) EXPECT_TRUE(value(transfers[i], expected[i], graph).is_zero()) << i;
}

TEST(CompiledLaws, GiveValuesAndSlopes) {
  const SignalFlowGraph graph = read_dot(oscillator, "test.dot");
  const PrincipalForm form = principal_form(graph);
  const std::vector<GiNaC::ex> free{form.linear.symbols.at("d").expr};
  const CompiledLaws laws(form, graph.parameter_values(), free);
  const double arguments[] = {2, -3}, d[] = {7};
  double f = 0, slopes[2], by_d = 0;
  laws.sensitivities({arguments, 0, d}, {&f, 1}, slopes, {&by_d, 1});
  EXPECT_DOUBLE_EQ(f, 3 * 8 - 7 * 9);
  EXPECT_DOUBLE_EQ(slopes[0], 3 * 3 * 4);
  EXPECT_DOUBLE_EQ(slopes[1], 7 * 2 * 3);
  EXPECT_DOUBLE_EQ(by_d, -9);
}

TEST(PrincipalForm, LeavesOutLawsThatReachNoSink) {
  const SignalFlowGraph graph = read_dot("digraph { input=r; output=y; r -> y [gain=2]; y -> z [nonlinear=\"u^2\"]; }", "t.dot");
  EXPECT_TRUE(principal_form(graph).laws.empty());
}

}  // namespace
