#include "sfg/graph/from_equations.hpp"

#include <random>

#include "derive/lagrange_case.hpp"
#include "model/system_case.hpp"
#include "sfg/derive/derive.hpp"

namespace sfg {
namespace {

using GiNaC::ex;
using test::data;
using test::equal;
using test::lagrangian;
using test::LagrangianText;
using test::pivot_system;
using test::system_of;

/// Exact values of all symbols: of the table where there are, else made up, the operator as given.
GiNaC::exmap point(const SymbolTable& symbols, const std::string& variable, const ex& p) {
  GiNaC::exmap values = symbols.values();
  long made_up = 3;
  for (const Symbol& symbol : symbols.all())
    if (!values.contains(symbol.expr)) values[symbol.expr] = GiNaC::numeric(made_up += 4, 7);
  values[symbols.at(variable).expr] = p;
  return values;
}

/// I − A' of the graph at a point (the definition of Δ that needs no loops).
GiNaC::matrix node_matrix(const SignalFlowGraph& graph, const GiNaC::exmap& values) {
  const auto n = static_cast<unsigned>(graph.nodes().size());
  GiNaC::matrix m(n, n);
  for (unsigned i = 0; i < n; ++i) m(i, i) = 1;
  for (const Branch& branch : graph.branches()) m(branch.to.index, branch.from.index) -= branch.gain().subs(values);
  return m;
}

/// Node signal per source signal, by Cramer's rule.
ex transfer(const SignalFlowGraph& graph, const std::string& from, const std::string& to, const GiNaC::exmap& values) {
  const GiNaC::matrix m = node_matrix(graph, values);
  GiNaC::matrix replaced = m;
  const unsigned column = graph.find(to)->index;
  for (unsigned row = 0; row < m.rows(); ++row) replaced(row, column) = row == graph.find(from)->index ? 1 : 0;
  return replaced.determinant() / m.determinant();
}

GiNaC::matrix D_matrix(const EquationSystem& system, const GiNaC::exmap& values) {
  const auto n = static_cast<unsigned>(system.unknowns.size());
  GiNaC::matrix D(n, n);
  for (unsigned i = 0; i < n; ++i)
    for (unsigned j = 0; j < n; ++j) D(i, j) = system.D(i, j).subs(values);
  return D;
}

ex polynomial(const nlohmann::ordered_json& coefficients, const ex& p) {
  ex value = 0;
  for (const auto& coefficient : coefficients) value = value * p + parse_number(coefficient.get<std::string>());
  return value;
}

/// det D = Π d_ii · Δ, with the pivots of the assignment and the sign of its permutation.
void expect_determinant_identity(const EquationSystem& system, const ex& p) {
  const GraphFromEquations made = from_equations(system);
  const GiNaC::exmap values = point(made.graph.symbols, system.op.symbol(), p);
  ex pivots = 1;
  int sign = 1;
  const auto& unknown_of = made.assignment.unknown_of;
  for (std::size_t i = 0; i < unknown_of.size(); ++i) {
    pivots *= system.D(i, unknown_of[i]).subs(values);
    for (std::size_t j = 0; j < i; ++j)
      if (unknown_of[j] > unknown_of[i]) sign = -sign;
  }
  EXPECT_EQ(D_matrix(system, values).determinant(), sign * pivots * node_matrix(made.graph, values).determinant());
}

TEST(FromEquations, VehicleHasTheBranchesOfTheDiagram) {
  const GraphFromEquations made = from_equations(derive(lagrangian(data("vehicle.json")["input"])));
  const SignalFlowGraph& graph = made.graph;
  EXPECT_TRUE(made.assignment.natural);
  EXPECT_EQ(graph.op.symbol(), "p");
  EXPECT_EQ(graph.nodes().size(), 3u + 3u + 7u);
  EXPECT_EQ(graph.branches().size(), 24u);  // one for every line of the table
  EXPECT_EQ(graph.stated_inputs().size(), 7u);
  EXPECT_EQ(graph.stated_outputs().size(), 3u);
  const auto between = [&](const std::string& from, const std::string& to) {
    for (const Branch& branch : graph.branches())
      if (branch.from == graph.find(from) && branch.to == graph.find(to)) return branch.gain();
    return ex(0);
  };
  EXPECT_TRUE(equal(between("e_phix", "phix"), "1/(Jx*p^2 + 4*h*l2^2*p + 4*k*l2^2)", graph.symbols));
  EXPECT_TRUE(equal(between("phiy", "e_phix"), "Jxy*p^2", graph.symbols));
  EXPECT_TRUE(equal(between("z1", "e_Z"), "h*p + k", graph.symbols));
  EXPECT_TRUE(equal(between("z1", "e_phix"), "-l2*(h*p + k)", graph.symbols));
  EXPECT_TRUE(equal(between("Mx", "e_phix"), 1));
  EXPECT_EQ(graph.symbols.at("k").value, ex(80000));
  EXPECT_NE(graph.branches()[0].where.line, 0u);
}

TEST(FromEquations, MergedLayoutHasTheSameTransfers) {
  const EquationSystem system = derive(lagrangian(data("vehicle.json")["input"]));
  const SignalFlowGraph two = from_equations(system).graph;
  const SignalFlowGraph merged = from_equations(system, {.layout = GraphLayout::merged}).graph;
  EXPECT_EQ(merged.nodes().size(), 10u);
  EXPECT_EQ(merged.branches().size(), 21u);
  const ex p(GiNaC::numeric(5, 3));
  for (const char* from : {"z1", "My"})
    for (const char* to : {"phix", "phiy", "Z"})
      EXPECT_EQ(transfer(two, from, to, point(two.symbols, "p", p)), transfer(merged, from, to, point(merged.symbols, "p", p)));
}

TEST(FromEquations, DeterminantOfTheGraphAndOfTheMatrix) {
  for (const char* file : {"vehicle.json", "quarter_car.json"})
    expect_determinant_identity(derive(lagrangian(data(file)["input"])), GiNaC::numeric(11, 5));
  for (const auto& expected : data("pivot_cases.json")["cases"])
    expect_determinant_identity(pivot_system(expected), GiNaC::numeric(-7, 3));
}

TEST(FromEquations, PivotCasesHaveTheirTransfers) {
  for (const auto& expected : data("pivot_cases.json")["cases"]) {
    const GraphFromEquations made = from_equations(pivot_system(expected));
    const ex p(GiNaC::numeric(13, 4));
    const GiNaC::exmap values = point(made.graph.symbols, "p", p);
    for (const auto& wanted : expected["transfers"]) {
      const ex value = polynomial(wanted["num"], p) / polynomial(expected["determinant"], p);
      EXPECT_EQ(transfer(made.graph, wanted["from"], wanted["to"], values), value)
          << expected["name"] << ' ' << wanted["from"] << ' ' << wanted["to"];
    }
  }
}

TEST(FromEquations, VehicleDeterminantIsThePublishedOne) {
  const auto expected = data("vehicle.json");
  const EquationSystem system = derive(lagrangian(expected["input"]));
  for (const long p : {-2, 1, 3})
    EXPECT_EQ(D_matrix(system, point(system.symbols, "p", p)).determinant(), polynomial(expected["determinant"]["exact"], p));
}

TEST(FromEquations, EliminationAndMultipliersAgree) {
  // The bar on two springs: end coordinates as auxiliaries, and as unknowns with constraint rows.
  const EquationSystem eliminated = derive(lagrangian(LagrangianText{
      .coordinates = {"xc", "th"},
      .forces = {{"xc", "F"}, {"th", "M"}},
      .auxiliaries = {{"x1", "xc - a*th"}, {"x2", "xc + b*th"}},
      .T = {"m*Dxc^2/2 + J*Dth^2/2"},
      .Pi = {"k1*x1^2/2 + k2*x2^2/2"},
      .Phi = {"c1*Dx1^2/2 + c2*Dx2^2/2"},
      .parameters = {
          {"m", "10"}, {"J", "4"}, {"a", "0.5"}, {"b", "0.8"}, {"k1", "900"}, {"k2", "700"}, {"c1", "6"}, {"c2", "9"}}}));
  const auto lever = data("pivot_cases.json")["cases"][1];
  ASSERT_EQ(lever["name"], "lever_multipliers");
  const SignalFlowGraph with_multipliers = from_equations(pivot_system(lever)).graph;
  const SignalFlowGraph without = from_equations(eliminated).graph;
  const ex p(GiNaC::numeric(-9, 2));
  for (const char* from : {"F", "M"})
    for (const char* to : {"xc", "th"})
      EXPECT_EQ(transfer(without, from, to, point(without.symbols, "p", p)),
                transfer(with_multipliers, from, to, point(with_multipliers.symbols, "p", p)));
}

TEST(FromEquations, RedundantCoordinatesAreSources) {
  const auto expected = data("redundant.json")["open"];
  const GraphFromEquations made = from_equations(derive(lagrangian(expected["input"])));
  for (const char* source : {"y1", "y2", "u", "gam", "Fx", "Mphi"}) {
    ASSERT_TRUE(made.graph.find(source)) << source;
    EXPECT_TRUE(made.graph.entering(*made.graph.find(source)).empty());
  }
}

TEST(FromEquations, NamesThatClashGetAnotherSummingNode) {
  const EquationSystem system =
      system_of({{"x", "e_x"}, {{{"x", "p"}, {"e_x", "1"}}, {{"x", "1"}, {"e_x", "p"}}}, {{"f", {"1", "0"}}}});
  const SignalFlowGraph graph = from_equations(system).graph;
  EXPECT_TRUE(graph.find("e_x_"));
  EXPECT_TRUE(graph.find("e_e_x"));
}

TEST(FromEquations, StatedInputsAndOutputs) {
  EquationSystem system =
      system_of({{"x", "y"}, {{{"x", "p"}, {"y", "1"}}, {{"x", "1"}, {"y", "p"}}}, {{"f", {"1", "0"}}, {"g", {"0", "1"}}}});
  system.inputs = {"g"};
  system.outputs = {"y"};
  const SignalFlowGraph graph = from_equations(system).graph;
  ASSERT_EQ(graph.inputs.size(), 1u);
  EXPECT_EQ(graph[graph.inputs[0]].name, "g");
  EXPECT_EQ(graph[graph.outputs.at(0)].name, "y");
  system.outputs = {"yy"};
  EXPECT_NE(test::error_of([&] { from_equations(system); }).find("did you mean 'y'?"), std::string::npos);
}

TEST(FromEquations, RandomSystemsKeepTheirTransfers) {
  std::mt19937 random(11);
  for (int round = 0; round < 40; ++round) {
    const std::size_t n = 1 + random() % 5;
    test::SystemText text;
    text.sources["f"] = {};
    for (std::size_t i = 0; i < n; ++i) {
      text.unknowns.push_back("x" + std::to_string(i));
      text.equations.emplace_back();
      text.sources["f"].push_back(std::to_string(static_cast<int>(random() % 5)));
      for (std::size_t j = 0; j < n; ++j)
        if (random() % 3 != 0)
          text.equations[i]["x" + std::to_string(j)] =
              std::to_string(1 + random() % 9) + "*p^" + std::to_string(random() % 3) + "+" + std::to_string(random() % 4);
    }
    const EquationSystem system = system_of(text);
    const ex p(GiNaC::numeric(17, 6));
    const GiNaC::exmap values = point(system.symbols, "p", p);
    GiNaC::matrix D = D_matrix(system, values);
    const ex determinant = D.determinant();
    if (determinant.is_zero()) continue;
    const SignalFlowGraph graph = from_equations(system).graph;
    GiNaC::matrix replaced = D;
    for (unsigned i = 0; i < n; ++i) replaced(i, 0) = system.B(i, 0).subs(values);
    EXPECT_EQ(transfer(graph, "f", "x0", point(graph.symbols, "p", p)), replaced.determinant() / determinant)
        << "round " << round;
  }
}

}  // namespace
}  // namespace sfg
