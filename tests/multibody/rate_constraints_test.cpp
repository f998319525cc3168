// Motions with constraints on rates against an elimination of the test's own (Maggi: the equations along what the constraints
// allow), and closed forms of a skate, of Chaplygin's sleigh and of a rolling disc.
#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <sstream>

#include "sfg/multibody/mechanism_motion.hpp"
#include "sfg/numeric/dense.hpp"
#include "sfg/read/toml.hpp"

namespace sfg {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::string text(const auto&... parts) {
  std::ostringstream out;
  out.precision(17);
  (out << ... << parts);
  return out.str();
}

Multibody model_of(const std::string& text) { return std::get<Multibody>(std::get<Model>(read_toml(text, "random.toml"))); }

std::vector<double> evenly(double until, std::size_t points) {
  std::vector<double> times(points);
  for (std::size_t i = 0; i < points; ++i) times[i] = until * double(i) / double(points - 1);
  return times;
}

MechanismRun run(const Multibody& model, std::vector<InitialValue> initial, std::vector<std::string> outputs,
                 const std::vector<double>& times) {
  return mechanism_run(
      model, {.inputs = {}, .time = GiNaC::symbol("t"), .initial = std::move(initial), .outputs = std::move(outputs)}, times);
}

/// Particles whose heights follow their ways: ż_k = Σ f_kj(q, t) ẇ_j + h_k(q, t) with w all x and y; springs and dampers.
struct RandomBlades {
  explicit RandomBlades(unsigned seed) : particles(Index(1 + seed % 3)), random(seed) {
    const Index n = 3 * particles, free = 2 * particles;
    for (Index j = 0; j < n; ++j) (j % 3 == 2 ? z : w).push_back(j);
    mass = VectorXd(n);
    stiffness = MatrixXd(n, n);
    for (Index k = 0; k < particles; ++k) mass.segment(3 * k, 3).setConstant(1.5 + unit());
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) stiffness(j, i) = (i == j ? 4 : 0) + unit();
    for (Index k = 0; k < particles; ++k)
      for (Index j = 0; j <= free; ++j)
        laws.push_back({unit(), unit(), unit(), Index(random() % unsigned(n)), Index(random() % unsigned(n))});
    start = VectorXd(n);
    for (Index j = 0; j < n; ++j) start[j] = unit();
    rates = VectorXd(free);
    for (Index j = 0; j < free; ++j) rates[j] = unit();
  }

  /// a + b q_i + c sin(q_j + t)
  struct Law {
    double a, b, c;
    Index i, j;
  };
  static std::string name(Index coordinate) { return text("xyz"[coordinate % 3], 1 + coordinate / 3); }
  std::string law(const Law& f) const {
    return text("(", f.a, " + ", f.b, "*", name(f.i), " + ", f.c, "*sin(", name(f.j), " + t))");
  }
  static double at(const Law& f, const VectorXd& q, double t) { return f.a + f.b * q[f.i] + f.c * std::sin(q[f.j] + t); }
  static double rate(const Law& f, const VectorXd& q, const VectorXd& v, double t) {
    return f.b * v[f.i] + f.c * std::cos(q[f.j] + t) * (v[f.j] + 1);
  }

  std::string model() const {
    const Index free = 2 * particles;
    std::string list, forces, rows;
    for (Index k = 0; k < particles; ++k) {
      list += text("{ name = \"p", k, "\", mass = ", mass[3 * k], ", coordinates = [\"", name(3 * k), "\", \"", name(3 * k + 1),
                   "\", \"", name(3 * k + 2), "\"] },\n");
      std::string components;
      for (Index j = 3 * k; j < 3 * k + 3; ++j) {
        std::string sum = text("-D", name(j), "/3");
        for (Index i = 0; i < 3 * particles; ++i) sum += text(" - ", stiffness(j, i), "*", name(i));
        components += text(j == 3 * k ? "\"" : ", \"", sum, "\"");
      }
      forces += text("{ body = \"p", k, "\", force = [", components, "] },\n");
      std::string row = text("D", name(z[std::size_t(k)]), " - ", law(laws[std::size_t(k * (free + 1) + free)]));
      for (Index j = 0; j < free; ++j)
        row += text(" - ", law(laws[std::size_t(k * (free + 1) + j)]), "*D", name(w[std::size_t(j)]));
      rows += text("\"", row, "\",\n");
    }
    return text("[multibody]\nparticles = [\n", list, "]\nforces = [\n", forces, "]\nrate_constraints = [\n", rows, "]\n");
  }

  /// v = S(q, t) u + s(q, t), and Ṡ u + ṡ.
  void allowed(const VectorXd& q, const VectorXd& u, double t, MatrixXd& S, VectorXd& v, VectorXd& bias) const {
    const Index n = 3 * particles, free = 2 * particles;
    S = MatrixXd::Zero(n, free);
    v = bias = VectorXd::Zero(n);
    for (Index j = 0; j < free; ++j) S(w[std::size_t(j)], j) = 1;
    for (Index k = 0; k < particles; ++k)
      for (Index j = 0; j < free; ++j) S(z[std::size_t(k)], j) = at(laws[std::size_t(k * (free + 1) + j)], q, t);
    v = S * u;
    for (Index k = 0; k < particles; ++k) v[z[std::size_t(k)]] += at(laws[std::size_t(k * (free + 1) + free)], q, t);
    for (Index k = 0; k < particles; ++k)
      for (Index j = 0; j <= free; ++j)
        bias[z[std::size_t(k)]] += rate(laws[std::size_t(k * (free + 1) + j)], q, v, t) * (j < free ? u[j] : 1);
  }

  /// Sᵀ M (S u̇ + bias) = Sᵀ F.
  void rates_of(const VectorXd& q, const VectorXd& u, double t, VectorXd& v, VectorXd& a) const {
    MatrixXd S;
    VectorXd bias;
    allowed(q, u, t, S, v, bias);
    const VectorXd force = -stiffness * q - v / 3;
    a = (S.transpose() * mass.asDiagonal() * S).ldlt().solve(S.transpose() * (force - mass.asDiagonal() * bias));
  }

  /// By the classical method of Runge and Kutta in steps of h.
  VectorXd followed(double until, int steps) const {
    VectorXd q = start, u = rates;
    const double h = until / steps;
    for (int i = 0; i < steps; ++i) {
      const double t = h * i;
      VectorXd v1, v2, v3, v4, a1, a2, a3, a4;
      rates_of(q, u, t, v1, a1);
      rates_of(q + h / 2 * v1, u + h / 2 * a1, t + h / 2, v2, a2);
      rates_of(q + h / 2 * v2, u + h / 2 * a2, t + h / 2, v3, a3);
      rates_of(q + h * v3, u + h * a3, t + h, v4, a4);
      q += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
      u += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return q;
  }

  double unit() { return std::uniform_real_distribution(-1.0, 1.0)(random); }

  Index particles;
  std::mt19937 random;
  std::vector<Index> z, w;
  VectorXd mass, start, rates;
  MatrixXd stiffness;
  std::vector<Law> laws;
};

TEST(RateConstraints, RandomParticlesOnBladesMoveAsTheirEliminationSays) {
  for (unsigned seed = 1; seed <= 15; ++seed) {
    SCOPED_TRACE(seed);
    const RandomBlades blades(seed);
    std::vector<InitialValue> initial;
    std::vector<std::string> names;
    for (Index j = 0; j < 3 * blades.particles; ++j) {
      names.push_back(RandomBlades::name(j));
      initial.push_back({names.back(), blades.start[j]});
    }
    for (std::size_t j = 0; j < blades.w.size(); ++j)
      initial.push_back({"D" + RandomBlades::name(blades.w[j]), blades.rates[Index(j)]});
    constexpr double until = 1.5;
    const MechanismRun found = run(model_of(blades.model()), initial, names, evenly(until, 4));
    const VectorXd wanted = blades.followed(until, 3000);
    EXPECT_EQ(found.freedoms, blades.w.size());
    EXPECT_EQ(found.rate_constraints, blades.z.size());
    EXPECT_LT(found.drift.velocity_after, 1e-9);
    for (std::size_t j = 0; j < names.size(); ++j) {
      const auto& signal = found.signals[j].value;
      const double allowed = 1e-8 * (1 + std::abs(wanted[Index(j)])) + 10 * signal.error.value_or(0);
      EXPECT_LT(allowed, 1e-5);
      EXPECT_NEAR(signal.value.back(), wanted[Index(j)], allowed) << names[j] << '\n' << blades.model();
    }
  }
}

/// A skate on a slope turns at a constant rate and goes round, not down: x = G/(2 ω²) sin²(ω t), Neimark and Fufaev.
TEST(RateConstraints, SkateOnASlopeGoesAround) {
  const double G = 3, w = 2;
  const MechanismRun found = run(model_of(R"toml([multibody]
gravity = [3, 0, 0]
bodies = [{ name = "skate", mass = 2, inertia = [3, 3, 3] }]
joints = [{ name = "J", type = "planar", bodies = ["frame", "skate"], axis = "z", coordinates = ["x", "y", "th"] }]
rate_constraints = ["Dy*cos(th) = Dx*sin(th)"]
)toml"),
                                 {{"Dth", w}}, {"x", "y"}, evenly(8, 33));
  for (std::size_t i = 0; i < found.time.size(); ++i) {
    const double t = found.time[i];
    EXPECT_NEAR(found.signals[0].value.value[i], G / (2 * w * w) * std::pow(std::sin(w * t), 2), 1e-8);
    EXPECT_NEAR(found.signals[1].value.value[i], G / (2 * w * w) * (w * t - std::sin(2 * w * t) / 2), 1e-8);
  }
  EXPECT_TRUE(found.energy.conserved);
  EXPECT_LT(found.energy.unaccounted, 1e-9);
}

/// Chaplygin's sleigh: v' = a ω², (I + m a²) ω' = −m a v ω: ω = ω₀ sech, v = V tanh of V m a (t − t₀)/(I + m a²).
TEST(RateConstraints, ChaplyginSleighEndsStraight) {
  const double m = 2, I = 0.5, a = 0.3, w = 1.4, J = I + m * a * a, V = w * std::sqrt(J / m);
  const MechanismRun found = run(model_of(R"toml([multibody]
bodies = [{ name = "sleigh", mass = 2, com = [0.3, 0, 0], inertia = [0.5, 0.5, 0.5] }]
joints = [{ name = "J", type = "planar", bodies = ["frame", "sleigh"], axis = "z", coordinates = ["x", "y", "th"] }]
rate_constraints = ["Dy*cos(th) = Dx*sin(th)"]
)toml"),
                                 {{"Dth", w}}, {"Dth", "Dx*cos(th) + Dy*sin(th)"}, evenly(6, 25));
  for (std::size_t i = 0; i < found.time.size(); ++i) {
    const double phase = V * m * a * found.time[i] / J;
    EXPECT_NEAR(found.signals[0].value.value[i], w / std::cosh(phase), 1e-8);
    EXPECT_NEAR(found.signals[1].value.value[i], V * std::tanh(phase), 1e-8);
  }
}

/// A disc that leans by φ and rolls around a circle: A Ω² sin φ cos φ − (C + m r²) Ω w cos φ − m g r sin φ = 0 with the spin
/// w = rot' + Ω sin φ, and its contact goes along a circle of radius r rot'/Ω.
TEST(RateConstraints, DiscPrecessesSteadily) {
  const double m = 2, r = 0.3, A = 0.045, C = 0.09, g = 9.81;
  for (const auto& [lean, precession] : {std::pair(0.35, -2.4), std::pair(-0.5, 3.1), std::pair(0.9, -5.0)}) {
    const double w = (A * precession * precession * std::sin(lean) * std::cos(lean) - m * g * r * std::sin(lean)) /
                     ((C + m * r * r) * precession * std::cos(lean));
    const double rot = w - precession * std::sin(lean), radius = r * rot / precession;
    const MechanismRun found =
        run(model_of(R"toml([multibody]
gravity = [0, 0, -9.81]
bodies = [{ name = "b1" }, { name = "b2" }, { name = "b3" }, { name = "b4" },
          { name = "disc", mass = 2, inertia = [0.045, 0.09, 0.045] }]
joints = [{ name = "a", type = "prismatic", bodies = ["frame", "b1"], axis = "x", coordinate = "x" },
          { name = "b", type = "prismatic", bodies = ["b1", "b2"], axis = "y", coordinate = "y" },
          { name = "c", type = "revolute", bodies = ["b2", "b3"], axis = "z", coordinate = "psi" },
          { name = "d", type = "revolute", bodies = ["b3", "b4"], axis = "x", coordinate = "phi" },
          { name = "e", type = "revolute", bodies = ["b4", "disc"], axis = "y", coordinate = "rot", at = [[0, 0, 0.3], [0, 0, 0]] }]
rate_constraints = ["Dx - 0.3*Drot*cos(psi)", "Dy - 0.3*Drot*sin(psi)"]
)toml"),
            {{"phi", lean}, {"Dphi", 0}, {"Dpsi", precession}, {"Drot", rot}}, {"phi", "x", "y", "Dpsi"}, evenly(3, 13));
    for (std::size_t i = 0; i < found.time.size(); ++i) {
      const double t = found.time[i];
      EXPECT_NEAR(found.signals[0].value.value[i], lean, 1e-7);
      EXPECT_NEAR(found.signals[1].value.value[i], radius * std::sin(precession * t), 1e-7);
      EXPECT_NEAR(found.signals[2].value.value[i], radius * (1 - std::cos(precession * t)), 1e-7);
      EXPECT_NEAR(found.signals[3].value.value[i], precession, 1e-7);
    }
    EXPECT_LT(found.energy.unaccounted, 1e-8);
    EXPECT_LT(found.drift.velocity_after, 1e-10);
  }
}

}  // namespace
}  // namespace sfg
