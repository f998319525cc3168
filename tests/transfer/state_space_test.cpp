#include "sfg/transfer/state_space.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <sstream>

#include "expect.hpp"
#include "graphs/random.hpp"
#include "response_modulo.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/graph/realization.hpp"
#include "sfg/read/toml.hpp"
#include "sfg/transfer/transfer.hpp"
#include "sfg/transfer/verify.hpp"
#include "sfg/write/derivation.hpp"
#include "sfg/write/state_space.hpp"

namespace sfg {
namespace {

GiNaC::ex response(const SignalFlowGraph& graph, NodeId from, NodeId to) {
  const auto mode = graph.entering(from).empty() ? Question::Mode::source : Question::Mode::inject;
  return transfer_function(graph, {from, to, mode, {}}).value.expression();
}

/// The state-space form, drawn as a graph again, has the same transfer functions.
void expect_same_responses(const SignalFlowGraph& graph, const StateSpace& model, const std::string& remark) {
  SignalFlowGraph again;
  StateSpace renamed = model;  // inputs and outputs may have the names of states
  for (std::string& name : renamed.inputs) name = "in " + name;
  for (std::string& name : renamed.outputs) name = "out " + name;
  again = state_space_graph(renamed);
  for (std::size_t i = 0; i < model.inputs.size(); ++i)
    for (std::size_t k = 0; k < model.outputs.size(); ++k) {
      const GiNaC::ex expected = response(graph, graph.stated_inputs()[i], *graph.find(model.outputs[k]));
      const GiNaC::ex given = response(again, *again.find(renamed.inputs[i]), *again.find(renamed.outputs[k]));
      EXPECT_TRUE(vanishes(expected - given)) << remark << ": " << model.inputs[i] << " -> " << model.outputs[k] << "\n"
                                              << print(expected) << "\n"
                                              << print(given);
    }
}

StateSpace oscillator() {
  StateSpace model;
  const GiNaC::ex k = model.symbols.symbol("k"), c = model.symbols.symbol("c"), m = model.symbols.symbol("m");
  model.states = {"x", "v"};
  model.inputs = {"F"};
  model.outputs = {"y", "a"};
  model.A = {{0, 1}, {-k / m, -c / m}};
  model.B = {{0}, {1 / m}};
  model.C = {{1, 0}, {-k / m, -c / m}};
  model.D = {{0}, {1 / m}};
  return model;
}

void expect_equal(const StateSpace::Matrix& a, const StateSpace::Matrix& b, const char* name) {
  ASSERT_EQ(a.size(), b.size()) << name;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(a[i].size(), b[i].size()) << name;
    for (std::size_t j = 0; j < a[i].size(); ++j)
      EXPECT_EXPRESSION(a[i][j], b[i][j]) << name << "[" << i << "][" << j << "] = " << print(a[i][j]);
  }
}

TEST(StateSpace, GraphOfAModelGivesTheModelBack) {
  const StateSpace model = oscillator();
  const StateSpace again = state_space(state_space_graph(model));
  EXPECT_EQ(again.states, model.states);
  EXPECT_EQ(again.inputs, model.inputs);
  EXPECT_EQ(again.outputs, model.outputs);
  expect_equal(again.A, model.A, "A");
  expect_equal(again.B, model.B, "B");
  expect_equal(again.C, model.C, "C");
  expect_equal(again.D, model.D, "D");
}

SignalFlowGraph graph_of(std::initializer_list<std::array<const char*, 3>> lines) {
  SignalFlowGraph graph;
  graph.op.declare(graph.symbols);
  for (const auto& [from, to, gain] : lines) {
    const NodeId tail = graph.node(from);
    const NodeId head = graph.node(to);
    graph.add_branch(tail, head, parse(gain, graph.symbols));
  }
  return graph;
}

TEST(StateSpace, GainsOfAnyOrderAndAlgebraicLoops) {
  SignalFlowGraph graph = graph_of({{"R", "e", "1"},
                                    {"e", "u", "(s + 2)/(s^2 + 3*s + a)"},
                                    {"u", "u", "q"},
                                    {"u", "C", "K/(1 + T*s)"},
                                    {"C", "e", "-1"},
                                    {"R", "C", "d"}});
  graph.outputs = {*graph.find("C"), *graph.find("e")};
  const StateSpace model = state_space(graph);
  EXPECT_EQ(model.states.size(), 3U);
  expect_same_responses(graph, model, "mixed");
}

TEST(StateSpace, ImproperGainsInsideAreNoObstacle) {
  // the graph of m x'' + c x' + k x = F with the inertia fed back: x = (F − (m s² + c s) x)/k
  const SignalFlowGraph graph = graph_of({{"F", "e", "1"}, {"e", "x", "1/k"}, {"x", "e", "-(m*s^2 + c*s)"}, {"x", "y", "1"}});
  const StateSpace model = state_space(graph);
  EXPECT_EQ(model.states, (std::vector<std::string>{"x", "Dx"}));
  SymbolTable symbols = graph.symbols;
  expect_equal(model.A, {{0, 1}, {parse("-k/m", symbols), parse("-c/m", symbols)}}, "A");
  expect_same_responses(graph, model, "inertia");
}

TEST(StateSpace, DerivativesOfTheInputGoIntoTheStates) {
  const SignalFlowGraph graph = graph_of({{"u", "x", "(c*s + k)/(m*s^2 + c*s + k)"}, {"x", "y", "1"}});
  const StateSpace model = state_space(graph);
  EXPECT_EQ(model.states.size(), 2U);
  expect_same_responses(graph, model, "base excitation");
}

TEST(StateSpace, ImproperResponsesAreSaid) {
  const SignalFlowGraph graph = graph_of({{"u", "x", "s/(1 + T*s)"}, {"x", "y", "s"}});
  try {
    state_space(graph);
    FAIL();
  } catch (const NoAnswer& none) {
    EXPECT_NE(std::string(none.what()).find("'y' is improper"), std::string::npos) << none.what();
  }
}

TEST(StateSpace, SingularGraphsAreSaid) {
  const SignalFlowGraph graph = graph_of({{"u", "x", "1"}, {"x", "z", "a"}, {"z", "x", "1/a"}, {"x", "y", "1"}});
  EXPECT_THROW(state_space(graph), NoAnswer);
}

TEST(StateSpace, DeadTimesAreNotRational) {
  const SignalFlowGraph graph = graph_of({{"u", "y", "exp(-s*T)"}});
  EXPECT_THROW(state_space(graph), Error);
}

TEST(StateSpace, MinimalFormDropsWhatCancels) {
  // (s + a)/(s + a) · 1/(s + b), and a lag that no output shows
  const SignalFlowGraph graph =
      graph_of({{"u", "v", "(s + a)/(s + b)"}, {"v", "y", "1/(s + a)"}, {"u", "w", "1/(s + c)"}, {"w", "w2", "1"}});
  SignalFlowGraph asked = graph;
  asked.outputs = {*graph.find("y")};
  EXPECT_EQ(state_space(asked).states.size(), 3U);
  const StateSpace model = state_space(asked, {.inputs = {}, .outputs = {}, .minimal = true, .budget = Budget()});
  EXPECT_EQ(model.states.size(), 1U);
  expect_same_responses(asked, model, "minimal");
}

TEST(StateSpace, MinimalFormOfNothing) {
  const SignalFlowGraph graph = graph_of({{"u", "x", "1/(s + a)"}, {"u", "y", "3"}, {"z", "y", "1"}});
  SignalFlowGraph asked = graph;
  asked.inputs = {*graph.find("u")};
  asked.outputs = {*graph.find("y")};
  const StateSpace model = state_space(asked, {.inputs = {}, .outputs = {}, .minimal = true, .budget = Budget()});
  EXPECT_TRUE(model.states.empty());
  EXPECT_EQ(print(model.D[0][0]), "3");
}

TEST(StateSpace, RandomGraphsKeepTheirResponses) {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    const SignalFlowGraph graph = test::random_line(seed, 4, 4);
    try {
      const StateSpace model = state_space(graph);
      expect_same_responses(graph, model, "seed " + std::to_string(seed));
      const StateSpace least = minimal(model);
      EXPECT_LE(least.states.size(), model.states.size());
      expect_same_responses(graph, least, "minimal, seed " + std::to_string(seed));
    } catch (const NoAnswer&) {
    }
  }
}

SignalFlowGraph read_back(const std::string& toml) {
  auto content = read_toml(toml, "written.toml");
  if (auto* graph = std::get_if<SignalFlowGraph>(&content)) return std::move(*graph);
  return from_equations(std::get<EquationSystem>(std::get<Model>(content))).graph;
}

/// The table, read as any verb reads it, has the graph's responses: compared by eliminations modulo a prime, at points where
/// both have a value.
void expect_same_values(const SignalFlowGraph& graph, const std::string& toml, std::size_t& compared) {
  const SignalFlowGraph again = read_back(toml);
  for (NodeId input : graph.stated_inputs())
    for (NodeId output : graph.stated_outputs()) {
      const bool source = graph.entering(input).empty();
      const auto from = again.find(graph[input].name + (source ? "" : "_in")), to = again.find(graph[output].name);
      ASSERT_TRUE(from && to) << toml;
      for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        const ModularPoint point = random_point(seed);
        const Question asked{input, output, source ? Question::Mode::source : Question::Mode::inject, {}};
        const auto wanted = test::response_modulo(graph, asked, point);
        const auto given = test::response_modulo(again, {*from, *to, Question::Mode::source, {}}, point);
        if (!wanted || !given) continue;
        ++compared;
        EXPECT_EQ(*wanted, *given) << graph[input].name << " -> " << graph[output].name << "\n" << toml;
      }
    }
}

template <class Value>
std::string as_toml(const Value& value) {
  std::ostringstream out;
  write_toml(out, value);
  return out.str();
}

TEST(StateSpace, WrittenTablesReadBack) {
  std::size_t compared = 0;
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    SignalFlowGraph graph = test::random_line(seed, 4, 4);
    if (seed % 3 == 0) graph.inputs = {NodeId{1}};              // a signal added inside
    if (seed % 5 == 0) graph.outputs = {NodeId{1}, NodeId{2}};  // signals that may be states
    try {
      const StateSpace model = state_space(graph);
      expect_same_values(graph, as_toml(model), compared);
      expect_same_values(graph, as_toml(minimal(model)), compared);
    } catch (const NoAnswer&) {
    }
    if (::testing::Test::HasFailure()) break;
  }
  EXPECT_GT(compared, 200U);
}

TEST(ToEquations, WrittenTablesReadBack) {
  std::size_t compared = 0;
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    SignalFlowGraph graph = test::random_line(seed, 4, 4);
    if (seed % 3 == 0) graph.inputs = {NodeId{1}};
    try {
      expect_same_values(graph, as_toml(to_equations(graph)), compared);
    } catch (const NoAnswer&) {
    }
    if (::testing::Test::HasFailure()) break;
  }
  EXPECT_GT(compared, 200U);
}

TEST(StateSpace, NamesTellSignalsApart) {
  // x'' = u − Dx − x, where a node called Dx is another signal than the rate of x
  SignalFlowGraph graph = graph_of({{"u", "x", "1/(s^2 + c*s + k)"}, {"x", "Dx", "5"}, {"Dx", "y", "1"}});
  graph.outputs = {*graph.find("Dx"), *graph.find("x")};
  const StateSpace model = state_space(graph);
  EXPECT_EQ(model.states, (std::vector<std::string>{"x", "Dx_2"}));
  EXPECT_EQ(model.outputs, (std::vector<std::string>{"Dx", "x"}));
  std::size_t compared = 0;
  expect_same_values(graph, as_toml(model), compared);
  EXPECT_EQ(compared, 4U);
  EXPECT_FALSE(read_back(as_toml(model)).entering(*read_back(as_toml(model)).find("x")).empty());
}

TEST(StateSpace, AnOutputOfAStatesNameMustBeTheState) {
  StateSpace model = oscillator();
  model.outputs = {"x", "a"};
  EXPECT_EQ(state_space_graph(model).nodes().size(), 6U);  // F, Dx, x, Dv, v, a
  model.C[0][1] = 1;
  EXPECT_THROW(state_space_graph(model), Error);
}

TEST(ToEquations, TheGraphOfEquationsGivesThemBack) {
  EquationSystem system;
  system.op.declare(system.symbols);
  auto ex = [&](const char* text) { return parse(text, system.symbols); };
  system.unknowns = {{"x1", {}}, {"x2", {}}};
  system.sources = {{"f", SourceKind::force, {}}, {"z", SourceKind::excitation, {}}};
  system.equations = {{"1", {{0, ex("m1*p^2 + c*p + k")}, {1, ex("-c*p - k")}}, {{0, 1}}, {}},
                      {"2", {{0, ex("-c*p - k")}, {1, ex("m2*p^2 + c*p + k + k2")}}, {{1, ex("k2")}}, {}}};
  for (GraphLayout layout : {GraphLayout::two_node, GraphLayout::merged}) {
    const EquationSystem again = to_equations(from_equations(system, {.layout = layout}).graph);
    ASSERT_EQ(again.unknowns.size(), 2U);
    EXPECT_EQ(again.unknowns[1].name, "x2");
    for (std::size_t i = 0; i < 2; ++i) {
      const GiNaC::ex ratio = normal_form(again.D(i, i) / system.D(i, i));  // rows may be scaled
      for (std::size_t j = 0; j < 2; ++j) {
        EXPECT_EXPRESSION(again.D(i, j), ratio * system.D(i, j)) << i << j << " " << print(again.D(i, j));
        EXPECT_EXPRESSION(again.B(i, j), ratio * system.B(i, j)) << i << j << " " << print(again.B(i, j));
      }
    }
  }
}

}  // namespace
}  // namespace sfg
