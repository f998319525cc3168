#include "sfg/nonlinear/run/taylor_run.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <random>
#include <sstream>

#include "sfg/expr/parse.hpp"
#include "sfg/nonlinear/run/integrator.hpp"
#include "sfg/nonlinear/run/time_constants.hpp"
#include "sfg/read/dot.hpp"

namespace {

using namespace sfg;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Masses in a row between random springs and dampers, every third spring with a random smooth law.
std::string chain(std::mt19937_64& random, int masses) {
  const std::vector<std::string> laws{"30*u^3",      "5*sin(2*u)",      "exp(u/2) - 1",  "4*u/(1 + u^2)",
                                      "3*tanh(2*u)", "2*v*u^2 - u^5/4", "atan(3*u + v)", "sqrt(1 + u^2) - cos(u)",
                                      "u^2*cos(t)",  "log(2 + sin(u))", "sinh(u)/2",     "asin(tanh(u)/2)"};
  std::uniform_real_distribution<double> number(0.5, 2);
  std::ostringstream text;
  text << "digraph { variable=\"p\"; w -> r1;";
  for (int i = 1; i <= masses; ++i)
    text << "r" << i << " -> x" << i << " [gain=\"1/(" << number(random) << "*p^2)\"]; x" << i << " -> r" << i << " [gain=\"-("
         << number(random) / 10 << "*p + " << number(random) << ")\"];";
  for (int i = 1; i < masses; ++i) {
    text << "x" << i << " -> e" << i << "; x" << i + 1 << " -> e" << i << " [gain=-1]; e" << i << " -> s" << i << " [gain=\""
         << number(random) / 5 << "*p + " << 5 * number(random) << "\"]; s" << i << " -> r" << i << " [gain=-1]; s" << i
         << " -> r" << i + 1 << ";";
    if (i % 3 == 1) text << "e" << i << " -> s" << i << " [nonlinear=\"" << laws[random() % laws.size()] << "\"];";
  }
  text << "}";
  return text.str();
}

struct Case {
  Case(const std::string& text, const std::string& signal, const std::vector<std::string>& outputs, double until)
      : graph(read_dot(text, "test.dot")), until(until) {
    SymbolTable symbols;
    question.time = symbols.symbol("t");
    question.drives.push_back({*graph.find("w"), parse(signal, symbols)});
    for (const auto& output : outputs) question.outputs.push_back(*graph.find(output));
    system = std::make_unique<CoupledSystem>(graph, principal_form(graph, driven_nodes(question), question.outputs), question,
                                             until, Budget());
  }
  std::vector<double> corners() const {
    std::vector<double> found = system->corners(until, {});
    found.push_back(until);
    return found;
  }
  /// The last output at the times, by CVODE and the rates as they are defined.
  std::vector<double> by_rates(const std::vector<double>& times) {
    system->reset();
    Integrator integrator({.size = system->size(),
                           .rate = [&](double t, const VectorXd& x, VectorXd& rate) { return system->rate(t, x, rate); },
                           .rtol = 1e-12,
                           .atol = 1e-14});
    VectorXd x = system->start();
    double t = 0;
    std::vector<double> found;
    for (const double corner : corners()) {
      system->drives().piece(t, corner);
      integrator.start(t, x);
      while (t < corner) {
        integrator.limit(0.3 * system->longest_step(t));
        const auto step = integrator.step(corner);
        for (; found.size() < times.size() && times[found.size()] <= step.to; t = step.to)
          found.push_back(system->outputs(times[found.size()], integrator.at(times[found.size()])).tail(1)[0]);
        t = step.to;
      }
      x = integrator.at(t);
    }
    return found;
  }

  SignalFlowGraph graph;
  SimulationQuestion question;
  double until;
  std::unique_ptr<CoupledSystem> system;
};

constexpr Fineness fine{1e-11, 1e-13, 0.3};

TEST(TaylorRun, FollowsRandomChainsAsTheIntegratorOfTheirRates) {
  std::mt19937_64 random(29);
  const std::vector<std::string> signals{"cos(3*t)", "step(t) - 2*step(t - 1.3)", "t^12/1000*exp(-t)", "abs(sin(2*t))",
                                         "floor(t)", "exp(-40*(t - 2.1)^2)"};
  for (int round = 0; round < 24; ++round) {
    const int masses = 2 + static_cast<int>(random() % 9);
    const std::string text = chain(random, masses), signal = signals[static_cast<std::size_t>(round) % signals.size()];
    Case made(text, signal, {"x1", "x" + std::to_string(masses)}, 4);
    const std::vector<double> times{0, 0.3, 1.1, 1.29, 1.31, 2.2, 3.7, 4};
    const auto found = taylor_run(*made.system, made.corners(), times, fine, {});
    ASSERT_TRUE(found) << text;
    const std::vector<double> expected = made.by_rates(times);
    ASSERT_EQ(found->values.size(), times.size());
    ASSERT_EQ(expected.size(), times.size());
    for (std::size_t i = 0; i < times.size(); ++i)
      EXPECT_NEAR(found->values[i][1], expected[i], 1e-9) << text << ' ' << signal << " at " << times[i];
  }
}

/// What has not been reached yet is left out of the sums: it comes in from both sides of where the force is.
TEST(TaylorRun, ReachesFarMassesFromTheMiddle) {
  std::mt19937_64 random(7);
  std::string text = chain(random, 40);
  text.replace(text.find("w -> r1"), 7, "w -> r20");
  for (const char* output : {"x1", "x14", "x40"}) {
    Case made(text, "sin(2*t)", {output}, 12);
    const std::vector<double> times{1, 5, 9, 12};
    const auto found = taylor_run(*made.system, made.corners(), times, fine, {});
    ASSERT_TRUE(found);
    const std::vector<double> expected = made.by_rates(times);
    for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(found->values[i][0], expected[i], 1e-10) << output;
  }
}

TEST(TaylorRun, LeavesToOthersWhatHasNoSeriesOrIsStiff) {
  const auto followed = [](const std::string& text, double until) {
    Case made("digraph { variable=\"p\"; w -> r; " + text + "}", "1", {"x"}, until);
    return taylor_run(*made.system, made.corners(), std::vector<double>{until}, fine, {}).has_value();
  };
  EXPECT_TRUE(followed("r -> x [gain=\"1/p\"]; x -> r [nonlinear=\"-u^3\"];", 10));
  EXPECT_FALSE(followed("r -> x [gain=\"1/p\"]; x -> r [nonlinear=\"-sign(u)\"];", 10));
  EXPECT_FALSE(followed("r -> x [gain=\"exp(-p)/p\"]; x -> r [nonlinear=\"-u^3\"];", 10));
  EXPECT_FALSE(followed("r -> x [gain=\"1/p\"]; x -> r [nonlinear=\"-1e6*(u + u^3)\"];", 10));  // stiff
  EXPECT_FALSE(followed("r -> x [gain=\"1/p\"]; x -> r [nonlinear=\"u^3\"];", 10));             // has no end
}

TEST(CoupledSystem, JacobiansAreThoseOfDifferences) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> number(-0.5, 0.5);
  for (int round = 0; round < 20; ++round) {
    const int masses = 2 + static_cast<int>(random() % 12);
    Case made(chain(random, masses), "cos(3*t)", {"x1"}, 4);
    CoupledSystem& system = *made.system;
    VectorXd x(system.size());
    for (Index i = 0; i < x.size(); ++i) x[i] = number(random);
    system.drives().piece(0, 4);
    const Dynamics::Matrix J = system.jacobian(1, x);
    const MatrixXd dense = J;
    constexpr double part = 1e-6;
    for (Index k = 0; k < x.size(); ++k) {
      VectorXd low, high, moved = x;
      moved[k] = x[k] + part;
      ASSERT_TRUE(system.rate(1, moved, high));
      moved[k] = x[k] - part;
      ASSERT_TRUE(system.rate(1, moved, low));
      EXPECT_LT((dense.col(k) - (high - low) / (2 * part)).norm(), 1e-6 * (1 + dense.col(k).norm())) << round << ' ' << k;
    }
    EXPECT_EQ(J.nonZeros(), system.jacobian(2, VectorXd::Zero(x.size())).nonZeros());  // the places stay
    EXPECT_LE(J.nonZeros(), 7 * x.size());
  }
}

TEST(FastParts, AreThoseOfTheSpectrum) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const Index size : {Index{1}, Index{5}, Index{40}, Index{150}}) {
    MatrixXd A(size, size);
    for (double& entry : A.reshaped()) entry = number(random);
    A = A - A.transpose() - 2 * MatrixXd::Identity(size, size);
    if (size > 1) A(1, 1) -= 5000;
    const FastParts parts = fast_parts(size, [&](const VectorXd& x, VectorXd& into) { into = A * x; });
    const Eigen::VectorXcd roots = A.eigenvalues();
    EXPECT_NEAR(parts.decay, -roots.real().minCoeff(), 1e-6 * parts.decay) << size;
    EXPECT_NEAR(parts.turning, roots.imag().maxCoeff(), 0.05 * parts.turning + 1e-9) << size;
    EXPECT_EQ(parts.stiff(100), size > 1);
  }
}

}  // namespace
