// The composite recursion against Lagrange's equations: M and F agree modulo primes at random points.
#include <gtest/gtest.h>

#include "derive/multibody/bodies_case.hpp"
#include "derive/multibody/lagrange_of_bodies.hpp"
#include "derive/multibody/pendulum.hpp"
#include "sfg/ring/modular.hpp"

namespace sfg {
namespace {

using namespace test;

std::size_t position(const EquationsOfMotion& motion, const std::string& speed) {
  for (std::size_t k = 0; k < motion.speeds.size(); ++k)
    if (motion.speeds[k].name == speed) return k;
  ADD_FAILURE() << "no speed " << speed;
  return 0;
}

/// At two points modulo each of two primes.
void expect_same(const Multibody& model) {
  const MultibodyEquations composite = multibody_equations(model), lagrange = lagrange_of_bodies(model);
  const EquationsOfMotion &a = composite.motion, &b = lagrange.motion;
  ASSERT_EQ(a.speeds.size(), b.speeds.size());
  std::uint64_t seed = 0;
  for (const std::uint64_t prime : {ring::ModularRing::mersenne61, ring::ModularRing::below61})
    for (int trial = 0; trial < 2; ++trial) {
      ResiduePoint of_composite(prime, ++seed);
      for (const auto& quaternion : lagrange.quaternions) {
        std::vector<std::string> names;
        for (const std::size_t j : quaternion) names.push_back(b.coordinates[j].name);
        of_composite.set_quaternion(names);
      }
      ResiduePoint of_lagrange = of_composite;
      of_composite.define(a.definitions);
      for (std::size_t i = 0; i < a.speeds.size(); ++i) {
        const std::size_t row = position(b, a.speeds[i].name);
        EXPECT_EQ(of_composite(a.F[i]), of_lagrange(b.F[row])) << "F of " << a.speeds[i].name;
        for (std::size_t k = 0; k < a.speeds.size(); ++k)
          EXPECT_EQ(of_composite(a.M[i][k]), of_lagrange(b.M[row][position(b, a.speeds[k].name)]))
              << "M of " << a.speeds[i].name << " and " << a.speeds[k].name;
      }
    }
}

TEST(LagrangeIdentity, Pendulums) {
  for (const std::size_t n : {1, 2, 3, 4}) {
    SCOPED_TRACE(n);
    expect_same(pendulum(n));
  }
}

TEST(LagrangeIdentity, CartAndPendulum) { expect_same(bodies_of_file("cart_pendulum.toml")); }

TEST(LagrangeIdentity, ElasticArm) { expect_same(bodies_of_file("flexible_two_link.toml")); }

TEST(LagrangeIdentity, TreesOfTheFourBarAndTheSliderCrank) {
  expect_same(bodies_of_file("four_bar_linear.toml"));
  expect_same(bodies(R"(
[multibody]
gravity = ["0", "-g", "0"]
planar = true
bodies = [{ name = "crank", mass = "m1", com = ["l1", "0", "0"], inertia = ["0", "0", "I1"] },
          { name = "rod", mass = "m2", com = ["l2", "o2", "0"], inertia = ["0", "0", "I2"] }, { name = "slider", mass = "m3" }]
joints = [{ name = "O", type = "revolute", bodies = ["frame", "crank"], axis = "z", coordinate = "s1" },
          { name = "A", type = "revolute", bodies = ["crank", "rod"], at = [["r", "0", "0"], ["a", "b", "0"]], axis = "z", coordinate = "s2" },
          { name = "G", type = "prismatic", bodies = ["frame", "slider"], at = [["0", "h", "0"], ["0", "0", "0"]], axis = "x", coordinate = "s3" },
          { name = "B", type = "revolute", bodies = ["rod", "slider"], at = [["l", "0", "0"], ["0", "0", "0"]], axis = "z", cut = true }]
forces = [{ joint = "O", torque = "tau" }, { body = "slider", force = ["F", "0", "0"], in = "frame" }, { body = "rod", at = ["l2", "0", "0"], force = ["P", "Q", "0"], in = "body" }]
springs = [{ joint = "G", stiffness = "k", damping = "c", rest = "s0" }]
)"));
}

/// Masses off the joints, inertia products, a branch, torques in axes of a body.
TEST(LagrangeIdentity, SpatialTree) {
  expect_same(bodies(R"(
[multibody]
gravity = ["gx", "0", "-g"]
bodies = [{ name = "a", mass = "m1", com = ["x1", "y1", "z1"], inertia = [["A1", "D1", "0"], ["D1", "B1", "0"], ["0", "0", "C1"]] },
          { name = "b", mass = "m2", com = ["x2", "0", "z2"], inertia = ["A2", "B2", "C2"] },
          { name = "c", mass = "m3", com = ["0", "y3", "0"], inertia = ["A3", "B3", "C3"] }]
joints = [{ name = "O", type = "revolute", bodies = ["frame", "a"], axis = "z", coordinate = "s1" },
          { name = "P", type = "revolute", bodies = ["a", "b"], at = [["l1", "0", "l2"], ["0", "h", "0"]], axis = "x", coordinate = "s2" },
          { name = "Q", type = "prismatic", bodies = ["a", "c"], at = [["0", "l3", "0"], ["0", "0", "0"]], axis = ["3/5", "0", "4/5"], coordinate = "s3" }]
forces = [{ body = "b", at = ["0", "0", "l4"], force = ["F", "0", "0"], in = "body" }, { body = "c", torque = ["0", "M", "0"], in = "body" }, { joint = "Q", force = "N" }]
)"));
}

TEST(LagrangeIdentity, CylindricalAndUniversalJoints) {
  expect_same(bodies(R"(
[multibody]
gravity = ["0", "0", "-g"]
bodies = [{ name = "a", mass = "m1", com = ["x1", "0", "z1"], inertia = ["A1", "B1", "C1"] }, { name = "b", mass = "m2", com = ["0", "0", "z2"], inertia = ["A2", "B2", "C2"] }]
joints = [{ name = "O", type = "cylindrical", bodies = ["frame", "a"], axis = "z", coordinates = ["u", "d"] },
          { name = "P", type = "universal", bodies = ["a", "b"], at = [["l", "0", "0"], ["0", "0", "h"]], axis = "x", second_axis = "y", coordinates = ["v", "w"] }]
)"));
}

TEST(LagrangeIdentity, FreeBodyWithAPendulumAndAWheel) {
  expect_same(bodies(R"(
[multibody]
gravity = ["0", "0", "-g"]
bodies = [{ name = "hub", mass = "m", com = ["cx", "0", "cz"], inertia = ["A", "B", "C"] }, { name = "arm", mass = "m2", com = ["0", "0", "-l"], inertia = ["A2", "B2", "C2"] }]
joints = [{ name = "free", type = "free", bodies = ["frame", "hub"], coordinates = ["x", "y", "z", "q0", "q1", "q2", "q3"], speeds = ["vx", "vy", "vz", "wx", "wy", "wz"] },
          { name = "P", type = "revolute", bodies = ["hub", "arm"], at = [["a", "0", "b"], ["0", "0", "0"]], axis = "y", coordinate = "s" }]
flywheels = [{ name = "wheel", on = "hub", at = ["0", "h", "0"], axis = ["0", "3/5", "4/5"], inertia = "Jw", torque = "tau", speed = "Om", case = { mass = "mw", inertia = ["E", "E", "E"] } }]
forces = [{ body = "hub", at = ["0", "0", "d"], force = ["0", "F", "0"], in = "body" }]
)"));
}

TEST(LagrangeIdentity, SphericalPendulumOnASphericalPendulum) {
  expect_same(bodies(R"(
[multibody]
gravity = ["0", "0", "-g"]
bodies = [{ name = "a", mass = "m1", com = ["0", "0", "-l1"], inertia = ["A1", "B1", "C1"] }, { name = "b", mass = "m2", com = ["0", "0", "-l2"], inertia = ["A2", "B2", "C2"] }]
joints = [{ name = "O", type = "spherical", bodies = ["frame", "a"], coordinates = ["p0", "p1", "p2", "p3"], speeds = ["u1", "u2", "u3"] },
          { name = "P", type = "spherical", bodies = ["a", "b"], at = [["0", "0", "-l"], ["0", "0", "0"]], coordinates = ["q0", "q1", "q2", "q3"], speeds = ["w1", "w2", "w3"] }]
)"));
}

TEST(LagrangeIdentity, ElasticBodyByPointsWithABodyAtItsTip) {
  expect_same(bodies(R"(
[multibody]
gravity = ["0", "-g", "0"]
planar = true
bodies = [{ name = "arm" }, { name = "tool", mass = "m", com = ["c", "0", "0"], inertia = ["0", "0", "J"] }]
joints = [{ name = "O", type = "revolute", bodies = ["frame", "arm"], axis = "z", coordinate = "s1" },
          { name = "T", type = "revolute", bodies = ["arm", "tool"], at = [["L", "0", "0"], ["0", "0", "0"]], axis = "z", coordinate = "s2" }]
elastic = [{ body = "arm", points = [["L/2", "0", "0"], ["L", "0", "0"]], masses = ["mp1", "mp2"], coordinates = ["e"], modes = [{ shape = [["0", "1/4", "0"], ["0", "1", "0"]], rotation = [["0", "0", "1/L"], ["0", "0", "2/L"]] }], stiffness = [["kf"]], damping = [["cf"]] }]
)"));
}

TEST(LagrangeIdentity, ParticlesInGeneralisedCoordinates) {
  expect_same(bodies(R"-(
[multibody]
gravity = ["0", "-g", "0"]
particles = [{ name = "a", mass = "m1", coordinates = ["x1", "y1"] }, { name = "b", mass = "m2", coordinates = ["x2", "y2"] }]
generalized = { x1 = "q1 - k/2*cos(q3)", y1 = "q2 - k/2*sin(q3)", x2 = "q1 + k/2*cos(q3)", y2 = "q2 + k/2*sin(q3)" }
)-"));
}

}  // namespace
}  // namespace sfg
