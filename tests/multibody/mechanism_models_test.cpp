#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>

#include "multibody/systems.hpp"
#include "sfg/multibody/mechanism_motion.hpp"

/// Motions of models stated by bodies and joints, against trajectories published with the method and against each other.
namespace sfg {
namespace {

using namespace test;
using Json = nlohmann::json;

Multibody model_of(const std::string& toml) { return std::get<Multibody>(std::get<Model>(read_toml(toml, "test.toml"))); }

Multibody model_file(const std::string& name) {
  std::ifstream in(std::string(SFG_TEST_DATA) + "/multibody/" + name);
  return model_of({std::istreambuf_iterator<char>(in), {}});
}

MechanismQuestion question(std::vector<InitialValue> initial, std::vector<std::string> outputs) {
  MechanismQuestion asked;
  asked.time = GiNaC::symbol("t");
  asked.initial = std::move(initial);
  asked.outputs = std::move(outputs);
  return asked;
}

std::vector<double> evenly(double until, std::size_t points) {
  std::vector<double> times(points);
  for (std::size_t i = 0; i < points; ++i) times[i] = until * static_cast<double>(i) / static_cast<double>(points - 1);
  return times;
}

/// The largest difference of a signal from a column of a published table.
double farthest(const MechanismRun& run, std::size_t signal, const Json& rows, std::size_t column) {
  double most = 0;
  EXPECT_EQ(run.time.size(), rows.size());
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    const double expected = rows[i].is_array() ? rows[i][column].get<double>() : rows[i].get<double>();
    most = std::max(most, std::abs(run.signals[signal].value.value[i] - expected));
  }
  return most;
}

double last(const MechanismRun& run, std::size_t signal) { return run.signals[signal].value.value.back(); }

bool says(const MechanismRun& run, const std::string& words) {
  for (const Diagnostic& note : run.notes)
    if (note.message.find(words) != std::string::npos) return true;
  return false;
}

// Slider-crank: every joint may be the one that is cut.
std::string slider_crank_cut_at(char cut) {
  const auto joint = [&](char name, const std::string& kind, const std::string& places, const std::string& coordinate) {
    return std::string("{ name = \"") + name + "\", type = \"" + kind + "\", " + places +
           (name == cut ? ", cut = true }" : ", coordinate = \"" + coordinate + "\" }");
  };
  return R"toml([multibody]
gravity = ["0", "-g", "0"]
planar = true
bodies = [ { name = "crank", mass = "m1", com = ["l1", "0", "0"], inertia = ["0", "0", "I1"] },
           { name = "rod", mass = "m2", com = ["l2", "0", "0"], inertia = ["0", "0", "I2"] },
           { name = "slider", mass = "m3" } ]
joints = [ )toml" +
         joint('O', "revolute", R"(bodies = ["frame", "crank"])", "s1") + ",\n" +
         joint('A', "revolute", R"(bodies = ["crank", "rod"], at = [["r", "0", "0"], ["0", "0", "0"]])", "s2") + ",\n" +
         joint('B', "revolute", R"(bodies = ["rod", "slider"], at = [["l", "0", "0"], ["0", "0", "0"]])", "s4") + ",\n" +
         joint('G', "prismatic", R"(bodies = ["frame", "slider"])", "s3") + R"toml( ]
[parameters]
r = 0.2
l = 0.6
l1 = 0.08
l2 = 0.25
m1 = 1.1
m2 = 0.9
m3 = 1.6
I1 = 0.012
I2 = 0.031
g = 9.81
)toml";
}

TEST(MechanismModels, TheMotionDoesNotDependOnWhichJointIsCut) {
  const Json o = oracle("slider_crank.json")["trajectory"];
  const std::vector<double> times = o["t"];
  const double beta = std::asin(-std::sin(0.3) / 3), rate = -0.2 * std::cos(0.3) * 6 / (0.6 * std::cos(beta));
  const std::map<char, std::vector<InitialValue>> starts{{'B', {{"s1", 0.3}, {"Ds1", 6}}},
                                                         {'A', {{"s1", 0.3}, {"Ds1", 6}}},
                                                         {'G', {{"s1", 0.3}, {"Ds1", 6}}},
                                                         {'O', {{"s2", beta - 0.3}, {"Ds2", rate - 6}, {"s4", -beta}}}};
  double reaction = 0;
  for (const auto& [cut, start] : starts) {
    const MechanismRun run = mechanism_run(model_of(slider_crank_cut_at(cut)),
                                           question(start, {"phi(crank)", "x(slider)", "wz(crank)", "fx(A)"}), times);
    EXPECT_LT(farthest(run, 0, o["theta"], 0), 1e-7) << cut;
    EXPECT_LT(farthest(run, 1, o["coordinates_max"], 6), 1e-7) << cut;
    EXPECT_LT(farthest(run, 2, o["omega"], 0), 1e-6) << cut;
    EXPECT_LT(run.energy.unaccounted, 1e-7);
    EXPECT_EQ(run.freedoms, 1U);
    EXPECT_TRUE(run.notes.empty());
    if (cut == 'A') reaction = last(run, 3);
    EXPECT_NEAR(last(run, 3), reaction, 1e-4) << cut;  // at the joint, whoever carries it
  }
}

// Angles of bodies are sums of coordinates in the plane: however fast it turns between two samples, and within expressions.
TEST(MechanismModels, AnglesOfBodiesAreCountedThroughTheirTurns) {
  const Multibody model = model_of(R"(
[multibody]
planar = true
bodies = [{ name = "wheel", mass = 1, inertia = 0.1 }, { name = "arm", mass = 1, inertia = 0.2 }]
joints = [
  { name = "O", type = "revolute", bodies = ["frame", "wheel"], coordinate = "a" },
  { name = "P", type = "revolute", bodies = ["wheel", "arm"], coordinate = "b", orient = [["0", "0", "0", "1"], ["1", "0", "0", "0"]] },
]
)");
  const std::vector<double> times{0, 1, 2, 3};
  const MechanismRun run = mechanism_run(
      model, question({{"a", 0.5}, {"Da", 40}, {"b", -0.3}, {"Db", -39.5}}, {"phi(wheel)", "phi(arm)", "2*phi(wheel)", "a + b"}),
      times);
  const double pi = std::acos(-1.0), offset = run.signals[1].value.value[0] - 0.2;
  EXPECT_NEAR(std::abs(offset), pi, 1e-9);  // the arm stands turned by half a turn
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_NEAR(run.signals[0].value.value[i], 0.5 + 40 * times[i], 1e-8);
    EXPECT_NEAR(run.signals[1].value.value[i], run.signals[3].value.value[i] + offset, 1e-8);
    EXPECT_NEAR(run.signals[2].value.value[i], 2 * run.signals[0].value.value[i], 1e-8);
  }
}

// About a tilted axis the heading is no integral of the rate about z: it is followed through its turns.
TEST(MechanismModels, HeadingsInSpaceAreCountedThroughTheirTurns) {
  const Multibody model = model_of(R"(
[multibody]
gravity = ["0", "0", "0"]
bodies = [{ name = "b", mass = "1", com = ["0", "0", "0"], inertia = ["1", "1", "1"] }]
joints = [{ name = "J", type = "revolute", bodies = ["frame", "b"], axis = ["0", "3/5", "4/5"], coordinate = "q" }]
)");
  const std::vector<double> times{0, 4, 8, 12, 16, 20};
  const MechanismRun run = mechanism_run(model, question({{"Dq", 1}}, {"phi(b)"}), times);
  const double two_pi = 2 * std::acos(-1.0);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double t = times[i], heading = std::atan2(0.8 * std::sin(t), std::cos(t));
    const double turns = std::round((t - heading) / two_pi);  // it meets t at every quarter turn
    EXPECT_NEAR(run.signals[0].value.value[i], heading + two_pi * turns, 1e-8) << t;
  }
}

// Four-bar linkage, in the plane and in space, where three of its constraints are redundant.
std::string four_bar_model(bool planar, double b = 0.35, double c = 0.28,
                           const std::string& assembly = R"(s2 = "0.3", s3 = "1.6")") {
  const auto inertia = [&](const std::string& I) {
    return planar ? "[\"0\", \"0\", \"" + I + "\"]" : "[\"" + I + "\", \"" + I + "\", \"" + I + "\"]";
  };
  return std::string("[multibody]\ngravity = [\"0\", \"-g\", \"0\"]\n") + (planar ? "planar = true\n" : "") +
         "bodies = [ { name = \"crank\", mass = \"m1\", com = [\"l1\", \"0\", \"0\"], inertia = " + inertia("I1") +
         " },\n { name = \"coupler\", mass = \"m2\", com = [\"l2\", \"o2\", \"0\"], inertia = " + inertia("I2") +
         " },\n { name = \"rocker\", mass = \"m3\", com = [\"l3\", \"0\", \"0\"], inertia = " + inertia("I3") + " } ]\n" +
         R"toml(joints = [
  { name = "O", type = "revolute", bodies = ["frame", "crank"], axis = "z", coordinate = "s1" },
  { name = "A", type = "revolute", bodies = ["crank", "coupler"], at = [["a", "0", "0"], ["0", "0", "0"]], axis = "z", coordinate = "s2" },
  { name = "C", type = "revolute", bodies = ["frame", "rocker"], at = [["d", "0", "0"], ["0", "0", "0"]], axis = "z", coordinate = "s3" },
  { name = "B", type = "revolute", bodies = ["coupler", "rocker"], at = [["b", "0", "0"], ["c", "0", "0"]], axis = "z", cut = true } ]
forces = [ { joint = "O", torque = "tau" } ]
assembly = { )toml" +
         assembly + " }\n[parameters]\na = 0.12\nb = " + std::to_string(b) + "\nc = " + std::to_string(c) + R"toml(
d = 0.4
l1 = 0.05
l2 = 0.16
o2 = 0.04
l3 = 0.13
m1 = 0.7
m2 = 1.3
m3 = 0.9
I1 = 0.0021
I2 = 0.0165
I3 = 0.0087
g = 9.81
)toml";
}

TEST(MechanismModels, RedundantConstraintsInSpaceLeaveTheMotionOfThePlane) {
  const Json o = oracle("four_bar.json")["trajectory"];
  for (const bool planar : {true, false}) {
    MechanismQuestion asked = question({{"s1", 0.4}, {"Ds1", 9}}, {"s1", "Ds1"});
    asked.inputs.push_back({"tau", GiNaC::ex(o["constant_tau"].get<double>())});
    const MechanismRun run = mechanism_run(model_of(four_bar_model(planar)), asked, o["t"].get<std::vector<double>>());
    EXPECT_LT(farthest(run, 0, o["theta"], 0), 1e-6);
    EXPECT_EQ(run.freedoms, 1U);
    EXPECT_EQ(run.rank, 2U);
    EXPECT_EQ(says(run, "3 of 5 constraints follow from the others"), !planar);
    EXPECT_NEAR(run.energy.work, 0.05 * (last(run, 0) - 0.4), 1e-8);
  }
}

/// A parallelogram passes the positions in which it is flat, where it may fold.
TEST(MechanismModels, SingularPositionsOnTheWayAreSaid) {
  const Multibody model = model_of(four_bar_model(true, 0.4, 0.12, R"(s2 = "-1", s3 = "1")"));
  const MechanismRun run = mechanism_run(model, question({{"s1", 1}, {"Ds1", 6}}, {"s1"}), evenly(1, 11));
  EXPECT_TRUE(says(run, "singular position"));
  const MechanismRun before = mechanism_run(model, question({{"s1", 1}, {"Ds1", 6}}, {"s1"}), evenly(0.3, 11));
  EXPECT_FALSE(says(before, "singular position"));
  // Beginning there is said, too.
  const MechanismRun flat = mechanism_run(model_of(four_bar_model(true, 0.4, 0.12, R"(s2 = "0", s3 = "0")")),
                                          question({{"s1", 0}}, {"s1"}), evenly(0.01, 3));
  EXPECT_TRUE(says(flat, "the rank of the constraints drops from 2 to 1"));
}

TEST(MechanismModels, FlexibleArmsFollowThePublishedTrajectory) {
  const Json o = oracle("flexible_two_link.json")["trajectory_release_from_straight"];
  const MechanismRun run = mechanism_run(model_file("flexible_two_link.toml"),
                                         question({{"s1", 0}, {"s2", 0}, {"e1b1", 0}, {"e2b1", 0}, {"e1b2", 0}, {"e2b2", 0}},
                                                  {"s1", "s2", "e1b1", "e2b1", "e1b2", "e2b2", "Ds1"}),
                                         o["t"].get<std::vector<double>>());
  for (std::size_t k = 0; k < 7; ++k) EXPECT_LT(farthest(run, k, o["y [x, xd]"], k), 1e-6) << k;
  EXPECT_LT(run.energy.unaccounted, 1e-8);
}

const std::vector<InitialValue> wheels{{"Om1", 20}, {"Om2", -10}, {"Om3", 5}};
const std::vector<std::string> craft_signals{"q0", "q1", "q2", "q3", "w1",  "w2",  "w3",
                                             "b1", "t1", "b2", "t2", "Om1", "Om2", "Om3"};

void expect_craft(const MechanismRun& run, const Json& o) {
  for (std::size_t k = 0; k < craft_signals.size(); ++k) {
    const char* table = k < 4 ? "q" : k < 7 ? "w_body" : k < 11 ? "e" : "Omega";
    const std::size_t column = k < 4 ? k : k < 7 ? k - 4 : k < 11 ? k - 7 : k - 11;
    EXPECT_LT(farthest(run, k, o[table], column), 1e-7) << craft_signals[k];
  }
}

/// A hub with three wheels and two elastic panels, 13 freedoms.
TEST(MechanismModels, ASpacecraftKeepsEnergyAndMomentum) {
  const Json o = oracle("spacecraft.json")["free_motion_no_damping"];
  std::vector<InitialValue> start = wheels;
  for (const auto& [name, value] : std::map<std::string, double>{{"w1", 0.05}, {"w2", 0.08}, {"w3", -0.03}, {"b1", 0.1}})
    start.push_back({name, value});
  const MechanismRun run =
      mechanism_run(model_file("spacecraft_free.toml"), question(start, craft_signals), o["t"].get<std::vector<double>>());
  expect_craft(run, o);
  EXPECT_EQ(run.freedoms, 13U);
  EXPECT_TRUE(run.energy.conserved);
  EXPECT_NEAR(run.energy.start, o["energy"].get<double>(), 1e-9);
  EXPECT_LT(run.energy.unaccounted, 1e-8);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(run.angular_momentum.start[i], o["H_inertial"][i].get<double>(), 1e-9);
  EXPECT_LT(run.angular_momentum.change, 1e-7);
  EXPECT_LT(run.momentum.change, 1e-7);
}

/// 40 degrees by a control law on quaternions and rates.
TEST(MechanismModels, AControlledSpacecraftTurnsAsPublished) {
  const Json o = oracle("spacecraft.json")["manoeuvre"];
  const MechanismRun run =
      mechanism_run(model_file("spacecraft_manoeuvre.toml"), question(wheels, craft_signals), o["t"].get<std::vector<double>>());
  expect_craft(run, o);
  EXPECT_FALSE(run.energy.conserved);
  EXPECT_LT(run.energy.unaccounted, 1e-6);
  EXPECT_LT(run.angular_momentum.change, 1e-9);
}

TEST(MechanismModels, PrescribedMotionNeedsTheForceOfNewton) {
  const std::string pendulum = R"toml([multibody]
gravity = ["0", "-g", "0"]
planar = true
bodies = [ { name = "b1", mass = "m", com = ["l", "0", "0"], inertia = ["0", "0", "J"] } ]
joints = [ { name = "O", type = "revolute", bodies = ["frame", "b1"], axis = "z", coordinate = "s1" } ]
constraints = ["s1 - w*t - sin(t)"]
[parameters]
g = 9.81
m = 1
l = 0.5
J = 0.1
w = 2
)toml";
  const MechanismRun run = mechanism_run(model_of(pendulum), question({}, {"s1", "lambda(f1)", "x(b1)", "DDs1"}), evenly(2, 21));
  EXPECT_EQ(run.freedoms, 0U);
  EXPECT_TRUE(run.notes.empty());
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    const double t = run.time[i], angle = 2 * t + std::sin(t);
    EXPECT_NEAR(run.signals[0].value.value[i], angle, 1e-10);
    EXPECT_NEAR(run.signals[1].value.value[i], -(0.1 + 0.25) * std::sin(t) + 9.81 * 0.5 * std::cos(angle), 1e-8);
    EXPECT_NEAR(run.signals[3].value.value[i], -std::sin(t), 1e-9);
  }
  EXPECT_LT(run.energy.unaccounted, 1e-7);
}

const char* const oscillator = R"toml([multibody]
planar = true
bodies = [ { name = "b1", mass = "m" } ]
joints = [ { name = "O", type = "prismatic", bodies = ["frame", "b1"], axis = "x", coordinate = "x" } ]
forces = [ { joint = "O", force = "-mu*sign(Dx)" } ]
springs = [ { name = "S", joint = "O", stiffness = "k", rest = "0" } ]
events = [ { name = "cut", type = "release", when = "t - tc", releases = ["S"] } ]
[parameters]
m = 1
k = 4
mu = 0.5
tc = 100
)toml";

/// Coulomb friction takes 2 mu/k of the amplitude in every half period, until the spring is too weak.
TEST(MechanismModels, FrictionSticks) {
  const MechanismRun run = mechanism_run(model_of(oscillator), question({{"x", 0.6}}, {"x"}), evenly(10, 101));
  EXPECT_NEAR(last(run, 0), 0.1, 1e-8);  // 0.6, -0.35, 0.1: the spring pulls with 0.4 < mu
  EXPECT_TRUE(run.notes.empty());
  EXPECT_LT(run.energy.unaccounted, 1e-8);
}

TEST(MechanismModels, ASpringIsReleased) {
  std::string text = oscillator;
  text.replace(text.find("mu = 0.5"), 8, "mu = 0  ");
  text.replace(text.find("tc = 100"), 8, "tc = 1  ");
  const MechanismRun run = mechanism_run(model_of(text), question({{"x", 1}}, {"x", "Dx"}), evenly(3, 31));
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_NEAR(run.events[0].time, 1, 1e-10);
  EXPECT_NEAR(last(run, 0), std::cos(2.0) - 2 * std::sin(2.0) * 2, 1e-8);
  EXPECT_NEAR(run.energy.events, -2 * std::cos(2.0) * std::cos(2.0), 1e-8);
  EXPECT_LT(run.energy.unaccounted, 1e-8);
}

TEST(MechanismModels, WithoutProjectionTheDriftStays) {
  std::string text = four_bar_model(true);
  text.replace(text.find("forces ="), 8, "normalize = \"off\"\nforces =");
  const MechanismRun run = mechanism_run(model_of(text), question({{"s1", 0.4}, {"Ds1", 9}}, {"s1"}), evenly(2, 21));
  EXPECT_EQ(run.drift.projections, 0U);
  EXPECT_GT(run.drift.position_before, 1e-15);
  EXPECT_LT(run.drift.position_before, 1e-6);
}

TEST(MechanismModels, AnEventThatHoldsFromTheStartIsSaid) {
  std::string text = oscillator;
  text.replace(text.find("t - tc"), 6, "1 - 0*t");
  text.replace(text.find("mu = 0.5"), 8, "mu = 0  ");
  const MechanismRun run = mechanism_run(model_of(text), question({{"x", 1}}, {"x"}), evenly(1, 3));
  EXPECT_TRUE(says(run, "holds at the start already"));
  EXPECT_TRUE(run.events.empty());
}

/// A heavy top: the energy, and the moments about the vertical and its own axis.
TEST(MechanismModels, ATopKeepsWhatLagrangeSays) {
  const Multibody top = model_of(R"toml([multibody]
gravity = ["0", "0", "-9.81"]
bodies = [ { name = "top", mass = "1", com = ["0", "0", "0.3"], inertia = ["0.1", "0.1", "0.02"] } ]
joints = [ { name = "O", type = "spherical", bodies = ["frame", "top"], coordinates = ["q0", "q1", "q2", "q3"], speeds = ["w1", "w2", "w3"] } ]
)toml");
  const MechanismRun run =
      mechanism_run(top, question({{"q0", 2}, {"q1", 1}, {"w3", 60}}, {"w3", "q0^2+q1^2+q2^2+q3^2"}), evenly(5, 51));
  EXPECT_TRUE(says(run, "have the length 2.23606"));
  for (std::size_t i = 0; i < run.time.size(); ++i) {
    EXPECT_NEAR(run.signals[0].value.value[i], 60, 1e-7);
    EXPECT_NEAR(run.signals[1].value.value[i], 1, 1e-14);
  }
  EXPECT_LT(run.energy.unaccounted, 1e-6);
  EXPECT_NEAR(run.angular_momentum.end[2], run.angular_momentum.start[2], 1e-7);
}

TEST(MechanismModels, ADeadMechanismIsSaid) {
  std::string text = four_bar_model(true);
  text.replace(text.find("forces ="), 8, "constraints = [\"s1 - 2/5\"]\nforces =");
  const MechanismRun run = mechanism_run(model_of(text), question({{"s1", 0.4}}, {"s1"}), evenly(1, 3));
  EXPECT_EQ(run.freedoms, 0U);
  EXPECT_TRUE(says(run, "dead mechanism"));
  EXPECT_NEAR(last(run, 0), 0.4, 1e-12);
}

}  // namespace
}  // namespace sfg
