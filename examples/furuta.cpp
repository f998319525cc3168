// Bodies and joints: the equations of small motions about the upright position, and transfer functions in closed form.
#include <cstdio>
#include <string>

#include "sfg/control/poles.hpp"
#include "sfg/derive/multibody/linear_motion.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/transfer/transfer.hpp"

int main() {
  const sfg::Input input = sfg::read_file("furuta.toml");
  const auto& model = std::get<sfg::Multibody>(std::get<sfg::Model>(input.content));
  const sfg::MultibodyLinearization linear = sfg::linearized(model, sfg::multibody_equations(model));

  for (std::size_t i = 0; i < linear.coordinates.size(); ++i)
    for (std::size_t k = 0; k < linear.coordinates.size(); ++k)
      std::printf("%s, %s: M = %s, K = %s\n", linear.coordinates[i].c_str(), linear.coordinates[k].c_str(),
                  sfg::print(linear.M[i][k]).c_str(), sfg::print(linear.K[i][k]).c_str());

  const sfg::SignalFlowGraph graph = sfg::from_equations(linear.equations).graph;
  const sfg::TransferFunction transfer = sfg::transfer_function(graph, sfg::question(graph, "tau", "theta"));
  std::printf("theta/tau = %s over\n", sfg::print(transfer.value.space().expression(transfer.value.numerator())).c_str());
  const GiNaC::ex below = transfer.value.space().expression(transfer.value.denominator());
  const auto coefficients = *sfg::polynomial_coefficients(below, linear.equations.symbols.at("s").expr);
  for (std::size_t i = 0; i < coefficients.size(); ++i)
    std::printf("  s^%zu: %s\n", coefficients.size() - 1 - i, sfg::print(coefficients[i]).c_str());

  const auto modes = sfg::poles_zeros(sfg::characteristic_coefficients(linear.equations), linear.equations.op);
  for (const sfg::Mode& mode : modes.modes) std::printf("pole %.4f\n", mode.pole.value.real());
}

/* prints
phi, phi: M = J1 + m1*r^2/4 + m2*r^2, K = 0
phi, theta: M = -l*m2*r, K = 0
theta, phi: M = -l*m2*r, K = 0
theta, theta: M = J2 + l^2*m2, K = -g*l*m2
theta/tau = 4*l*m2*r*s over
  s^3: 4*J1*J2 + 4*J1*l^2*m2 + J2*m1*r^2 + 4*J2*m2*r^2 + l^2*m1*m2*r^2
  s^2: 4*J1*b2 + 4*J2*b1 + 4*b1*l^2*m2 + b2*m1*r^2 + 4*b2*m2*r^2
  s^1: 4*b1*b2 - 4*J1*g*l*m2 - g*l*m1*m2*r^2 - 4*g*l*m2^2*r^2
  s^0: -4*b1*g*l*m2
pole 0.0000
pole -1.2378
pole 12.4466
pole -13.6009
*/
