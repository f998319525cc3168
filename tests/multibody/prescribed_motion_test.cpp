// Inputs inside of constraints, and loops with spherical joints: against the same mechanisms in other words and against closed
// forms.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "sfg/expr/parse.hpp"
#include "sfg/multibody/mechanism_motion.hpp"
#include "sfg/read/input.hpp"

namespace sfg {
namespace {

using GiNaC::ex;

Multibody model_of(const std::string& toml) {
  return std::get<Multibody>(std::get<Model>(read(toml, InputFormat::toml, "test.toml").content));
}

MechanismRun run_of(const std::string& toml, const std::map<std::string, std::string>& inputs, std::vector<InitialValue> initial,
                    std::vector<std::string> outputs, double until = 2) {
  MechanismQuestion asked;
  SymbolTable symbols;
  asked.time = symbols.symbol("t");
  for (const auto& [name, text] : inputs) asked.inputs.push_back({name, parse(text, symbols)});
  asked.initial = std::move(initial);
  asked.outputs = std::move(outputs);
  std::vector<double> times;
  for (int i = 0; i <= 20; ++i) times.push_back(until * i / 20);
  return mechanism_run(model_of(toml), asked, times);
}

const std::vector<double>& signal(const MechanismRun& run, std::size_t k) { return run.signals[k].value.value; }

std::string cart(const std::string& motion) {
  return R"([multibody]
planar = true
gravity = ["0", "-9.81"]
bodies = [{ name = "cart", mass = 1.5 }, { name = "rod", mass = 0.8, com = ["0", "-0.3"], inertia = 0.031 }]
joints = [{ name = "G", type = "prismatic", bodies = ["frame", "cart"], axis = "x", coordinate = "x")" +
         motion + R"( },
          { name = "A", type = "revolute", bodies = ["cart", "rod"], coordinate = "phi" }]
)";
}

TEST(PrescribedMotion, ACartMovedByAnInputSwingsItsPendulumAsNewtonSays) {
  const std::string motion = "0.3*sin(2*t)*exp(-t/5)";
  const MechanismRun run = run_of(cart(R"(, motion = "u")"), {{"u", motion}}, {{"phi", 0.4}},
                                  {"x", "phi", "Dphi", "DDphi", "lambda(G.motion)", "Dx", "DDx"});
  EXPECT_EQ(run.freedoms, 1U);
  EXPECT_LT(run.energy.unaccounted, 1e-8);
  // J φ̈ + m l g sin φ = −m l ü cos φ, and the force that it takes
  constexpr double m = 0.8, l = 0.3, J = 0.031 + m * l * l, M = 2.3;
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    const double t = run.time[i], decay = std::exp(-t / 5), s = std::sin(2 * t), c = std::cos(2 * t);
    const double u = 0.3 * s * decay, v = 0.3 * decay * (2 * c - s / 5), a = 0.3 * decay * (-4 * s - 0.8 * c + s / 25);
    const double phi = signal(run, 1)[i], Dphi = signal(run, 2)[i], DDphi = signal(run, 3)[i];
    EXPECT_NEAR(signal(run, 0)[i], u, 1e-10);
    EXPECT_NEAR(signal(run, 5)[i], v, 1e-9);
    EXPECT_NEAR(signal(run, 6)[i], a, 1e-9);
    EXPECT_NEAR(J * DDphi, -m * l * (9.81 * std::sin(phi) + a * std::cos(phi)), 1e-8);
    EXPECT_NEAR(signal(run, 4)[i], M * a + m * l * (DDphi * std::cos(phi) - Dphi * Dphi * std::sin(phi)), 1e-8);
  }
  const MechanismRun of_time = run_of(cart(", motion = \"" + motion + "\""), {}, {{"phi", 0.4}}, {"phi"});
  for (std::size_t i = 0; i < run.time.size(); ++i) EXPECT_NEAR(signal(run, 1)[i], signal(of_time, 0)[i], 1e-9);
}

TEST(PrescribedMotion, ANameInAConstraintIsAnInputWhereTheQuestionSaysSo) {
  const MechanismRun run = run_of(cart("") + "constraints = [\"x - u\"]\n", {{"u", "0.1*t^2"}}, {}, {"x", "phi"});
  EXPECT_EQ(run.freedoms, 1U);
  for (std::size_t i = 0; i < run.time.size(); ++i) EXPECT_NEAR(signal(run, 0)[i], 0.1 * run.time[i] * run.time[i], 1e-10);
}

TEST(PrescribedMotion, APendulumOfVaryingLength) {
  const std::string particle = R"([multibody]
gravity = ["0", "-9.81"]
planar = true
particles = [{ name = "b", mass = 0.7, coordinates = ["x", "y"] }]
)";
  const std::string length = "1 + 0.2*sin(3*t)";
  const MechanismRun run = run_of(particle + "constraints = [\"x^2 + y^2 = L^2\"]\ninput = \"L\"\n", {{"L", length}},
                                  {{"x", 0.6}, {"y", -0.8}}, {"x", "y"});
  const MechanismRun minimal =
      run_of(particle + "generalized = { x = \"(" + length + ")*sin(a)\", y = \"-(" + length + ")*cos(a)\" }\n", {},
             {{"a", std::asin(0.6)}, {"Da", 0}}, {"x", "y"});
  EXPECT_LT(run.energy.unaccounted, 1e-8);
  // the rope draws the mass in as it begins: the least change of the velocity is along the rope, so that the angle rests
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    EXPECT_NEAR(signal(run, 0)[i], signal(minimal, 0)[i], 1e-8) << i;
    EXPECT_NEAR(signal(run, 1)[i], signal(minimal, 1)[i], 1e-8) << i;
  }
}

TEST(PrescribedMotion, OfARateByAnInput) {
  const MechanismRun run =
      run_of(cart("") + "rate_constraints = [\"Dx - v\"]\ninput = \"v\"\n", {{"v", "0.3*cos(2*t)"}}, {}, {"x", "DDx"});
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    EXPECT_NEAR(signal(run, 0)[i], 0.15 * std::sin(2 * run.time[i]), 1e-9);
    EXPECT_NEAR(signal(run, 1)[i], -0.6 * std::sin(2 * run.time[i]), 1e-9);
  }
}

std::string rssr(const std::string& motion, const std::string& kind) {
  return R"([multibody]
gravity = ["0", "0", "-9.81"]
bodies = [
  { name = "crank", mass = 1, com = [0.1, 0, 0], inertia = [0.001, 0.01, 0.01] },
  { name = "rod", mass = 2, com = [0.5, 0, 0], inertia = [0.002, 0.06, 0.06] },
  { name = "rocker", mass = 1.5, com = [0.3, 0, 0], inertia = [0.001, 0.03, 0.03] },
]
joints = [
  { name = "O", type = "revolute", bodies = ["frame", "crank"], coordinate = "theta")" +
         motion + R"( },
  { name = "A", type = "spherical", bodies = ["crank", "rod"], at = [[0.2, 0, 0], [0, 0, 0]] },
  { name = "C", type = "revolute", bodies = ["frame", "rocker"], at = [[0.8, 0.3, 0.1], [0, 0, 0]], axis = "y", coordinate = "psi" },
  { name = "B", )" +
         kind + R"(, bodies = ["rod", "rocker"], at = [[1, 0, 0], [0.6, 0, 0]], cut = true },
]
)";
}

/// The rod keeps its length between the ends of crank and rocker; the energy stays.
TEST(SphericalLoops, CrankAndRockerKeepTheAngleRelationOfTheRssr) {
  const MechanismRun run =
      run_of(rssr("", "type = \"spherical\""), {}, {{"theta", 0.5}, {"Dtheta", 3}}, {"theta", "psi", "w2x"}, 4);
  EXPECT_EQ(run.freedoms, 2U);  // the rod turns about itself
  EXPECT_LT(run.energy.unaccounted, 1e-9);
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    const double theta = signal(run, 0)[i], psi = signal(run, 1)[i];
    const double dx = 0.8 + 0.6 * std::cos(psi) - 0.2 * std::cos(theta), dy = 0.3 - 0.2 * std::sin(theta),
                 dz = 0.1 - 0.6 * std::sin(psi);
    EXPECT_NEAR(dx * dx + dy * dy + dz * dz, 1, 1e-11);
  }
}

/// A rod that is symmetric about its line may turn about it as it likes.
TEST(SphericalLoops, TheIdleTurnOfTheRodMovesNothingElse) {
  const auto psi = [&](const std::vector<InitialValue>& initial) {
    return run_of(rssr(", motion = \"drive\"", "type = \"spherical\""), {{"drive", "2*pi*t"}}, initial, {"psi", "mz(O)"});
  };
  const MechanismRun still = psi({}), spinning = psi({{"w2x", 5}});
  EXPECT_EQ(still.freedoms, 1U);
  for (std::size_t i = 0; i < still.time.size(); ++i) EXPECT_NEAR(signal(still, 0)[i], signal(spinning, 0)[i], 1e-9);
  // the torque at the crank is what the energy takes
  EXPECT_LT(still.energy.unaccounted, 1e-7);
}

TEST(SphericalLoops, ARodBetweenABallAndACylinderConservesEnergy) {
  const MechanismRun run = run_of(rssr("", "type = \"cylindrical\", axis = \"y\""), {}, {{"theta", 0.5}, {"Dtheta", 3}}, {"psi"});
  EXPECT_EQ(run.freedoms, 1U);
  EXPECT_LT(run.energy.unaccounted, 1e-8);
}

}  // namespace
}  // namespace sfg
