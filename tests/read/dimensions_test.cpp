#include "sfg/read/toml.hpp"

#include <gtest/gtest.h>

#include "read/problems.hpp"
#include "sfg/model/quantities.hpp"
#include "sfg/read/input.hpp"

namespace sfg {
namespace {

std::vector<std::string> conflicts(const std::string& text, InputFormat format = InputFormat::toml) {
  std::vector<std::string> found;
  for (const Diagnostic& conflict : read(text, format, "m").dimensions.conflicts) found.push_back(to_string(conflict));
  return found;
}

/// A mass on a spring with a damper: T, Π, Φ and the units of m, k, c.
std::string oscillator(const std::string& T, const std::string& Pi, const std::string& m, const std::string& k,
                       const std::string& signals = R"(x = "m", F = "N")") {
  return "units = { " + signals + " }\n[lagrange]\ncoordinates = [\"x\"]\nforces = { x = \"F\" }\nT = \"" + T + "\"\nPi = \"" +
         Pi + "\"\nPhi = \"c*Dx^2/2\"\n[parameters]\nm = { value = 3, unit = \"" + m + "\" }\nk = { value = 80, unit = \"" + k +
         "\" }\nc = { value = 2, unit = \"N*s/m\" }\n";
}

void expect_one(const std::vector<std::string>& found, const std::vector<std::string>& parts) {
  ASSERT_EQ(found.size(), 1U) << (found.empty() ? "" : found[1]);
  for (const std::string& part : parts) EXPECT_NE(found[0].find(part), std::string::npos) << part << " in " << found[0];
}

TEST(Dimensions, AConsistentModelIsSilent) {
  EXPECT_EQ(conflicts(oscillator("m*Dx^2/2", "k*x^2/2", "kg", "N/m")), std::vector<std::string>{});
  EXPECT_EQ(conflicts(oscillator("m*Dx^2/2", "k*x^2/2 - m*9.81*x", "kg", "N/m")), std::vector<std::string>{});
  EXPECT_EQ(conflicts(oscillator("0.5*m*Dx^2", "k*(1 - cos(x/l))*l^2", "kg", "N/m")), std::vector<std::string>{});
}

TEST(Dimensions, TheSummandIsNamedAsItIsWritten) {
  expect_one(conflicts(oscillator("m*Dx^2/2", "k*x^2/2", "kg", "N")), {"m:6:7: error", "'k*x^2/2' is in J*m", "an energy in J"});
  expect_one(conflicts(oscillator("m*Dx^2/2", "k*x/2*x + k*x", "kg", "N/m")), {"m:6:17: error", "'k*x'", "in N,"});
  expect_one(conflicts(oscillator("m*(Dx + x)^2/2", "k*x^2/2", "kg", "N/m")), {"'x' is in m", "'Dx'"});
  expect_one(conflicts(oscillator("m*Dx^2/2", "k*x^2*cos(x)", "kg", "N/m")), {"'x' is in m", "cos"});
}

TEST(Dimensions, UnitsOfUnlikeSizesAreNoSum) {
  // 80 kN/mm is 80e6 N/m, and stands in the equations as 80
  expect_one(conflicts(oscillator("m*Dx^2/2", "k*x^2/2", "kg", "kN/mm")),
             {"m:6:7: error: the units differ in size", "'k*x^2/2' is in 10^6 J", "an energy in J", "values are not converted"});
  // a force in N along millimetres: N mm beside N/m mm²
  expect_one(conflicts(oscillator("m*Dx^2/2", "k*x^2/2", "kg", "N/m", R"(x = "mm", F = "N")")), {"'F' is in N", "10^-3 N"});
  EXPECT_EQ(conflicts(oscillator("m*Dx^2/2", "k*x^2/2*1e-6", "g", "N/m", R"(x = "mm", F = "uN")")).size(), 1U);  // c*Dx^2/2
}

TEST(Dimensions, AnySystemOfUnitsIsOne) {
  // mm and t: forces in N, energies in mJ
  const std::string text = oscillator("m*Dx^2/2", "k*x^2/2", "t", "N/mm", R"(x = "mm", F = "N")");
  const std::string own = text.substr(0, text.rfind("N*s/m")) + "N*s/mm\" }\n";
  EXPECT_EQ(conflicts(own), std::vector<std::string>{});
  EXPECT_EQ(read(own, InputFormat::toml, "m").dimensions.unit("Dx"), "10^-3 m/s");
}

TEST(Dimensions, AFactorConverts) {
  const auto gain = [](const std::string& text) {
    return conflicts("digraph { units=\"x=mm, phi=deg, F=N, y=1, k=N/m\"; x -> F [gain=\"" + text +
                         "\"]; phi -> y [nonlinear=\"sin(pi/180*u)\"]; }",
                     InputFormat::dot);
  };
  EXPECT_EQ(gain("k/1000"), std::vector<std::string>{});
  expect_one(gain("k"), {"'k' is in N/m", "the gain from 'x' to 'F' in 10^3 N/m"});
}

TEST(Dimensions, DegreesAreNoRadians) {
  const auto with = [](const std::string& l, const std::string& angle, const std::string& start) {
    return conflicts(R"([multibody]
planar = true
bodies = [{ name = "a", mass = "m", com = ["l", 0], inertia = 1 }]
joints = [{ name = "A", type = "revolute", bodies = ["frame", "a"], coordinate = "phi" }]
assembly = { phi = ")" +
                     start + R"(" }
[parameters]
m = { value = 2, unit = "kg" }
l = { value = 5, unit = ")" +
                     l + R"(" }
phi0 = { value = 3, unit = ")" +
                     angle + "\" }\n");
  };
  EXPECT_EQ(with("m", "rad", "phi0"), std::vector<std::string>{});
  EXPECT_EQ(with("m", "deg", "phi0*pi/180"), std::vector<std::string>{});
  expect_one(with("m", "deg", "phi0"), {"'phi0' is in deg", "the value of 'phi' in 1"});
  expect_one(with("mm", "rad", "phi0"), {"'l' is in 10^-3 m", "the centre of mass of 'a' in m"});
}

TEST(Dimensions, WhatASimulationStartsFromAndIsDrivenByIsInTheUnitsOfItsSignals) {
  const auto with = [](const std::string& simulation) {
    return conflicts(R"(units = { x = "m", F = "N" }
[lagrange]
coordinates = ["x"]
forces = { x = "F" }
T = "m*Dx^2/2"
Pi = "k*x^2/2"
[parameters]
m = { value = 3, unit = "kg" }
k = { value = 80, unit = "N/m" }
x0 = { value = 10, unit = "mm" }
v0 = { value = 2, unit = "m/s" }
A = { value = 2, unit = "kN" }
w = { value = 2, unit = "1/s" }
alpha = { value = 30, unit = "deg" }
[simulation]
)" + simulation);
  };
  EXPECT_EQ(with("initial = { x = 0.1, Dx = \"v0\" }"), std::vector<std::string>{});
  EXPECT_EQ(with("initial = { x = \"x0/1000\" }"), std::vector<std::string>{});
  expect_one(with("initial = { x = \"x0\" }"), {"'x0' is in 10^-3 m, but 'x' is in m", "values are not converted"});
  expect_one(with("initial = { x = \"v0\" }"), {"m:16:18", "the dimensions differ: 'v0' is in m/s, but 'x' is in m"});
  expect_one(with("initial = { Dx = \"alpha\" }"), {"'alpha' is in deg, but 'Dx' is in m/s"});
  for (const char* drive : {"sin(t)", "3", "step(t - 2)", "t", "1000*A*sin(w*t)", "k*0.1*t", "exp(-w*t)"})
    EXPECT_EQ(with("inputs = { F = \"" + std::string(drive) + "\" }"), std::vector<std::string>{}) << drive;
  expect_one(with("inputs = { F = \"A*sin(w*t)\" }"), {"'A*sin(w*t)' is in 10^3 N, but 'F' is in N"});
}

TEST(Dimensions, AForceIsAnEnergyByItsCoordinate) {
  expect_one(conflicts(oscillator("m*Dx^2/2", "k*x^2/2", "kg", "N/m", R"(x = "m", F = "N*m")")), {"'F'", "J", "N"});
  EXPECT_EQ(conflicts(oscillator("m*Dx^2/2", "k*x^2/2", "kg*m^2", "N*m/rad", R"(x = "rad", F = "N*m")")).size(), 1U);  // c
}

TEST(Dimensions, BranchesBetweenThePartsOfAJoinedModelAreChecked) {
  const auto with = [](const std::string& unit_of_gain) {
    return conflicts(oscillator("m*Dx^2/2", "k*x^2/2", "kg", "N/m") + "g = { value = 1, unit = \"" + unit_of_gain +
                     "\" }\n[graph]\nnodes = [\"r\"]\nbranches = [[\"Dx\", \"F\", \"-g\"]]\n");
  };
  EXPECT_EQ(with("N*s/m"), std::vector<std::string>{});
  expect_one(with("N/m"), {"'-g' is in N/m", "the gain from 'Dx' to 'F'"});
}

TEST(Dimensions, WhatIsNotStatedIsInferred) {
  const Input input = read(R"(units = { x = "m" }
[lagrange]
coordinates = ["x"]
forces = { x = "F" }
T = "m*Dx^2/2"
Pi = "k*x^2/2"
[parameters]
m = { value = 3, unit = "kg" }
)",
                           InputFormat::toml, "m");
  EXPECT_EQ(input.dimensions.conflicts.size(), 0U);
  EXPECT_EQ(input.dimensions.quantities->unit("k"), "N/m");
  EXPECT_EQ(input.dimensions.unit("F"), "N");
  EXPECT_EQ(input.dimensions.unit("Dx"), "m/s");
  EXPECT_EQ(input.dimensions.unit("x - x"), "m");
  EXPECT_EQ(input.dimensions.unit("y"), "");
}

TEST(Dimensions, TheOperatorIsAFrequency) {
  const std::string graph = R"dot(digraph { units="k=N/m, c=N*s/m, m=kg, F=N, x=m";
    F -> x [gain="1/(m*s^2 + c*s + k)"]; })dot";
  EXPECT_EQ(conflicts(graph, InputFormat::dot), std::vector<std::string>{});
  std::string wrong = graph;
  wrong.replace(wrong.find("c*s +"), 3, "c*s^2");
  expect_one(conflicts(wrong, InputFormat::dot), {"m:2:", "'c*s^2'", "N/m"});
  wrong = graph;
  wrong.replace(wrong.find("F=N"), 3, "F=V");
  EXPECT_EQ(conflicts(wrong, InputFormat::dot).size(), 1U);
}

TEST(Dimensions, SamplesAreCountedByNumbers) {
  const std::string graph = R"dot(digraph { variable="z"; units="a=1, u=V, y=V"; u -> y [gain="1/(z - a)"]; })dot";
  EXPECT_EQ(conflicts(graph, InputFormat::dot), std::vector<std::string>{});
}

TEST(Dimensions, ANodeIsNotTheParameterOfItsName) {
  const Input input =
      read(R"dot(digraph { parameters="k=2"; units="k=N/m, x=m, y=N"; x -> y [gain=k]; y -> k; })dot", InputFormat::dot, "m");
  EXPECT_EQ(input.dimensions.conflicts.size(), 0U);
  EXPECT_EQ(input.dimensions.unit("k"), "N");
}

TEST(Dimensions, TheEquationsOfAMatrix) {
  const std::string system = R"(units = { x = "m", F = "N" }
[matrix]
unknowns = ["x"]
inputs = ["F"]
D = [["m*s^2 + k"]]
B = [[1]]
[parameters]
m = { value = 1, unit = "kg" }
k = { value = 1, unit = "N" }
)";
  expect_one(conflicts(system), {"m:5:16: error", "'k' is in N", "'x'", "in N/m"});
}

TEST(Dimensions, VoltagesAndCurrentsOfACircuit) {
  const Input input = read("* rc\nV1 in 0 1\nR1 in out 1k\nC1 out 0 1u\nI2 out 0 0\n", InputFormat::spice, "m");
  EXPECT_EQ(input.dimensions.unit("v(out)"), "V");
  EXPECT_EQ(input.dimensions.unit("i(R1)"), "A");
  EXPECT_EQ(input.dimensions.unit("V1"), "V");
  EXPECT_EQ(input.dimensions.unit("I2"), "A");
}

TEST(Dimensions, CheckGivesErrors) {
  const auto found = test::problems(oscillator("m*Dx^2/2", "k*x^2/2", "kg", "N"), InputFormat::toml, "m");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::error);
}

TEST(Dimensions, AUnitOfNoSignalIsAnError) {
  EXPECT_THROW(read("units = { y = \"m\" }\n[lagrange]\ncoordinates = [\"x\"]\nT = \"m*Dx^2/2\"\n", InputFormat::toml, "m"),
               Error);
  EXPECT_THROW(read("units = { y = \"m\" }\n[graph]\nbranches = [[\"a\", \"b\", \"k\"]]\n", InputFormat::toml, "m"), Error);
}

TEST(Dimensions, AUnitThatIsNotKnownIsSaid) {
  const Input input = read(oscillator("m*Dx^2/2", "k*x^2/2", "kg", "foo"), InputFormat::toml, "m");
  ASSERT_EQ(input.dimensions.notes.size(), 1U);
  EXPECT_NE(input.dimensions.notes[0].message.find("'foo'"), std::string::npos);
}

}  // namespace
}  // namespace sfg
