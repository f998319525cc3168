// The explicit method of order 8 against motions in closed form: errors follow the tolerance down to rounding, within steps as at
// their ends.
#include "sfg/nonlinear/run/dormand_prince.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sfg/error.hpp"

namespace {

using namespace sfg;
using Eigen::VectorXd;

/// Kepler's ellipse of eccentricity e and semi-major axis 1, from its perihelion; the period is 2π.
struct Ellipse {
  double e;
  static bool rate(double, const VectorXd& x, VectorXd& xdot) {
    const double r = std::hypot(x[0], x[1]);
    xdot.resize(4);
    xdot << x[2], x[3], -x[0] / (r * r * r), -x[1] / (r * r * r);
    return true;
  }
  VectorXd at(double t) const {
    double E = t;
    for (int i = 0; i < 50; ++i) E -= (E - e * std::sin(E) - t) / (1 - e * std::cos(E));
    VectorXd x(4);
    const double b = std::sqrt(1 - e * e), rate = 1 / (1 - e * std::cos(E));
    x << std::cos(E) - e, b * std::sin(E), -std::sin(E) * rate, b * std::cos(E) * rate;
    return x;
  }
};

TEST(DormandPrince, ErrorsFollowTheTolerance) {
  for (const double e : {0.0, 0.3, 0.7}) {
    const Ellipse ellipse{e};
    for (const double rtol : {1e-6, 1e-9, 1e-12}) {
      DormandPrince run({.size = 4, .rate = Ellipse::rate, .rtol = rtol, .atol = 1e-3 * rtol});
      run.start(0, ellipse.at(0));
      double at_ends = 0, within = 0;
      while (run.now() < 20) {
        const DormandPrince::Step step = run.step(20);
        at_ends = std::max(at_ends, (run.at(step.to) - ellipse.at(step.to)).cwiseAbs().maxCoeff());
        for (const double part : {0.21, 0.5, 0.83}) {
          const double t = step.from + part * (step.to - step.from);
          within = std::max(within, (run.at(t) - ellipse.at(t)).cwiseAbs().maxCoeff());
        }
      }
      EXPECT_LT(at_ends, 2000 * rtol + 1e-12) << e << " " << rtol;
      EXPECT_LT(within, 2000 * rtol + 1e-12) << e << " " << rtol;
    }
  }
}

TEST(DormandPrince, AStepAnewIsAsGoodAsOneThatGoesOn) {
  const Ellipse ellipse{0.5};
  DormandPrince run({.size = 4, .rate = Ellipse::rate, .rtol = 1e-12, .atol = 1e-15});
  run.start(0, ellipse.at(0));
  while (run.now() < 10) {
    const double t = run.step(10).to;
    run.start(t, ellipse.at(t));
  }
  EXPECT_LT((run.state() - ellipse.at(10)).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(DormandPrince, NoStepIsLongerThanItMayBe) {
  DormandPrince run({.size = 1, .rate = [](double, const VectorXd& x, VectorXd& rate) { return rate = -x, true; }});
  run.start(0, VectorXd::Ones(1));
  run.limit(0.01);
  while (run.now() < 1) {
    const DormandPrince::Step step = run.step(1);
    EXPECT_LE(step.to - step.from, 0.010001);
  }
  EXPECT_NEAR(run.state()[0], std::exp(-1), 1e-9);
}

TEST(DormandPrince, WhatGrowsWithoutBoundIsRefused) {
  const auto rate = [](double, const VectorXd& x, VectorXd& into) { return into = x.cwiseProduct(x), true; };
  DormandPrince run({.size = 1, .rate = rate});
  run.start(0, VectorXd::Ones(1));
  EXPECT_THROW(while (run.now() < 2) run.step(2), NoAnswer);
}

// After a long stretch that steps of any length follow, the first ones of an oscillation are refused, and lead far away.
TEST(DormandPrince, AStepThatWasRefusedLeavesTheToleranceAsItWas) {
  bool swings = false;
  DormandPrince run({.size = 2,
                     .rate =
                         [&](double, const VectorXd& x, VectorXd& xdot) {
                           xdot = swings ? Eigen::Vector2d(x[1], -100 * x[0]) : Eigen::Vector2d(0, 0);
                           return true;
                         },
                     .rtol = 1e-10,
                     .atol = 1e-13});
  run.start(0, Eigen::Vector2d(1, 0));
  while (run.now() < 1000) run.step(1000);
  swings = true;
  run.start(1000, run.state());
  while (run.now() < 1010) run.step(1010);
  EXPECT_NEAR(run.state()[0], std::cos(100), 1e-8);
}

}  // namespace
