#include "sfg/derive/multibody/surroundings.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

namespace sfg::surroundings {
namespace {

using GiNaC::ex;
using Json = nlohmann::json;

Json oracle() {
  std::ifstream in(SFG_TEST_DATA "/multibody/spacecraft_gravity_magnetic.json");
  return Json::parse(in);
}

template <std::size_t N>
void expect_near(const std::array<double, N>& got, const Json& want, double relative) {
  double scale = 0;
  for (std::size_t k = 0; k < N; ++k) scale = std::max(scale, std::abs(want[k].get<double>()));
  for (std::size_t k = 0; k < N; ++k) EXPECT_NEAR(got[k], want[k].get<double>(), relative * scale) << k;
}

template <std::size_t N>
std::array<double, N> up_to_sign(std::array<double, N> q, const Json& want) {
  double along = 0;
  for (std::size_t k = 0; k < N; ++k) along += q[k] * want[k].get<double>();
  if (along < 0)
    for (double& component : q) component = -component;
  return q;
}

Matrix3<double> matrix(const Json& rows) { return rows.get<Matrix3<double>>(); }

double number(const ex& value) { return GiNaC::ex_to<GiNaC::numeric>(value.evalf()).to_double(); }

// The orbit, the field and the moments at the states of the published case.
TEST(Surroundings, AnOrbitWithGravityGradientAndMagneticMoment) {
  const Json data = oracle(), given = data["parameters"];
  const double mu = given["mu"], radius = given["r0"], inclination = given["inclination_deg"].get<double>() * M_PI / 180;
  for (const Json& state : data["states"]) {
    const auto frame = orbit_frame(mu, radius, inclination, state["t"].get<double>());
    expect_near(frame.position, state["r"], 1e-12);
    expect_near(frame.velocity, state["v"], 1e-12);
    for (std::size_t i = 0; i < 3; ++i) expect_near(frame.axes[i], state["orbit_frame_columns_xyz"][i], 1e-9);
    const auto again = axes_of(frame.q), other = local_vertical(frame.position, frame.velocity).axes;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        EXPECT_NEAR(again[i][j], frame.axes[i][j], 1e-14);
        EXPECT_NEAR(other[i][j], frame.axes[i][j], 1e-14);
      }
    expect_near(up_to_sign(frame.q, state["q_orbit"]), state["q_orbit"], 1e-12);
    const Quaternion<double> q = state["q"];
    const Matrix3<double> axes = axes_of(q);
    expect_near(up_to_sign(product(conjugate(frame.q), q), state["q_error_body_rel_orbit"]), state["q_error_body_rel_orbit"],
                1e-12);
    const Vector<double> field = dipole_field(given["dipole_moment_earth"].get<Vector<double>>(), frame.position);
    expect_near(field, state["B_inertial_T"], 1e-12);
    expect_near(in_axes(axes, field), state["B_body_T"], 1e-12);
    expect_near(cross(given["d_spacecraft_body"].get<Vector<double>>(), in_axes(axes, field)), state["M_mag_body"], 1e-11);
    const auto moment = gravity_gradient(mu, in_axes(axes, frame.position), matrix(data["derived"]["J_total_com"]));
    expect_near(moment, state["M_gg_body"], 1e-11);
    expect_near(moment, state["M_gg_direct_sum"], 3e-6);  // to the first order of size over distance
  }
}

MovingFrame<ex> stated(const Json& state) {
  MovingFrame<ex> frame;
  for (std::size_t k = 0; k < 4; ++k) frame.q[k] = state["q"][k].get<double>();
  for (std::size_t k = 0; k < 3; ++k) {
    frame.position[k] = state["r"][k].get<double>();
    frame.velocity[k] = state["v"][k].get<double>();
    frame.w[k] = 0.001 * double(k + 1);
  }
  frame.axes = axes_of(frame.q);
  return frame;
}

// As expressions, of a stated orbit or of the body's own one about the centre.
TEST(Surroundings, ExpressionsMeanTheSame) {
  const Json data = oracle(), given = data["parameters"];
  const ex mu = given["mu"].get<double>(), radius = given["r0"].get<double>();
  const GiNaC::symbol t("t");
  const Multibody::Orbit orbit{mu, radius, given["inclination_deg"].get<double>() * M_PI / 180, {}};
  Multibody::Magnet magnet;
  Multibody::Matrix3 J;
  magnet.source = Vector<ex>{};
  for (std::size_t k = 0; k < 3; ++k) {
    magnet.dipole[k] = given["d_spacecraft_body"][k].get<double>();
    (*magnet.source)[k] = given["dipole_moment_earth"][k].get<double>();
    for (std::size_t l = 0; l < 3; ++l) J[k][l] = data["derived"]["J_total_com"][k][l].get<double>();
  }
  for (const Json& state : data["states"]) {
    const MovingFrame<ex> body = stated(state);
    const auto at = [&](const ex& value) { return number(value.subs(t == state["t"].get<double>())); };
    for (const std::optional<Multibody::Orbit>& path : {std::optional(orbit), std::optional<Multibody::Orbit>()}) {
      const auto error = readings({"qe", Multibody::Sensor::Kind::local_vertical, 1, {1, 0, 0, 0}, {}}, body, path, t);
      ASSERT_EQ(error.size(), 4u);
      EXPECT_EQ(error[0].first, "qe0");
      std::array<double, 4> q;
      for (std::size_t k = 0; k < 4; ++k) q[k] = at(error[k].second);
      expect_near(up_to_sign(q, state["q_error_body_rel_orbit"]), state["q_error_body_rel_orbit"], 1e-11);
      const auto moment = magnetic_moment(magnet, body, body.axes, path, t);
      expect_near(std::array{at(moment[0]), at(moment[1]), at(moment[2])}, state["M_mag_body"], 1e-11);
      const auto pull = central_pull({mu, {0, 0, 0}, {}}, path, 528, J, body, t);
      expect_near(std::array{at(pull.moment[0]), at(pull.moment[1]), at(pull.moment[2])}, state["M_gg_body"], 1e-11);
      for (std::size_t k = 0; k < 3; ++k) {
        const double force = path ? 0 : -number(mu) * 528 * state["r"][k].get<double>() / std::pow(number(radius), 3);
        EXPECT_NEAR(at(pull.force[k]), force, 1e-9 * 5000);
      }
    }
  }
}

// w − Sᵀ w_o is 0 of a body that stays in the local vertical frame: its quaternion's rate is that of the frame.
TEST(Surroundings, OrbitalRateIsThatOfTheFrame) {
  const double mu = 3.986e14, radius = 7e6, inclination = 0.7, t = 500, h = 1e-2;
  const auto before = orbit_frame(mu, radius, inclination, t - h), frame = orbit_frame(mu, radius, inclination, t),
             after = orbit_frame(mu, radius, inclination, t + h);
  Quaternion<double> rate;
  for (std::size_t k = 0; k < 4; ++k) rate[k] = (after.q[k] - before.q[k]) / (2 * h);
  const auto half_w = product(conjugate(frame.q), rate);  // q̇ = ½ q ∘ (0, w)
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(2 * half_w[k + 1], frame.w[k], 1e-11);
  MovingFrame<ex> body;
  for (std::size_t k = 0; k < 3; ++k) {
    body.position[k] = frame.position[k], body.velocity[k] = frame.velocity[k], body.w[k] = frame.w[k];
    for (std::size_t l = 0; l < 3; ++l) body.axes[k][l] = frame.axes[k][l];
  }
  const Multibody::Sensor sensor{"w", Multibody::Sensor::Kind::orbital_rate, 1, {1, 0, 0, 0}, {}};
  for (const auto& [name, value] : readings(sensor, body, {}, t)) EXPECT_NEAR(number(value), 0, 1e-15) << name;
  for (const auto& [name, value] : readings(sensor, body, Multibody::Orbit{mu, radius, inclination, {}}, t))
    EXPECT_NEAR(number(value), 0, 1e-15) << name;
}

// Every result that is named is a symbol, and the definitions give the same numbers.
TEST(Surroundings, IntermediateResultsHaveNames) {
  std::vector<std::pair<ex, ex>> definitions;
  const Naming<ex> name = [&](const ex& value) -> ex {
    if (GiNaC::is_a<GiNaC::numeric>(value) || GiNaC::is_a<GiNaC::symbol>(value)) return value;
    definitions.emplace_back(GiNaC::symbol("sub" + std::to_string(definitions.size() + 1)), value);
    return definitions.back().first;
  };
  const GiNaC::symbol x("x"), y("y"), z("z"), mu("mu");
  const Matrix3<ex> J{Vector<ex>{2, 0, 0}, Vector<ex>{0, 3, 0}, Vector<ex>{0, 0, 4}};
  auto moment = gravity_gradient<ex>(mu, {x, y, z}, J, name);
  const auto plain = gravity_gradient<ex>(mu, {x, y, z}, J);
  EXPECT_FALSE(definitions.empty());
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_TRUE(GiNaC::is_a<GiNaC::symbol>(moment[k]));
    for (auto d = definitions.rbegin(); d != definitions.rend(); ++d) moment[k] = moment[k].subs(d->first == d->second);
    const GiNaC::exmap values{{x, 1.5}, {y, -2.0}, {z, 0.25}, {mu, 7.0}};
    EXPECT_NEAR(number(moment[k].subs(values)), number(plain[k].subs(values)), 1e-14);
  }
}

}  // namespace
}  // namespace sfg::surroundings
