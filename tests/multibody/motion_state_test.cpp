#include "sfg/multibody/motion_state.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>

#include "multibody/systems.hpp"

namespace sfg {
namespace {

using namespace test;

double acceleration(const MotionState& at, const std::string& name) {
  for (const auto& [each, value] : at.accelerations)
    if (each == name) return value;
  ADD_FAILURE() << name;
  return 0;
}

TEST(MotionState, AgreesWithThePublishedDoublePendulum) {
  const MultibodyEquations equations = double_pendulum();
  for (const auto& state : oracle("double_pendulum.json")["states"]) {
    const MotionState at = motion_at(equations, {{"s1", state["s"][0]},
                                                 {"s2", state["s"][1]},
                                                 {"Ds1", state["sd"][0]},
                                                 {"Ds2", state["sd"][1]},
                                                 {"tau1", state["tau"][0]},
                                                 {"tau2", state["tau"][1]}});
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(at.M[i][j], state["M"][i][j].get<double>(), 1e-12);
      EXPECT_NEAR(at.F[i], state["tau"][i].get<double>() - state["h"][i].get<double>(), 1e-11);
      EXPECT_NEAR(acceleration(at, i == 0 ? "s1" : "s2"), state["sdd"][i].get<double>(), 1e-10);
    }
  }
}

TEST(MotionState, AgreesWithPublishedLoops) {
  for (const auto& state : oracle("slider_crank.json")["states"]) {
    const auto &q = state["q_max"], &v = state["v_max"], &a = state["a_max"];
    const MotionState at = motion_at(slider_crank(), {{"theta", q[2]},
                                                      {"beta", q[5]},
                                                      {"x", q[6]},
                                                      {"Dtheta", v[2]},
                                                      {"Dbeta", v[5]},
                                                      {"Dx", v[6]},
                                                      {"tau", state["tau"]},
                                                      {"F", state["F_ext"]}});
    EXPECT_EQ(at.rank, 2U);
    EXPECT_NEAR(acceleration(at, "theta"), a[2].get<double>(), 1e-9);
    EXPECT_NEAR(acceleration(at, "beta"), a[5].get<double>(), 1e-9);
    EXPECT_NEAR(acceleration(at, "x"), a[6].get<double>(), 1e-9);
    for (const double residual : at.constraint_residual) EXPECT_NEAR(residual, 0, 1e-12);
    for (const double residual : at.velocity_residual) EXPECT_NEAR(residual, 0, 1e-12);
    EXPECT_TRUE(at.notes.empty());
  }
  for (const auto& state : oracle("four_bar.json")["states"]) {
    const auto &q = state["q_max"], &v = state["v_max"], &a = state["a_max"];
    const MotionState at =
        motion_at(four_bar(),
                  {{"t2", q[2]}, {"t3", q[5]}, {"t4", q[8]}, {"Dt2", v[2]}, {"Dt3", v[5]}, {"Dt4", v[8]}, {"tau", state["tau"]}});
    EXPECT_NEAR(acceleration(at, "t2"), a[2].get<double>(), 1e-9);
    EXPECT_NEAR(acceleration(at, "t3"), a[5].get<double>(), 1e-9);
    EXPECT_NEAR(acceleration(at, "t4"), a[8].get<double>(), 1e-9);
  }
}

/// A constraint that is stated twice changes no motion; the multipliers share what one of them had.
TEST(MotionState, RedundantConstraintsShareTheirForce) {
  Constraints twice{{"B.x", "r*cos(theta)+l*cos(beta)-x"}, {"B.y", "r*sin(theta)+l*sin(beta)"}};
  const MotionState once = motion_at(slider_crank(twice), {{"theta", 0.3}, {"beta", std::asin(-std::sin(0.3) / 3)}, {"tau", 1}});
  twice.emplace_back("C.y", "2*(r*sin(theta)+l*sin(beta))");
  const MotionState both = motion_at(slider_crank(twice), {{"theta", 0.3}, {"beta", std::asin(-std::sin(0.3) / 3)}, {"tau", 1}});
  EXPECT_EQ(both.rank, 2U);
  for (const char* name : {"theta", "beta", "x"}) EXPECT_NEAR(acceleration(both, name), acceleration(once, name), 1e-9);
  EXPECT_NEAR(both.multipliers[1].second, once.multipliers[1].second / 5, 1e-9);
  EXPECT_NEAR(both.multipliers[2].second, once.multipliers[1].second * 2 / 5, 1e-9);
  bool said = false;
  for (const Diagnostic& note : both.notes) said = said || note.message.find("1 of 3 constraints") != std::string::npos;
  EXPECT_TRUE(said);
}

TEST(MotionState, WhatIsWrongIsSaid) {
  EXPECT_THROW(motion_at(double_pendulum(), {{"Ds3", 1}}), Error);
  // The loops are open: said.
  EXPECT_FALSE(motion_at(slider_crank(), {{"theta", 0.3}}).notes.empty());
  // That of a linkage of micrometres, too.
  const auto said = [](double length, double beta) {
    const Constraints closed{{"B.x", "r*cos(theta)+l*cos(beta)-x"}, {"B.y", "r*sin(theta)+l*sin(beta)"}};
    MultibodyEquations small = slider_crank(closed);
    for (const char* name : {"r", "l"}) {
      Symbol& symbol = *small.motion.symbols.find(name);
      symbol.value = *symbol.value * GiNaC::numeric(length);
    }
    const double r = GiNaC::ex_to<GiNaC::numeric>(*small.motion.symbols.find("r")->value).to_double(),
                 l = GiNaC::ex_to<GiNaC::numeric>(*small.motion.symbols.find("l")->value).to_double();
    const double closing = std::asin(-r / l * std::sin(0.3)) + beta;
    return !motion_at(small, {{"theta", 0.3}, {"beta", closing}, {"x", r * std::cos(0.3) + l * std::cos(closing)}}).notes.empty();
  };
  for (const double length : {1.0, 1e-3, 1e-6}) {
    EXPECT_TRUE(said(length, 0.01)) << length;
    EXPECT_FALSE(said(length, 1e-8)) << length;
  }
  // No inertia along x.
  MultibodyEquations massless = by_energies(
      "[lagrange]\ncoordinates = [\"x\", \"y\"]\nT = \"m*Dx^2/2 + k*Dy^2/2\"\nPi = \"x^2+y^2\"\n"
      "[parameters]\nm = 1\nk = 0\n");
  EXPECT_THROW(motion_at(massless, {{"y", 1}}), NoAnswer);
  // Two constraints that want different accelerations of one coordinate.
  EXPECT_THROW(motion_at(slider_crank({{"a", "x - t^2"}, {"b", "x - 2*t^2"}}), {}), NoAnswer);
}

}  // namespace
}  // namespace sfg
