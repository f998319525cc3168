// Constraints on rates in small motions: against numbers from differences of the nonlinear equations, and Whipple's bicycle
// against its published eigenvalues.
#include "sfg/derive/multibody/rate_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <fstream>
#include <random>
#include <sstream>

#include "derive/multibody/bodies_case.hpp"
#include "sfg/control/modes.hpp"
#include "sfg/derive/multibody/linear_motion.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/multibody/compiled_motion.hpp"
#include "sfg/multibody/constraint_check.hpp"
#include "sfg/multibody/motion_state.hpp"

namespace sfg {
namespace {

using namespace test;
using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using GiNaC::ex;

std::string text(const auto&... parts) {
  std::ostringstream out;
  out.precision(17);
  (out << ... << parts);
  return out.str();
}

double value(const ex& coefficient, const Multibody& model) {
  const auto number = double_value(coefficient.subs(model.symbols.values()));
  EXPECT_TRUE(number) << print(coefficient);
  return number.value_or(NAN);
}

MatrixXd numbers(const MultibodyLinearization::Matrix& matrix, const Multibody& model, Index columns) {
  MatrixXd result(static_cast<Index>(matrix.size()), columns);
  for (Index i = 0; i < result.rows(); ++i)
    for (Index k = 0; k < columns; ++k) result(i, k) = value(matrix[std::size_t(i)][std::size_t(k)], model);
  return result;
}

/// ẋ = f(x, u) of x = (q, v) whether or not they meet the constraints; it keeps what these were, so that a motion that meets them
/// goes on to do so, and its response to inputs is that of the constrained system.
class Nonlinear {
 public:
  Nonlinear(const MultibodyEquations& equations, const std::map<std::string, ex>& point, const Multibody& model)
      : motion_(equations), x_(VectorXd::Zero(motion_.coordinates() + motion_.speeds())), u_(VectorXd::Zero(motion_.inputs())) {
    const auto put = [&](const std::string& name, double& into) {
      if (const auto at = point.find(name); at != point.end()) into = value(at->second, model);
    };
    for (Index i = 0; i < motion_.coordinates(); ++i) put(equations.motion.coordinates[std::size_t(i)].name, x_[i]);
    for (Index i = 0; i < motion_.speeds(); ++i) put(equations.motion.speeds[std::size_t(i)].name, x_[motion_.coordinates() + i]);
    for (Index i = 0; i < motion_.inputs(); ++i) put(equations.motion.inputs[std::size_t(i)].name, u_[i]);
  }

  /// Of coordinates to inputs at p: (p E − ∂f/∂x)⁻¹ ∂f/∂u.
  MatrixXcd response(Complex p) const {
    const Index n = x_.size();
    MatrixXd J(n, n), B(n, u_.size());
    for (Index k = 0; k < n; ++k) J.col(k) = slope([&](double h) { return rate(x_ + h * VectorXd::Unit(n, k), u_); });
    for (Index k = 0; k < u_.size(); ++k)
      B.col(k) = slope([&](double h) { return rate(x_, u_ + h * VectorXd::Unit(u_.size(), k)); });
    const MatrixXcd whole = (p * MatrixXcd::Identity(n, n) - J.cast<Complex>()).partialPivLu().solve(B.cast<Complex>());
    return whole.topRows(motion_.coordinates());
  }

 private:
  VectorXd rate(const VectorXd& x, const VectorXd& u) const {
    CompiledMotion::Terms terms;
    motion_.terms(x.head(motion_.coordinates()), x.tail(motion_.speeds()), u, 0, terms);
    VectorXd result(x.size());
    result << terms.rate, constrained(terms.M, terms.F, terms.J, terms.gamma).a;
    return result;
  }
  static VectorXd slope(const auto& along) {
    constexpr double h = 1e-3;
    const auto central = [&](double step) { return VectorXd((along(step) - along(-step)) / (2 * step)); };
    return (central(2 * h) - 20 * central(h) + 64 * central(h / 2)) / 45;  // of order 6
  }

  CompiledMotion motion_;
  VectorXd x_, u_;
};

/// The linearisation answers as the nonlinear equations do near its point.
void expect_same_response(const Multibody& model, std::size_t rate_rows) {
  const MultibodyEquations equations = multibody_equations(model);
  const MultibodyLinearization linear = linearized(model, equations);
  EXPECT_EQ(linear.rate_rows.size(), rate_rows);
  const auto n = Index(linear.coordinates.size()), inputs = Index(linear.inputs.size());
  ASSERT_GT(inputs, 0);
  const MatrixXd M = numbers(linear.M, model, n), C = numbers(linear.C, model, n), K = numbers(linear.K, model, n),
                 B = numbers(linear.B, model, inputs), R = numbers(linear.R, model, n);
  const Nonlinear nonlinear(equations, linear.point, model);
  for (const Complex p : {Complex(0.9, 1.7), Complex(2.3, -0.6)}) {
    const MatrixXcd D = p * p * M.cast<Complex>() + p * C.cast<Complex>() + K.cast<Complex>();
    const MatrixXcd found = R.cast<Complex>() * D.partialPivLu().solve(B.cast<Complex>());
    const MatrixXcd wanted = nonlinear.response(p);
    EXPECT_LT((found - wanted).norm(), 1e-7 * wanted.norm());
  }
}

Multibody whipple(double v) {
  std::ifstream file(SFG_SOURCE_DIR "/examples/whipple.toml");
  std::string whole{std::istreambuf_iterator<char>(file), {}};
  const std::string stated = "\nv = 5\n";
  const std::size_t place = whole.find(stated);
  EXPECT_NE(place, std::string::npos);
  return bodies(whole.replace(place, stated.size(), text("\nv = ", v, "\n")));
}

/// Of Meijaard, Papadopoulos, Ruina, Schwab 2007, Table 2: weave (or the two real ones it comes from), capsize, castering.
const std::vector<std::vector<Complex>> published_eigenvalues{
    {3.13164324790656, -3.13164324790656, 5.53094371765393, -5.53094371765393},
    {{3.52696170990070, 0.80774027519930}, {3.52696170990070, -0.80774027519930}, -3.13423125066578, -7.11008014637442},
    {{2.68234517512745, 1.68066296590675}, {2.68234517512745, -1.68066296590675}, -3.07158645641514, -8.67387984831735},
    {{1.70675605663975, 2.31582447384325}, {1.70675605663975, -2.31582447384325}, -2.63366137253667, -10.35101467245920},
    {{0.41325331521125, 3.07910818603206}, {0.41325331521125, -3.07910818603206}, -1.42944427361326, -12.15861426576447},
    {{-0.77534188219585, 4.46486771378823}, {-0.77534188219585, -4.46486771378823}, -0.32286642900409, -14.07838969279822},
    {{-1.52644486584142, 5.87673060598709}, {-1.52644486584142, -5.87673060598709}, -0.00406690076970, -16.08537123098026},
    {{-2.13875644258362, 7.19525913329805}, {-2.13875644258362, -7.19525913329805}, 0.10268170574766, -18.15788466125262},
    {{-2.69348683581097, 8.46037971396931}, {-2.69348683581097, -8.46037971396931}, 0.14327879765713, -20.27940894394569},
    {{-3.21675402252485, 9.69377351531791}, {-3.21675402252485, -9.69377351531791}, 0.15790184030917, -22.43788559040858},
    {{-3.72016840437287, 10.90681139476287}, {-3.72016840437287, -10.90681139476287}, 0.16105338653172, -24.62459635017404}};

TEST(RateRows, WhippleBicycleHasThePublishedEigenvalues) {
  for (std::size_t v = 0; v < published_eigenvalues.size(); ++v) {
    SCOPED_TRACE(v);
    const Multibody model = whipple(double(v));
    const PolesZeros found = poles(linearized(model, multibody_equations(model)).equations);
    std::vector<Complex> moving;
    std::size_t still = 0;
    for (const Mode& mode : found.modes)
      for (std::size_t k = 0; k < mode.pole.multiplicity; ++k)
        if (mode.pole.value == Complex(0))
          ++still;
        else
          moving.push_back(mode.pole.value);
    EXPECT_EQ(still, 6U);  // the ways of both wheels, the heading and the spins
    ASSERT_EQ(moving.size(), 4U);
    for (const Complex& wanted : published_eigenvalues[v]) {
      double nearest = INFINITY;
      for (const Complex& pole : moving) nearest = std::min(nearest, std::abs(pole - wanted));
      EXPECT_LT(nearest, 2e-14 + 1e-13 * std::abs(wanted)) << wanted;
    }
  }
}

TEST(RateRows, WhippleBicycleAnswersAsItsNonlinearEquations) { expect_same_response(whipple(4.5), 4); }

TEST(RateRows, SteadyMotionsAnswerAsTheirNonlinearEquations) {
  expect_same_response(bodies(R"toml(
[multibody]
gravity = ["0", "0", "-g"]
bodies = [{ name = "b1" }, { name = "b2" }, { name = "b3" }, { name = "b4" },
          { name = "wheel", mass = "m", inertia = ["A", "C", "A"] }]
joints = [{ name = "a", type = "prismatic", bodies = ["frame", "b1"], axis = "x", coordinate = "x" },
          { name = "b", type = "prismatic", bodies = ["b1", "b2"], axis = "y", coordinate = "y" },
          { name = "c", type = "revolute", bodies = ["b2", "b3"], axis = "z", coordinate = "psi" },
          { name = "d", type = "revolute", bodies = ["b3", "b4"], axis = "x", coordinate = "phi" },
          { name = "e", type = "revolute", bodies = ["b4", "wheel"], axis = "y", coordinate = "rot", at = [["0", "0", "r"], ["0", "0", "0"]] }]
forces = [{ joint = "d", torque = "T1" }, { joint = "c", torque = "T2" }, { joint = "e", torque = "T3" }]
rate_constraints = ["Dx = r*Drot*cos(psi)", "Dy = r*Drot*sin(psi)"]
[equilibrium]
steady = { Dx = "v", Drot = "v/r" }
[parameters]
m = 2
r = 0.3
A = 0.045
C = 0.09
v = 1.5
g = 9.81
)toml"),
                       2);
  // A sleigh with its mass beside the blade, held by a force against a spring that is stretched: λ is not 0.
  expect_same_response(bodies(R"toml(
[multibody]
gravity = ["0", "0", "0"]
bodies = [{ name = "sleigh", mass = "m", com = ["a", "b", "0"], inertia = ["I", "I", "I"] }]
joints = [{ name = "J", type = "planar", bodies = ["frame", "sleigh"], axis = "z", coordinates = ["x", "y", "th"] }]
forces = [{ body = "sleigh", force = ["F", "4 - 3*(y - 1) - Dy/2", "0"], torque = ["0", "0", "T - Dth - 2*th"] }]
rate_constraints = [{ name = "blade", value = "Dy*cos(th) - Dx*sin(th) - w*th" }]
[equilibrium]
y = 0.25
steady = { Dx = "v" }
[parameters]
m = 2
I = 0.5
a = 0.3
b = 0.1
v = 4
w = 0.7
)toml"),
                       1);
}

/// Particles with blades whose directions bend, springs, dampers and forces that the blades bear at the point.
TEST(RateRows, RandomParticlesOnBladesAnswerAsTheirNonlinearEquations) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto unit = [&] { return std::uniform_real_distribution(-1.0, 1.0)(random); };
    const std::vector<std::string> q{"x1", "y1", "z1", "x2", "y2", "z2"};
    const std::size_t blades = 1 + seed % 3;
    std::vector<std::vector<double>> at_rest(blades, std::vector<double>(q.size()));
    std::string rows;
    for (auto& row : at_rest) {
      std::string sum;
      for (std::size_t j = 0; j < q.size(); ++j) {
        row[j] = unit();
        sum += text(j == 0 ? "" : " + ", "(", row[j]);
        for (const std::string& name : q) sum += text(" + ", unit(), "*", name);
        sum += text(" + ", unit(), "*sin(x1))*D", q[j]);
      }
      rows += "\"" + sum + "\",\n";
    }
    std::vector<double> load(q.size());
    for (const auto& row : at_rest) {
      const double lambda = 2 * unit();
      for (std::size_t j = 0; j < q.size(); ++j) load[j] -= lambda * row[j];
    }
    std::vector<std::string> force;
    for (std::size_t j = 0; j < q.size(); ++j) {
      force.push_back(text("\"u", j % 2, " + ", load[j], " - 3*", q[j], " - D", q[j]));
      for (const std::string& name : q) force.back() += text(" + ", unit(), "*", name, " + ", unit(), "*D", name);
      force.back() += "\"";
    }
    expect_same_response(
        bodies(text("[multibody]\nparticles = [{ name = \"a\", mass = 1.3, coordinates = [\"x1\", \"y1\", \"z1\"] },",
                    "{ name = \"b\", mass = 0.6, coordinates = [\"x2\", \"y2\", \"z2\"] }]\nforces = [{ body = \"a\", force = [",
                    force[0], ", ", force[1], ", ", force[2], "] }, { body = \"b\", force = [", force[3], ", ", force[4], ", ",
                    force[5], "] }]\nrate_constraints = [\n", rows, "]\n")),
        blades);
  }
}

std::string refusal(const Multibody& model) {
  try {
    linearized(model, multibody_equations(model));
  } catch (const Error& error) {
    return error.diagnostics().front().message;
  }
  return "";
}

std::string skate(const std::string& more, const std::string& constraints = R"toml("Dy*cos(th) - Dx*sin(th)")toml") {
  return R"([multibody]
bodies = [{ name = "skate", mass = "m", inertia = ["I", "I", "I"] }]
joints = [{ name = "J", type = "planar", bodies = ["frame", "skate"], axis = "z", coordinates = ["x", "y", "th"] }]
rate_constraints = [)" +
         constraints + "]\n" + more + "[parameters]\nm = 2\nI = 3\nv = 1\n";
}

TEST(RateRows, WhatDoesNotHoldIsNamed) {
  EXPECT_EQ(refusal(bodies(skate("[equilibrium]\nsteady = { Dx = \"v\" }\n"))), "");
  EXPECT_EQ(refusal(bodies(skate("[equilibrium]\nsteady = { Dy = \"v\" }\n"))),
            "the steady motion does not meet the constraint 'rate1': Dy*cos(th) - Dx*sin(th) is 1 there, not 0");
  EXPECT_EQ(refusal(bodies(skate("", "\"Dx - v\""))), "rest does not meet the constraint 'rate1': Dx - v is -1 there, not 0");
  EXPECT_EQ(refusal(bodies(skate("[equilibrium]\nsteady = { Dx = \"v\", Dth = \"v\" }\n"))),
            "the constraint 'rate1' does not go on to hold along the stated motion");
  EXPECT_EQ(refusal(bodies(skate("", R"("th*Dx + x*Dy")"))),
            "the constraints on rates ('rate1') depend on each other, or on the loops, where the model is linearised");
}

TEST(RateRows, DependentAndContradictingConstraintsAreFound) {
  const auto first_problem = [](const std::string& text) {
    const Multibody model = bodies(text);
    for (const Diagnostic& problem : constraint_check(model, multibody_equations(model)).problems)
      if (problem.severity == Severity::error) return problem.message;
    return std::string();
  };
  EXPECT_EQ(first_problem(skate("")), "");
  EXPECT_EQ(first_problem(skate("", R"("Dy - x*Dx", "Dth - Dy", "2*Dth - 2*x*Dx")")),
            "constraint 'rate3' is a combination of 'rate1', 'rate2' (rank 5 of 6)");
  EXPECT_EQ(first_problem(skate("", R"("Dy - x*Dx", "Dy - x*Dx - v")")), "constraints contradict each other: 'rate2', 'rate1'");
  EXPECT_EQ(first_problem(skate("constraints = [\"y - x^2/2\"]\n", R"("Dy - x*Dx")")),
            "constraint 'rate1' is a combination of 'f1' (rank 4 of 5)");
}

/// z' = y x', Rosenberg's particle: a state in closed form, and the multiplier with its sign.
TEST(RateRows, ParticleOnABlade) {
  const Multibody model = bodies(R"toml([multibody]
particles = [{ name = "a", mass = 2, coordinates = ["x", "y", "z"] }]
forces = [{ body = "a", force = [1, 0, 3] }]
rate_constraints = ["Dz - y*Dx"]
)toml");
  const MotionState at = motion_at(multibody_equations(model), {{"y", 0.5}, {"Dx", 1.5}, {"Dy", -2}, {"Dz", 0.75}});
  // 2 z'' = 3 + λ, 2 x'' = 1 − y λ, z'' = y x'' + x' y'
  const double lambda = (2 * 1.5 * -2 - 3 + 0.5) / (1 + 0.25);
  ASSERT_EQ(at.multipliers.size(), 1U);
  EXPECT_EQ(at.multipliers[0].first, "rate1");
  EXPECT_NEAR(at.multipliers[0].second, lambda, 1e-12);
  EXPECT_NEAR(at.accelerations[0].second, (1 - 0.5 * lambda) / 2, 1e-12);
  EXPECT_NEAR(at.accelerations[2].second, (3 + lambda) / 2, 1e-12);
  EXPECT_NEAR(at.reactions[0].second[2], lambda, 1e-12);
  EXPECT_NEAR(at.constraint_residual[0], 0, 1e-15);
  const MotionState beside = motion_at(multibody_equations(model), {{"y", 0.5}, {"Dx", 2}, {"Dz", 0.75}});
  EXPECT_NEAR(beside.constraint_residual[0], -0.25, 1e-15);
  ASSERT_FALSE(beside.notes.empty());
}

}  // namespace
}  // namespace sfg
