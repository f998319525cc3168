#include "sfg/derive/circuit.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <random>

#include "expect.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/spice.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {
namespace {

using GiNaC::ex;
using GiNaC::matrix;

/// Every entry in lowest terms, in the symbols of the circuit.
matrix parameters(const Circuit& circuit, const std::vector<Port>& ports, PortParameters kind, const ex& z0 = 50) {
  const SignalFlowGraph graph = from_equations(port_equations(circuit, ports, kind, z0)).graph;
  const std::vector<Question> asked = questions(graph);
  const auto n = static_cast<unsigned>(graph.outputs.size()), m = static_cast<unsigned>(graph.inputs.size());
  matrix result(n, m);
  const auto answers = transfer_functions(graph, asked);
  for (unsigned column = 0; column < m; ++column)
    for (unsigned row = 0; row < n; ++row) result(row, column) = answers[column * n + row].value.expression();
  return result;
}

void expect_equal(const matrix& a, const matrix& b) {
  ASSERT_EQ(a.rows(), b.rows());
  for (unsigned i = 0; i < a.rows(); ++i)
    for (unsigned k = 0; k < a.cols(); ++k) EXPECT_EXPRESSION(a(i, k), b(i, k)) << i << ',' << k;
}

matrix unit(unsigned n) { return GiNaC::ex_to<matrix>(GiNaC::unit_matrix(n)); }

/// A ladder of random R, L and C from node 1 to node `stages` + 1, each stage a series and a shunt element.
std::string random_ladder(std::mt19937& random, int stages) {
  std::string text = "ladder\n";
  const auto element = [&](const std::string& number, const std::string& nodes) {
    const char letter = "RLC"[random() % 3];
    text += letter + number + " " + nodes + " " + std::to_string(1 + random() % 9) + "\n";
  };
  for (int i = 1; i <= stages; ++i) {
    element("s" + std::to_string(i), std::to_string(i) + " " + std::to_string(i + 1));
    element("p" + std::to_string(i), std::to_string(i + 1) + " 0");
  }
  return text;
}

TEST(Ports, TeeHasTheImpedancesOfItsBranches) {
  const Circuit circuit = read_spice("tee\nR1 1 m 50\nC1 m 0 1n\nR2 m 2 75\n", "tee.cir");
  SymbolTable symbols = circuit.symbols;
  const matrix z = parameters(circuit, {{"1"}, {"2"}}, PortParameters::z);
  EXPECT_EXPRESSION(z(0, 0), parse("R1 + 1/(C1*s)", symbols).subs(symbols.symbol("s") == symbols.symbol("s")));
  expect_equal(z, z.transpose());
}

// Matrices of one circuit determine each other (Chua, Desoer, Kuh 1987, ch. 13), and reciprocal circuits have symmetric z, y, s
// and an abcd matrix of determinant 1.
TEST(Ports, MatricesOfRandomLaddersAgree) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 12; ++trial) {
    const std::string netlist = random_ladder(random, 1 + trial % 3);
    SCOPED_TRACE(netlist);
    const Circuit circuit = read_spice(netlist, "ladder.cir");
    const std::vector<Port> ports{{"1"}, {std::to_string(2 + trial % 3)}};
    const matrix z = parameters(circuit, ports, PortParameters::z), y = parameters(circuit, ports, PortParameters::y);
    const matrix abcd = parameters(circuit, ports, PortParameters::abcd), s = parameters(circuit, ports, PortParameters::s, 75);
    const matrix h = parameters(circuit, ports, PortParameters::h), g = parameters(circuit, ports, PortParameters::g);
    expect_equal(z.mul(y), unit(2));
    expect_equal(h.mul(g), unit(2));
    expect_equal(z, z.transpose());
    expect_equal(s.mul(z.add(unit(2).mul_scalar(75))), z.sub(unit(2).mul_scalar(75)));
    EXPECT_EXPRESSION(abcd.determinant(), 1);
    EXPECT_EXPRESSION(abcd(0, 0), z(0, 0) / z(1, 0));
    EXPECT_EXPRESSION(h(0, 0), 1 / y(0, 0));
  }
}

TEST(Ports, ChainMatricesMultiply) {
  const std::string first = "R1 1 2 3\nL1 2 0 5\n", second = "C2 2 0 7\nR2 2 3 4\n";
  const auto abcd = [](const std::string& text, const char* from, const char* to) {
    return parameters(read_spice("two-port\n" + text, "chain.cir"), {{from}, {to}}, PortParameters::abcd);
  };
  const auto by_name = [](const matrix& m, SymbolTable& table) {  // symbols of different circuits are different variables
    GiNaC::exmap names;
    for (auto node = ex(m).preorder_begin(); node != ex(m).preorder_end(); ++node)
      if (GiNaC::is_exactly_a<GiNaC::symbol>(*node)) names[*node] = table.symbol(GiNaC::ex_to<GiNaC::symbol>(*node).get_name());
    return GiNaC::ex_to<matrix>(ex(m).subs(names, GiNaC::subs_options::no_pattern).evalm());
  };
  SymbolTable table;
  const matrix whole = by_name(abcd(first + second, "1", "3"), table);
  expect_equal(whole, by_name(abcd(first, "1", "2"), table).mul(by_name(abcd(second, "2", "3"), table)));
}

TEST(Ports, WhatDoesNotExistHasNoAnswer) {
  const Circuit series = read_spice("series\nR1 1 2 10\n", "series.cir");
  EXPECT_THROW(parameters(series, {{"1"}, {"2"}}, PortParameters::z), NoAnswer);
  EXPECT_EXPRESSION(parameters(series, {{"1"}, {"2"}}, PortParameters::y)(0, 1), -1 / series.symbols.at("R1").expr);
  const Circuit shunt = read_spice("shunt\nR1 1 0 10\nV1 2 1 0\n", "shunt.cir");
  EXPECT_THROW(parameters(shunt, {{"1"}, {"2"}}, PortParameters::y), NoAnswer);
  EXPECT_THROW(port_equations(series, std::vector<Port>{}, PortParameters::z), std::invalid_argument);
  EXPECT_THROW(port_equations(series, std::vector<Port>{{"1"}}, PortParameters::h), std::invalid_argument);
}

matrix two_by_two(const ex& a, const ex& b, const ex& c, const ex& d) { return matrix{{a, b}, {c, d}}; }

// The modes of a pair are its nodes in other coordinates: V' = A V, I = Aᵀ I', of waves an orthogonal matrix (Bockelman and
// Eisenstadt, IEEE Trans. MTT 43 (7), 1995).
TEST(Ports, ModesAreAPairInOtherCoordinates) {
  std::mt19937 random(12);
  const ex half = ex(1) / 2;
  const matrix A = two_by_two(1, -1, half, half), M = two_by_two(1, -1, 1, 1);
  for (int trial = 0; trial < 8; ++trial) {
    const std::string netlist = random_ladder(random, 1 + trial % 2) + "G1 1 0 2 0 3\n";
    SCOPED_TRACE(netlist);
    const Circuit circuit = read_spice(netlist, "ladder.cir");
    const std::vector<Port> nodes{{"1"}, {"2"}}, modes{{"1", "2", Port::Mode::differential}, {"1", "2", Port::Mode::common}};
    const matrix z = parameters(circuit, nodes, PortParameters::z), s = parameters(circuit, nodes, PortParameters::s, 75);
    expect_equal(parameters(circuit, modes, PortParameters::z), A.mul(z).mul(A.transpose()));
    expect_equal(parameters(circuit, modes, PortParameters::y),
                 A.transpose().inverse().mul(parameters(circuit, nodes, PortParameters::y)).mul(A.inverse()));
    expect_equal(parameters(circuit, modes, PortParameters::s, 75), M.mul(s).mul(M.transpose()).mul_scalar(half));
  }
  const Circuit pair = read_spice("pair\nR1 A B 10\n", "pair.cir");  // without ground, a differential port all the same
  EXPECT_EXPRESSION(parameters(pair, {port_between("dm(a,b)", pair)}, PortParameters::z)(0, 0), pair.symbols.at("R1").expr);
  EXPECT_EQ(name_of(port_between("cm(a,b)", pair)), "port(cm(A,B))");
  EXPECT_THROW(port_between("dm(a)", pair), Error);
}

// A port between two nodes of a part that has no ground: what it shows does not depend on a potential.
TEST(Ports, FloatingPartsHavePorts) {
  const Circuit circuit = read_spice("floating\nR1 a b 10\nL1 b c 1\nC1 c a 2\n", "floating.cir");
  SymbolTable symbols = circuit.symbols;
  Symbol s;
  s.name = "s";
  const matrix z = parameters(circuit, {{"a", "b"}}, PortParameters::z);
  const matrix grounded =
      parameters(read_spice("grounded\nR1 a 0 10\nL1 0 c 1\nC1 c a 2\n", "grounded.cir"), {{"a", "0"}}, PortParameters::z);
  EXPECT_EQ(print(z(0, 0)), print(grounded(0, 0)));
}

TEST(Ports, OwnSourcesAreOff) {
  const Circuit circuit = read_spice("sources\nR1 1 a 10\nV1 a b 5\nR2 b 0 20\nI1 a 0 1\n", "sources.cir");
  const auto& R = circuit.symbols;
  EXPECT_EXPRESSION(parameters(circuit, {{"1"}}, PortParameters::z)(0, 0), R.at("R1").expr + R.at("R2").expr);
}

TEST(Ports, NamesOfNodesInAnyCase) {
  const Circuit circuit = read_spice("names\nR1 In OUT 10\nR2 OUT 0 1\n", "names.cir");
  EXPECT_EQ(port_between("in,out", circuit), (Port{"In", "OUT"}));
  EXPECT_EQ(port_between(" IN , gnd ", circuit), (Port{"In", "0"}));
  EXPECT_EQ(read_port("port(out)", circuit), (Port{"OUT", "0"}));
  EXPECT_FALSE(read_port("V1", circuit));
  EXPECT_THROW(port_between("inn", circuit), Error);
  EXPECT_THROW(port_between("0,gnd", circuit), Error);
}

ex loop_gain(const std::string& netlist, const std::string& element, SymbolTable& symbols) {
  const SignalFlowGraph graph = from_equations(opened_at(read_spice(netlist, "loop.cir"), element)).graph;
  symbols = graph.symbols;
  return transfer_function(graph, questions(graph).front()).value.expression();
}

TEST(ReturnRatio, OfEveryKindOfControlledSource) {
  const std::vector<std::array<std::string, 3>> cases{
      {"E\nV1 in 0 AC 1\nR1 in n 1\nR2 n o 9\nE1 o 0 0 n 100\n", "e1", "E1*R1/(R1 + R2)"},
      {"G\nV1 in 0 AC 1\nG1 0 o in o 1\nR1 o 0 2\n", "G1", "G1*R1"},
      {"F\nI1 0 a AC 1\nVs a b 0\nR1 b 0 2\nR2 a 0 3\nF1 a 0 Vs 5\n", "F1", "F1*R2/(R1 + R2)"},
      {"H\nV1 in 0 AC 1\nR1 in a 2\nVs a b 0\nR2 b o 3\nH1 o 0 Vs 5\n", "H1", "H1/(R1 + R2)"}};
  for (const auto& [netlist, element, expected] : cases) {
    SymbolTable symbols;
    const ex L = loop_gain(netlist, element, symbols);
    EXPECT_EXPRESSION(L, parse(expected, symbols)) << netlist;
  }
}

TEST(ReturnRatio, OnlyOfControlledSources) {
  const Circuit circuit = read_spice("amplifier\nV1 in 0 AC 1\nR1 in m 1k\nR2 m out 10k\nO1 0 m out\n", "amplifier.cir");
  for (const char* name : {"R1", "O1", "V1", "E1"}) EXPECT_THROW(opened_at(circuit, name), Error) << name;
}

}  // namespace
}  // namespace sfg
