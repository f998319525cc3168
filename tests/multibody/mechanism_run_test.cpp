#include "sfg/multibody/mechanism_motion.hpp"

#include <fmt/format.h>
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>

#include "multibody/systems.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/read/toml.hpp"

namespace sfg {
namespace {

using namespace test;
using Json = nlohmann::json;

MechanismQuestion question(std::vector<InitialValue> initial, std::vector<std::string> outputs,
                           std::vector<std::pair<std::string, double>> inputs = {}) {
  MechanismQuestion asked;
  asked.time = GiNaC::symbol("t");
  asked.initial = std::move(initial);
  asked.outputs = std::move(outputs);
  for (const auto& [name, value] : inputs) asked.inputs.push_back({name, GiNaC::ex(value)});
  return asked;
}

std::vector<double> evenly(double until, std::size_t points) {
  std::vector<double> times(points);
  for (std::size_t i = 0; i < points; ++i) times[i] = until * static_cast<double>(i) / static_cast<double>(points - 1);
  return times;
}

double farthest(const MechanismRun& run, std::size_t signal, const Json& expected) {
  double most = 0;
  EXPECT_EQ(run.time.size(), expected.size());
  for (std::size_t i = 0; i < run.time.size(); ++i)
    most = std::max(most, std::abs(run.signals[signal].value.value[i] - expected[i].get<double>()));
  return most;
}

TEST(MechanismRun, DoublePendulumFollowsThePublishedTrajectory) {
  const Json o = oracle("double_pendulum.json")["trajectory"];
  const MechanismRun run = mechanism_run({}, double_pendulum(), question({{"s1", 0.8}, {"s2", 0.5}}, {"s1", "s2", "Ds1", "E"}),
                                         o["t"].get<std::vector<double>>());
  Json s1, s2, rate;
  for (const auto& y : o["y"]) s1.push_back(y[0]), s2.push_back(y[1]), rate.push_back(y[2]);
  EXPECT_LT(farthest(run, 0, s1), 1e-7);
  EXPECT_LT(farthest(run, 1, s2), 1e-7);
  EXPECT_LT(farthest(run, 2, rate), 1e-6);
  EXPECT_TRUE(run.energy.conserved);
  EXPECT_NEAR(run.energy.start, o["energy0"].get<double>(), 1e-9);
  EXPECT_LT(run.energy.unaccounted, 1e-7);
  EXPECT_GT(run.energy.unaccounted, 0);
}

TEST(MechanismRun, LoopsFollowThePublishedTrajectories) {
  {
    const Json o = oracle("slider_crank.json")["trajectory"];
    const MechanismRun run =
        mechanism_run({}, slider_crank(), question({{"theta", 0.3}, {"Dtheta", 6}}, {"theta", "Dtheta", "x"}),
                      o["t"].get<std::vector<double>>());
    EXPECT_LT(farthest(run, 0, o["theta"]), 1e-7);
    EXPECT_LT(farthest(run, 1, o["omega"]), 1e-6);
    EXPECT_TRUE(run.energy.conserved);
    EXPECT_LT(run.energy.unaccounted, 1e-7);
    EXPECT_LT(run.drift.position_after, 1e-12);
    EXPECT_LT(run.drift.position_before, 1e-7);
    EXPECT_GT(run.drift.position_before, 1e-15);
    EXPECT_EQ(run.freedoms, 1U);
    EXPECT_FALSE(run.assembly.empty());
    for (std::size_t i = 0; i < run.time.size(); ++i)
      EXPECT_NEAR(run.signals[2].value.value[i], o["coordinates_max"][i][6].get<double>(), 1e-7);
  }
  {
    const Json o = oracle("four_bar.json")["trajectory"];
    const MechanismRun run = mechanism_run(
        {}, four_bar(), question({{"t2", 0.4}, {"Dt2", 9}, {"t3", 0.7}, {"t4", 1.7}}, {"t2", "Dt2"}, {{"tau", 0.05}}),
        o["t"].get<std::vector<double>>());
    EXPECT_LT(farthest(run, 0, o["theta"]), 1e-6);
    EXPECT_EQ(run.assembly.size(), 4U);  // the given guesses of t3 and t4 give way
    EXPECT_FALSE(run.energy.conserved);
    EXPECT_LT(run.energy.unaccounted, 1e-7);
    // The constant torque works along its angle.
    EXPECT_NEAR(run.energy.work, 0.05 * (run.signals[0].value.value.back() - 0.4), 1e-7);
  }
}

MultibodyEquations falling_ball() {
  return by_energies(
      "[lagrange]\ncoordinates = [\"y\"]\nforces = { y = \"F\" }\nT = \"m*Dy^2/2\"\nPi = \"m*g*y\"\n[parameters]\nm = 2\ng = "
      "10\n");
}

Multibody with_stop(const MultibodyEquations& equations, const std::string& distance, const GiNaC::ex& restitution) {
  Multibody model;
  model.symbols = equations.motion.symbols;
  Multibody::Event stop;
  stop.name = "floor";
  stop.kind = Multibody::Event::Kind::stop;
  stop.when = parse(distance, model.symbols);
  stop.restitution = restitution;
  model.events.push_back(stop);
  return model;
}

std::size_t count(const MechanismRun& run, const std::string& kind) {
  std::size_t found = 0;
  for (const auto& event : run.events) found += event.kind == kind ? 1 : 0;
  return found;
}

/// A ball falls h, then rebounds n times: the flights are a geometric series, after which it lies still.
TEST(MechanismRun, ABallComesToRestOnAFloor) {
  const MultibodyEquations ball = falling_ball();
  const Multibody model = with_stop(ball, "-y", GiNaC::ex(1) / 2);
  const MechanismRun run = mechanism_run(model, ball, question({{"y", 5}}, {"y", "Dy", "E"}), evenly(4, 401));
  ASSERT_GT(run.events.size(), 5U);
  for (std::size_t k = 0; k < 5; ++k) {  // 1 s to fall, then flights of 1, 1/2, 1/4 … s
    EXPECT_EQ(run.events[k].kind, "impact");
    EXPECT_NEAR(run.events[k].time, 3 - std::pow(2.0, 1.0 - static_cast<double>(k)), 1e-8);
    EXPECT_NEAR(run.events[k].speed, 10 / std::pow(2.0, k), 1e-7);
  }
  EXPECT_EQ(count(run, "contact"), 1U);
  EXPECT_LT(run.events.back().time, 3.001);
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    EXPECT_GE(run.signals[0].value.value[i], -1e-9);
    if (run.time[i] > 3.001) {
      EXPECT_NEAR(run.signals[0].value.value[i], 0, 1e-9);
    }
  }
  EXPECT_NEAR(run.energy.events, -100, 1e-6);
  EXPECT_LT(run.energy.unaccounted, 1e-6);
}

/// What lies on a floor is lifted as soon as the force upwards is above its weight.
TEST(MechanismRun, AContactLetsGoWhenItIsPulled) {
  const MultibodyEquations ball = falling_ball();
  const Multibody model = with_stop(ball, "-y", 0);
  MechanismQuestion asked = question({}, {"y"});
  SymbolTable symbols;
  asked.time = symbols.symbol("t");
  asked.inputs.push_back({"F", parse("10*t", symbols)});
  const MechanismRun run = mechanism_run(model, ball, asked, evenly(3, 301));
  ASSERT_EQ(count(run, "separation"), 1U);
  for (const auto& event : run.events)
    if (event.kind == "separation") {
      EXPECT_NEAR(event.time, 2, 1e-7);  // 10 t = m g
    }
  // From there m y'' = 10 (t - 2).
  EXPECT_NEAR(run.signals[0].value.value.back(), 10.0 / 2 / 6, 1e-7);
}

/// A stop in a mechanism with loops: no energy is lost with restitution 1, and the loops stay closed.
TEST(MechanismRun, AnElasticStopKeepsTheEnergyOfALoop) {
  const MultibodyEquations crank = slider_crank();
  const Multibody model = with_stop(crank, "x - 0.75", 1);
  const MechanismRun run =
      mechanism_run(model, crank, question({{"theta", 1.5}, {"Dtheta", -3}}, {"theta", "x", "E"}), evenly(2, 201));
  EXPECT_GT(count(run, "impact"), 1U);
  EXPECT_NEAR(run.energy.events, 0, 1e-9);
  EXPECT_LT(run.energy.unaccounted, 1e-7);
  for (const double x : run.signals[1].value.value) EXPECT_LE(x, 0.75 + 1e-8);
  EXPECT_LT(run.drift.position_after, 1e-12);
}

TEST(MechanismRun, ReleaseAndEnd) {
  const MultibodyEquations crank = slider_crank();
  Multibody model;
  model.symbols = crank.motion.symbols;
  Multibody::Event release, end;
  release.name = "cut";
  release.kind = Multibody::Event::Kind::release;
  release.when = parse("t - 0.2", model.symbols);
  release.releases = {"B"};
  end.name = "enough";
  end.when = parse("t - 0.5", model.symbols);
  model.events = {release, end};
  const MechanismRun run = mechanism_run(model, crank, question({{"theta", 0.5}, {"Dtheta", 2}}, {"x", "Dx"}), evenly(1, 101));
  ASSERT_EQ(run.events.size(), 2U);
  EXPECT_NEAR(run.events[0].time, 0.2, 1e-9);
  EXPECT_NEAR(run.time.back(), 0.5, 1e-9);
  // Free, the slider keeps its speed.
  const auto& speed = run.signals[1].value.value;
  EXPECT_NEAR(speed.back(), speed[25], 1e-9);
  EXPECT_GT(std::abs(speed[5] - speed[20]), 1e-2);
}

/// Dry friction is a force, and an impulse none can hold: the load that stuck on a slider goes on as that hits a stop.
TEST(MechanismRun, AnImpactTearsApartWhatSticks) {
  for (const double restitution : {0.0, 0.5, 0.9}) {
    const double m1 = 2, m2 = 0.5, friction = 0.7, speed = 1.5, start = 0.6;
    const Multibody model = std::get<Multibody>(std::get<Model>(read_toml(fmt::format(R"m([multibody]
planar = true
bodies = [ {{ name = "a", mass = {} }}, {{ name = "b", mass = {} }} ]
joints = [ {{ name = "A", type = "prismatic", bodies = ["frame", "a"], axis = "x", coordinate = "x" }},
           {{ name = "B", type = "prismatic", bodies = ["a", "b"], axis = "x", coordinate = "y" }} ]
forces = [ {{ joint = "B", force = "-coulomb(Dy, {})" }} ]
events = [ {{ name = "floor", type = "stop", coordinate = "x", below = "0", restitution = "{}" }} ]
)m",
                                                                                      m1, m2, friction, restitution),
                                                                          "model.toml")));
    const std::vector<double> times{0, 0.3, 0.45, 0.5};
    const MechanismRun run = mechanism_run(model, question({{"x", start}, {"Dx", -speed}}, {"x", "y"}), times);
    for (std::size_t k = 0; k < times.size(); ++k) {
      const double after = std::max(0.0, times[k] - start / speed);
      // Without restitution the friction presses a on the floor.
      const double held = restitution > 0 ? friction / m1 : 0;
      const double x = after > 0 ? restitution * speed * after - held * after * after / 2 : start - speed * times[k];
      const double y = -(1 + restitution) * speed * after + (friction / m2 + held) * after * after / 2;
      EXPECT_NEAR(run.signals[0].value.value[k], x, 1e-9) << restitution << ", t = " << times[k];
      EXPECT_NEAR(run.signals[1].value.value[k], y, 1e-9) << restitution << ", t = " << times[k];
    }
  }
}

/// A slider with dry friction is pressed on a stop without restitution, and pulled away from it again.
TEST(MechanismRun, FrictionAtAStopHoldsNothing) {
  for (const double friction : {0.0, 0.5, 1.0, 3.0, 5.0}) {
    const Multibody model = std::get<Multibody>(std::get<Model>(read_toml(fmt::format(R"m([multibody]
planar = true
bodies = [ {{ name = "a", mass = 2 }} ]
joints = [ {{ name = "A", type = "prismatic", bodies = ["frame", "a"], axis = "x", coordinate = "x" }} ]
forces = [ {{ joint = "A", force = "F" }}, {{ joint = "A", force = "-{}*sign(Dx)" }} ]
events = [ {{ name = "floor", type = "stop", coordinate = "x", below = "0", restitution = "0" }} ]
)m",
                                                                                      friction),
                                                                          "model.toml")));
    MechanismQuestion asked = question({{"x", 0.5}, {"Dx", -3}}, {"x"});
    SymbolTable symbols;
    asked.time = symbols.symbol("t");
    asked.inputs.push_back({"F", parse("8*step(t - 2) - 4", symbols)});
    const MechanismRun run = mechanism_run(model, asked, std::vector<double>{0, 1, 2, 3});
    EXPECT_NEAR(run.signals[0].value.value[1], 0, 1e-9) << friction;
    EXPECT_NEAR(run.signals[0].value.value[2], 0, 1e-9) << friction;
    EXPECT_NEAR(run.signals[0].value.value[3], std::max(0.0, 4 - friction) / 4, 1e-9) << friction;
  }
}

TEST(MechanismRun, WhatCannotBeIsRefused) {
  const auto times = evenly(1, 11);
  // A crank that is too far from its slider.
  EXPECT_THROW(mechanism_run({}, slider_crank(), question({{"x", 3}}, {}), times), NoAnswer);
  EXPECT_THROW(mechanism_run({}, slider_crank(), question({{"X", 3}}, {}), times), Error);
  EXPECT_THROW(mechanism_run({}, slider_crank(), question({}, {"x(b)"}), times), Error);
  EXPECT_THROW(mechanism_run({}, slider_crank(), question({}, {}, {{"nothing", 1}}), times), Error);
  const MultibodyEquations ball = falling_ball();
  EXPECT_THROW(mechanism_run(with_stop(ball, "-y", 0), ball, question({{"y", -1}}, {}), times), NoAnswer);
  EXPECT_THROW(mechanism_run(with_stop(ball, "-y", 2), ball, question({{"y", 1}}, {}), times), Error);
  EXPECT_THROW(mechanism_run({}, ball, question({{"y", 1}}, {}), evenly(1e3, 101), {.budget = Budget({.seconds = 0})}),
               LimitReached);
}

}  // namespace
}  // namespace sfg
