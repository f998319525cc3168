
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include "expect.hpp"
#include "sfg/derive/lagrange.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/model/signal_sum.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {
namespace {

//  R --1--> e --K/(s*(s+1))--> Y --(-1)--> e
SignalFlowGraph loop() {
  SignalFlowGraph graph;
  Symbol s;
  s.name = "s", s.kind = SymbolKind::laplace;
  graph.symbols.add(s);
  const NodeId R = graph.node("R"), e = graph.node("e"), Y = graph.node("Y");
  graph.add_branch(R, e, 1);
  graph.add_branch(e, Y, parse("K/(s*(s + 1))", graph.symbols));
  graph.add_branch(Y, e, -1);
  return graph;
}

GiNaC::ex response(SignalFlowGraph& graph, const std::string& from, NodeId to) {
  return transfer_function(graph, {graph.at(from), to}).value.expression();
}

std::string refusal(const std::string& text) {
  SignalFlowGraph graph = loop();
  try {
    output_signal(graph, text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(OutputSignal, SumsRatesAndParameters) {
  for (const auto& [text, expected] : {std::pair("R - Y", "1 - K/(s^2 + s + K)"),
                                       {"DY", "s*K/(s^2 + s + K)"},
                                       {"DDY + 2*Y", "(s^2 + 2)*K/(s^2 + s + K)"},
                                       {"K*e", "K*(s^2 + s)/(s^2 + s + K)"},
                                       {"(R + Y)/(1 + K)", "(s^2 + s + 2*K)/((1 + K)*(s^2 + s + K))"},
                                       {"s*Y", "s*K/(s^2 + s + K)"},
                                       {"Y + e - e", "K/(s^2 + s + K)"}}) {
    SignalFlowGraph graph = loop();
    const NodeId node = output_signal(graph, text);
    EXPECT_EQ(graph[node].name, text);
    EXPECT_EXPRESSION(response(graph, "R", node), parse(expected, graph.symbols)) << text;
  }
}

TEST(OutputSignal, ANodeOfThatNameComesFirst) {
  SignalFlowGraph graph = loop();
  const NodeId known = graph.node("DY"), also = graph.node("R - Y");
  EXPECT_EQ(output_signal(graph, "DY"), known);
  EXPECT_EQ(output_signal(graph, "R - Y"), also);
}

TEST(OutputSignal, ANodeMayBeNamedLikeACall) {
  SignalFlowGraph graph = loop();
  graph.add_branch(graph.at("Y"), graph.node("v(a,b)"), 3);
  const NodeId node = output_signal(graph, "Dv( a, b) + Y");
  EXPECT_EXPRESSION(response(graph, "R", node), parse("(3*s + 1)*K/(s^2 + s + K)", graph.symbols));
}

TEST(OutputSignal, WhatIsNotLinearIsRefused) {
  for (const char* text : {"R*Y", "Y^2", "sqrt(Y)", "1/Y", "R/Y", "abs(Y)", "step(Y)", "exp(Y) - 1", "max(R, Y)"})
    EXPECT_NE(refusal(text).find("linear"), std::string::npos) << text << ": " << refusal(text);
  EXPECT_NE(refusal("Y + 1").find("constant"), std::string::npos);
  EXPECT_NE(refusal("Y + K").find("constant"), std::string::npos);
  EXPECT_NE(refusal("2*K").find("no signal"), std::string::npos);
  EXPECT_NE(refusal("R - Q").find("'Q'"), std::string::npos);
  EXPECT_NE(refusal("R - (Y").find("')'"), std::string::npos);
}

TEST(OutputSignal, SamplesHaveNoRate) {
  SignalFlowGraph graph = loop();
  graph.op = "z";
  EXPECT_THROW(output_signal(graph, "DY"), Error);
}

TEST(OutputSignal, AuxiliaryCoordinatesAreLinearised) {
  const Input input = read(R"toml([lagrange]
coordinates = ["q"]
excitations = ["u"]
T = "m*Dq^2/2"
Pi = "k*h^2/2 - m*g*l*cos(q)"
equilibrium = { q = 0 }
[lagrange.auxiliary]
h = "l*sin(q) - u"
gap = "abs(q)"
)toml",
                           InputFormat::toml, "pendulum.toml");
  const EquationSystem system = lagrange_equations(std::get<Lagrangian>(std::get<Model>(input.content))).equations();
  ASSERT_EQ(system.definitions.size(), 1U);  // abs(q) has no slope at 0
  SignalFlowGraph graph = from_equations(system).graph;
  const NodeId h = output_signal(graph, "h", system.definitions), q = graph.at("q"),
               rate = output_signal(graph, "Dh", system.definitions);
  SymbolTable& symbols = graph.symbols;
  const GiNaC::ex T = response(graph, "u", q);
  EXPECT_EXPRESSION(response(graph, "u", h), symbols.symbol("l") * T - 1);
  EXPECT_EXPRESSION(response(graph, "u", rate), symbols.symbol("p") * (symbols.symbol("l") * T - 1));
  EXPECT_THROW(output_signal(graph, "gap", system.definitions), Error);
}

}  // namespace
}  // namespace sfg
