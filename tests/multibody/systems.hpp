#pragma once
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sfg/derive/lagrange.hpp"
#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/read/toml.hpp"

/// Mechanisms by Lagrange's equations, on another way than the composite method, with constraints as bare functions φ(q, t).
namespace sfg::test {

inline nlohmann::json oracle(const std::string& name) {
  std::ifstream in(std::string(SFG_TEST_DATA) + "/multibody/" + name);
  return nlohmann::json::parse(in);
}

using Constraints = std::vector<std::pair<std::string, std::string>>;

inline MultibodyEquations by_energies(const std::string& toml, const Constraints& constraints = {}) {
  const Model model = std::get<Model>(read_toml(toml, "test.toml"));
  const auto& lagrangian = std::get<Lagrangian>(model);
  MultibodyEquations made;
  made.motion = equations_of_motion(lagrangian);
  for (const auto& energy : lagrangian.T) made.kinetic += energy.value;
  for (const auto& energy : lagrangian.Pi) made.potential += energy.value;
  SymbolTable& symbols = made.motion.symbols;
  for (const auto& [name, value] : constraints)
    made.motion.constraints.push_back({name, parse(value, symbols), symbols.symbol("lambda_" + name), {}});
  for (const auto& speed : made.motion.speeds) made.accelerations.push_back(symbols.symbol("acceleration_" + speed.name));
  return made;
}

/// Absolute angles or relative ones have the same names; these are relative.
inline MultibodyEquations double_pendulum() {
  return by_energies(R"toml([lagrange]
coordinates = ["s1", "s2"]
forces = { s1 = "tau1", s2 = "tau2" }
T = ["(I1+m1*lc1^2+m2*l1^2)*Ds1^2/2", "(I2+m2*lc2^2)*(Ds1+Ds2)^2/2", "m2*l1*lc2*cos(s2)*Ds1*(Ds1+Ds2)"]
Pi = "-g*((m1*lc1+m2*l1)*cos(s1) + m2*lc2*cos(s1+s2))"
[parameters]
m1 = 1.5
m2 = 0.8
l1 = 0.9
lc1 = 0.4
lc2 = 0.35
I1 = 0.11
I2 = 0.03
g = 9.81
)toml");
}

/// Crank angle, absolute angle of the rod, slider.
inline MultibodyEquations slider_crank(Constraints constraints = {{"B.x", "r*cos(theta)+l*cos(beta)-x"},
                                                                  {"B.y", "r*sin(theta)+l*sin(beta)"}}) {
  return by_energies(R"toml([lagrange]
coordinates = ["theta", "beta", "x"]
forces = { theta = "tau", x = "F" }
T = ["(I1+m1*l1^2+m2*r^2)*Dtheta^2/2", "(I2+m2*l2^2)*Dbeta^2/2", "m2*r*l2*cos(theta-beta)*Dtheta*Dbeta", "m3*Dx^2/2"]
Pi = "g*((m1*l1+m2*r)*sin(theta) + m2*l2*sin(beta))"
[parameters]
r = 0.2
l = 0.6
l1 = 0.08
l2 = 0.25
m1 = 1.1
m2 = 0.9
m3 = 1.6
I1 = 0.012
I2 = 0.031
g = 9.81
)toml",
                     constraints);
}

/// Absolute angles of crank, coupler, rocker.
inline MultibodyEquations four_bar() {
  return by_energies(R"toml([lagrange]
coordinates = ["t2", "t3", "t4"]
forces = { t2 = "tau" }
T = ["(I1+m1*l1^2+m2*a^2)*Dt2^2/2", "(I2+m2*(l2^2+o2^2))*Dt3^2/2", "m2*a*(l2*cos(t2-t3)+o2*sin(t2-t3))*Dt2*Dt3", "(I3+m3*l3^2)*Dt4^2/2"]
Pi = "g*((m1*l1+m2*a)*sin(t2) + m2*(l2*sin(t3)+o2*cos(t3)) + m3*l3*sin(t4))"
[parameters]
a = 0.12
b = 0.35
c = 0.28
d = 0.4
l1 = 0.05
l2 = 0.16
o2 = 0.04
l3 = 0.13
m1 = 0.7
m2 = 1.3
m3 = 0.9
I1 = 0.0021
I2 = 0.0165
I3 = 0.0087
g = 9.81
)toml",
                     {{"B.x", "a*cos(t2)+b*cos(t3)-c*cos(t4)-d"}, {"B.y", "a*sin(t2)+b*sin(t3)-c*sin(t4)"}});
}

}  // namespace sfg::test
