// The composite recursion against Lagrange's equations: M and F agree modulo primes at random points.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace sfg
