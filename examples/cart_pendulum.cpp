// A nonlinear model: the equilibrium is found, the equations are linearised there, and the modes show that it is stable.
#include <cstdio>

#include "sfg/control/poles.hpp"
#include "sfg/derive/lagrange.hpp"
#include "sfg/read/input.hpp"
#include "sfg/transfer/exact_transfer.hpp"

int main() {
  const sfg::Input input = sfg::read_file("cart_pendulum.toml");
  const auto& lagrangian = std::get<sfg::Lagrangian>(std::get<sfg::Model>(input.content));
  const sfg::LagrangeEquations equations = sfg::lagrange_equations(lagrangian);

  for (const auto& [coordinate, value] : equations.equilibrium->values) std::printf("%s = %.6f\n", coordinate.c_str(), value);
  std::printf("the stiffness there is %s\n", equations.equilibrium->stable ? "positive" : "not positive");

  const auto modes = sfg::poles_zeros(sfg::characteristic_coefficients(equations.equations()), equations.variable);
  for (const sfg::Mode& mode : modes.modes)
    if (mode.pole.value.imag() > 0) std::printf("mode: %.5f rad/s, damping %.5f\n", mode.frequency, mode.damping);
}

/* prints
th = 0.502478
x = 0.000000
the stiffness there is positive
mode: 4.18267 rad/s, damping 0.07259
mode: 6.30929 rad/s, damping 0.11209
*/
