// Steps between events by the explicit method and by CVODE against a motion with dry friction in closed form.
#include "sfg/nonlinear/run/switched_steps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace {

using namespace sfg;
using Eigen::VectorXd;

// x'' = −w² x − R sign(x') from rest at x0: every half turn brings it nearer by 2R/w², until the spring no longer moves it.
TEST(SwitchedSteps, DryFrictionTurnsAroundWhereItDoesInClosedForm) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> any(0, 1);
  for (int instance = 0; instance < 40; ++instance) {
    const double w = std::pow(10, 2 * any(random) - 1), R = w * w * (0.01 + 0.3 * any(random)), x0 = 1 + 3 * any(random);
    for (const bool simple : {true, false}) {
      const double within = simple ? 1e-8 : 1e-6;
      double sign = -1;  // of the rate
      Integrator::Problem problem;
      problem.size = 2;
      problem.rate = [&](double, const VectorXd& x, VectorXd& rate) {
        rate = Eigen::Vector2d(x[1], -w * w * x[0] - R * sign);
        return true;
      };
      problem.switches = 1;
      problem.switching = [&](double, const VectorXd& x, double* g) { *g = sign * x[1] + 1e-14 * w; };
      problem.rtol = 1e-10, problem.atol = 1e-13;
      SwitchedSteps steps(problem, simple);
      EXPECT_EQ(steps.starts_cheaply(), simple);
      VectorXd x = Eigen::Vector2d(x0, 0);
      steps.start(0, x);
      int turns = 0;
      for (double amplitude = x0; w * w * amplitude > R; amplitude = std::abs(x[0])) {
        Integrator::Step step{};
        while (!step.switched) step = steps.step(1e4 / w);
        ++turns;
        x = steps.at(step.to);
        EXPECT_EQ(steps.changes(), std::vector<int>{-1});
        EXPECT_NEAR(step.to, turns * std::numbers::pi / w, within / w);
        EXPECT_NEAR(std::abs(x[0]), std::abs(x0 - 2 * turns * R / (w * w)), within * x0);
        sign = -sign;
        x[1] = 0;
        steps.start(step.to, x);
      }
      EXPECT_EQ(turns, static_cast<int>(std::ceil((x0 * w * w / R - 1) / 2)));
    }
  }
}

}  // namespace
