#include "sfg/derive/nonlinear_equations.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <set>
#include <sstream>

#include "sfg/derive/lagrange.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/nonlinear/compiled_laws.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/read/toml.hpp"
#include "sfg/write/graph.hpp"

namespace {

using namespace sfg;

Model model_of(const std::string& text) { return std::get<Model>(read_toml(text, "test.toml")); }

constexpr const char* pendulum = R"toml(
[lagrange]
coordinates = ["phi"]
forces = { phi = "M" }
T = "J*Dphi^2/2"
Pi = "m*g*l*(1 - cos(phi))"
Phi = "c*Dphi^2/2"
[parameters]
J = 2
m = 3
g = "9.81"
l = "1/2"
c = "1/10"
)toml";

TEST(NonlinearEquations, PendulumKeepsItsSine) {
  const EquationSystem system = nonlinear_equations(model_of(pendulum));
  ASSERT_EQ(system.laws.size(), 1u);
  SymbolTable symbols = system.symbols;
  EXPECT_TRUE(vanishes(system.D(0, 0) - parse("J*p^2 + c*p + m*g*l", symbols)));
  EXPECT_TRUE(vanishes(system.laws[0].law - parse("m*g*l*(sin(u) - u)", symbols)));
  EXPECT_TRUE(vanishes(system.B(0, 0) - 1));
  const SignalFlowGraph graph = from_equations(system, {}).graph;
  const PrincipalForm form = principal_form(graph);
  ASSERT_EQ(form.laws.size(), 1u);
  EXPECT_EQ(form.arguments.size(), 1u);
}

/// Σ D x − B u + laws of random motions is M q̈ − F.
void expect_same_motion(const std::string& text) {
  const Model model = model_of(text);
  const EquationsOfMotion motion = equations_of_motion(std::get<Lagrangian>(model)).without_definitions();
  const EquationSystem system = nonlinear_equations(model);
  std::mt19937_64 random(1);
  std::uniform_int_distribution<int> whole(-30, 30);
  GiNaC::exmap values = motion.symbols.values();
  std::map<std::string, std::array<GiNaC::ex, 3>> path;
  const auto any = [&] { return GiNaC::numeric(whole(random), 10); };
  for (const auto& c : motion.coordinates) {
    path[c.name] = {any(), any(), any()};
    values[c.q] = path[c.name][0];
    values[c.rate] = path[c.name][1];
  }
  for (const auto& input : motion.inputs) {
    path[input.name] = {any(), any(), any()};
    for (std::size_t d = 0; d < input.derivatives.size(); ++d) values[input.derivatives[d]] = path[input.name][d];
  }
  const GiNaC::ex p = system.op.in(system.symbols);
  const auto applied = [&](const GiNaC::ex& entry, const std::string& name) {
    GiNaC::ex sum = 0;
    const GiNaC::ex polynomial = entry.expand();
    for (int order = 0; order < 3; ++order) sum += polynomial.coeff(p, order) * path.at(name)[static_cast<std::size_t>(order)];
    return sum;
  };
  /// A signal, or a sum of signals, with its rate and acceleration.
  const auto sum_of = [&](const std::string& text) {
    SymbolTable symbols = system.symbols;
    std::array<GiNaC::ex, 3> derivatives;
    for (std::size_t order = 0; order < 3; ++order) {
      GiNaC::exmap there = values;
      for (const auto& [name, along] : path) there[symbols.symbol(name)] = along[order];
      derivatives[order] = parse(text, symbols).subs(there);
    }
    return derivatives;
  };
  for (std::size_t i = 0; i < motion.coordinates.size(); ++i) {
    GiNaC::ex expected = -motion.F[i], found = 0;
    for (std::size_t j = 0; j < motion.coordinates.size(); ++j) {
      expected += motion.M[i][j] * path.at(motion.coordinates[j].name)[2];
      found += applied(system.D(i, j), motion.coordinates[j].name);
    }
    for (std::size_t j = 0; j < system.sources.size(); ++j) {
      if (system.sources[j].kind != SourceKind::law) {
        found -= applied(system.B(i, j), system.sources[j].name);
        continue;
      }
      for (const auto& law : system.laws) {
        if (law.source != j || system.B(i, j).is_zero()) continue;
        GiNaC::exmap meaning = values;
        for (const auto& argument : law.arguments) {
          const bool rate = argument.signal.starts_with('D') && !path.contains(argument.signal);
          const auto derivatives = sum_of(rate ? argument.signal.substr(1) : argument.signal);
          meaning[argument.value] = derivatives[rate ? 1 : 0];
          meaning[argument.rate] = derivatives[rate ? 2 : 1];
        }
        found -= system.B(i, j) * law.law.subs(meaning);
      }
    }
    const GiNaC::ex difference = (expected.subs(values).subs(values) - found.subs(values)).evalf();
    ASSERT_TRUE(GiNaC::is_a<GiNaC::numeric>(difference)) << difference;
    EXPECT_NEAR(GiNaC::ex_to<GiNaC::numeric>(difference).to_double(), 0, 1e-9);
  }
}

TEST(NonlinearEquations, SumUpToTheEquationsOfMotion) {
  expect_same_motion(pendulum);
  expect_same_motion(R"toml(
[lagrange]
coordinates = ["x", "y"]
excitations = ["z"]
T = ["m*Dx^2/2", "m*Dy^2/2"]
Pi = "k*(x - z)^2/2 + al*(x - y)^4/4 + b*x^2*y/2"
Phi = "c*Dx^2/2 + q*abs(Dx - Dy)^3/3 + mu*abs(Dy)"
[parameters]
m = 2
k = 3
al = 5
b = 7
c = 1
q = 4
mu = 2
)toml");
  expect_same_motion(R"toml(
[lagrange]
coordinates = ["x", "phi"]
forces = { x = "F" }
T = "(M + m)*Dx^2/2 + m*l*Dx*Dphi*cos(phi) + m*l^2*Dphi^2/2"
Pi = "-m*g*l*cos(phi) + k*x^2/2"
[parameters]
M = 3
m = 1
l = 2
g = 10
k = 4
)toml");
}

TEST(NonlinearEquations, LawsOfDifferencesStayLawsOfDifferences) {
  const auto system_of = [](const std::string& potential, const std::string& dissipation) {
    return nonlinear_equations(
        model_of("[lagrange]\ncoordinates = ['x', 'y']\nexcitations = ['z']\nT = 'Dx^2/2 + Dy^2/2'\nPi = '" + potential +
                 "'\nPhi = '" + dissipation + "'\n[parameters]\na = 2\nb = 3\n"));
  };
  const auto expect_form = [&](const std::string& potential, const std::string& dissipation, const std::string& form,
                               const std::string& of_u, std::size_t equations) {
    const EquationSystem system = system_of(potential, dissipation);
    ASSERT_EQ(system.laws.size(), 1u) << potential;
    ASSERT_EQ(system.laws[0].arguments.size(), 1u);
    EXPECT_EQ(system.laws[0].arguments[0].signal, form);
    SymbolTable symbols = system.symbols;
    EXPECT_TRUE(vanishes(system.laws[0].law - parse(of_u, symbols))) << system.laws[0].law;
    std::size_t rows = 0;
    for (const auto& equation : system.equations) rows += equation.right.contains(system.laws[0].source) ? 1 : 0;
    EXPECT_EQ(rows, equations);
  };
  expect_form("(y - x)^4/4", "0", "x - y", "u^3", 2);
  expect_form("(x^4 - 4*x^3*y + 6*x^2*y^2 - 4*x*y^3 + y^4)/4", "0", "x - y", "u^3", 2);
  expect_form("(a*x - b*y)^4/4", "0", "a*x - b*y", "a*u^3", 2);
  expect_form("(x/2 - y/4)^4/4", "0", "2*x - y", "u^3/128", 2);
  expect_form("(x - z)^4/4", "0", "x - z", "u^3", 1);
  expect_form("0", "a*abs(Dx - Dy)", "x - y", "a*sign(v)", 2);
  expect_form("-cos(x + y)", "0", "x + y", "sin(u) - u", 2);
  // More than one form, or a coordinate of its own, stays as it was.
  EXPECT_EQ(system_of("x^2*y^2", "0").laws.size(), 2u);
  EXPECT_EQ(system_of("x^4 + (x - y)^4", "0").laws.size(), 2u);
}

TEST(NonlinearEquations, AsManyLawsAsSpringsBetweenCoordinates) {
  std::mt19937_64 random(5);
  const auto whole = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  const std::vector<std::string> laws{"(%)^4", "(%)^6/3", "cos(%)", "log(2 + (%)^2)", "exp(-(%)^2)"};
  for (int trial = 0; trial < 25; ++trial) {
    const int n = whole(2, 5), springs = whole(1, 4);
    std::string coordinates, T, Pi;
    for (int i = 1; i <= n; ++i) {
      coordinates += (i > 1 ? ", 'x" : "'x") + std::to_string(i) + "'";
      T += (i > 1 ? " + Dx" : "Dx") + std::to_string(i) + "^2/2";
    }
    std::set<std::vector<int>> forms;
    for (int spring = 0; spring < springs; ++spring) {
      std::vector<int> form(static_cast<std::size_t>(n), 0);
      const int first = whole(0, n - 1), second = (first + whole(1, n - 1)) % n;
      form[static_cast<std::size_t>(std::min(first, second))] = 1;
      form[static_cast<std::size_t>(std::max(first, second))] = (whole(0, 1) == 0 ? -1 : 1) * whole(1, 3);
      if (!forms.insert(form).second) continue;
      std::string sum;
      for (int i = n; i-- > 0;)
        if (const int c = form[static_cast<std::size_t>(i)]; c != 0)
          sum += (sum.empty() ? "" : " + ") + std::to_string(c) + "*x" + std::to_string(i + 1);
      std::string law = laws[static_cast<std::size_t>(whole(0, 4))];
      law.replace(law.find('%'), 1, sum);
      Pi += (Pi.empty() ? "" : " + ") + law;
    }
    const std::string text = "[lagrange]\ncoordinates = [" + coordinates + "]\nT = '" + T + "'\nPi = '" + Pi + "'\n";
    SCOPED_TRACE(text);
    EXPECT_EQ(nonlinear_equations(model_of(text)).laws.size(), forms.size());
    expect_same_motion(text);
  }
}

TEST(NonlinearEquations, GraphsAreReadBack) {
  const EquationSystem system = nonlinear_equations(model_of(R"toml(
[lagrange]
coordinates = ["x", "phi"]
T = "(M + m)*Dx^2/2 + m*l*Dx*Dphi*cos(phi) + m*l^2*Dphi^2/2"
Pi = "-m*g*l*cos(phi)"
[parameters]
M = 3
m = 1
l = 2
g = 10
)toml"));
  const SignalFlowGraph graph = from_equations(system, {}).graph;
  std::ostringstream out;
  write_dot(out, graph);
  const SignalFlowGraph again = read_dot(out.str(), "again.dot");
  const std::map<std::string, double> signals{{"x", 0.3}, {"phi", 0.7}, {"Dx", -1.1}, {"Dphi", 0.4}};
  const std::map<std::string, double> rates{{"x", -1.1}, {"phi", 0.4}, {"Dx", 2.5}, {"Dphi", -0.9}};
  std::vector<std::vector<double>> found;
  for (const SignalFlowGraph* one : {&graph, &again}) {
    const PrincipalForm form = principal_form(*one);
    const CompiledLaws laws(form, one->parameter_values());
    std::vector<double> arguments, f(laws.laws());
    for (const auto& argument : form.arguments) arguments.push_back((argument.rate ? rates : signals).at(argument.signal));
    laws.values({arguments}, f);
    found.push_back(f);
  }
  ASSERT_EQ(found[0].size(), 2u);
  EXPECT_NEAR(found[0][0], 2 * (-0.9) * (std::cos(0.7) - 1) - 2 * 0.4 * 0.4 * std::sin(0.7), 1e-12);
  EXPECT_NEAR(found[0][1], 20 * (std::sin(0.7) - 0.7) + 2 * 2.5 * (std::cos(0.7) - 1), 1e-12);
  EXPECT_EQ(found[0], found[1]);
}

}  // namespace
