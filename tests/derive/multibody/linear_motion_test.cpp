#include "sfg/derive/multibody/linear_motion.hpp"

#include <gtest/gtest.h>

#include "derive/multibody/pendulum.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {
namespace {

TEST(LinearMotion, HangingDoublePendulum) {
  const Multibody model = pendulum(2);
  const MultibodyLinearization linear = linearized(model, multibody_equations(model));
  EXPECT_EQ(linear.coordinates, (std::vector<std::string>{"s1", "s2"}));
  EXPECT_EQ(print(linear.M[0][0]), "I1 + I2 + l1^2*m2 + 2*l1*lc2*m2 + lc1^2*m1 + lc2^2*m2");
  EXPECT_EQ(print(linear.K[1][1]), "g*lc2*m2");
}

}  // namespace
}  // namespace sfg
