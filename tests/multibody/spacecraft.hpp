#pragma once
#include <Eigen/Geometry>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "sfg/multibody/aggregate_run.hpp"
#include "sfg/multibody/bodies.hpp"

// The spacecraft of the published cases: a hub with flywheels and elastic panels; its state there and as an aggregate's.
namespace sfg {

using Json = nlohmann::json;

inline Json oracle(const std::string& name) {
  std::ifstream in(std::string(SFG_TEST_DATA "/multibody/") + name + ".json");
  return Json::parse(in);
}

inline std::array<double, 9> flat(const Json& rows) {
  std::array<double, 9> result{};
  for (std::size_t i = 0; i < 9; ++i) result[i] = rows[i / 3][i % 3];
  return result;
}

inline FramedPart::Place place(const Json& at, const Json& orientation) {
  return {at.get<std::array<double, 3>>(), orientation.get<std::array<double, 4>>()};
}

inline std::shared_ptr<RigidPart> wheel_part(const Json& wheel) {
  RigidMass mass{wheel["m_case"].get<double>() + wheel["m_wheel"].get<double>(), {}, flat(wheel["J_case"])};
  mass.inertia[0] += wheel["J_trans"].get<double>();
  mass.inertia[4] += wheel["J_trans"].get<double>();
  mass.inertia[8] += wheel["J_axial"].get<double>();
  return std::make_shared<RigidPart>(flywheel(mass, {{0, 0, 1}, wheel["J_axial"], 0}, {{}}));
}

/// By the points of the quadrature where they are given, else by those of a product of Gauss formulas.
inline std::shared_ptr<ElasticPart> panel_part(const Json& panel, double damping = 1) {
  const double m = panel["m"], L = panel["L"], w = panel["w"];
  const double g = std::sqrt(0.6);  // of the five points of Gauss along y, of three across
  const std::array<double, 5> y{-0.906179845938664, -0.538469310105683, 0, 0.538469310105683, 0.906179845938664};
  const std::array<double, 5> wy{0.236926885056189, 0.478628670499366, 128.0 / 225, 0.478628670499366, 0.236926885056189};
  const std::array<double, 3> x{-g, 0, g}, wx{5.0 / 9, 8.0 / 9, 5.0 / 9};
  std::vector<ElasticPart::MassPoint> points;
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const double eta = (1 + y[i]) / 2, xi = x[k] / 2;
      points.push_back({m * wy[i] * wx[k] / 4, {xi * w, eta * L, 0}, {{0, 0, eta * eta}, {0, 0, xi * eta}}});
    }
  const auto c = panel["c"].get<std::array<double, 2>>(), eps = panel["eps"].get<std::array<double, 2>>();
  return std::make_shared<ElasticPart>(points, std::vector<double>{c[0], 0, 0, c[1]},
                                       std::vector<double>{eps[0] * damping, 0, 0, eps[1] * damping},
                                       std::vector<FramedPart::Place>{{}});
}

struct Spacecraft {
  Aggregate aggregate;
  std::size_t wheels = 0, panels = 0;

  /// [r, v, q, w, wheel angles, Ω, e, ė] as the cases order it.
  std::vector<double> state(const std::vector<double>& y) const {
    std::vector<double> x(aggregate.size().states);
    for (std::size_t part = 0; part < aggregate.part_count(); ++part) x[aggregate.state_offset(part) + 3] = 1;
    for (std::size_t k = 0; k < 3; ++k) x[k] = y[k], x[7 + k] = y[3 + k], x[10 + k] = y[10 + k];
    for (std::size_t k = 0; k < 4; ++k) x[3 + k] = y[6 + k];
    for (std::size_t k = 0; k < wheels; ++k) {
      const std::size_t at = aggregate.state_offset(1 + k);
      x[at + 7] = y[13 + k], x[at + 14] = y[13 + wheels + k];
    }
    const std::size_t e = 13 + 2 * wheels;
    for (std::size_t k = 0; k < 2 * panels; ++k) {
      const std::size_t at = aggregate.state_offset(1 + wheels + k / 2);
      x[at + 7 + k % 2] = y[e + k], x[at + 15 + k % 2] = y[e + 2 * panels + k];
    }
    normalise(aggregate, x, Normalization::tree);
    return x;
  }
  std::vector<double> wheel_speeds(const std::vector<double>& x) const {
    std::vector<double> result;
    for (std::size_t k = 0; k < wheels; ++k) result.push_back(x[aggregate.state_offset(1 + k) + 14]);
    return result;
  }
  std::vector<double> deflections(const std::vector<double>& x) const {
    std::vector<double> result;
    for (std::size_t k = 0; k < 2 * panels; ++k) result.push_back(x[aggregate.state_offset(1 + wheels + k / 2) + 7 + k % 2]);
    return result;
  }
};

inline Spacecraft spacecraft(const Json& given, double damping = 1) {
  Spacecraft craft;
  std::vector<FramedPart::Place> places{{}};
  for (const auto& [name, c] : given["connections"].items()) places.push_back(place(c["pos"], c["quat"]));
  craft.aggregate.add("hub", std::make_shared<RigidPart>(RigidMass{given["hub"]["m"], {}, flat(given["hub"]["J_com"])}, places));
  const auto wheel = wheel_part(given["flywheel"]);
  const auto panel = panel_part(given["panel"], damping);
  std::size_t number = 0;
  for (const auto& [name, c] : given["connections"].items()) {
    const std::string part = c["part"].get<std::string>().substr(0, 2);
    const bool is_wheel = part[0] == 'F';
    craft.aggregate.add(part, is_wheel ? std::shared_ptr<const Part>(wheel) : panel);
    ++(is_wheel ? craft.wheels : craft.panels);
    ++number;
    craft.aggregate.connect(name, {0, number}, {number, 0});
  }
  return craft;
}

}  // namespace sfg
