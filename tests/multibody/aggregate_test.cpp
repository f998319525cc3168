#include "sfg/multibody/aggregate.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "multibody/spacecraft.hpp"

namespace sfg {
namespace {

template <class Got>
void expect_near(const Got& got, const Json& want, double relative, const std::string& what) {
  double scale = 0;
  for (const Json& value : want) scale = std::max(scale, std::abs(value.get<double>()));
  for (std::size_t k = 0; k < want.size(); ++k) EXPECT_NEAR(got[k], want[k].get<double>(), relative * scale) << what << ' ' << k;
}

std::array<double, 6> wrench_on_hub(const std::vector<double>& x, const Json& force, const Json& moment) {
  const Eigen::Quaterniond q(x[3], x[4], x[5], x[6]);
  const auto M = moment.get<std::array<double, 3>>();
  const Eigen::Vector3d turned = q.normalized() * Eigen::Vector3d(M[0], M[1], M[2]);
  return {force[0], force[1], force[2], turned.x(), turned.y(), turned.z()};
}

// Accelerations and wrenches of Ivankov's spacecraft: 43 accelerations and 30 components of wrenches.
TEST(Aggregate, SpacecraftOfTheCase) {
  const Json data = oracle("spacecraft");
  const Spacecraft craft = spacecraft(data["parameters"]);
  EXPECT_EQ(craft.aggregate.size().speeds, 43u);
  EXPECT_EQ(craft.aggregate.unknowns(), 73u);
  for (const Json& state : data["states"]) {
    const std::vector<double> x = craft.state(state["y"].get<std::vector<double>>());
    Aggregate::Loads loads;
    loads.inputs.assign(craft.aggregate.size().inputs, 0.0);
    for (std::size_t k = 0; k < 3; ++k) loads.inputs[k] = state["tau_wheels"][k];
    loads.wrenches.push_back({{0, 0}, wrench_on_hub(x, state["F_hub_inertial"], state["M_hub_body"])});
    for (const auto& motion : {craft.aggregate.motion(0, x, loads), craft.aggregate.motion_of_whole_system(0, x, loads)}) {
      const std::vector<double>& a = motion.accelerations;
      expect_near(std::vector(a.begin(), a.begin() + 3), state["a_hub_inertial"], 1e-10, "a");
      expect_near(std::vector(a.begin() + 3, a.begin() + 6), state["wdot_body"], 1e-10, "wdot");
      expect_near(std::vector{a[12], a[19], a[26]}, state["Omega_dot"], 1e-10, "Omega_dot");
      expect_near(std::vector{a[33], a[34], a[41], a[42]}, state["e_dd"], 1e-10, "e_dd");
      std::size_t k = 0;
      for (const auto& [name, wrench] : state["wrenches_hub_on_part_inertial_FM"].items())
        expect_near(motion.wrenches[k++], wrench, 1e-9, name);
    }
  }
}

using Random = std::mt19937;

double between(Random& random, double low, double high) { return std::uniform_real_distribution(low, high)(random); }

std::array<double, 3> point(Random& random, double size = 1) {
  return {between(random, -size, size), between(random, -size, size), between(random, -size, size)};
}

FramedPart::Place some_place(Random& random, std::size_t modes) {
  const Eigen::Vector4d q =
      Eigen::Vector4d(between(random, -1, 1), between(random, -1, 1), between(random, -1, 1), 1).normalized();
  FramedPart::Place place{point(random), {q[0], q[1], q[2], q[3]}};
  for (std::size_t k = 0; k < modes; ++k) {
    place.shape.push_back(point(random, 0.3));
    place.rotation.push_back(point(random, 0.3));
  }
  return place;
}

RigidMass some_mass(Random& random) {
  const Eigen::Matrix3d A = Eigen::Matrix3d::NullaryExpr([&] { return between(random, -1, 1); });
  const Eigen::Matrix3d J = A * A.transpose() + 0.5 * Eigen::Matrix3d::Identity();
  RigidMass mass{between(random, 0.5, 4), point(random, 0.3), {}};
  Eigen::Matrix3d::Map(mass.inertia.data()) = J;
  return mass;
}

/// A rigid body, one with two wheels or an elastic one, each with two places.
std::shared_ptr<const Part> some_part(Random& random) {
  const int kind = std::uniform_int_distribution(0, 2)(random);
  if (kind == 2) {
    std::vector<ElasticPart::MassPoint> points;
    for (int k = 0; k < 6; ++k)
      points.push_back({between(random, 0.2, 1), point(random), {point(random, 0.3), point(random, 0.3)}});
    return std::make_shared<ElasticPart>(points, std::vector<double>{5, 1, 1, 7}, std::vector<double>{0.1, 0, 0, 0.2},
                                         std::vector{some_place(random, 2), some_place(random, 2)}, some_mass(random));
  }
  std::vector<RigidPart::Wheel> wheels;
  if (kind == 1) wheels = {{{0, 0, 1}, 0.1, 0.01}, {{0.6, 0.8, 0}, 0.2, 0}};
  return std::make_shared<RigidPart>(some_mass(random), std::vector{some_place(random, 0), some_place(random, 0)}, wheels);
}

struct Scene {
  Aggregate aggregate;
  std::vector<double> state;
  Aggregate::Loads loads;
};

/// So many parts, in trees with welds, hinges, slides and ball joints, in motion, with loads and torques.
Scene some_scene(std::size_t parts, std::size_t trees, Random& random) {
  Scene scene;
  std::vector<FramedPart::Place> fixed{some_place(random, 0)};
  for (std::size_t k = 0; k < parts; ++k) scene.aggregate.add("part" + std::to_string(k + 1), some_part(random));
  const std::array<Aggregate::Freedom, 5> kinds{Aggregate::Freedom{}, Aggregate::Freedom{false, false, false, false, false, true},
                                                Aggregate::Freedom{true, false, false, false, false, false},
                                                Aggregate::Freedom{false, false, false, true, true, true},
                                                Aggregate::Freedom{false, false, true, false, false, true}};
  for (std::size_t k = trees; k < parts; ++k) {
    Aggregate::End before{std::uniform_int_distribution<std::size_t>(0, k - 1)(random), k % 2}, own{k, 0};
    if (k % 3 == 0) std::swap(before, own);
    scene.aggregate.connect("C" + std::to_string(k), before, own, kinds[k % kinds.size()]);
  }
  const std::size_t ground = scene.aggregate.add("ground", std::make_shared<Ground>(fixed));
  scene.aggregate.connect("base", {0, 1}, {ground, 0});
  scene.state.resize(scene.aggregate.size().states);
  for (double& value : scene.state) value = between(random, -0.4, 0.4);
  normalise(scene.aggregate, scene.state, Normalization::tree);
  scene.loads.gravity = {0.3, -9.81, 1};
  for (std::size_t k = 0; k < scene.aggregate.size().inputs; ++k) scene.loads.inputs.push_back(between(random, -1, 1));
  for (std::size_t k = 0; k < parts; ++k) {
    const auto F = point(random, 5), M = point(random, 2);
    scene.loads.wrenches.push_back({{k, 1}, {F[0], F[1], F[2], M[0], M[1], M[2]}});
  }
  return scene;
}

// Elimination along the forest and LU of all equations are two ways to the same.
TEST(Aggregate, EliminationIsTheWholeSystem) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const Scene scene = some_scene(3 + seed, 1 + seed % 3, random);
    const auto one = scene.aggregate.motion(0, scene.state, scene.loads),
               other = scene.aggregate.motion_of_whole_system(0, scene.state, scene.loads);
    double scale = 1;
    for (const double a : other.accelerations) scale = std::max(scale, std::abs(a));
    for (const auto& wrench : other.wrenches)
      for (const double w : wrench) scale = std::max(scale, std::abs(w));
    for (std::size_t k = 0; k < one.accelerations.size(); ++k)
      EXPECT_NEAR(one.accelerations[k], other.accelerations[k], 1e-10 * scale) << "seed " << seed;
    for (std::size_t k = 0; k < one.wrenches.size(); ++k)
      for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(one.wrenches[k][i], other.wrenches[k][i], 1e-10 * scale) << "seed " << seed;
  }
}

// The gaps stay closed: their second derivative is 0, seen by a difference quotient of the gap of the speeds.
TEST(Aggregate, ConnectionsHoldWhileTheyMove) {
  Random random(7);
  const Scene scene = some_scene(15, 2, random);
  const std::vector<double> rate = scene.aggregate.rate(0, scene.state, scene.loads);
  const auto gap_after = [&](double h) {
    std::vector<double> after = scene.state;
    for (std::size_t k = 0; k < after.size(); ++k) after[k] += h * rate[k];
    return largest_gap(scene.aggregate, after);
  };
  const ConnectionGap coarse = gap_after(1e-3), fine = gap_after(1e-4);  // of the second order: no term of the first
  EXPECT_LT(fine.velocity, coarse.velocity / 50);
  EXPECT_LT(fine.angular_velocity, coarse.angular_velocity / 50);
}

// B = M⁻¹ Dᵀ: what a wrench does in the power of its place it does in that of the part's speeds. Measured: the work of a
// wrench on a place is the change of the kinetic energy of the part.
TEST(Aggregate, PowerOfAWrenchIsThatOnTheSpeeds) {
  Random random(3);
  for (int k = 0; k < 12; ++k) {
    const auto part = some_part(random);
    const auto [states, n, inputs, places] = part->size();
    std::vector<double> state(states);
    for (double& value : state) value = between(random, -0.5, 0.5);
    part->normalise(state);
    std::vector<double> v(n);
    part->speeds(state, v);
    const IvankovLetters known = letters(*part, 0, state);
    for (std::size_t at = 0; at < places; ++at) {
      MovingPlace motion;
      std::vector<double> D(6 * n), C(6), M(n * n), force(n);
      part->place(at, state, motion, D, C);
      part->equations(0, state, std::vector<double>(inputs, 0.0), {}, M, force);
      for (std::size_t j = 0; j < 6; ++j) {
        double power = 0;  // of a unit of the wrench: the twist, and through B the change of energy vᵀ M (M⁻¹ Dᵀ)
        for (std::size_t a = 0; a < n; ++a)
          for (std::size_t b = 0; b < n; ++b) power += v[a] * M[a * n + b] * known.B[at][b * 6 + j];
        EXPECT_NEAR(power, motion.twist[j], 1e-11);
      }
    }
  }
}

// The hinges of a double pendulum are connections that leave one rotation free: the published states.
TEST(Aggregate, DoublePendulumByHinges) {
  const Json data = oracle("double_pendulum"), &p = data["parameters"];
  const auto number = [&](const char* name) { return p[name].get<double>(); };
  const auto bar = [&](double m, double lc, double I, double l) {
    return std::make_shared<RigidPart>(RigidMass{m, {0, -lc, 0}, {1, 0, 0, 0, 1, 0, 0, 0, I}},
                                       std::vector<FramedPart::Place>{{{0, 0, 0}}, {{0, -l, 0}}});
  };
  Aggregate aggregate;
  aggregate.add("ground", std::make_shared<Ground>(std::vector<FramedPart::Place>{{}}));
  aggregate.add("b1", bar(number("m1"), number("lc1"), number("I1"), number("l1")));
  aggregate.add("b2", bar(number("m2"), number("lc2"), number("I2"), 1));
  const Aggregate::Freedom hinge{false, false, false, false, false, true};
  aggregate.connect("O", {0, 0}, {1, 0}, hinge);
  aggregate.connect("P", {1, 1}, {2, 0}, hinge);
  for (const Json& state : data["states"]) {
    const double s1 = state["s"][0], s2 = state["s"][1], w1 = state["sd"][0], w2 = state["sd"][1];
    std::vector<double> x(26, 0.0);
    x[3] = std::cos(s1 / 2), x[6] = std::sin(s1 / 2), x[12] = w1;
    x[16] = std::cos((s1 + s2) / 2), x[19] = std::sin((s1 + s2) / 2), x[25] = w1 + w2;
    normalise(aggregate, x, Normalization::tree);
    const double tau1 = state["tau"][0], tau2 = state["tau"][1];
    const auto motion = aggregate.motion(
        0, x, {{0, -number("g"), 0}, {}, {}, {{{1, 0}, {0, 0, 0, 0, 0, tau1 - tau2}}, {{2, 0}, {0, 0, 0, 0, 0, tau2}}}});
    EXPECT_NEAR(motion.accelerations[5], state["sdd"][0].get<double>(), 1e-9 * 100);
    EXPECT_NEAR(motion.accelerations[11] - motion.accelerations[5], state["sdd"][1].get<double>(), 1e-9 * 100);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_NEAR(motion.wrenches[0][k], state["reaction_O_on_body1"][k].get<double>(), 1e-8);
      EXPECT_NEAR(-motion.wrenches[1][k], state["reaction_joint2_on_body1"][k].get<double>(), 1e-8);
    }
  }
}

// Ten thousand bodies in a row: neither recursion nor anything of their number squared.
TEST(Aggregate, ALongChainIsOneBody) {
  constexpr std::size_t count = 10000;
  const auto body = std::make_shared<RigidPart>(RigidMass{2, {}, {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                                                std::vector<FramedPart::Place>{{{-0.5, 0, 0}}, {{0.5, 0, 0}}});
  Aggregate chain;
  for (std::size_t k = 0; k < count; ++k) chain.add("b", body);
  for (std::size_t k = 1; k < count; ++k) chain.connect("C", {k - 1, 1}, {k, 0});
  std::vector<double> state(chain.size().states, 0.0);
  for (std::size_t k = 0; k < count; ++k) state[13 * k + 3] = 1;
  normalise(chain, state, Normalization::tree);
  const auto motion = chain.motion(0, state, {{}, {}, {}, {{{0, 0}, {20000, 0, 0, 0, 0, 0}}}});
  for (std::size_t k = 0; k < count; k += 999) EXPECT_NEAR(motion.accelerations[6 * k], 1, 1e-9);
  EXPECT_NEAR(motion.wrenches[count / 2][0], double(count - count / 2 - 1) * 2, 1e-6);  // what pulls the rest
}

/// A part of a user's own: a mass on a spring along the x axis of a box. Coordinate inside: its displacement.
class Oscillator final : public FramedPart {
 public:
  Oscillator(double box, double inertia, double mass, double stiffness)
      : FramedPart({{}}, 1), box_(box), inertia_(inertia), mass_(mass), stiffness_(stiffness) {}
  void equations(double, std::span<const double> state, std::span<const double>, const std::array<double, 3>& gravity,
                 std::span<double> M_out, std::span<double> force_out) const override {
    using namespace Eigen;
    const Matrix3d S = Quaterniond(state[3], state[4], state[5], state[6]).normalized().toRotationMatrix();
    const Vector3d w(state[11], state[12], state[13]), rho(state[7], 0, 0), along(1, 0, 0), g(gravity[0], gravity[1], gravity[2]);
    Matrix3d cross;  // rho~
    cross << 0, 0, 0, 0, 0, -rho.x(), 0, rho.x(), 0;
    Map<Matrix<double, 7, 7, RowMajor>> M(M_out.data());
    Matrix<double, 3, 7> D;  // of the mass
    D << Matrix3d::Identity(), -S * cross, S * along;
    M = mass_ * D.transpose() * D;
    M.topLeftCorner<3, 3>() += box_ * Matrix3d::Identity();
    M.block<3, 3>(3, 3) += inertia_ * Matrix3d::Identity();
    const Vector3d C = S * (w.cross(w.cross(rho)) + 2 * w.cross(along * state[14]));
    Map<Matrix<double, 7, 1>> force(force_out.data());
    force = mass_ * D.transpose() * (g - C);
    force.head<3>() += box_ * g;
    force[6] -= stiffness_ * state[7];
  }
  double potential(std::span<const double> state) const override { return stiffness_ * state[7] * state[7] / 2; }

 private:
  double box_, inertia_, mass_, stiffness_;
};

TEST(Aggregate, APartOfTheUsersOwn) {
  Aggregate aggregate;
  aggregate.add("hub", std::make_shared<RigidPart>(RigidMass{3, {0.1, 0, 0}, {1, 0, 0, 0, 2, 0, 0, 0, 2}},
                                                   std::vector<FramedPart::Place>{{{1, 0, 0}}}));
  aggregate.add("absorber", std::make_shared<Oscillator>(1, 0.4, 0.5, 20));
  aggregate.connect("mount", {0, 0}, {1, 0});
  std::vector<double> state(aggregate.size().states, 0.0);
  state[3] = state[13 + 3] = 1, state[10] = 0.3, state[11] = 0.5, state[12] = -0.4, state[13 + 7] = 0.2;
  normalise(aggregate, state, Normalization::tree);
  const std::vector<double> times{0, 1, 2, 5};
  const AggregateRun r = run(aggregate, state, times, {}, {.rtol = 1e-10});
  EXPECT_GT(std::abs(r.states.back()[13 + 7] - 0.2), 1e-3);
  for (std::size_t k = 0; k < times.size(); ++k) {
    EXPECT_NEAR(r.energy[k], r.energy[0], 1e-8);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(r.momentum[k][i], r.momentum[0][i], 1e-8);
  }
}

TEST(Aggregate, ALoopIsAnErrorThatNamesTheConnection) {
  Random random(1);
  Aggregate aggregate;
  for (const char* name : {"a", "b", "c"}) aggregate.add(name, some_part(random));
  aggregate.connect("C1", {0, 0}, {1, 0});
  aggregate.connect("C2", {1, 1}, {2, 0});
  try {
    aggregate.connect("C3", {2, 1}, {0, 1});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics()[0].message, "connection 'C3' of 'c' and 'a' closes a loop: they are connected already");
  }
  EXPECT_EQ(aggregate.connections().size(), 2u);
  EXPECT_THROW(aggregate.connect("C4", {0, 5}, {1, 0}), std::out_of_range);
}

TEST(Aggregate, AMassThatIsNoneIsNamed) {
  Aggregate aggregate;
  aggregate.add("ghost", std::make_shared<RigidPart>(RigidMass{0, {}, {}}, std::vector<FramedPart::Place>{{}}));
  const std::vector<double> state{0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  try {
    aggregate.motion(0, state);
    FAIL();
  } catch (const NoAnswer& error) {
    EXPECT_NE(std::string(error.what()).find("'ghost'"), std::string::npos);
  }
}

}  // namespace
}  // namespace sfg
