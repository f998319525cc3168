// Loops in which nothing moves, or a body turns about one line: a door in two hinges, a shaft in two bearings, two plates bolted
// twice. Their constraints hold whatever moves; what rounding leaves of their rows must not pass for constraints.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <sstream>

#include "sfg/derive/multibody/linear_motion.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/multibody/constraint_check.hpp"
#include "sfg/multibody/motion_state.hpp"
#include "sfg/read/toml.hpp"

namespace sfg {
namespace {

/// A chain on hinges with skew axes, which ends in two welded bodies; `twice` closes loops along its joints.
class Chain {
 public:
  explicit Chain(unsigned seed) : random_(seed) {}

  std::string operator()(bool twice, std::map<std::string, double>& state) {
    std::ostringstream bodies, joints, springs;
    for (auto* out : {&bodies, &joints, &springs}) out->precision(17);
    const int hinges = 1 + int(random_() % 3);
    for (int i = 1; i <= hinges + 1; ++i) {
      const bool weld = i == hinges + 1;
      const Point a = point(), b = point(), axis = point(), com = point();
      bodies << "{ name = \"b" << i << "\", mass = 1.5, com = " << com
             << ", inertia = [[1.1, 0.1, -0.1], [0.1, 1.3, 0.2], [-0.1, 0.2, 1.5]] },\n";
      std::ostringstream ends, turning;
      ends.precision(17), turning.precision(17);
      ends << "bodies = [\"" << (i == 1 ? "frame" : "b" + std::to_string(i - 1)) << "\", \"b" << i << "\"], at = [";
      turning << ", axis = " << axis;
      joints << "{ name = \"J" << i << "\", type = \"" << (weld ? "weld" : "revolute") << "\", " << ends.str() << a << ", " << b
             << ']';
      if (!weld) {
        joints << turning.str() << ", coordinate = \"q" << i << '"';
        springs << "{ joint = \"J" << i << "\", stiffness = 80, damping = 0.5 },\n";
        state["q" + std::to_string(i)] = unit() - 0.5;
        state["Dq" + std::to_string(i)] = unit() - 0.5;
      }
      joints << " },\n";
      const double far = 1 + unit();
      const unsigned kind = random_() % 3;
      if (!twice || (i > 1 && kind == 0)) continue;
      const bool hinge = kind == 1 && !weld;
      joints << "{ name = \"L" << i << "\", type = \"" << (hinge ? "revolute" : "spherical") << "\", " << ends.str()
             << along(a, axis, far) << ", " << along(b, axis, far) << ']' << (hinge ? turning.str() : "") << ", cut = true },\n";
    }
    return "[multibody]\ngravity = [1, 2, -9]\nbodies = [\n" + bodies.str() + "]\njoints = [\n" + joints.str() +
           "]\nsprings = [\n" + springs.str() + "]\n[equilibrium]\nfind = true\n";
  }

 private:
  struct Point : std::array<double, 3> {
    friend std::ostream& operator<<(std::ostream& out, const Point& p) {
      return out << '[' << p[0] << ", " << p[1] << ", " << p[2] << ']';
    }
  };
  double unit() { return double(random_() % 10007) / 10007; }
  Point point() { return {{unit() - 0.5, unit() - 0.5, unit() - 0.3}}; }
  static Point along(const Point& from, const Point& axis, double far) {
    return {{from[0] + far * axis[0], from[1] + far * axis[1], from[2] + far * axis[2]}};
  }
  std::mt19937 random_;
};

Multibody model(const std::string& text) { return std::get<Multibody>(std::get<Model>(read_toml(text, "chain.toml"))); }

class IdleLoops : public testing::TestWithParam<unsigned> {};

TEST_P(IdleLoops, ChangeNoMotion) {
  std::map<std::string, double> state, same;
  const Multibody once = model(Chain(GetParam())(false, state)), twice = model(Chain(GetParam())(true, same));
  const MultibodyEquations tree = multibody_equations(once), loops = multibody_equations(twice);
  const MotionState wanted = motion_at(tree, state), found = motion_at(loops, same);
  EXPECT_EQ(found.rank, 0U);
  for (std::size_t i = 0; i < wanted.accelerations.size(); ++i)
    EXPECT_NEAR(found.accelerations[i].second, wanted.accelerations[i].second,
                1e-9 * (1 + std::abs(wanted.accelerations[i].second)));
  for (const auto& [joint, wrench] : found.reactions)
    for (const double component : wrench) EXPECT_LT(std::abs(component), 1e4) << joint;
  const ConstraintCheck check = constraint_check(twice, loops, {.drop_redundant = true});
  EXPECT_EQ(check.freedoms(), wanted.accelerations.size());
}

TEST_P(IdleLoops, ChangeNoSmallMotion) {
  std::map<std::string, double> state;
  const Multibody once = model(Chain(GetParam())(false, state)), twice = model(Chain(GetParam())(true, state));
  const MultibodyLinearization wanted = linearized(once, multibody_equations(once)),
                               found = linearized(twice, multibody_equations(twice));
  ASSERT_EQ(found.coordinates, wanted.coordinates);
  for (std::size_t i = 0; i < wanted.K.size(); ++i)
    for (std::size_t j = 0; j < wanted.K.size(); ++j)
      EXPECT_NEAR(double_value(found.K[i][j]).value(), double_value(wanted.K[i][j]).value(), 1e-9 * 80);
}

INSTANTIATE_TEST_SUITE_P(Chains, IdleLoops, testing::Range(1U, 13U));

}  // namespace
}  // namespace sfg
