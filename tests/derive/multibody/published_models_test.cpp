// Models of the sources and their textbooks at states that were computed on other ways.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sfg/multibody/motion_state.hpp"
#include "sfg/read/toml.hpp"

namespace sfg {
namespace {

using Json = nlohmann::json;
using State = std::map<std::string, double>;

std::string file(const std::string& name) { return std::string(SFG_TEST_DATA) + "/multibody/" + name; }

Json oracle(const std::string& name) {
  std::ifstream in(file(name));
  return Json::parse(in);
}

MultibodyEquations equations_of(const std::string& name) {
  std::ifstream in(file(name));
  std::ostringstream text;
  text << in.rdbuf();
  return multibody_equations(std::get<Multibody>(std::get<Model>(read_toml(text.str(), name))));
}

State named(const std::vector<std::string>& names, const Json& values) {
  State state;
  for (std::size_t i = 0; i < names.size(); ++i) state[names[i]] = values[i].get<double>();
  return state;
}

State both(State a, const State& b) {
  a.insert(b.begin(), b.end());
  return a;
}

double acceleration(const MotionState& at, const std::string& name) {
  for (const auto& [each, value] : at.accelerations)
    if (each == name) return value;
  ADD_FAILURE() << "no acceleration " << name;
  return 0;
}

std::array<double, 6> reaction(const MotionState& at, const std::string& joint) {
  for (const auto& [each, wrench] : at.reactions)
    if (each == joint) return wrench;
  ADD_FAILURE() << "no reaction " << joint;
  return {};
}

void expect_accelerations(const MotionState& at, const std::vector<std::string>& names, const Json& values, double tolerance) {
  for (std::size_t i = 0; i < names.size(); ++i)
    EXPECT_NEAR(acceleration(at, names[i]), values[i].get<double>(), tolerance) << names[i];
}

TEST(PublishedModels, DoublePendulumWithItsReactions) {
  const MultibodyEquations equations = equations_of("double_pendulum.toml");
  for (const Json& state : oracle("double_pendulum.json")["states"]) {
    const MotionState at = motion_at(equations, both(both(named({"s1", "s2"}, state["s"]), named({"Ds1", "Ds2"}, state["sd"])),
                                                     named({"tau1", "tau2"}, state["tau"])));
    expect_accelerations(at, {"s1", "s2"}, state["sdd"], 1e-11);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(reaction(at, "O")[k], state["reaction_O_on_body1"][k].get<double>(), 1e-11);
      EXPECT_NEAR(-reaction(at, "P")[k], state["reaction_joint2_on_body1"][k].get<double>(), 1e-11);
    }
  }
}

/// Pelz's rod of Greenwood: 3N + M equations with the reaction, or three in the coordinates of the midpoint.
TEST(PublishedModels, GreenwoodsRodInBothFormulations) {
  const MultibodyEquations particles = equations_of("greenwood_particles.toml"),
                           generalized = equations_of("greenwood_generalized.toml");
  EXPECT_EQ(particles.motion.constraints.size(), 1U);
  EXPECT_EQ(generalized.motion.constraints.size(), 0U);
  const std::vector<std::string> x{"x1", "y1", "x2", "y2"}, v{"Dx1", "Dy1", "Dx2", "Dy2"};
  for (const Json& state : oracle("greenwood_rod.json")["states"]) {
    const State forces = named({"fx1", "fy1", "fx2", "fy2"}, state["F_ext_xy"]);
    const MotionState cartesian =
        motion_at(particles, both(both(named(x, state["x_cartesian"]), named(v, state["v_cartesian"])), forces));
    expect_accelerations(cartesian, x, state["a_cartesian"], 1e-10);
    EXPECT_NEAR(cartesian.multipliers.front().second, state["lambda_"].get<double>(), 1e-11);
    const MotionState reduced = motion_at(
        generalized, both(both(named({"q1", "q2", "q3"}, state["q"]), named({"Dq1", "Dq2", "Dq3"}, state["qd"])), forces));
    expect_accelerations(reduced, {"q1", "q2", "q3"}, state["qdd"], 1e-10);
    for (const MotionState* at : {&cartesian, &reduced})
      for (std::size_t k = 0; k < 4; ++k)
        EXPECT_NEAR(reaction(*at, k < 2 ? "a" : "b")[k % 2], state["reaction_force"][k].get<double>(), 1e-10) << k;
  }
}

TEST(PublishedModels, LoopsWithTheReactionsOfAllJoints) {
  const MultibodyEquations slider = equations_of("slider_crank.toml");
  for (const Json& state : oracle("slider_crank.json")["states"]) {
    const auto tree = [&](const char* name) {
      const Json& q = state[name];
      return Json{q[2], q[5].get<double>() - q[2].get<double>(), q[6]};
    };
    const MotionState at =
        motion_at(slider, both(both(named({"s1", "s2", "s3"}, tree("q_max")), named({"Ds1", "Ds2", "Ds3"}, tree("v_max"))),
                               {{"tau", state["tau"]}, {"F", state["F_ext"]}}));
    expect_accelerations(at, {"s1", "s2", "s3"}, tree("a_max"), 1e-9);
    const Json& reactions = state["reactions"];
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(reaction(at, "O")[k], reactions["O_on_crank_xy"][k].get<double>(), 1e-9);
      EXPECT_NEAR(-reaction(at, "A")[k], reactions["A_on_crank_xy (rod receives the opposite)"][k].get<double>(), 1e-9);
      EXPECT_NEAR(-reaction(at, "B")[k], reactions["B_on_rod_xy (slider receives the opposite)"][k].get<double>(), 1e-9);
    }
    EXPECT_NEAR(reaction(at, "G")[1], reactions["guide_normal_on_slider_y"][0].get<double>(), 1e-9);
  }
  const MultibodyEquations four_bar = equations_of("four_bar.toml");
  for (const Json& state : oracle("four_bar.json")["states"]) {
    const auto tree = [&](const char* name) {
      const Json& q = state[name];
      return Json{q[2], q[5].get<double>() - q[2].get<double>(), q[8]};
    };
    const MotionState at =
        motion_at(four_bar, both(both(named({"s1", "s2", "s3"}, tree("q_max")), named({"Ds1", "Ds2", "Ds3"}, tree("v_max"))),
                                 {{"tau", state["tau"]}}));
    expect_accelerations(at, {"s1", "s2", "s3"}, tree("a_max"), 1e-8);
    const Json& reactions = state["reactions"];
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(reaction(at, "O")[k], reactions["O_on_crank_xy"][k].get<double>(), 1e-8);
      EXPECT_NEAR(-reaction(at, "A")[k], reactions["A_on_crank_xy (coupler receives the opposite)"][k].get<double>(), 1e-8);
      EXPECT_NEAR(-reaction(at, "B")[k], reactions["B_on_coupler_xy (rocker receives the opposite)"][k].get<double>(), 1e-8);
      EXPECT_NEAR(reaction(at, "C")[k], reactions["C_on_rocker_xy"][k].get<double>(), 1e-8);
    }
  }
}

/// Ivankov's spacecraft in 13 coordinates has the wrenches of the 73 unknowns of its aggregate.
TEST(PublishedModels, SpacecraftWithWheelsAndPanels) {
  const MultibodyEquations equations = equations_of("spacecraft_states.toml");
  EXPECT_EQ(equations.motion.speeds.size(), 13U);
  const std::vector<std::string> names{"x",   "y",    "z",    "vx",   "vy",   "vz",    "q0",    "q1",    "q2",
                                       "q3",  "wx",   "wy",   "wz",   "a1",   "a2",    "a3",    "Om1",   "Om2",
                                       "Om3", "e1P1", "e2P1", "e1P2", "e2P2", "De1P1", "De2P1", "De1P2", "De2P2"};
  for (const Json& state : oracle("spacecraft.json")["states"]) {
    const State loads =
        both(both(named({"tau1", "tau2", "tau3"}, state["tau_wheels"]), named({"Fx", "Fy", "Fz"}, state["F_hub_inertial"])),
             named({"Mx", "My", "Mz"}, state["M_hub_body"]));
    const MotionState at = motion_at(equations, both(named(names, state["y"]), loads));
    expect_accelerations(at, {"x", "y", "z"}, state["a_hub_inertial"], 1e-14);
    expect_accelerations(at, {"wx", "wy", "wz"}, state["wdot_body"], 1e-13);
    expect_accelerations(at, {"a1", "a2", "a3"}, state["Omega_dot"], 1e-12);
    expect_accelerations(at, {"e1P1", "e2P1", "e1P2", "e2P2"}, state["e_dd"], 1e-12);
    for (const std::string panel : {"C4", "C5"})
      for (std::size_t k = 0; k < 6; ++k)
        EXPECT_NEAR(reaction(at, panel)[k], state["wrenches_hub_on_part_inertial_FM"][panel][k].get<double>(), 1e-12)
            << panel << k;
  }
}

}  // namespace
}  // namespace sfg
