#include "sfg/derive/multibody/linear_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "derive/multibody/bodies_case.hpp"
#include "derive/multibody/pendulum.hpp"
#include "sfg/control/modes.hpp"
#include "sfg/derive/derive.hpp"
#include "sfg/derive/multibody/rest_search.hpp"
#include "sfg/derive/multibody/small_motion.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {
namespace {

using namespace test;
using GiNaC::ex;
using Json = nlohmann::json;

MultibodyLinearization linear(const Multibody& model) { return linearized(model, multibody_equations(model)); }

double value(const ex& coefficient, const MultibodyLinearization& linear) {
  const auto number = double_value(coefficient.subs(linear.equations.symbols.values()));
  EXPECT_TRUE(number) << print(coefficient);
  return number.value_or(NAN);
}

std::size_t row(const MultibodyLinearization& linear, const std::string& coordinate) {
  const auto at = std::ranges::find(linear.coordinates, coordinate);
  EXPECT_NE(at, linear.coordinates.end()) << coordinate;
  return static_cast<std::size_t>(at - linear.coordinates.begin());
}

void expect_matrix(const MultibodyLinearization& linear, const MultibodyLinearization::Matrix& matrix, const Json& published,
                   const std::vector<std::string>& order, double tolerance) {
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t k = 0; k < order.size(); ++k)
      EXPECT_NEAR(value(matrix[row(linear, order[i])][row(linear, order[k])], linear), published[i][k].get<double>(), tolerance)
          << order[i] << ", " << order[k];
}

/// A transfer function's numbers with a denominator that begins with 1, common factors cancelled.
void expect_transfer(const EquationSystem& system, const std::string& from, const std::string& to, std::vector<double> num,
                     std::vector<double> den, double tolerance) {
  SignalFlowGraph graph = from_equations(substituted(system, system.symbols.values())).graph;
  output_signal(graph, to, system.definitions);
  const NumericTransfer numbers = numeric_transfer(transfer_function(graph, question(graph, from, to)), graph.symbols);
  while (den.size() > 1 && den.back() == 0 && num.back() == 0) den.pop_back(), num.pop_back();
  ASSERT_EQ(numbers.den.size(), den.size());
  ASSERT_EQ(numbers.num.size(), num.size());
  const auto expect = [&](const std::vector<double>& found, const std::vector<double>& wanted) {
    for (std::size_t i = 0; i < wanted.size(); ++i)
      EXPECT_NEAR(found[i] / numbers.den[0], wanted[i], tolerance * (1 + std::abs(wanted[i])))
          << from << " to " << to << " " << i;
  };
  expect(numbers.num, num);
  expect(numbers.den, den);
}

TEST(LinearMotion, HangingDoublePendulumInSymbols) {
  const MultibodyLinearization found = linear(pendulum(2));
  EXPECT_EQ(found.coordinates, (std::vector<std::string>{"s1", "s2"}));
  EXPECT_EQ(print(found.M[0][0]), "I1 + I2 + l1^2*m2 + 2*l1*lc2*m2 + lc1^2*m1 + lc2^2*m2");
  EXPECT_EQ(print(found.K[0][0]), "g*l1*m2 + g*lc1*m1 + g*lc2*m2");
  EXPECT_EQ(print(found.K[1][1]), "g*lc2*m2");
  EXPECT_TRUE(found.exact);
}

TEST(LinearMotion, CartAndPendulumHangingAndUpright) {
  const Json file = published("cart_pendulum");
  for (const char* state : {"linear_hanging", "linear_upright"}) {
    SCOPED_TRACE(state);
    Multibody model = bodies_of_file("cart_pendulum.toml");
    if (std::string(state) == "linear_hanging") model.equilibrium->values["theta"] = 0;
    const MultibodyLinearization found = linear(model);
    const Json& wanted = file[state];
    for (const auto& [name, matrix] : {std::pair("M", &found.M), {"C", &found.C}, {"K", &found.K}})
      expect_matrix(found, *matrix, wanted[name], {"x", "theta"}, 1e-14);
    for (const auto& [name, num] : wanted["num"].items()) {
      const std::string to = name.substr(0, name.find('/')), from = name.substr(name.find('/') + 1);
      expect_transfer(found.equations, from, to, num, wanted["den_all"], 1e-12);
    }
  }
}

TEST(LinearMotion, UprightPendulumIsFoundAsPi) {
  Multibody model = bodies_of_file("cart_pendulum.toml");
  model.equilibrium->find = true;
  model.equilibrium->values["theta"] = 3;
  const MultibodyLinearization found = linear(model);
  EXPECT_TRUE(found.found);
  EXPECT_EQ(print(found.point.at("theta")), "pi");
  EXPECT_EQ(print(found.K[1][1]), "-g*l*mp");
  EXPECT_EQ(found.stability, Stability::unstable);
  EXPECT_TRUE(std::ranges::any_of(found.notes, [](const Diagnostic& d) { return d.message.find("nothing holds 'x'") == 0; }));
}

/// K = −∂(F + Jᵀ λ)/∂q with the forces of constraints in it: without them 0.4943 in place of 1.0961.
TEST(LinearMotion, FourBarAtItsThreeEquilibria) {
  const Json equilibria = published("four_bar_linear")["equilibria"];
  ASSERT_EQ(equilibria.size(), 3U);
  for (const Json& equilibrium : equilibria)
    for (const bool find : {false, true}) {
      Multibody model = bodies_of_file("four_bar_linear.toml");
      const std::vector<double> theta = equilibrium["theta"];
      auto& stated = *model.equilibrium;
      stated.find = find;
      const auto digits = [](double angle) { return GiNaC::numeric(std::llround(angle * 1e15), 1'000'000'000'000'000L); };
      stated.values = {
          {"s1", digits(theta[0] + (find ? 0.02 : 0))}, {"s2", digits(theta[1] - theta[0])}, {"s3", digits(theta[2])}};
      const MultibodyLinearization found = linear(model);
      ASSERT_EQ(found.coordinates, std::vector<std::string>{"s1"});
      EXPECT_NEAR(value(found.M[0][0], found), equilibrium["M_r"].get<double>(), 1e-12);
      EXPECT_NEAR(value(found.C[0][0], found), equilibrium["C_r"].get<double>(), 1e-12);
      EXPECT_NEAR(value(found.K[0][0], found), equilibrium["K_r"].get<double>(), 1e-10);
      EXPECT_EQ(found.stability == Stability::stable, equilibrium["stable"].get<bool>());
      const double rocker = value(found.R[2][0], found);
      EXPECT_NEAR(rocker, equilibrium["R"][2].get<double>(), 1e-12);
      EXPECT_LT(found.residual, 1e-9);
      const Json& wanted = equilibrium["tf_theta_over_tau"];
      expect_transfer(found.equations, "tau", "s1", wanted["num"], wanted["den"], 1e-9);
      std::vector<double> of_rocker = wanted["num"];
      of_rocker[0] *= rocker;
      expect_transfer(found.equations, "tau", "s3", of_rocker, wanted["den"], 1e-9);
    }
}

/// A linkage of micrometres and one of kilometres balance where that of decimetres does.
TEST(LinearMotion, WhereForcesBalanceIsAMatterOfRatios) {
  const auto at = [](double length, double mass) {
    Multibody model = bodies_of_file("four_bar_linear.toml");
    model.equilibrium->find = true;
    for (const std::string& name : model.symbols.names()) {
      Symbol& symbol = *model.symbols.find(name);
      if (!symbol.value) continue;
      const bool turning = name[0] == 'I' || name == "ks" || name == "cs";
      if (name != "rs")
        symbol.value = *symbol.value * GiNaC::numeric(turning ? mass * length * length : name[0] == 'm' ? mass : length);
    }
    const MultibodyLinearization found = linear(model);
    std::vector<double> result{value(found.K[0][0], found) / (mass * length * length)};
    for (const char* angle : {"s1", "s2", "s3"}) result.push_back(value(found.point.at(angle), found));
    return result;
  };
  const std::vector<double> wanted = at(1, 1);
  for (const auto& [length, mass] :
       {std::pair(1e-3, 1e-6), {1e-6, 1e-12}, {1e-6, 1e-18}, {1e-6, 1e6}, {1e3, 1e6}, {1e4, 1e12}, {1e3, 1e-9}}) {
    const std::vector<double> found = at(length, mass);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-9) << length << ' ' << mass;
  }
}

TEST(LinearMotion, CoordinatesThatAreNotStatedFollowFromTheLoops) {
  Multibody model = bodies_of_file("four_bar_linear.toml");
  const Json equilibrium = published("four_bar_linear")["equilibria"][0];
  const double rocker = equilibrium["theta"][2];
  model.equilibrium->values.erase("s2");
  model.equilibrium->values.erase("s3");
  model.assembly = {{"s2", ex(9) / 5}, {"s3", ex(2)}};
  const MultibodyLinearization found = linear(model);
  EXPECT_NEAR(double_value(found.point.at("s3")).value(), rocker, 1e-12);
  EXPECT_NEAR(value(found.K[0][0], found), equilibrium["K_r"].get<double>(), 1e-9);
  model.independent = {"s3"};
  const MultibodyLinearization by_rocker = linear(model);
  ASSERT_EQ(by_rocker.coordinates, std::vector<std::string>{"s3"});
  const double ratio = equilibrium["R"][2];
  EXPECT_NEAR(value(by_rocker.M[0][0], by_rocker), equilibrium["M_r"].get<double>() / (ratio * ratio), 1e-10);
}

TEST(LinearMotion, FlexibleArmUnderGravity) {
  const Json file = published("flexible_two_link"), wanted = file["equilibrium_under_gravity"];
  const MultibodyLinearization found = linear(bodies_of_file("flexible_two_link.toml"));
  const std::vector<std::string> order{"s1", "s2", "e1b1", "e2b1", "e1b2", "e2b2"};
  for (std::size_t i = 0; i < order.size(); ++i)
    EXPECT_NEAR(double_value(found.point.at(order[i])).value(), wanted["x_eq"][i].get<double>(), 1e-12);
  expect_matrix(found, found.M, wanted["M"], order, 1e-11);
  expect_matrix(found, found.C, wanted["C"], order, 1e-12);
  expect_matrix(found, found.K, wanted["K_tangent"], order, 1e-9);
  expect_transfer(found.equations, "tau1", "s1", wanted["tf"]["s1/tau1"], wanted["tf"]["den"], 1e-4);
}

TEST(LinearMotion, SpacecraftAtRestWithAndWithoutControl) {
  const Json wanted = published("spacecraft")["linear_at_rest"];
  Multibody model = bodies_of_file("spacecraft.toml");
  const EquationSystem closed = linear(model).equations;
  std::vector<std::complex<double>> poles;
  for (const Mode& mode : sfg::poles(closed).modes)
    for (std::size_t i = 0; i < mode.pole.multiplicity; ++i)
      poles.emplace_back(mode.pole.real.to_double(), mode.pole.imaginary.to_double());
  for (const auto& [axis, list] : wanted["closed_loop_poles_re_im"].items())
    for (const auto& pole : list) {
      const std::complex<double> there(pole[0].get<double>(), pole[1].get<double>());
      EXPECT_TRUE(std::ranges::any_of(poles, [&](const auto& p) { return std::abs(p - there) < 1e-9; })) << axis << there;
    }
  model.control.clear();
  const EquationSystem open = linear(model).equations;
  for (const auto& [axis, number] : {std::pair("x", "1"), {"y", "2"}, {"z", "3"}}) {
    const Json& transfer = wanted["transfer"][std::string("theta_") + axis + "/tau_wheel_" + axis];
    expect_transfer(open, std::string("tau") + number, std::string("theta") + axis, transfer["num"], transfer["den"], 1e-9);
  }
}

/// Steady: the craft turns with the local vertical frame, the wheel spins. The published model neglects n² on the twist mode.
TEST(LinearMotion, PitchOfASpacecraftThatFollowsTheLocalVertical) {
  const Json wanted = published("spacecraft_gravity_magnetic")["linear_pitch"];
  const MultibodyLinearization found = linear(bodies_of_file("spacecraft_pitch.toml"));
  EXPECT_TRUE(found.steady);
  const PolesZeros poles = sfg::poles(found.equations);
  for (const auto& pole : wanted["closed_poles_re_im"]) {
    const std::complex<double> there(pole[0].get<double>(), pole[1].get<double>());
    EXPECT_TRUE(std::ranges::any_of(poles.modes, [&](const Mode& mode) {
      return std::abs(std::complex<double>(mode.pole.real.to_double(), mode.pole.imaginary.to_double()) - there) < 3e-7;
    })) << there;
  }
  // Roll and yaw are decoupled but for the rounding of the stated attitude, which does not count.
  const Json& transfer = wanted["theta/M_dist_closed"];
  expect_transfer(found.equations, "Md", "thetay", transfer["num"], transfer["den"], 3e-7);
}

const char* const rotating_arm = R"(
[multibody]
gravity = ["0", "0", "-g"]
bodies = [{ name = "arm", inertia = ["0", "0", "Ja"], mass = "ma" }, { name = "pole", mass = "m", com = ["0", "0", "-l"] }]
joints = [{ name = "A", type = "revolute", bodies = ["frame", "arm"], axis = "AXIS", coordinate = "psi" },
          { name = "R", type = "revolute", bodies = ["arm", "pole"], axis = "y", coordinate = "theta" }]
[equilibrium]
Dpsi = "Om"
)";

/// A pendulum on a shaft that turns: m l² (g/l − Ω²) at the bottom, and no gyroscopic coupling there (Bloch's governor).
TEST(LinearMotion, PendulumOnATurningShaft) {
  std::string text = rotating_arm;
  text.replace(text.find("AXIS"), 4, "z");
  const MultibodyLinearization found = linear(bodies(text));
  EXPECT_TRUE(found.steady);
  EXPECT_EQ(print(found.K[1][1]), "g*l*m - Om^2*l^2*m");
  EXPECT_TRUE(found.C[0][1].is_zero());
  text.replace(text.find("\"z\", coordinate = \"psi\""), 3, "\"x\"");
  EXPECT_THROW(linear(bodies(text)), Error) << "gravity acts along the shaft no more";
}

/// A wheel that spins in gimbals: J_w Ω couples the two angles, with opposite signs.
TEST(LinearMotion, SpinningWheelInGimbals) {
  const MultibodyLinearization found = linear(bodies(R"(
[multibody]
bodies = [{ name = "outer", inertia = ["A", "A", "A"], mass = "m" }, { name = "inner", inertia = ["B", "B", "B"], mass = "m" }]
joints = [{ name = "O", type = "revolute", bodies = ["frame", "outer"], axis = "x", coordinate = "a" },
          { name = "I", type = "revolute", bodies = ["outer", "inner"], axis = "y", coordinate = "b" }]
flywheels = [{ name = "rotor", on = "inner", axis = ["0", "0", "1"], inertia = "Jw", torque = "tau", speed = "Omega" }]
[equilibrium]
Omega = "w0"
)"));
  const std::size_t a = row(found, "a"), b = row(found, "b");
  EXPECT_EQ(print(found.C[a][b]), "Jw*w0");
  EXPECT_EQ(print(found.C[b][a]), "-Jw*w0");
  EXPECT_TRUE(found.K[a][a].is_zero());
}

TEST(LinearMotion, AFreeBodyThatSpinsKeepsItsPrecession) {
  const MultibodyLinearization found = linear(bodies(R"(
[multibody]
bodies = [{ name = "top", mass = "m", inertia = ["A", "A", "C"] }]
joints = [{ name = "free", type = "free", bodies = ["frame", "top"], coordinates = ["x", "y", "z", "q0", "q1", "q2", "q3"], speeds = ["vx", "vy", "vz", "wx", "wy", "wz"] }]
[equilibrium]
wz = "w0"
[parameters]
m = 1
A = 2
C = 3
w0 = 5
)"));
  // ẇx = (A − C)/A w0 wy, ẇy = −(A − C)/A w0 wx: precession at |A − C|/A w0 = 2.5 in axes of the body
  const PolesZeros poles = sfg::poles(found.equations);
  EXPECT_TRUE(
      std::ranges::any_of(poles.modes, [](const Mode& m) { return std::abs(m.pole.imaginary.to_double() - 2.5) < 1e-12; }));
  EXPECT_TRUE(std::ranges::any_of(found.equations.definitions, [](const auto& d) { return d.name == "wx"; }));
}

/// The coupler moves without turning: M = 2 (J + m l²/4) + M l², K = g l (m + M).
TEST(LinearMotion, HangingParallelogramInSymbols) {
  const MultibodyLinearization found = linear(bodies(R"(
[multibody]
gravity = ["0", "-g", "0"]
planar = true
bodies = [{ name = "a", mass = "m", com = ["0", "-l/2", "0"], inertia = ["0", "0", "J"] }, { name = "b", mass = "m", com = ["0", "-l/2", "0"], inertia = ["0", "0", "J"] },
          { name = "c", mass = "M", com = ["d/2", "0", "0"], inertia = ["0", "0", "Jc"] }]
joints = [{ name = "A", type = "revolute", bodies = ["frame", "a"], axis = "z", coordinate = "s1" },
          { name = "B", type = "revolute", bodies = ["frame", "b"], at = [["d", "0", "0"], ["0", "0", "0"]], axis = "z", coordinate = "s2" },
          { name = "C", type = "revolute", bodies = ["a", "c"], at = [["0", "-l", "0"], ["0", "0", "0"]], axis = "z", coordinate = "s3" },
          { name = "D", type = "revolute", bodies = ["c", "b"], at = [["d", "0", "0"], ["0", "-l", "0"]], axis = "z", cut = true }]
)"));
  ASSERT_EQ(found.coordinates, std::vector<std::string>{"s1"});
  EXPECT_TRUE(found.exact);
  EXPECT_EQ(print(found.K[0][0]), "M*g*l + g*l*m");
  EXPECT_EQ(print(found.M[0][0]), "2*J + M*l^2 + l^2*m/2");
  EXPECT_EQ(print(found.R[2][0]), "-1");
}

/// A controller in the graph beside the bodies: one operator, and the force no longer an input.
TEST(LinearMotion, BodiesJoinedWithAController) {
  const Input input = read(R"(
variable = "s"
[multibody]
planar = true
bodies = [{ name = "mass", mass = "m" }]
joints = [{ name = "P", type = "prismatic", bodies = ["frame", "mass"], axis = "x", coordinate = "x" }]
forces = [{ body = "mass", force = ["F", "0", "0"] }]
[graph]
branches = [["r", "e", "1"], ["x", "e", "-1"], ["e", "F", "Kp + Kd*s"]]
)",
                           InputFormat::toml, "joined.toml");
  const SignalFlowGraph graph = from_equations(derive(std::get<Model>(input.content))).graph;
  EXPECT_EQ(transfer_function(graph, question(graph, "r", "x")).value.text(), "(Kd*s + Kp)/(m*s^2 + Kd*s + Kp)");
}

/// D y = B(p) u is the row of the free model with what is prescribed put in.
TEST(LinearMotion, AnInputThatMovesAConstraintActsAsTheCoordinateThatItHolds) {
  Multibody model = pendulum(3);
  for (std::size_t j = 0; j < 3; ++j) {
    Multibody::Spring spring;
    spring.joint = j;
    spring.stiffness = model.symbols.symbol("k" + std::to_string(j));
    spring.damping = model.symbols.symbol("c" + std::to_string(j));
    model.springs.push_back(spring);
  }
  const MultibodyLinearization free = linear(model);
  Symbol u;
  u.name = "u";
  u.kind = SymbolKind::input;
  const ex input = model.symbols.add(u).expr;
  model.input_names = {"u"};
  model.symbols.symbol("s2");
  model.constraints.push_back({"motion", model.symbols.symbol("s2") - input, {}});
  model.symbols.find("s2")->kind = SymbolKind::coordinate;
  const MultibodyLinearization held = linear(model);
  ASSERT_EQ(held.coordinates.size(), 2U);
  const std::size_t moved = row(free, "s2");
  const ex p = held.equations.symbols.at("p").expr;
  for (const std::string& name : held.coordinates) {
    const std::size_t i = row(held, name), k = row(free, name);
    const ex expected = -(free.M[k][moved] * p * p + free.C[k][moved] * p + free.K[k][moved]);
    GiNaC::exmap same;  // the symbols of two derivations
    for (const Symbol& symbol : held.equations.symbols.all())
      if (const Symbol* other = free.equations.symbols.find(symbol.name)) same[other->expr] = symbol.expr;
    EXPECT_TRUE((held.B[i][0] - expected.subs(same)).expand().is_zero()) << print(held.B[i][0]) << " and " << print(expected);
  }
}

TEST(LinearMotion, AnInputInAConstraintOnRatesIsRefused) {
  const Multibody model = bodies(R"([multibody]
planar = true
bodies = [{ name = "cart", mass = 1 }, { name = "rod", mass = 1, com = [0, -1] }]
joints = [{ name = "G", type = "prismatic", bodies = ["frame", "cart"], axis = "x", coordinate = "x" },
          { name = "A", type = "revolute", bodies = ["cart", "rod"], coordinate = "phi" }]
gravity = [0, -9.81]
rate_constraints = ["Dx - v"]
input = "v"
)");
  try {
    linear(model);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("contains the input 'v'"), std::string::npos) << error.what();
  }
}

/// A crank turned as the input says: the slider follows as the derivative of the closed form.
TEST(LinearMotion, ALoopFollowsAnInput) {
  const MultibodyLinearization found = linear(bodies(R"([multibody]
planar = true
bodies = [{ name = "crank", mass = 1 }, { name = "rod", mass = 1, inertia = 1 }, { name = "slider", mass = 1 }]
joints = [
  { name = "O", type = "revolute", bodies = ["frame", "crank"], coordinate = "s1", motion = "u" },
  { name = "A", type = "revolute", bodies = ["crank", "rod"], at = [[0.2, 0], [0, 0]], coordinate = "s2" },
  { name = "G", type = "prismatic", bodies = ["frame", "slider"], axis = "x", coordinate = "s3" },
  { name = "B", type = "revolute", bodies = ["rod", "slider"], at = [[0.6, 0], [0, 0]], cut = true },
]
[equilibrium]
find = true
u = 0.8
s1 = 0.8
s2 = -1
s3 = 0.7
)"));
  const double slope =
      -0.2 * std::sin(0.8) - 0.04 * std::sin(0.8) * std::cos(0.8) / std::sqrt(0.36 - std::pow(0.2 * std::sin(0.8), 2));
  const auto s3 = std::ranges::find(found.equations.definitions, "s3", &EquationSystem::Definition::name);
  ASSERT_NE(s3, found.equations.definitions.end());
  ASSERT_EQ(s3->terms.size(), 1U);
  EXPECT_EQ(s3->terms[0].first, "u");
  EXPECT_NEAR(value(s3->terms[0].second, found), slope, 1e-12);
}

TEST(LinearMotion, WhatIsNoEquilibriumIsRefusedOrSaid) {
  Multibody model = pendulum(1);
  model.symbols.at("g");
  model.gravity = {-model.symbols.symbol("g"), 0, 0};
  EXPECT_THROW(linear(model), Error);
  model.equilibrium = Multibody::Equilibrium{.values = {{"s1", ex(0)}}};
  const MultibodyLinearization stated = linear(model);
  ASSERT_FALSE(stated.notes.empty());
  EXPECT_EQ(stated.notes[0].severity, Severity::warning);
  model.equilibrium->values = {{"angle", ex(0)}};
  EXPECT_THROW(linear(model), Error);
  model.equilibrium->values = {{"s1", model.symbols.symbol("s1") + 1}};
  EXPECT_THROW(linear(model), Error);
}

/// M, F and their slopes by finite differences of the compiled equations.
TEST(LinearMotion, AgreesWithFiniteDifferencesOfTheNonlinearMotion) {
  const Multibody model = bodies_of_file("flexible_two_link.toml");
  const MultibodyEquations equations = multibody_equations(model);
  const MultibodyLinearization found = linearized(model, equations);
  const EquationsOfMotion& motion = equations.motion;
  std::vector<ex> inputs;
  std::vector<double> point;
  for (const auto& coordinate : motion.coordinates) {
    inputs.push_back(coordinate.q);
    point.push_back(double_value(found.point.at(coordinate.name)).value());
  }
  for (const auto& speed : motion.speeds) inputs.push_back(speed.symbol), point.push_back(0);
  GiNaC::exmap values = motion.symbols.values();
  for (const auto& input : motion.inputs) values[input.derivatives[0]] = 0;
  const auto tape = compile(motion.F, inputs, values, in_order(motion.definitions, motion.F));
  constexpr double h = 1e-6;
  const std::size_t n = motion.speeds.size();
  for (std::size_t k = 0; k < 2 * n; ++k) {
    std::vector<double> above = point, below = point;
    above[k] += h;
    below[k] -= h;
    const auto F1 = tape.values<double>(above), F0 = tape.values<double>(below);
    for (std::size_t i = 0; i < n; ++i) {
      const double slope = -(F1[i] - F0[i]) / (2 * h);
      EXPECT_NEAR(value((k < n ? found.K : found.C)[i][k % n], found), slope, 1e-4 * (1 + std::abs(slope))) << i << ", " << k;
    }
  }
}

}  // namespace
}  // namespace sfg
