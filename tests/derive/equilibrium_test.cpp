#include "sfg/derive/equilibrium.hpp"

#include <cmath>
#include <numbers>

#include "derive/lagrange_case.hpp"
#include "sfg/derive/lagrange.hpp"

namespace sfg {
namespace {

using GiNaC::ex;
using namespace test;

/// The model with its equilibrium asked for.
Lagrangian finding(const LagrangianText& text, const std::map<std::string, std::string>& start = {}) {
  Lagrangian model = lagrangian(text);
  model.equilibrium.emplace();
  model.equilibrium->find = true;
  model.equilibrium->where = test::place(50);
  for (const auto& [name, value] : start) model.equilibrium->values[name] = parse(value, model.symbols);
  return model;
}

Lagrangian standing(const LagrangianText& text, const std::map<std::string, std::string>& values) {
  Lagrangian model = finding(text, values);
  model.equilibrium->find = false;
  return model;
}

bool mentions(const LagrangeEquations& equations, const std::string& text, Severity severity) {
  for (const Diagnostic& note : equations.notes)
    if (note.severity == severity && note.message.find(text) != std::string::npos) return true;
  return false;
}

double number(const ex& value) { return GiNaC::ex_to<GiNaC::numeric>(value.evalf()).to_double(); }

TEST(Linearize, CasesWithATranscendentalEquilibrium) {
  for (const auto& expected : data("linearise.json")["cases"]) {
    Lagrangian model = lagrangian(expected);
    model.equilibrium.emplace();
    model.equilibrium->find = true;
    const std::vector<std::string> coordinates = expected["coordinates"];
    for (std::size_t i = 0; i < coordinates.size(); ++i)
      model.equilibrium->values[coordinates[i]] = parse(nlohmann::json(expected["guess"][i]).dump(), model.symbols);
    const LagrangeEquations equations = lagrange_equations(model);
    const GiNaC::exmap values = equations.symbols.values();
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      const std::string digits = expected["equilibrium_25_digits"][i];
      const ex difference = equations.equilibrium->exact.at(coordinates[i]) - parse_number(digits);
      EXPECT_LE(std::abs(number(difference)), 1e-24) << expected["name"];
      for (std::size_t j = 0; j < coordinates.size(); ++j) {
        const OperatorPolynomial d = equations.left(coordinates[i], coordinates[j]);
        const auto& wanted = expected["d_value"][i][j];
        EXPECT_NEAR(number(d.a.subs(values)), wanted[0].get<double>(), 1e-12 * std::abs(wanted[0].get<double>()));
        EXPECT_NEAR(number(d.b.subs(values)), wanted[1].get<double>(), 1e-12 * std::abs(wanted[1].get<double>()));
        EXPECT_NEAR(number(d.c.subs(values)), wanted[2].get<double>(), 1e-12 * std::abs(wanted[2].get<double>()));
      }
    }
    EXPECT_TRUE(equations.equilibrium->stable);
    EXPECT_LE(equations.equilibrium->residual, 1e-20);
  }
}

TEST(Linearize, CoefficientsKeepParametersSymbolic) {
  const LagrangianText text{.coordinates = {"th"}, .T = {"J*Dth^2/2"}, .Pi = {"m*g*l*(1-cos(th))"}, .Phi = {"c*Dth^2/2"}};
  const LagrangeEquations equations = lagrange_equations(standing(text, {{"th", "th0"}}));
  EXPECT_TRUE(equal(equations.left("th", "th").c, "m*g*l*cos(th0)", equations.symbols));
  EXPECT_FALSE(equations.equilibrium->stability_known);
}

const LagrangianText pendulum{.coordinates = {"th"},
                              .T = {"m*l^2*Dth^2/2"},
                              .Pi = {"-m*g*l*cos(th)"},
                              .Phi = {"0"},
                              .parameters = {{"m", "1"}, {"g", "9.81"}, {"l", "2"}}};

TEST(Linearize, UnstableAndFurtherEquilibriaAreSaid) {
  const LagrangeEquations below = lagrange_equations(finding(pendulum));
  EXPECT_TRUE(below.equilibrium->stable);
  EXPECT_TRUE(mentions(below, "th = 3.14159265358979", Severity::warning));
  const LagrangeEquations above = lagrange_equations(finding(pendulum, {{"th", "3"}}));
  EXPECT_FALSE(above.equilibrium->stable);
  EXPECT_NEAR(above.equilibrium->values.at("th"), std::numbers::pi, 1e-15);
  EXPECT_TRUE(mentions(above, "unstable", Severity::warning));
}

TEST(Linearize, AFreeCoordinateIsNotUnique) {
  const LagrangianText free{.coordinates = {"x", "y"}, .T = {"Dx^2 + Dy^2"}, .Pi = {"(x - y - 1)^2 + (x - y)^4"}, .Phi = {"0"}};
  const LagrangeEquations equations = lagrange_equations(finding(free));
  EXPECT_TRUE(mentions(equations, "not unique", Severity::warning));
  const double d = equations.equilibrium->values.at("x") - equations.equilibrium->values.at("y");
  EXPECT_NEAR(2 * (d - 1) + 4 * d * d * d, 0, 1e-12);
}

TEST(Linearize, WithoutEquilibriumThereIsNoAnswer) {
  const LagrangianText loaded{.coordinates = {"x"}, .T = {"Dx^2"}, .Pi = {"exp(x)"}, .Phi = {"0"}};
  EXPECT_THROW(lagrange_equations(finding(loaded)), NoAnswer);
}

TEST(Linearize, SearchNeedsNumbers) {
  LagrangianText text = pendulum;
  text.parameters = {{"m", "1"}};
  const std::string message = error_of([&] { lagrange_equations(finding(text)); });
  EXPECT_NE(message.find("'g' has no value"), std::string::npos) << message;
  EXPECT_NE(message.find("'l' has no value"), std::string::npos) << message;
  EXPECT_NE(message.find("model.toml:50"), std::string::npos) << message;
}

TEST(Linearize, APointThatIsNoEquilibriumIsSaid) {
  const LagrangeEquations off = lagrange_equations(standing(pendulum, {{"th", "1"}}));
  EXPECT_TRUE(mentions(off, "not an equilibrium", Severity::warning));
  EXPECT_TRUE(equal(off.constant_loads.at("th"), "-m*g*l*sin(1)", off.symbols));
  const LagrangeEquations at = lagrange_equations(standing(pendulum, {{"th", "pi"}}));
  EXPECT_TRUE(at.constant_loads.empty());
}

TEST(Linearize, ADamperOfSecondDegreeContributesNothingAtRest) {
  const LagrangianText text{.coordinates = {"x"}, .T = {"m*Dx^2/2"}, .Pi = {"k*x^2/2"}, .Phi = {"b/3*Dx^2*abs(Dx)", "c*Dx^2/2"}};
  const LagrangeEquations equations = lagrange_equations(standing(text, {{"x", "0"}}));
  EXPECT_TRUE(equal(equations.left("x", "x").b, "c", equations.symbols));
  EXPECT_TRUE(mentions(equations, "contributes nothing", Severity::note));
}

TEST(Linearize, DryFrictionAndStopsAreRefused) {
  const LagrangianText friction{.coordinates = {"x"}, .T = {"Dx^2/2"}, .Pi = {"k*x^2/2"}, .Phi = {"mu*abs(Dx)"}};
  EXPECT_NE(error_of([&] { lagrange_equations(standing(friction, {{"x", "0"}})); }).find("not smooth"), std::string::npos);
  const LagrangianText stop{.coordinates = {"x"}, .T = {"Dx^2/2"}, .Pi = {"k*x^2/2 + kc/2*max(x, 0)^2"}, .Phi = {"0"}};
  EXPECT_NE(error_of([&] { lagrange_equations(standing(stop, {{"x", "0"}})); }).find("not smooth"), std::string::npos);
  const LagrangeEquations touching = lagrange_equations(standing(stop, {{"x", "1"}}));
  EXPECT_TRUE(equal(touching.left("x", "x").c, "k + kc", touching.symbols));
}

TEST(Linearize, NonlinearAuxiliaryKeepsTheGeometricStiffness) {
  // A prestressed string of length l to a point at the side: s = sqrt(l² + x²), Pi = S·(s − l): stiffness S/l, all of it
  // geometric.
  const LagrangianText text{.coordinates = {"x"},
                            .auxiliaries = {{"s", "sqrt(l^2 + x^2)"}},
                            .T = {"m*Dx^2/2"},
                            .Pi = {"S*(s - l)"},
                            .Phi = {"c*Ds^2/2"},
                            .parameters = {{"l", "3"}, {"S", "12"}}};
  const LagrangeEquations equations = lagrange_equations(standing(text, {{"x", "0"}}));
  const GiNaC::exmap values = equations.symbols.values();
  EXPECT_DOUBLE_EQ(number(equations.left("x", "x").c.subs(values)), 4);
  EXPECT_TRUE(equations.left("x", "x").b.is_zero());
}

TEST(Linearize, SteadyRateOfACyclicCoordinate) {
  // A bead in a tube that turns with phi: T = m/2 (Dr² + r² Dphi²); at Dphi = Om: c_rr = k − m Om², b_{r,phi} = −2 m r0 Om.
  const LagrangianText text{.coordinates = {"r", "phi"},
                            .T = {"m/2*(Dr^2 + r^2*Dphi^2)"},
                            .Pi = {"k/2*(r-l)^2"},
                            .Phi = {"0"},
                            .parameters = {{"m", "2"}, {"k", "200"}, {"l", "0.25"}, {"Om", "6"}}};
  const LagrangeEquations equations = lagrange_equations(finding(text, {{"Dphi", "Om"}}));
  EXPECT_EQ(equations.equilibrium->exact.at("r"), ex(25) / 64);
  EXPECT_TRUE(equal(equations.left("r", "r").c, "k - m*Om^2", equations.symbols));
  EXPECT_TRUE(equal(equations.left("r", "phi").b, "-2*m*25/64*Om", equations.symbols));
  EXPECT_TRUE(equal(equations.left("phi", "r").b, "2*m*25/64*Om", equations.symbols));
}

TEST(Linearize, ALinearModelMayAskForItsEquilibrium) {
  const LagrangianText text{.coordinates = {"z"},
                            .T = {"m*Dz^2/2"},
                            .Pi = {"k*z^2/2 - m*g*z"},
                            .Phi = {"0"},
                            .parameters = {{"m", "2"}, {"g", "9.81"}, {"k", "100"}}};
  const LagrangeEquations equations = lagrange_equations(finding(text));
  EXPECT_EQ(equations.equilibrium->exact.at("z"), ex(981) / 5000);
  EXPECT_TRUE(equal(equations.left("z", "z").c, "k", equations.symbols));
  EXPECT_TRUE(equations.constant_loads.empty());
}

TEST(Linearize, AnEmptyTableIsNoEquilibrium) {
  LagrangianText text = pendulum;
  Lagrangian model = lagrangian(text);
  model.equilibrium.emplace();
  EXPECT_NE(error_of([&] { lagrange_equations(model); }).find("not a quadratic form"), std::string::npos);
}

TEST(Linearize, ValuesBelongToCoordinates) {
  const std::string message = error_of([] { lagrange_equations(standing(pendulum, {{"thh", "1"}})); });
  EXPECT_NE(message.find("'thh'"), std::string::npos) << message;
  EXPECT_NE(message.find("did you mean 'th'?"), std::string::npos) << message;
}

TEST(Stability, SignsOfEigenvalues) {
  EXPECT_EQ(stability({{2, -1}, {-1, 2}}), Stability::stable);
  EXPECT_EQ(stability({{1, 2}, {2, 1}}), Stability::unstable);
  EXPECT_EQ(stability({{0, 1}, {1, 0}}), Stability::unstable);
  EXPECT_EQ(stability({{1, -1}, {-1, 1}}), Stability::neutral);
  EXPECT_EQ(stability({{0, 0}, {0, 0}}), Stability::neutral);
  EXPECT_EQ(stability({{1e9, 0}, {0, 1e-6}}), Stability::stable);  // N/m beside N·m
  EXPECT_EQ(stability({{1e9, 1e3}, {1e3, 1e-3}}), Stability::neutral);
}

TEST(StaticSolutions, DoubleRootIsFoundWithItsDigits) {
  const GiNaC::symbol x("x");
  const StaticConditions conditions{{x}, {GiNaC::pow(x - GiNaC::numeric(1, 3), 2)}};
  const std::vector<ex> start{0};
  const auto found = static_solutions(conditions, start);
  ASSERT_FALSE(found.empty());
  EXPECT_NEAR(number(found.front().point[0] - GiNaC::numeric(1, 3)), 0, 1e-24);
  EXPECT_FALSE(found.front().isolated);
}

/// A pendulum tied to a far spring: |G| has valleys without an equilibrium, in which a search that only makes |G| less ends.
TEST(StaticSolutions, RestIsFoundBehindAValleyOfTheForces) {
  SymbolTable symbols;
  const ex energy =
      parse("2.86/2*(phi - th - 0.18)^2 + 2.24/2*(sqrt((4.91 + phi)^2 + 1.25^2) - 0.83)^2 - 0.87*2.53*cos(th)", symbols);
  const ex phi = symbols.at("phi").expr, th = symbols.at("th").expr;
  const StaticConditions conditions{
      {phi, th}, {energy.diff(GiNaC::ex_to<GiNaC::symbol>(phi)), energy.diff(GiNaC::ex_to<GiNaC::symbol>(th))}};
  const auto found = static_solutions(conditions, std::vector<ex>{0, 0});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().stability, Stability::stable);
  const GiNaC::exmap there{{phi, found.front().point[0]}, {th, found.front().point[1]}};
  for (const ex& force : conditions.residuals) EXPECT_NEAR(number(force.subs(there)), 0, 1e-15);
}

}  // namespace
}  // namespace sfg
