#include "sfg/derive/joined.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <random>

#include "expect.hpp"
#include "sfg/control/modes.hpp"
#include "sfg/derive/derive.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {
namespace {

const std::string armature = "armature\nVin in 0 AC 1\nRa in a 2\nLa a e 5m\nVb e 0 DC 0\n.end\n";
const std::string cart = "[lagrange]\ncoordinates = [\"x\"]\nforces = { x = \"F\" }\nT = \"M*Dx^2/2\"\nPi = \"k*x^2/2\"\n";

/// Reads a model with netlists that are given by name.
Model model(const std::string& text, const std::map<std::string, std::string>& netlists = {}) {
  const Input input = read(text, InputFormat::toml, "m.toml", [&](const std::string& name) {
    if (!netlists.contains(name)) throw Error({}, "cannot read '" + name + "': there is no such file");
    return netlists.at(name);
  });
  return std::get<Model>(input.content);
}

GiNaC::ex response(const SignalFlowGraph& graph, const std::string& from, const std::string& to) {
  return transfer_function(graph, {graph.find(from).value(), graph.find(to).value(), Question::Mode::source, {}})
      .value.expression();
}

void expect_transfer(const Model& model, const std::string& from, const std::string& to, const std::string& expected) {
  const SignalFlowGraph graph = graph_of(model);
  SymbolTable symbols = graph.symbols;
  const GiNaC::ex value = response(graph, from, to);
  EXPECT_EXPRESSION(value, parse(expected, symbols)) << print(value) << "\nexpected " << expected;
}

/// Where the first problem is, and what it says.
std::string problem(const std::string& text, const std::map<std::string, std::string>& netlists = {}) {
  try {
    model(text, netlists);
  } catch (const Error& error) {
    return to_string(error.diagnostics().front());
  }
  return "none";
}

const std::string motor_and_cart =
    "variable = \"s\"\ncircuit = \"motor.cir\"\n" + cart +
    "[graph]\nbranches = [\n[\"i(La)\", \"F\", \"Kt/r\"],\n[\"Dx\", \"Vb\", \"Kt/r\"]]\n[parameters]\nr = \"0.02\"\n";

TEST(Joined, AMotorMovesACart) {
  const Model motor = model(motor_and_cart, {{"motor.cir", armature}});
  const std::string loop = "((s^2*M + k)*(Ra + s*La)*r^2 + s*Kt^2)";
  expect_transfer(motor, "Vin", "x", "Kt*r/" + loop);
  expect_transfer(motor, "Vin", "i(La)", "(s^2*M + k)*r^2/" + loop);
  expect_transfer(motor, "Vin", "Vb", "Kt^2*s/" + loop);
  const EquationSystem system = derive(motor);
  ASSERT_EQ(system.sources.size(), 1U);  // F and Vb are driven
  EXPECT_EQ(system.sources.front().name, "Vin");
  EXPECT_EQ(system.inputs, std::vector<std::string>{"Vin"});
  std::set<std::string> rows;
  for (const auto& equation : system.equations) EXPECT_TRUE(rows.insert(equation.name).second) << equation.name;
}

TEST(Joined, TwoCircuitsWithABufferBetween) {
  const std::string first = "first\nV1 in 0 AC 1\nR1 in a 1k\nC1 a 0 1u\n";
  const std::string second = "second\nV2 b 0 0\nR2 b c 1k\nC2 c 0 1u\n";
  const Model both = model("circuit = [\"a.cir\", \"b.cir\"]\n[graph]\nbranches = [[\"v(a)\", \"V2\", \"A\"]]\n",
                           {{"a.cir", first}, {"b.cir", second}});
  expect_transfer(both, "V1", "v(c)", "A/((1 + s*R1*C1)*(1 + s*R2*C2))");
}

TEST(Joined, ABranchKeepsItsGainAndItsPlace) {
  const SignalFlowGraph graph = graph_of(model("variable = \"s\"\n" + cart + R"toml([graph]
branches = [["ref", "e", "1"], ["x", "e", "-1"], ["e", "F", "1/(1 + ta*s) + 1/(1 + tb*s)"]]
)toml"));
  const NodeId e = graph.find("e").value();
  ASSERT_EQ(graph.entering(e).size(), 2U);
  for (const BranchId branch : graph.entering(e))
    EXPECT_EXPRESSION(graph[branch].gain(), graph[graph[branch].from].name == "x" ? GiNaC::ex(-1) : GiNaC::ex(1));
}

TEST(Joined, PolesOutsideOfLoopsArePolesOfTheWhole) {
  const EquationSystem system = derive(model("variable = \"s\"\n" + cart + R"toml([graph]
branches = [["u", "F", "1/(s + 3)"]]
[parameters]
M = 1
k = 4
)toml"));
  const PolesZeros found = poles(system);
  ASSERT_EQ(found.modes.size(), 3U);
  EXPECT_TRUE(std::ranges::any_of(found.modes, [](const Mode& mode) { return std::abs(mode.pole.value + 3.0) < 1e-12; }));
}

TEST(Joined, EveryExpressionInSignalsMayBeATail) {
  const std::string text = "variable = \"s\"\n" + cart + "[graph]\nbranches = [[\"ref - x - T*Dx\", \"F\", \"K\"]]\n";
  expect_transfer(model(text + "[analysis]\ninput = \"ref\"\n[parameters]\nK = 2\nT = 3\n"), "ref", "x",
                  "K/(M*s^2 + K*T*s + k + K)");
  expect_transfer(model(text + "nodes = [\"ref\"]\n[parameters]\nK = 2\nT = 3\n"), "ref", "x", "K/(M*s^2 + K*T*s + k + K)");
  EXPECT_NE(problem(text + "[parameters]\nK = 2\nT = 3\n").find("there is no signal 'ref'"), std::string::npos);
}

/// Rows i = from … to − 1 of masses m_i between springs k_i and k_{i+1}, with a force f_i on each, as [matrix].
std::string chain_table(std::size_t from, std::size_t to) {
  std::string unknowns, inputs, D, B;
  for (std::size_t i = from; i < to; ++i) {
    const std::string n = std::to_string(i), next = std::to_string(i + 1);
    unknowns += "\"x" + n + "\", ";
    inputs += "\"f" + n + "\", ";
    D += "[";
    B += "[";
    for (std::size_t j = from; j < to; ++j) {
      const bool beside = i + 1 == j || j + 1 == i;
      D += i == j ? "\"m" + n + "*s^2 + k" + n + " + k" + next + "\", "
                  : "\"" + (beside ? "-k" + std::to_string(std::max(i, j)) : "0") + "\", ";
      B += i == j ? "\"1\", " : "\"0\", ";
    }
    D += "], ";
    B += "], ";
  }
  return "[matrix]\nunknowns = [" + unknowns + "]\ninputs = [" + inputs + "]\nD = [" + D + "]\nB = [" + B + "]\n";
}

/// The same rows as a netlist: voltages are displacements, currents forces.
std::string chain_netlist(std::size_t from, std::size_t to) {
  std::string netlist = "chain\n";
  for (std::size_t i = from; i < to; ++i) {
    const std::string n = std::to_string(i), own = "x" + n, before = "x" + std::to_string(i - 1);
    netlist += "I" + n + " 0 " + own + " AC 1\n";
    netlist += "Gm" + n + " " + own + " 0 " + own + " 0 {m" + n + "*s^2 + k" + n + " + k" + std::to_string(i + 1) + "}\n";
    if (i == from) continue;
    netlist += "Ga" + n + " " + own + " 0 " + before + " 0 {-k" + n + "}\n";
    netlist += "Gb" + n + " " + before + " 0 " + own + " 0 {-k" + n + "}\n";
  }
  return netlist;
}

/// A chain of masses cut anywhere, one side stated by matrices and the other as a circuit, is the chain.
TEST(Joined, AnySplitOfASystemIsThatSystem) {
  std::mt19937 random(7);
  for (int round = 0; round < 8; ++round) {
    const std::size_t n = 3 + random() % 3, cut = 1 + random() % (n - 1);
    const std::string last = std::to_string(cut - 1), next = std::to_string(cut), end = std::to_string(n - 1);
    const Model split = model("variable = \"s\"\ncircuit = \"c.cir\"\n" + chain_table(0, cut) +
                                  "[graph]\nbranches = [[\"u\", \"f" + last + "\"], [\"v(x" + next + ")\", \"f" + last +
                                  "\", \"k" + next + "\"], [\"x" + last + "\", \"I" + next + "\", \"k" + next + "\"]]\n",
                              {{"c.cir", chain_netlist(cut, n)}});
    const SignalFlowGraph whole = graph_of(model("variable = \"s\"\n" + chain_table(0, n)));
    expect_transfer(split, "u", "v(x" + end + ")", print(response(whole, "f" + last, "x" + end)));
  }
}

TEST(Joined, WhatDoesNotFitIsSaidAtItsPlace) {
  const std::map<std::string, std::string> motor{{"motor.cir", armature}};
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = motor_and_cart;
    text.replace(text.find(from), from.size(), to);
    return problem(text, motor);
  };
  EXPECT_EQ(with("motor.cir", "engine.cir").substr(0, 29), "m.toml:2:12: error: cannot re");
  EXPECT_NE(with("motor.cir", "../motor.cir").find("not in the folder"), std::string::npos);
  EXPECT_EQ(with("i(La)", "i(Lx)").substr(0, 46), "m.toml:10:1: error: there is no signal 'i(Lx)'");
  EXPECT_NE(with("\"F\", \"Kt", "\"x\", \"Kt").find("follows from the equations"), std::string::npos);
  EXPECT_NE(with("\"Vb\"", "\"v(q)\"").find("no source 'v(q)'"), std::string::npos);
  EXPECT_NE(with("Kt/r\"],", "Kt*x\"],").find("the gain has the signal 'x'"), std::string::npos);
  EXPECT_NE(with("motor.cir", "motor.toml").find("no netlist by its name"), std::string::npos);
  EXPECT_EQ(with("\"Vb\"", "\"vb\""), "none");  // case does not matter in netlists
  EXPECT_NE(with("r = ", "Ra = ").find("has a value already"), std::string::npos);
  EXPECT_NE(with("[parameters]", "[analysis]\ninput = \"F\"\n[parameters]").find("driven by a branch"), std::string::npos);
  EXPECT_NE(
      problem("circuit = [\"motor.cir\", \"motor.cir\"]\n[graph]\nbranches = [[\"v(a)\", \"Vb\"]]\n", motor).find("two parts"),
      std::string::npos);
}

}  // namespace
}  // namespace sfg
