#include "sfg/ask/loop.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>

#include "ask/random_gains.hpp"
#include "sfg/ask/subject.hpp"
#include "sfg/derive/circuit.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/transfer.hpp"

namespace {

using namespace sfg;
using GiNaC::ex;

Subject subject_of(const SignalFlowGraph& graph, SubjectTerms terms = {}) {
  Input input;
  input.content = graph;
  return Subject(std::move(input), std::move(terms));
}

Subject subject_of(const std::string& netlist, SubjectTerms terms = {}) {
  return Subject(read(netlist, InputFormat::spice, "loop.cir"), std::move(terms));
}

/// The one answer about a loop, with its names.
ex answer(const Subject& whole, LoopTerms terms) {
  const Subject about = whole.about(terms);
  const SignalFlowGraph& graph = about.graph();
  const std::vector<Question> asked = questions(graph);
  EXPECT_EQ(asked.size(), 1U);
  EXPECT_EQ(graph[asked.front().input].name, terms.where);
  EXPECT_EQ(graph[asked.front().output].name, name_of(*terms.of));
  return transfer_function(graph, asked.front()).value.expression();
}

/// det(I − Aᵀ) without the branches that are named, all names numbers: by elimination in GiNaC, of the graph as it is stated.
ex determinant(const SignalFlowGraph& graph, const GiNaC::exmap& point,
               const std::set<std::pair<std::uint32_t, std::uint32_t>>& without) {
  const auto n = static_cast<unsigned>(graph.nodes().size());
  GiNaC::matrix matrix(n, n);
  for (unsigned i = 0; i < n; ++i) matrix(i, i) = 1;
  for (const Branch& branch : graph.branches())
    if (!without.contains({branch.from.index, branch.to.index}))
      matrix(branch.to.index, branch.from.index) -= branch.gain().subs(point);
  return matrix.determinant();
}

/// Random nodes and branches with gains of a few kinds; parallel ones and self-loops among them.
SignalFlowGraph random_graph(std::mt19937& random) {
  SignalFlowGraph graph;
  const ex s = graph.op.declare(graph.symbols);
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  const int n = pick(2, 6);
  for (const char* name : {"x", "loop", "a,b", "sensitivity", "c", "complementary"})
    if (static_cast<int>(graph.nodes().size()) < n) graph.add_node({name, {}, {}});
  test::add_random_branches(graph, s, random);
  return graph;
}

// 1 + L = Δ/Δ_open, S its reciprocal, T = L S, with any other loops closed or open: against determinants of the stated graph.
TEST(Loop, AnswersAreRatiosOfDeterminants) {
  std::size_t loops = 0, none = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    std::mt19937 random(seed);
    SignalFlowGraph graph = random_graph(random);
    const GiNaC::exmap point = test::random_point(graph.symbols, random);
    const Subject subject = subject_of(graph);
    std::set<std::pair<std::uint32_t, std::uint32_t>> places;
    for (const Branch& branch : graph.branches()) places.insert({branch.from.index, branch.to.index});
    const auto name = [&](const std::pair<std::uint32_t, std::uint32_t>& place) {
      return graph[NodeId{place.first}].name + "," + graph[NodeId{place.second}].name;
    };
    for (const auto& place : places) {
      const ex closed = determinant(graph, point, {}), open = determinant(graph, point, {place});
      if (closed.is_zero() || open.is_zero()) continue;
      LoopTerms terms{.where = name(place)};
      ex L;
      try {
        L = answer(subject, terms).subs(point);
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("closes no loop"), std::string::npos) << error.what();
        EXPECT_TRUE((closed - open).is_zero()) << seed << ' ' << terms.where;
        ++none;
        continue;
      }
      ++loops;
      EXPECT_EQ(1 + L, closed / open) << seed << ' ' << terms.where;
      terms.of = LoopAnswer::sensitivity;
      EXPECT_EQ(answer(subject, terms).subs(point), open / closed) << seed << ' ' << terms.where;
      terms.of = LoopAnswer::complementary;
      EXPECT_EQ(answer(subject, terms).subs(point), 1 - open / closed) << seed << ' ' << terms.where;
      for (const auto& other : places) {
        if (other == place) continue;
        const ex rest = determinant(graph, point, {other}), both = determinant(graph, point, {place, other});
        if (rest.is_zero() || both.is_zero()) continue;
        LoopTerms several{.where = name(place), .others = {name(other)}, .others_open = true};
        try {
          EXPECT_EQ(1 + answer(subject, several).subs(point), rest / both) << seed << ' ' << terms.where << ' ' << name(other);
        } catch (const Error& error) {
          EXPECT_TRUE((rest - both).is_zero()) << seed << ' ' << error.what();
        }
      }
    }
  }
  EXPECT_GT(loops, 200U);
  EXPECT_GT(none, 10U);
}

/// Resistors, capacitors and controlled sources between random nodes, driven at node 1.
std::string random_netlist(std::mt19937& random) {
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  const int n = pick(2, 4);
  std::string text = "loop\nV1 1 0 AC 1\n";
  for (int k = 2; k <= n + 1; ++k)
    text += "R" + std::to_string(k) + " " + std::to_string(k - 1) + " " + std::to_string(k) + " 3\n";
  text += "C1 " + std::to_string(n + 1) + " 0 2\nVs " + std::to_string(n + 1) + " s 0\nRs s 0 5\n";
  const auto node = [&] { return std::to_string(pick(2, n + 1)); };
  text += "G1 " + node() + " 0 " + node() + " 0 7\nF1 " + node() + " 0 Vs 2\nE1 e 0 " + node() + " 0 4\nRe e " + node() +
          " 6\nH1 h 0 Vs 9\nRh h " + node() + " 8\n";
  return text;
}

// L of a controlled source is its return ratio: Δ/Δ₀ of the circuit's own equations, with the source as it is and dead.
TEST(Loop, OfControlledSourcesAgainstTheCircuitsOwnDeterminants) {
  const auto determinant_of = [](const Circuit& circuit, const GiNaC::exmap& point) {
    const EquationSystem system = circuit_equations(circuit);
    const auto n = static_cast<unsigned>(system.unknowns.size());
    GiNaC::matrix matrix(n, n);
    for (unsigned i = 0; i < n; ++i)
      for (unsigned j = 0; j < n; ++j) matrix(i, j) = system.D(i, j).subs(point);
    return matrix.determinant();
  };
  for (unsigned seed = 1; seed <= 12; ++seed) {
    std::mt19937 random(seed);
    const std::string netlist = random_netlist(random);
    const Subject subject = subject_of(netlist);
    const Circuit& circuit = *subject.circuit();
    SymbolTable symbols = circuit.symbols;
    circuit.op.declare(symbols);
    const GiNaC::exmap point = test::random_point(symbols, random);
    for (const char* element : {"G1", "f1", "E1", "h1"}) {
      Circuit dead = circuit;
      for (Circuit::Element& each : dead.elements)
        if (each.name == element_named(circuit, element)) each.value = 0;
      const ex ratio = determinant_of(circuit, point) / determinant_of(dead, point);
      try {
        EXPECT_EQ(1 + answer(subject, {.where = element}).subs(point), ratio) << netlist << element;
        EXPECT_EQ(answer(subject, {.where = element, .of = LoopAnswer::sensitivity}).subs(point), 1 / ratio)
            << netlist << element;
      } catch (const Error& error) {
        EXPECT_EQ(ratio, 1) << netlist << element << ' ' << error.what();
      }
      if (element == std::string("E1")) continue;
      Circuit other = circuit, both = dead;
      for (Circuit* each : {&other, &both})
        for (Circuit::Element& source : each->elements)
          if (source.name == "E1") source.value = 0;
      const ex open = determinant_of(other, point) / determinant_of(both, point);
      try {
        EXPECT_EQ(1 + answer(subject, {.where = element, .others = {"e1"}, .others_open = true}).subs(point), open)
            << netlist << element;
      } catch (const Error& error) {
        EXPECT_EQ(open, 1) << netlist << element << ' ' << error.what();
      }
    }
  }
}

TEST(Loop, PlacesThatAreNone) {
  SignalFlowGraph graph;
  for (const auto& [from, to, gain] : {std::tuple{"r", "e", 1}, {"e", "y", 5}, {"y", "e", -1}, {"y", "z", 1}, {"e", "f", 1}})
    graph.add_branch(graph.node(from), graph.node(to), gain);
  const Subject subject = subject_of(graph);
  for (const char* where : {"r,e", "y,z", "r,y", "e,q", "q", "", ",", "z"})
    EXPECT_THROW(subject.about(LoopTerms{.where = where}).graph(), Error) << where;
  const Subject both = subject.about(LoopTerms{.where = "e,y", .others = {"y,e"}, .others_open = true});
  EXPECT_THROW(both.graph(), Error);
  EXPECT_EQ(questions(subject.about(LoopTerms{.where = "y"}).graph()).size(), 1U);
}

}  // namespace
