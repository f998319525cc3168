#include "sfg/multibody/aggregate_run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "multibody/spacecraft.hpp"
#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/multibody/aggregate_run.hpp"
#include "sfg/multibody/motion_state.hpp"
#include "sfg/read/toml.hpp"

namespace sfg {
namespace {

Multibody model_of(const std::string& text) { return std::get<Multibody>(std::get<Model>(read_toml(text, "model.toml"))); }

Multibody example(const std::string& name) {
  std::ifstream in(SFG_SOURCE_DIR "/examples/" + name + ".toml");
  std::ostringstream text;
  text << in.rdbuf();
  return model_of(text.str());
}

double value(const AggregateModel& model, const std::vector<double>& state, const std::string& name) {
  const std::vector<double> values = model.values(state);
  std::vector<std::string> names = model.coordinates();
  names.insert(names.end(), model.speeds().begin(), model.speeds().end());
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k] == name) return values[k];
  ADD_FAILURE() << "no " << name;
  return 0;
}

TEST(AggregateModel, SpacecraftOfTheExample) {
  const Json data = oracle("spacecraft"), &want = data["manoeuvre"];
  const AggregateModel model(example("spacecraft"));
  EXPECT_EQ(model.aggregate().unknowns(), 73u);
  const auto times = want["t"].get<std::vector<double>>();
  const AggregateRun r = run(model.aggregate(), model.state({{"q0", 1}, {"Om1", 20}, {"Om2", -10}, {"Om3", 5}}), times,
                             model.law(), {.rtol = 1e-10, .atol = 1e-12});
  for (std::size_t k = 0; k < times.size(); ++k) {
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(value(model, r.states[k], "q" + std::to_string(i)), want["q"][k][i].get<double>(), 1e-6);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(value(model, r.states[k], "w" + std::to_string(i + 1)), want["w_body"][k][i].get<double>(), 1e-6);
      EXPECT_NEAR(value(model, r.states[k], "Om" + std::to_string(i + 1)), want["Omega"][k][i].get<double>(), 1e-5);
    }
    const std::array<const char*, 4> modes{"bend1", "twist1", "bend2", "twist2"};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(value(model, r.states[k], modes[i]), want["e"][k][i].get<double>(), 1e-6);
  }
}

TEST(AggregateModel, SpacecraftInOrbitOfTheExample) {
  const Json data = oracle("spacecraft_gravity_magnetic"), &want = data["trajectory"];
  const AggregateModel model(example("spacecraft_orbit"));
  const auto times = want["t"].get<std::vector<double>>(), y = want["y0"].get<std::vector<double>>();
  const AggregateRun r = run(
      model.aggregate(),
      model.state(
          {{"q0", y[6]}, {"q1", y[7]}, {"q2", y[8]}, {"q3", y[9]}, {"w1", y[10]}, {"w2", y[11]}, {"w3", y[12]}, {"Om", -200}}),
      times, model.law(), {.rtol = 1e-11, .atol = 1e-13});
  for (std::size_t k = 0; k < times.size(); ++k) {
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(value(model, r.states[k], "w" + std::to_string(i + 1)), want["w_body"][k][i].get<double>(), 1e-7);
    EXPECT_NEAR(value(model, r.states[k], "Om"), want["Omega"][k].get<double>(), 2e-5);
    EXPECT_NEAR(value(model, r.states[k], "twist"), want["e"][k][1].get<double>(), 1e-8);
  }
}

/// The composite derivation at the same state: accelerations of coordinates or speeds, and the forces of joints.
void expect_composite(const std::string& text, unsigned seed, const std::string& what) {
  SCOPED_TRACE(what);
  const Multibody stated = model_of(text);
  const AggregateModel model(stated);
  std::map<std::string, double> at;
  unsigned random = seed;
  const auto next = [&] { return double((random = random * 1664525u + 1013904223u) >> 8) / double(1u << 24) - 0.5; };
  for (const std::string& name : model.coordinates()) at[name] = 0.8 * next();
  for (const std::string& name : model.speeds()) at[name] = 2 * next();
  for (const auto& joint : stated.joints)  // quaternions of length 1
    if (joint.coordinates.size() == 4 || joint.coordinates.size() == 7) {
      const std::size_t from = joint.coordinates.size() - 4;
      double square = 0;
      for (std::size_t k = from; k < from + 4; ++k) square += at[joint.coordinates[k]] * at[joint.coordinates[k]];
      for (std::size_t k = from; k < from + 4; ++k) at[joint.coordinates[k]] /= std::sqrt(square);
    }
  const std::vector<double> state = model.state(at);
  const std::vector<double> values = model.values(state, model.values(state));
  for (std::size_t k = 0; k < model.speeds().size(); ++k)
    EXPECT_NEAR(values[model.coordinates().size() + k], at[model.speeds()[k]], 1e-12) << model.speeds()[k];
  AggregateModel::Inputs inputs;
  std::map<std::string, double> point = at;
  for (const std::string& name : stated.input_names)
    if (!stated.control.contains(name)) {
      const double u = next();
      inputs[name] = [u](double) { return u; };
      point[name] = u;
    }
  AggregateLoads loads;
  loads.inputs.assign(model.aggregate().size().inputs, 0.0);
  model.law(inputs)(0, state, loads);
  const auto motion = model.aggregate().motion(0, state, loads);
  const std::vector<double> rate = model.aggregate().rate(0, state, loads);
  const auto moved = [&](double h) {
    std::vector<double> after = state;
    for (std::size_t k = 0; k < after.size(); ++k) after[k] += h * rate[k];
    return model.values(after, values);
  };
  const MotionState want = motion_at(multibody_equations(stated), point);
  double scale = 1;
  for (const auto& [name, a] : want.accelerations) scale = std::max(scale, std::abs(a));
  constexpr double h = 1e-4;
  const std::vector<double> before = moved(-h), after = moved(h), before2 = moved(-2 * h), after2 = moved(2 * h);
  ASSERT_EQ(want.accelerations.size(), model.speeds().size());
  for (std::size_t k = 0; k < model.speeds().size(); ++k) {
    const std::size_t at_speed = model.coordinates().size() + k;
    const double a = (8 * (after[at_speed] - before[at_speed]) - (after2[at_speed] - before2[at_speed])) / (12 * h);
    EXPECT_NEAR(a, want.accelerations[k].second, 1e-8 * scale) << want.accelerations[k].first;
  }
  for (const auto& [joint, wrench] : want.reactions)
    for (std::size_t c = 0; c < model.aggregate().connections().size(); ++c) {
      if (model.aggregate().connections()[c].name != joint) continue;
      const auto& free = model.aggregate().connections()[c].free;
      if (free[0] || free[1] || free[2]) continue;
      const std::size_t count = free[3] || free[4] || free[5] ? 3 : 6;  // moments about free axes are loads of the joint
      for (std::size_t i = 0; i < count; ++i) EXPECT_NEAR(motion.wrenches[c][i], wrench[i], 1e-7 * scale) << joint << i;
    }
}

const std::string bodies = R"(
[multibody]
gravity = ["1", "-9.81", "2"]
bodies = [
  { name = "a", mass = "3", com = ["0.1", "-0.2", "0.3"], inertia = ["0.3", "0.4", "0.5"] },
  { name = "b", mass = "2", com = ["-0.1", "0.2", "0.1"], inertia = [["0.4", "0.1", "0"], ["0.1", "0.3", "0"], ["0", "0", "0.5"]] },
  { name = "c", mass = "1", com = ["0.2", "0", "0.1"], inertia = ["0.2", "0.2", "0.3"] },
]
)";

// Two derivations that share nothing: recursion over expressions and elimination over parts, on joints of every kind.
TEST(AggregateModel, IsTheCompositeDerivation) {
  for (const char* kind : {"revolute", "prismatic", "weld", "spherical", "cylindrical", "planar", "free"})
    for (const char* other : {"revolute", "prismatic", "spherical", "cylindrical", "weld"}) {
      const auto joint = [](const char* name, const char* type, const char* pair, const char* axis) {
        const std::string kind = type;
        const bool with_axis = kind == "revolute" || kind == "prismatic" || kind == "cylindrical" || kind == "planar";
        return std::string("{ name = \"") + name + "\", type = \"" + type + "\", bodies = " + pair +
               R"(, at = [["0.3", "-0.1", "0.2"], ["-0.2", "0.1", "0.4"]], orient = [["0.8", "0.6", "0", "0"], ["0.6", "0", "0", "0.8"]])" +
               (with_axis ? std::string(", axis = ") + axis : "") + " },\n";
      };
      const std::string text =
          bodies + "joints = [\n" + joint("J1", kind, R"(["frame", "a"])", R"(["0", "0.6", "0.8"])") +
          joint("J2", other, R"(["a", "b"])", "\"y\"") + joint("J3", "revolute", R"(["c", "b"])", "\"x\"") + "]\n" +
          R"(forces = [ { body = "b", at = ["0.1", "0", "0"], force = ["F", "2", "0"], torque = ["0", "1", "T"], in = "a" },
           { joint = "J3", torque = "tau" } ]
springs = [ { between = ["frame", "c"], at = [["1", "1", "0"], ["0", "0", "0.2"]], stiffness = "30", damping = "2", length = "0.3" },
            { joint = "J3", stiffness = "4", damping = "0.5", rest = "0.1" } ]
flywheels = [ { name = "f", on = "c", at = ["0.1", "0", "0"], axis = ["0.6", "0", "0.8"], inertia = "0.05", torque = "u", speed = "Om" } ]
)";
      expect_composite(text, 17, std::string(kind) + " and " + other);
    }
}

TEST(AggregateModel, ElasticBodiesAreThoseOfTheCompositeDerivation) {
  expect_composite(R"([multibody]
gravity = ["0", "-9.81", "0"]
planar = true
bodies = [ { name = "a1" }, { name = "a2" } ]
joints = [ { name = "J1", type = "revolute", bodies = ["frame", "a1"], axis = "z", coordinate = "s1" },
           { name = "J2", type = "revolute", bodies = ["a1", "a2"], at = [["L1","0","0"],["0","0","0"]], axis = "z", coordinate = "s2" } ]
elastic = [ { body="a1", beam={ length="L1", EI="30", rhoA="2", shapes=["(x/L1)^2","(x/L1)^3"], coordinates=["e1b1","e2b1"], damping="0.01" } },
            { body="a2", beam={ length="0.7", EI="12", rhoA="1.5", shapes=["(x/0.7)^2","(x/0.7)^3"], coordinates=["e1b2","e2b2"], tip_mass="0.4" } } ]
springs = [ { joint="J1", stiffness="3", damping="0.2", rest="0.1" } ]
forces = [ { joint = "J2", torque = "tau" } ]
[parameters]
L1 = 1.1
)",
                   5, "two elastic links");
}

// Joints at points that are displaced and turned by modes, on the body nearer to the frame and on the farther one.
TEST(AggregateModel, JointsAtPointsThatDeform) {
  for (const char* type : {"weld", "spherical"})
    expect_composite(std::string(R"([multibody]
gravity = ["1", "-9.81", "2"]
bodies = [ { name = "a", mass = "3", com = ["0.1", "-0.2", "0.3"], inertia = ["0.3", "0.4", "0.5"] },
           { name = "b", mass = "1", com = ["0.2", "0.1", "0"], inertia = ["0.2", "0.3", "0.1"] },
           { name = "c", mass = "2", com = ["0.1", "0", "0.2"], inertia = ["0.2", "0.3", "0.3"] } ]
joints = [ { name = "J1", type = "free", bodies = ["frame", "a"] },
           { name = "J2", type = "weld", bodies = ["a", "b"], at = [["0.5", "0", "0"], ["0.4", "0.1", "0"]], orient = [["0.8", "0.6", "0", "0"], ["1", "0", "0", "0"]] },
           { name = "J3", type = ")") +
                         type + R"(", bodies = ["b", "c"], at = [["0.8", "-0.2", "0.1"], ["0.1", "0.2", "0"]] } ]
forces = [ { body = "b", at = ["0.8", "-0.2", "0.1"], force = ["1", "2", "F"], torque = ["T", "1", "0"] } ]
flywheels = [ { name = "f", on = "a", at = ["0.1", "0.2", "0"], orient = ["0.8", "0", "0.6", "0"], axis = ["0", "0.6", "0.8"], inertia = "0.05", friction = "0.01", torque = "u", speed = "Om", case = { mass = "0.5", inertia = ["0.2", "0.3", "0.4"] } } ]
[[multibody.elastic]]
body = "b"
points = [["0.4", "0.1", "0"], ["0.8", "-0.2", "0.1"]]
masses = ["0.3", "0.4"]
stiffness = [["2", "0.1"], ["0.1", "3"]]
damping = [["0.1", "0"], ["0", "0.2"]]
[[multibody.elastic.modes]]
shape = [["0", "0.1", "0.5"], ["0.1", "0", "1"]]
rotation = [["0.2", "0", "0.1"], ["0", "0.3", "0.1"]]
[[multibody.elastic.modes]]
shape = [["0.2", "0", "0"], ["0.1", "0.4", "0.2"]]
rotation = [["0", "0.1", "0.2"], ["0.1", "0", "0.2"]]
)",
                     23, type);
}

// Without an orbit every body is pulled by itself, its modes too.
TEST(AggregateModel, CentralGravityPullsEveryPart) {
  expect_composite(R"([multibody]
gravity_field = { mu = "50", centre = ["6", "1", "-2"] }
bodies = [ { name = "a", mass = "3", com = ["0.1", "-0.2", "0.3"], inertia = ["0.3", "0.4", "0.5"] },
           { name = "b", mass = "1", com = ["0.2", "0.1", "0"], inertia = ["0.2", "0.3", "0.1"] } ]
joints = [ { name = "J1", type = "free", bodies = ["frame", "a"] },
           { name = "J2", type = "weld", bodies = ["a", "b"], at = [["0.5", "0", "0"], ["0", "0", "0"]] } ]
flywheels = [ { name = "f", on = "a", at = ["0.1", "0", "0"], axis = "z", inertia = "0.05", torque = "u", speed = "Om" } ]
[[multibody.elastic]]
body = "b"
points = [["0.4", "0.1", "0"], ["0.8", "-0.2", "0.1"]]
masses = ["0.3", "0.4"]
stiffness = [["2"]]
[[multibody.elastic.modes]]
shape = [["0", "0", "0.5"], ["0.1", "0", "1"]]
)",
                   11, "a field");
}

TEST(AggregateModel, WhatIsNoAggregateIsRefusedWithItsPlace) {
  const std::string text = bodies + R"(joints = [
{ name = "J1", type = "universal", bodies = ["frame", "a"] },
{ name = "J2", type = "revolute", bodies = ["a", "b"] },
{ name = "J3", type = "revolute", bodies = ["b", "c"] },
{ name = "J4", type = "revolute", bodies = ["a", "c"], cut = true } ]
)";
  try {
    const AggregateModel model(model_of(text));
    FAIL();
  } catch (const Error& error) {
    ASSERT_EQ(error.diagnostics().size(), 2u);
    EXPECT_EQ(error.diagnostics()[0].message, "the joint 'J1' is universal, and connections of an aggregate have constant axes");
    EXPECT_EQ(error.diagnostics()[1].message, "the joint 'J4' closes a loop, and an aggregate is a forest");
    EXPECT_EQ(error.diagnostics()[1].where.line, 13u);
  }
}

TEST(AggregateModel, AnAngleGoesOnBeyondARevolution) {
  const AggregateModel model(model_of(R"([multibody]
bodies = [ { name = "a", mass = "1", inertia = ["1", "1", "1"] } ]
joints = [ { name = "J", type = "revolute", bodies = ["frame", "a"], axis = "z", coordinate = "s" } ]
springs = [ { joint = "J", stiffness = "0.01" } ]
)"));
  const std::vector<double> times{0, 2, 4, 6, 8};
  const AggregateRun r = run(model.aggregate(), model.state({{"Ds", 3}}), times, model.law());
  std::vector<double> values = model.values(r.states[0]);
  for (std::size_t k = 1; k < times.size(); ++k) {
    const double angle = 30 * std::sin(0.1 * times[k]);
    EXPECT_NEAR(r.momentum[k][5], 3 * std::cos(0.1 * times[k]), 1e-7);
    values = model.values(r.states[k], std::vector<double>{angle});
    EXPECT_NEAR(values[0], angle, 1e-6);
  }
}

/// Between two times that are asked for it may turn as often as it likes; it begins where it is said to, whole turns and all.
TEST(AggregateModel, AngleOfASpinCountsItsTurns) {
  const Multibody model = model_of(R"([multibody]
bodies = [ { name = "a", mass = "1", inertia = ["1", "1", "1"] } ]
joints = [ { name = "J", type = "revolute", bodies = ["frame", "a"], axis = "z", coordinate = "s" } ]
springs = [ { joint = "J", stiffness = "0.01" } ]
)");
  MechanismQuestion question;
  question.initial = {{"s", 20}, {"Ds", 40}};
  question.outputs = {"s"};
  const std::vector<double> times{0, 10, 30};
  const AggregateMotion found = aggregate_motion(model, question, times);
  for (std::size_t k = 0; k < times.size(); ++k)
    EXPECT_NEAR(found.signals[0].value.value[k], 20 * std::cos(0.1 * times[k]) + 400 * std::sin(0.1 * times[k]), 1e-5);
}

}  // namespace
}  // namespace sfg
