#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "sfg/expr/print.hpp"
#include "sfg/read/toml.hpp"

namespace sfg {
namespace {

Multibody model(const std::string& text, std::vector<Diagnostic>* notes = nullptr) {
  return std::get<Multibody>(std::get<Model>(read_toml(text, "m.toml", notes)));
}

/// "line:column message" of every error, one a line.
std::string errors(const std::string& text) {
  try {
    read_toml(text, "m.toml");
  } catch (const Error& error) {
    std::string list;
    for (const Diagnostic& d : error.diagnostics())
      if (d.severity == Severity::error) {
        list += std::to_string(d.where.line) + ':' + std::to_string(d.where.column) + ' ' + d.message + '\n';
        EXPECT_FALSE(d.hint.empty()) << d.message << ": what to do?";
      }
    return list;
  }
  return "";
}

std::string printed(const Multibody::Vector& vector) {
  return print(vector[0]) + ", " + print(vector[1]) + ", " + print(vector[2]);
}

using Names = std::vector<std::string>;

constexpr const char* crank = R"toml([multibody]
gravity = ["0", "-g", "0"]
planar = true
bodies = [
  { name = "crank", mass = "m1", com = ["lc1", "0", "0"], inertia = ["0", "0", "I1"] },
  { name = "rod", mass = "m2", com = ["lc2", "0"], inertia = "I2" },
  { name = "slider", mass = 1.5 },
]
joints = [
  { name = "O", bodies = ["frame", "crank"], axis = "z", coordinate = "theta" },
  { name = "G", bodies = ["frame", "slider"], axis = "x" },
  { name = "B", bodies = ["rod", "slider"], at = [["l", "0", "0"], ["0", "0", "0"]] },
]
structure = [[0, 1, 0, 2], [0, 0, 8, 0], [0, 0, 0, 8], [0, 0, 8, 0]]
forces = [{ body = "slider", at = ["0", "0", "0"], force = ["-Fp", "0", "0"], in = "frame" }, { joint = "O", torque = "tau - c*Dtheta" }]
springs = [{ between = ["frame", "slider"], at = [["0", "0", "0"], ["0", "0", "0"]], stiffness = "k", damping = "c", length = "l0" }]
[equilibrium]
theta = "pi/2"
tau = 0
[parameters]
g = 9.81
l = 2
[analysis]
input = "tau"
output = ["theta", "Dtheta", "s2 - theta"]
)toml";

TEST(ReadMultibody, SliderCrankByItsStructureMatrix) {
  const Multibody read = model(crank);
  EXPECT_TRUE(read.planar);
  EXPECT_EQ(printed(read.gravity), "0, -g, 0");
  ASSERT_EQ(read.bodies.size(), 3U);
  EXPECT_EQ(printed(read.bodies[1].com), "lc2, 0, 0");
  EXPECT_EQ(print(read.bodies[1].inertia[2][2]), "I2");
  EXPECT_EQ(print(read.bodies[2].mass), "3/2");
  ASSERT_EQ(read.joints.size(), 4U);  // that between crank and rod is made
  EXPECT_EQ(read.joints[1].kind, Multibody::JointKind::prismatic);
  EXPECT_EQ(printed(read.joints[1].axis), "1, 0, 0");
  EXPECT_TRUE(read.joints[2].cut);
  EXPECT_TRUE(read.joints[2].coordinates.empty());
  EXPECT_EQ(read.joints[3].name, "J2_3");
  EXPECT_EQ(read.joints[3].kind, Multibody::JointKind::revolute);
  EXPECT_EQ(read.coordinate_names(), (Names{"theta", "s2", "s4"}));
  EXPECT_EQ(read.input_names, (Names{"Fp", "tau"}));  // c damps already in the spring
  EXPECT_EQ(print(read.forces[1].along), "tau - Dtheta*c");
  EXPECT_EQ(print(read.springs[0].rest), "l0");
  EXPECT_EQ(read.inputs, Names{"tau"});
  EXPECT_EQ(read.outputs, (Names{"theta", "Dtheta", "s2 - theta"}));
  EXPECT_EQ(print(read.equilibrium->values.at("theta")), "pi/2");
  EXPECT_EQ(read.symbols.at("tau").kind, SymbolKind::input);
  EXPECT_EQ(read.symbols.at("theta").kind, SymbolKind::coordinate);
  EXPECT_EQ(read.symbols.at("c").kind, SymbolKind::parameter);
}

TEST(ReadMultibody, LoopsWithoutMarksAreCutWhereTheSearchFromTheFrameMeetsLast) {
  const Multibody read = model(R"toml([multibody]
planar = true
bodies = [{ name = "a", mass = 1 }, { name = "b", mass = 1 }, { name = "c", mass = 1 }]
joints = [
  { name = "A", type = "revolute", bodies = ["frame", "a"] },
  { name = "B", type = "revolute", bodies = ["a", "b"] },
  { name = "C", type = "revolute", bodies = ["b", "c"] },
  { name = "D", type = "revolute", bodies = ["c", "frame"] },
])toml");
  EXPECT_FALSE(read.joints[0].cut || read.joints[1].cut || read.joints[3].cut);
  EXPECT_TRUE(read.joints[2].cut);
  EXPECT_EQ(read.coordinate_names(), (Names{"s1", "s2", "s4"}));
}

TEST(ReadMultibody, ANamedCoordinateKeepsItsJointInTheTree) {
  const Multibody read = model(R"toml([multibody]
planar = true
bodies = [{ name = "a", mass = 1 }, { name = "b", mass = 1 }]
joints = [
  { name = "A", type = "revolute", bodies = ["frame", "a"] },
  { name = "D", type = "revolute", bodies = ["frame", "b"] },
  { name = "C", type = "revolute", bodies = ["a", "b"], coordinate = "phi" },
])toml");
  EXPECT_FALSE(read.joints[0].cut);
  EXPECT_TRUE(read.joints[1].cut);
  EXPECT_EQ(read.coordinate_names(), (Names{"s1", "phi"}));
}

TEST(ReadMultibody, DefaultNamesOfEveryKindOfJoint) {
  const Multibody read = model(R"toml([multibody]
bodies = [{ name = "a" }, { name = "b" }, { name = "c" }, { name = "d" }, { name = "e" }, { name = "f" }]
joints = [
  { type = "free", bodies = ["frame", "a"] },
  { type = "spherical", bodies = ["a", "b"] },
  { type = "universal", bodies = ["b", "c"], axis = "z", second_axis = "x" },
  { type = "cylindrical", bodies = ["c", "d"], axis = ["0", "3", "4"] },
  { type = "planar", bodies = ["d", "e"], coordinates = ["x", "y", "a"] },
  { type = "weld", bodies = ["e", "f"], orient = [["1", "0", "0", "0"], [0.7071067811865476, 0, 0.7071067811865476, 0]] },
])toml");
  EXPECT_EQ(read.joints[0].coordinates, (Names{"r1x", "r1y", "r1z", "q10", "q11", "q12", "q13"}));
  EXPECT_EQ(read.joints[0].speeds, (Names{"v1x", "v1y", "v1z", "w1x", "w1y", "w1z"}));
  EXPECT_EQ(read.joints[1].coordinates, (Names{"s2q0", "s2q1", "s2q2", "s2q3"}));
  EXPECT_EQ(read.joints[1].speeds, (Names{"w2x", "w2y", "w2z"}));
  EXPECT_EQ(read.joints[2].coordinates, (Names{"s3a", "s3b"}));
  EXPECT_EQ(printed(read.joints[3].axis), "0, 3/5, 4/5");
  EXPECT_EQ(read.joints[4].coordinates, (Names{"x", "y", "a"}));
  EXPECT_TRUE(read.joints[5].coordinates.empty());
  const Multibody::Quaternion& q = read.joints[5].places[1].orientation;  // exactly a quarter of a turn
  EXPECT_TRUE(((q[0] * q[0] + q[2] * q[2]) - 1).expand().is_zero());
  EXPECT_TRUE((q[0] - q[2]).is_zero());
}

TEST(ReadMultibody, InThePlaneFreeIsPlanar) {
  const Multibody read = model(R"toml([multibody]
planar = true
bodies = [{ name = "a", mass = "m", inertia = "I" }]
joints = [{ type = "free", bodies = ["frame", "a"] }]
)toml");
  EXPECT_EQ(read.joints[0].kind, Multibody::JointKind::planar);
  EXPECT_EQ(read.joints[0].coordinates, (Names{"s1a", "s1b", "s1c"}));
}

TEST(ReadMultibody, RatesOfCoordinatesWithSpeedsOfTheirOwnAreThose) {
  const Multibody read = model(R"toml([multibody]
bodies = [{ name = "hub", mass = 5, inertia = [1, 2, 2] }]
joints = [{ type = "free", bodies = ["frame", "hub"] }]
flywheels = [{ name = "wheel", on = "hub", axis = ["0", "0", "2"], inertia = "Jw", speed = "Om", torque = "tau" }]
forces = [{ body = "hub", force = ["-c*Dr1x", "0", "0"], torque = ["0", "0", "-c*Dwheel - k*Dq10"] }]
[parameters]
c = 1
k = 1
)toml");
  EXPECT_EQ(print(read.forces[0].force[0]), "-c*v1x");
  const GiNaC::ex& torque = read.forces[0].torque[2];
  EXPECT_FALSE(torque.has(read.symbols.at("Dwheel").expr) || torque.has(read.symbols.at("Dq10").expr));
  EXPECT_TRUE(torque.has(read.symbols.at("Om").expr) && torque.has(read.symbols.at("w1x").expr));
  EXPECT_EQ(printed(read.flywheels[0].axis), "0, 0, 1");
  EXPECT_EQ(read.input_names, Names{"tau"});
}

TEST(ReadMultibody, GainsOfLawsAreParametersAndReferencesAreInputs) {
  std::vector<Diagnostic> notes;
  const Multibody read = model(R"toml([multibody]
bodies = [{ name = "hub", mass = 5, inertia = [1, 2, 2] }]
joints = [{ type = "free", bodies = ["frame", "hub"] }]
flywheels = [{ name = "w", on = "hub", axis = "y", inertia = "Jw", torque = "tau" }]
sensors = [{ name = "qe", type = "local_vertical" }, { name = "rate", type = "orbital_rate" }]
orbit = { mu = "mu", radius = "r0", inclination = "i" }
control = { tau = "Kp*sign(qe0)*qe2 + Kd*rate2 + ref" }
magnetic = { body = "hub", dipole = ["0", "0", "d"], source = ["0", "0", "m"] }
gravity_field = { mu = "mu" }
normalize = "mass"
)toml",
                               &notes);
  EXPECT_EQ(read.input_names, (Names{"tau", "ref"}));
  EXPECT_EQ(read.symbols.at("Kp").kind, SymbolKind::parameter);
  EXPECT_EQ(read.symbols.at("qe0").kind, SymbolKind::signal);
  EXPECT_EQ(read.sensors[0].body, 1U);
  EXPECT_EQ(notes.size(), 2U);  // Kp and Kd are stated nowhere
  EXPECT_EQ(print(read.orbit->inclination), "i");
  EXPECT_TRUE(read.magnets[0].source.has_value());
  EXPECT_EQ(read.normalization, Multibody::Normalization::mass);
}

TEST(ReadMultibody, ParticlesInBothFormulations) {
  const Multibody read = model(R"toml([multibody]
particles = [{ name = "a", mass = "m1", coordinates = ["x1", "y1"] }, { name = "b", mass = "m2", coordinates = ["x2", "y2"] }]
gravity = ["0", "-g", "0"]
constraints = ["(x2-x1)^2 + (y2-y1)^2 = k^2", { name = "floor", value = "y1" }]
generalized = { x1 = "q1-k/2*cos(q3)", y1 = "q2-k/2*sin(q3)", x2 = "q1+k/2*cos(q3)", y2 = "q2+k/2*sin(q3)" }
forces = [{ body = "a", force = ["fx", "0", "0"] }]
springs = [{ between = ["frame", "b"], stiffness = "c", length = "l0" }]
[parameters]
k = 1.5
)toml");
  EXPECT_EQ(read.generalized_coordinates, (Names{"q1", "q2", "q3"}));
  EXPECT_EQ(read.coordinate_names(), (Names{"q1", "q2", "q3"}));
  EXPECT_EQ(read.constraints[0].name, "f1");
  EXPECT_EQ(read.constraints[1].name, "floor");
  EXPECT_EQ(print(read.particles[0].force[0]), "fx");
  EXPECT_TRUE(read.particles[1].force[0].has(read.symbols.at("c").expr));
  EXPECT_TRUE(read.springs.empty());
}

TEST(ReadMultibody, ElasticBodiesByPointsAndAsBeams) {
  const Multibody read = model(R"toml([multibody]
bodies = [{ name = "hub", mass = 1 }, { name = "panel" }, { name = "arm" }]
joints = [{ type = "weld", bodies = ["frame", "hub"] }, { type = "weld", bodies = ["hub", "panel"] },
          { type = "revolute", bodies = ["hub", "arm"], coordinate = "x" }]
elastic = [
  { body = "panel", points = [["0", "1", "0"], ["0", "2", "0"]], masses = ["m", "m"], stiffness = ["c1", "c2"], modes = [{ shape = [["0", "0", "1"], ["0", "0", "4"]] }, { shape = [["0", "0", "0"], ["0", "0", "1"]], rotation = [["1", "0", "0"], ["2", "0", "0"]] }] },
  { body = "arm", beam = { length = "L", EI = "EI", rhoA = "rhoA", shapes = ["(x/L)^2", "(x/L)^2"], directions = ["y", "z"], damping = "eta" } } ]
)toml");
  ASSERT_EQ(read.elastic.size(), 2U);
  EXPECT_EQ(read.elastic[0].coordinates, (Names{"e1b2", "e2b2"}));
  EXPECT_EQ(printed(read.elastic[0].points[1].modes[1].rotation), "2, 0, 0");
  EXPECT_EQ(print(read.elastic[0].stiffness[1][1]), "c2");
  EXPECT_EQ(print(read.elastic[0].stiffness[0][1]), "0");
  const auto& beam = *read.elastic[1].beam;
  EXPECT_EQ(beam.directions, (std::vector<int>{1, 2}));
  EXPECT_TRUE(beam.shapes[0].has(beam.x));
  EXPECT_FALSE(beam.x.is_equal(read.symbols.at("x").expr));  // the coordinate of the joint is another x
  EXPECT_TRUE(beam.shapes[0].has(read.symbols.at("L").expr));
}

TEST(ReadMultibody, EventsMotionsAndStarts) {
  const Multibody read = model(R"toml([multibody]
planar = true
bodies = [{ name = "a", mass = 1, inertia = 1 }, { name = "b", mass = 1, inertia = 1 }]
joints = [{ name = "A", type = "revolute", bodies = ["frame", "a"], motion = "w*t" },
          { name = "B", type = "revolute", bodies = ["a", "b"] }]
constraints = ["s2 - s1"]
events = [{ name = "bump", type = "stop", coordinate = "s2", above = "0.5", restitution = 0.6 },
          { type = "release", when = "t - 2", releases = ["f1"] }, { type = "end", when = "s2 - 3" }]
assembly = { s2 = 0.1 }
independent = ["s2"]
)toml");
  ASSERT_EQ(read.constraints.size(), 2U);
  EXPECT_EQ(read.constraints[1].name, "A.motion");
  EXPECT_EQ(print(read.constraints[1].value), "s1 - t*w");
  EXPECT_EQ(read.symbols.at("t").kind, SymbolKind::time);
  EXPECT_EQ(print(read.events[0].when), "s2 - 1/2");
  EXPECT_EQ(read.events[0].coordinate, 1U);
  EXPECT_EQ(read.events[1].releases, Names{"f1"});
  EXPECT_EQ(read.independent, Names{"s2"});
  EXPECT_TRUE(read.assembly.contains("s2"));
}

TEST(ReadMultibody, BesideAGraphItIsAPartOfAJoinedModel) {
  const Model read = std::get<Model>(read_toml(R"toml([multibody]
planar = true
bodies = [{ name = "a", mass = "m", com = ["l", "0"] }]
joints = [{ name = "A", type = "revolute", bodies = ["frame", "a"], coordinate = "phi" }]
forces = [{ joint = "A", torque = "M" }]
[graph]
branches = [["ref", "M", "K"], ["phi", "M", "-K"]]
[parameters]
K = 3
[equilibrium]
phi = 0
)toml",
                                               "m.toml"));
  const auto& joined = std::get<Joined>(read);
  ASSERT_EQ(joined.parts.size(), 1U);
  EXPECT_TRUE(std::get<Multibody>(joined.parts[0]).equilibrium.has_value());
  EXPECT_EQ(driven(joined), Names{"M"});
}

TEST(ReadMultibody, RotationMatricesAreQuaternions) {
  const Multibody read = model(R"toml([multibody]
bodies = [{ name = "a", mass = 1 }]
joints = [{ type = "weld", bodies = ["frame", "a"], orient = [[[0, -1, 0], [1, 0, 0], [0, 0, 1]], [[-1, 0, 0], [0, -1, 0], [0, 0, 1]]] }]
)toml");
  const Multibody::Quaternion &quarter = read.joints[0].places[0].orientation, &half = read.joints[0].places[1].orientation;
  EXPECT_TRUE((quarter[0] - quarter[3]).is_zero() && (quarter[0] * quarter[0] - GiNaC::ex(1) / 2).is_zero());
  EXPECT_TRUE(half[0].is_zero() && (half[3] - 1).is_zero());
}

struct WrongBodies {
  std::string text;
  std::string errors;
};

class ReadMultibodyErrors : public testing::TestWithParam<WrongBodies> {};

// Every text stands behind two bodies in the plane, from line 4 on.
constexpr const char* before =
    "[multibody]\nplanar = true\nbodies = [{ name = \"a\", mass = 1, inertia = 1 }, { name = \"b\", mass = 1, inertia = 1 }]\n";
/// The text behind joints A and B in line 4.
std::string jointed(const std::string& text) {
  return "joints = [{ name = \"A\", type = \"revolute\", bodies = [\"frame\", \"a\"] }, { name = \"B\", type = \"revolute\", "
         "bodies = [\"a\", \"b\"] }]\n" +
         text;
}

TEST_P(ReadMultibodyErrors, HavePlaceAndReason) { EXPECT_EQ(errors(before + GetParam().text), GetParam().errors); }

INSTANTIATE_TEST_SUITE_P(
    Joints, ReadMultibodyErrors,
    testing::Values(
        WrongBodies{"joints = [{ type = \"hinge\", bodies = [\"frame\", \"a\"] }]", "4:20 unknown type 'hinge' of a joint\n"},
        WrongBodies{"joints = [{ name = \"A\", bodies = [\"frame\", \"a\"] }]", "4:11 joint 'A' is without a type\n"},
        WrongBodies{"joints = [{ name = \"A\", type = \"revolute\", bodies = [\"frame\", \"c\"] }]",
                    "4:63 the second body of joint 'A' is 'c', which is no body of the model\n"},
        WrongBodies{"joints = [{ name = \"A\", type = \"revolute\", bodies = [\"a\", \"a\"] }]",
                    "4:53 joint 'A' connects 'a' with itself\n"},
        WrongBodies{"joints = [{ name = \"A\", type = \"revolute\", bodies = [\"frame\", \"a\"], axis = \"x\" }]",
                    "4:76 joint 'A' turns about an axis that is not z, and the model is planar\n"},
        WrongBodies{"joints = [{ name = \"A\", type = \"prismatic\", bodies = [\"frame\", \"a\"], axis = [0, 0] }]",
                    "4:77 the axis of joint 'A' has the length 0 and no direction\n"},
        WrongBodies{"joints = [{ name = \"A\", type = \"spherical\", bodies = [\"frame\", \"a\"] }]",
                    "4:11 joint 'A' is spherical, and the model is planar\n"},
        WrongBodies{"joints = [{ name = \"A\", type = \"revolute\", bodies = [\"frame\", \"a\"] }]",
                    "3:50 body 'b' is not connected with the frame by joints\n"},
        WrongBodies{"joints = [{ type = \"revolute\", bodies = [\"frame\", \"a\"], coordinate = \"s\" }, { type = \"weld\", "
                    "bodies = [\"a\", \"b\"], "
                    "coordinate = \"s\" }]",
                    "4:128 joint 'J2' has 0 coordinates, and 1 is named\n4:129 name 's' is that of a coordinate of joint 'J2' "
                    "and also of a coordinate of joint 'J1'\n"},
        WrongBodies{"joints = [{ name = \"A\", type = \"revolute\", bodies = [\"frame\", \"a\"] }, { name = \"A\", type = "
                    "\"weld\", bodies = [\"a\", \"b\"] }]",
                    "4:80 the name 'A' of a joint is taken\n"},
        WrongBodies{"joints = [{ type = \"revolute\", bodies = [\"frame\", \"a\"], coordinate = \"m\" }, { type = \"weld\", "
                    "bodies = [\"a\", \"b\"] }]\n"
                    "[parameters]\nm = 1",
                    "4:71 name 'm' is that of a coordinate of joint 'J1' and has a meaning already\n"},
        WrongBodies{"joints = [{ type = \"revolute\", bodies = [\"frame\", \"a\"], coordinate = \"t\" }, { type = \"weld\", "
                    "bodies = [\"a\", \"b\"] }]",
                    "4:71 name 't' is that of a coordinate of joint 'J1', and it is the time\n"},
        WrongBodies{"joints = [{ type = \"revolute\", bodies = [\"frame\", \"a\"], coordinate = \"pi\" }, { type = \"weld\", "
                    "bodies = [\"a\", \"b\"] }]",
                    "4:71 name 'pi' is the number 3.14159… in every expression, and cannot be that of anything else\n"},
        WrongBodies{"structure = [[0, 1, 0], [0, 0, 8], [0, 2, 0]]",
                    "4:32 the codes 8 in row 2, column 3 and 2 in row 3, column 2 of the structure matrix differ\n"},
        WrongBodies{"structure = [[0, 1], [0, 0]]", "4:13 the structure matrix has 2 rows for the frame and 2 bodies\n"},
        WrongBodies{"structure = [[0, 1, 0], [0, 0, 8], [0, 0, 0]]\njoints = [{ name = \"A\", type = \"prismatic\", bodies = "
                    "[\"frame\", \"a\"] }]",
                    "5:11 joint 'A' is prismatic, and its code 1 in the structure matrix is that of a revolute joint\n"}));

INSTANTIATE_TEST_SUITE_P(
    Loads, ReadMultibodyErrors,
    testing::Values(
        WrongBodies{jointed("forces = [{ force = [\"F\", \"0\"] }]"), "5:11 a force acts on nothing\n"},
        WrongBodies{
            jointed("forces = [{ body = \"frame\", force = [\"F\", \"0\"] }, { joint = \"A\", force = \"F\" }, { body = "
                    "\"a\", force = [\"0\", \"0\", \"F\"] }]"),
            "5:20 a force acts on the frame, which does not move\n5:74 joint 'A' turns and takes a torque, not a force\n"},
        WrongBodies{
            jointed("springs = [{ joint = \"C\", stiffness = \"k\" }, { between = [\"a\", \"b\"] }, { stiffness = \"k\" }]"),
            "5:22 the joint of spring 'spring 1' is 'C', which is no joint of the model\n5:46 spring 'spring 2' has neither a "
            "stiffness nor a "
            "damping\n"
            "5:72 spring 'spring 3' is without a place\n"},
        WrongBodies{jointed("control = { u = \"-s1\" }"),
                    "5:13 a law of 'u', which is no input: no force or torque of that name\n"},
        WrongBodies{jointed("constraints = [\"l - 2\"]"), "5:16 constraint 'f1' has no coordinate in it\n"},
        WrongBodies{jointed("constraints = [\"Ds1 - Ds2\"]"),
                    "5:16 constraint 'f1' has the rate 'Ds1' in it\n5:16 constraint 'f1' has the rate 'Ds2' in it\n"},
        WrongBodies{jointed("gravity = [\"0\", \"0\", \"-g\"]"),
                    "5:22 gravity has a component along z, and the model is planar\n"},
        WrongBodies{jointed("gravity = [\"0\"]"), "5:11 gravity has 1 component, not 2 or 3\n"},
        WrongBodies{jointed("frces = []"), "5:1 unknown key 'frces' in [multibody]\n"},
        WrongBodies{
            jointed("elastic = [{ body = \"a\", beam = { length = \"L\", EI = \"EI\", rhoA = \"r\", shapes = [\"sin(x)\"] } }]"),
            "5:82 a shape of the beam 'a' is no polynomial in x\n"},
        WrongBodies{
            jointed("elastic = [{ body = \"a\", points = [[1, 0]], masses = [1, 2], modes = [{ shape = [[0, 1]] }], "
                    "stiffness = [[1, 2]] }]"),
            "5:54 elastic body 'a' has 1 point and 2 masses\n5:107 the stiffness of elastic body 'a' has 2 entries for 1 mode\n"},
        WrongBodies{jointed("sensors = [{ name = \"q\", type = \"attitude\", body = \"a\" }]"),
                    "5:12 sensor 'q' measures in space, and the model is planar\n"},
        WrongBodies{jointed("events = [{ type = \"stop\", coordinate = \"s3\", above = 1 }, { type = \"release\", when = "
                            "\"t-1\", releases = [\"A\"] }]"),
                    "5:41 event 'event 1' is about 's3', which is no coordinate\n5:107 event 'event 2' releases 'A', a joint "
                    "that has coordinates\n"},
        WrongBodies{jointed("assembly = { x = 1 }\nindependent = [\"y\"]\nnormalize = \"yes\""),
                    "5:14 name 'x' in assembly is no coordinate\n6:17 name 'y' in independent is no coordinate\n7:13 normalize = "
                    "'yes' is not known\n"},
        WrongBodies{jointed("[equilibrium]\ns3 = 1"),
                    "6:1 name 's3' in the equilibrium is no coordinate, rate, speed or input\n"}));

// What a program has computed differs by its rounding; more than that is a mistake.
TEST(MultibodyDocument, MatricesAreSymmetricUpToRounding) {
  std::uint64_t random = 5;
  const auto next = [&] {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return double(random >> 40) / double(1u << 24) - 0.5;
  };
  for (int trial = 0; trial < 40; ++trial) {
    const double off = trial % 2 == 0 ? 4e-16 : 1e-9;
    std::array<std::array<double, 3>, 3> m{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j <= i; ++j) m[i][j] = m[j][i] = i == j ? 3 + next() : next();
    const std::size_t row = 1 + std::size_t(trial) % 2, column = (row + 1 + std::size_t(trial / 2) % 2) % 3;
    m[row][column] += off * (std::abs(m[row][column]) + 0.5);
    std::string rows;
    for (const auto& each : m) {
      std::string entries;
      for (const double entry : each) entries += (entries.empty() ? "" : ", ") + print(entry);
      rows += (rows.empty() ? "[" : ", [") + entries + "]";
    }
    const std::string inertia = "[multibody]\nbodies = [{ name = \"a\", mass = 2, inertia = [" + rows + "] }]\n" +
                                "joints = [{ name = \"f\", type = \"free\", bodies = [\"frame\", \"a\"] }]\n";
    EXPECT_EQ(errors(inertia).find("is not symmetric") != std::string::npos, off > 1e-12) << inertia << errors(inertia);
    if (off > 1e-12) continue;
    const Multibody::Matrix3 read = model(inertia).bodies[0].inertia;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < i; ++j) EXPECT_TRUE(read[i][j].is_equal(read[j][i]));
  }
  EXPECT_EQ(errors("[multibody]\nbodies = [{ name = \"a\", mass = 2, inertia = [[\"J\", \"0.3*m\", 0], "
                   "[\"0.30000000000000004*m\", \"J\", 0], [0, 0, \"J\"]] }]\n"
                   "joints = [{ name = \"f\", type = \"free\", bodies = [\"frame\", \"a\"] }]\n"),
            "");
}

TEST(MultibodyDocument, InThePlaneTheRoundingOfAComputedRotationIsNone) {
  const Multibody read = model(R"toml([multibody]
planar = true
bodies = [{ name = "a", mass = 2, inertia = 1 }]
joints = [{ name = "J", type = "revolute", bodies = ["frame", "a"], axis = [6.123e-17, 0, 1], orient = [[0.8, -1.2e-17, 6e-17, 0.6], [1, 0, 0, 0]] }]
)toml");
  EXPECT_EQ(printed(read.joints[0].axis), "0, 0, 1");
  EXPECT_TRUE(read.joints[0].places[0].orientation[2].is_zero());
}

// Small rotations are outputs of the linear model by the names that it gives them.
TEST(MultibodyDocument, SmallRotationsAreOutputs) {
  const std::string bodies =
      "[multibody]\nbodies = [{ name = \"a\", mass = 2, inertia = [1, 2, 3] }, { name = \"b\", mass = 1, inertia = [1, 1, 1] }]\n"
      "joints = [{ name = \"f\", type = \"free\", bodies = [\"frame\", \"a\"] }, "
      "{ name = \"g\", type = \"spherical\", bodies = [\"a\", \"b\"], speeds = [\"n1\", \"n2\", \"n3\"] }]\n[analysis]\n";
  EXPECT_EQ(model(bodies + "output = [\"theta1x\", \"theta1z\", \"theta_n2\"]\n").outputs,
            (Names{"theta1x", "theta1z", "theta_n2"}));
  EXPECT_NE(errors(bodies + "output = [\"theta1w\"]\n"), "");
}

}  // namespace
}  // namespace sfg
